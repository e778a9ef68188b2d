//! A slot: one message at a time between a rank's process and the simulator, long ones in pieces.
//!
//! | word | what |
//! |---|---|
//! | turn | whose turn it is: 0 the rank's, 1 the simulator's, 2 nobody's any more, because the process has ended |
//! | 0 | bytes of the whole message |
//! | 1 | virtual time of the last answer, in ps |
//! | 8 and more | a piece of the message, at most [`PIECE`] bytes |
//!
//! Whose turn it is may write; then the other one is woken. Nobody spins: a side that waits sleeps in a futex, so on one core the two
//! take turns at the price of two switches. What the other side has written is never believed: a message is as long as what was
//! really handed over, [`LONGEST`] at most.

use std::sync::Arc;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use rustix::io::Errno;
use rustix::thread::futex::{self, Flags, Timespec};
use slots::{Memory, WORDS};

/// The word of the length.
const LENGTH: usize = 0;
/// The word of the time.
const TIME: usize = 1;
/// The first word of a piece.
const DATA: usize = 8;

/// Bytes of a piece.
pub const PIECE: usize = (WORDS - DATA) * 8;

/// Bytes of the longest message: 4 GiB.
pub const LONGEST: u64 = 1 << 32;

/// For how long the simulator sleeps before it looks whether somebody wants the run to end: 100 ms.
const NAP: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

const RANK: u32 = 0;
const SIMULATOR: u32 = 1;
const GONE: u32 = 2;

/// One side of a slot.
#[derive(Debug)]
pub struct Slot {
    memory: Arc<Memory>,
    own: u32,
    other: u32,
    /// For how long it sleeps before it looks whether it should go on waiting. A rank need not look: it ends with the simulator. A timer
    /// costs a fifteenth of a turn.
    nap: Option<Timespec>,
}

/// Why there is no message.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SlotError {
    /// The process has ended.
    #[error("the process has ended")]
    Gone,
    /// Whoever waited does not want to wait any longer.
    #[error("the wait was given up")]
    GivenUp,
    /// One side has what no message has.
    #[error("a message of {0} bytes, more than {LONGEST}")]
    TooLong(u64),
    /// The other side wrote a turn that there is not.
    #[error("turn {0} is nobody's")]
    NoTurn(u32),
    /// The operating system does not let it wait.
    #[error("waiting: {0}")]
    System(Errno),
}

impl Slot {
    /// The simulator's side of new memory. It is the rank's turn.
    pub fn simulator(memory: Arc<Memory>) -> Self {
        Slot { memory, own: SIMULATOR, other: RANK, nap: Some(NAP) }
    }

    /// The rank's side.
    pub fn rank(memory: Arc<Memory>) -> Self {
        Slot { memory, own: RANK, other: SIMULATOR, nap: None }
    }

    /// The virtual time of the last answer, in ps.
    pub fn time_ps(&self) -> u64 {
        self.memory.words()[TIME].load(Relaxed)
    }

    /// Tells the rank what time it is, in ps; with the next answer, that is.
    pub fn set_time_ps(&self, ps: u64) {
        self.memory.words()[TIME].store(ps, Relaxed);
    }

    /// Nobody's turn any more: whoever waits is told that the process has ended.
    pub fn close(&self) {
        self.memory.turn().store(GONE, Release);
        let _ = futex::wake(self.memory.turn(), Flags::empty(), u32::MAX);
    }

    /// Hands a message over. Between two pieces it waits for the other side, for as long as `go_on` says so.
    pub fn send(&self, message: &[u8], go_on: &mut dyn FnMut() -> bool) -> Result<(), SlotError> {
        if message.len() as u64 > LONGEST {
            return Err(SlotError::TooLong(message.len() as u64));
        }
        let mut pieces = message.chunks(PIECE);
        self.put(message.len(), pieces.next().unwrap_or_default())?;
        for piece in pieces {
            self.wait(go_on)?;
            self.put(message.len(), piece)?;
        }
        Ok(())
    }

    /// Waits for a message and takes it, for as long as `go_on` says so. Then it is this side's turn.
    pub fn receive(&self, go_on: &mut dyn FnMut() -> bool) -> Result<Vec<u8>, SlotError> {
        let mut message = Vec::new();
        loop {
            self.wait(go_on)?;
            let length = self.memory.words()[LENGTH].load(Relaxed);
            if length > LONGEST {
                return Err(SlotError::TooLong(length));
            }
            // Nothing is reserved for what is only announced.
            let left = length.saturating_sub(message.len() as u64).min(PIECE as u64) as usize;
            self.take(&mut message, left);
            if message.len() as u64 >= length {
                return Ok(message);
            }
            self.hand_over()?;
        }
    }

    fn put(&self, length: usize, piece: &[u8]) -> Result<(), SlotError> {
        let words = self.memory.words();
        words[LENGTH].store(length as u64, Relaxed);
        let (whole, rest) = piece.as_chunks::<8>();
        for (word, bytes) in words[DATA..].iter().zip(whole) {
            word.store(u64::from_le_bytes(*bytes), Relaxed);
        }
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            words[DATA + whole.len()].store(u64::from_le_bytes(last), Relaxed);
        }
        self.hand_over()
    }

    fn take(&self, message: &mut Vec<u8>, bytes: usize) {
        let end = message.len() + bytes;
        for word in &self.memory.words()[DATA..DATA + bytes.div_ceil(8)] {
            message.extend(word.load(Relaxed).to_le_bytes());
        }
        message.truncate(end);
    }

    fn hand_over(&self) -> Result<(), SlotError> {
        match self.memory.turn().compare_exchange(self.own, self.other, AcqRel, Acquire) {
            Ok(_) => {
                futex::wake(self.memory.turn(), Flags::empty(), 1).map_err(SlotError::System)?;
                Ok(())
            }
            Err(GONE) => Err(SlotError::Gone),
            Err(turn) => Err(SlotError::NoTurn(turn)),
        }
    }

    fn wait(&self, go_on: &mut dyn FnMut() -> bool) -> Result<(), SlotError> {
        loop {
            match self.memory.turn().load(Acquire) {
                turn if turn == self.own => return Ok(()),
                turn if turn == self.other => {}
                GONE => return Err(SlotError::Gone),
                turn => return Err(SlotError::NoTurn(turn)),
            }
            match futex::wait(self.memory.turn(), Flags::empty(), self.other, self.nap.as_ref()) {
                Ok(()) | Err(Errno::AGAIN | Errno::INTR) => {}
                Err(Errno::TIMEDOUT) if go_on() => {}
                Err(Errno::TIMEDOUT) => return Err(SlotError::GivenUp),
                Err(error) => return Err(SlotError::System(error)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn sides() -> (Slot, Slot) {
        let memory = Arc::new(Memory::create().unwrap());
        (Slot::simulator(memory.clone()), Slot::rank(memory))
    }

    fn bytes(count: usize) -> Vec<u8> {
        (0..count).map(|index| (index * 7 + index / 251) as u8).collect()
    }

    #[test]
    fn messages_of_any_length_cross_and_their_answers_too() {
        let (simulator, rank) = sides();
        let lengths = [0, 1, 7, 8, 9, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 5];
        let echo = thread::spawn(move || {
            for _ in lengths {
                let message = simulator.receive(&mut || true).unwrap();
                simulator.set_time_ps(message.len() as u64);
                simulator.send(&message, &mut || true).unwrap();
            }
        });
        for length in lengths {
            rank.send(&bytes(length), &mut || true).unwrap();
            assert_eq!(rank.receive(&mut || true).unwrap(), bytes(length), "{length}");
            assert_eq!(rank.time_ps(), length as u64);
        }
        echo.join().unwrap();
    }

    #[test]
    fn whoever_waits_for_a_process_that_ends_is_told() {
        let (simulator, rank) = sides();
        let closer = Slot::simulator(simulator.memory.clone());
        let waits = thread::spawn(move || simulator.receive(&mut || true));
        closer.close();
        assert_eq!(waits.join().unwrap(), Err(SlotError::Gone));
        assert_eq!(rank.send(b"too late", &mut || true), Err(SlotError::Gone));
    }

    #[test]
    fn whoever_does_not_want_to_wait_does_not() {
        let (simulator, _rank) = sides();
        assert_eq!(simulator.receive(&mut || false), Err(SlotError::GivenUp));
    }

    #[test]
    fn what_no_side_writes_is_refused() {
        let (simulator, rank) = sides();
        rank.put(usize::MAX, &[]).unwrap();
        assert_eq!(simulator.receive(&mut || true), Err(SlotError::TooLong(u64::MAX)));
        rank.memory.turn().store(5, Relaxed);
        assert_eq!(simulator.receive(&mut || true), Err(SlotError::NoTurn(5)));
    }

    #[test]
    fn longer_than_the_longest_is_not_even_begun() {
        // Pages of zeros that nobody looks at take no memory.
        let (_, rank) = sides();
        let message = vec![0; LONGEST as usize + 1];
        assert_eq!(rank.send(&message, &mut || true), Err(SlotError::TooLong(LONGEST + 1)));
        assert_eq!(rank.memory.turn().load(Relaxed), RANK);
    }

    #[test]
    fn any_words_in_a_slot_end_in_a_message_or_an_error() {
        for seed in 0..20u64 {
            let (simulator, rank) = sides();
            let (turn, length) = (seed as u32 % 5, seed.wrapping_mul(seed) * 977);
            for (at, word) in rank.memory.words().iter().enumerate().step_by(7) {
                word.store(seed.wrapping_mul(at as u64 | 1), Relaxed);
            }
            rank.memory.words()[LENGTH].store(length, Relaxed);
            rank.memory.turn().store(turn, Relaxed);
            match simulator.receive(&mut || false) {
                Ok(message) => assert_eq!(message.len() as u64, length),
                Err(error) => assert_ne!(error, SlotError::TooLong(length.min(LONGEST))),
            }
        }
    }

    #[test]
    fn length_that_shrinks_on_the_way_ends_the_message() {
        let (simulator, rank) = sides();
        let sends = thread::spawn(move || {
            rank.put(2 * PIECE, &bytes(PIECE)).unwrap();
            rank.wait(&mut || true).unwrap();
            rank.put(3, &[]).unwrap();
        });
        assert_eq!(simulator.receive(&mut || true).unwrap(), bytes(PIECE));
        sends.join().unwrap();
    }
}
