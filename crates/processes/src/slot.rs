//! A slot: one message at a time between a process and the simulator, long ones in pieces.
//!
//! | word | content |
//! |---|---|
//! | turn | which side may write: 0 the process, 1 the simulator, 2 neither, because the process has ended |
//! | 0 | length of the whole message, in bytes |
//! | 1 | virtual time of the last answer, in ps |
//! | 2 | number of the run: that of the process of the simulator |
//! | 3 | 1 while an asynchronous event of verbs waits for the process |
//! | 4 | number of the process, if a launcher has started it; 0 before it is there |
//! | 5 | number of that launcher |
//! | 6 | number of the process, a fork, that has the slot in place of its program; 0 for the program |
//! | 7 | number of the last fork that is known not to belong to the run |
//! | 8 and more | a piece of the message, at most [`PIECE`] bytes |
//!
//! The side whose turn it is writes, passes the turn and wakes the other side. A waiting side sleeps in a futex instead of
//! spinning, so on one core a turn costs two context switches. Neither side trusts the other: a message is as long as
//! the bytes that were really handed over, [`LONGEST`] at most.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use rustix::io::Errno;
use rustix::thread::futex::{self, Flags, Timespec};
use slots::{Memory, WORDS};

/// Index of the word with the length.
const LENGTH: usize = 0;
/// Index of the word with the virtual time.
const TIME: usize = 1;
/// Index of the word with the number of the run.
const RUN: usize = 2;
/// Index of the word about asynchronous events.
const EVENTS: usize = 3;
/// Index of the word with the number of the process.
const OWNER: usize = 4;
/// Index of the word with the number of the launcher.
const LAUNCHER: usize = 5;
/// Index of the word about the fork that has the slot.
const HOLDER: usize = 6;
/// Index of the word about forks outside the run.
const OUTSIDE: usize = 7;
/// Index of the first word of a piece.
const DATA: usize = 8;

/// Bytes of a piece.
pub const PIECE: usize = (WORDS - DATA) * 8;

/// Bytes of the longest message: 4 GiB.
pub const LONGEST: u64 = 1 << 32;

/// Interval at which a waiting simulator looks whether the run was interrupted: 100 ms.
const INTERRUPT_CHECK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

const PROCESS: u32 = 0;
const SIMULATOR: u32 = 1;
const CLOSED: u32 = 2;

/// New memory for a slot of this run.
pub fn new_memory() -> io::Result<Arc<Memory>> {
    let memory = Memory::create()?;
    memory.words()[RUN].store(std::process::id().into(), Relaxed);
    Ok(Arc::new(memory))
}

/// One side of a slot.
#[derive(Debug)]
pub struct Slot {
    memory: Arc<Memory>,
    own: u32,
    other: u32,
    /// Time between two looks at `keep_waiting`. The process has none: it is killed with the simulator, and a timer
    /// adds one fifteenth to the cost of a turn.
    timeout: Option<Timespec>,
}

/// Why no message was sent or received.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SlotError {
    /// The process has ended.
    #[error("the process has ended")]
    Closed,
    /// `keep_waiting` no longer held.
    #[error("the wait was interrupted")]
    Interrupted,
    /// The length, in bytes, exceeds that of the longest message.
    #[error("a message of {0} bytes, more than {LONGEST}")]
    TooLong(u64),
    /// The other side wrote an undefined turn.
    #[error("turn {0} is not defined")]
    InvalidTurn(u32),
    /// The operating system refused to wait or to wake.
    #[error("waiting: {0}")]
    System(Errno),
}

impl Slot {
    /// The simulator's side. In new memory it is the turn of the process.
    pub fn simulator(memory: Arc<Memory>) -> Self {
        Slot { memory, own: SIMULATOR, other: PROCESS, timeout: Some(INTERRUPT_CHECK) }
    }

    /// The side of the process.
    pub fn process(memory: Arc<Memory>) -> Self {
        Slot { memory, own: PROCESS, other: SIMULATOR, timeout: None }
    }

    /// Virtual time of the last answer, in ps.
    pub fn time_ps(&self) -> u64 {
        self.memory.words()[TIME].load(Relaxed)
    }

    /// Sets the virtual time, in ps; the process sees it with the next answer.
    pub fn set_time_ps(&self, ps: u64) {
        self.memory.words()[TIME].store(ps, Relaxed);
    }

    /// Number of the run; other runs on the computer have others.
    pub fn run(&self) -> u32 {
        self.memory.words()[RUN].load(Relaxed) as u32
    }

    /// Whether an asynchronous event waited for the process at the last answer.
    pub fn has_events(&self) -> bool {
        self.memory.words()[EVENTS].load(Relaxed) != 0
    }

    /// Says whether an asynchronous event waits; the process sees it with the next answer.
    pub fn set_events(&self, waits: bool) {
        self.memory.words()[EVENTS].store(waits.into(), Relaxed);
    }

    /// The process of this number takes the slot; false if another process has it.
    pub fn claim(&self, process: u32) -> bool {
        let owner = &self.memory.words()[OWNER];
        let before = owner.compare_exchange(0, process.into(), AcqRel, Acquire);
        before.is_ok() || before == Err(process.into())
    }

    /// Number of the process that has taken the slot.
    pub fn owner(&self) -> Option<u32> {
        u32::try_from(self.memory.words()[OWNER].load(Acquire)).ok().filter(|owner| *owner != 0)
    }

    /// Sets the number of the launcher whose processes take the slot.
    pub fn set_launcher(&self, launcher: u32) {
        self.memory.words()[LAUNCHER].store(launcher.into(), Release);
    }

    /// Number of the launcher that has started the process; none if the simulator has.
    pub fn launcher(&self) -> Option<u32> {
        u32::try_from(self.memory.words()[LAUNCHER].load(Acquire)).ok().filter(|launcher| *launcher != 0)
    }

    /// Number of the process of the fork that has the slot; 0 for the program itself. The process side alone uses it.
    pub fn holder(&self) -> u64 {
        self.memory.words()[HOLDER].load(Acquire)
    }

    /// Gives the slot to a fork, or back to the program.
    pub fn set_holder(&self, fork: u64) {
        self.memory.words()[HOLDER].store(fork, Release);
    }

    /// Whether a fork is known not to belong to the run.
    pub fn is_outside(&self, fork: u64) -> bool {
        self.memory.words()[OUTSIDE].load(Acquire) >= fork
    }

    /// Forks up to this number do not belong to the run, but for the holder.
    pub fn set_outside(&self, fork: u64) {
        self.memory.words()[OUTSIDE].store(fork, Release);
    }

    /// Ends all waits and later ones with [`SlotError::Closed`].
    pub fn close(&self) {
        self.memory.turn().store(CLOSED, Release);
        let _ = futex::wake(self.memory.turn(), Flags::empty(), u32::MAX);
    }

    /// Sends a message. Between two pieces it waits for the other side, for as long as `keep_waiting` holds.
    pub fn send(&self, message: &[u8], keep_waiting: &mut dyn FnMut() -> bool) -> Result<(), SlotError> {
        if message.len() as u64 > LONGEST {
            return Err(SlotError::TooLong(message.len() as u64));
        }
        let mut pieces = message.chunks(PIECE);
        self.put(message.len(), pieces.next().unwrap_or_default())?;
        for piece in pieces {
            self.wait(keep_waiting)?;
            self.put(message.len(), piece)?;
        }
        Ok(())
    }

    /// Receives a message, waiting for it as long as `keep_waiting` holds. Then it is this side's turn.
    pub fn receive(&self, keep_waiting: &mut dyn FnMut() -> bool) -> Result<Vec<u8>, SlotError> {
        let mut message = Vec::new();
        loop {
            self.wait(keep_waiting)?;
            let length = self.memory.words()[LENGTH].load(Relaxed);
            if length > LONGEST {
                return Err(SlotError::TooLong(length));
            }
            // No memory is allocated for an announced length.
            let left = length.saturating_sub(message.len() as u64).min(PIECE as u64) as usize;
            self.take(&mut message, left);
            if message.len() as u64 >= length {
                return Ok(message);
            }
            self.pass_turn()?;
        }
    }

    /// Receives a message of one piece, whose content this side knows, as [`receive`](Self::receive). It allocates no memory.
    pub fn receive_nothing(&self, keep_waiting: &mut dyn FnMut() -> bool) -> Result<(), SlotError> {
        self.wait(keep_waiting)
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
        self.pass_turn()
    }

    fn take(&self, message: &mut Vec<u8>, bytes: usize) {
        let begin = message.len();
        message.resize(begin + bytes.next_multiple_of(8), 0);
        let (whole, _) = message[begin..].as_chunks_mut::<8>();
        for (bytes, word) in whole.iter_mut().zip(&self.memory.words()[DATA..]) {
            *bytes = word.load(Relaxed).to_le_bytes();
        }
        message.truncate(begin + bytes);
    }

    fn pass_turn(&self) -> Result<(), SlotError> {
        match self.memory.turn().compare_exchange(self.own, self.other, AcqRel, Acquire) {
            Ok(_) => {
                futex::wake(self.memory.turn(), Flags::empty(), 1).map_err(SlotError::System)?;
                Ok(())
            }
            Err(CLOSED) => Err(SlotError::Closed),
            Err(turn) => Err(SlotError::InvalidTurn(turn)),
        }
    }

    fn wait(&self, keep_waiting: &mut dyn FnMut() -> bool) -> Result<(), SlotError> {
        loop {
            match self.memory.turn().load(Acquire) {
                turn if turn == self.own => return Ok(()),
                turn if turn == self.other => {}
                CLOSED => return Err(SlotError::Closed),
                turn => return Err(SlotError::InvalidTurn(turn)),
            }
            match futex::wait(self.memory.turn(), Flags::empty(), self.other, self.timeout.as_ref()) {
                Ok(()) | Err(Errno::AGAIN | Errno::INTR) => {}
                Err(Errno::TIMEDOUT) if keep_waiting() => {}
                Err(Errno::TIMEDOUT) => return Err(SlotError::Interrupted),
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
        (Slot::simulator(memory.clone()), Slot::process(memory))
    }

    fn bytes(count: usize) -> Vec<u8> {
        (0..count).map(|index| (index * 7 + index / 251) as u8).collect()
    }

    #[test]
    fn messages_of_any_length_and_their_answers_arrive() {
        let (simulator, process) = sides();
        let lengths = [0, 1, 7, 8, 9, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 5];
        let echo = thread::spawn(move || {
            for _ in lengths {
                let message = simulator.receive(&mut || true).unwrap();
                simulator.set_time_ps(message.len() as u64);
                simulator.send(&message, &mut || true).unwrap();
            }
        });
        for length in lengths {
            process.send(&bytes(length), &mut || true).unwrap();
            assert_eq!(process.receive(&mut || true).unwrap(), bytes(length), "{length}");
            assert_eq!(process.time_ps(), length as u64);
        }
        echo.join().unwrap();
    }

    #[test]
    fn one_process_takes_a_slot() {
        let (simulator, process) = sides();
        assert_eq!((simulator.owner(), process.launcher()), (None, None));
        simulator.set_launcher(6);
        assert!(process.claim(7) && process.claim(7) && !process.claim(8));
        assert_eq!((simulator.owner(), process.launcher()), (Some(7), Some(6)));
    }

    #[test]
    fn wait_for_an_ended_process_fails() {
        let (simulator, process) = sides();
        let closer = Slot::simulator(simulator.memory.clone());
        let waits = thread::spawn(move || simulator.receive(&mut || true));
        closer.close();
        assert_eq!(waits.join().unwrap(), Err(SlotError::Closed));
        assert_eq!(process.send(b"too late", &mut || true), Err(SlotError::Closed));
    }

    #[test]
    fn interrupted_wait_ends() {
        let (simulator, _process) = sides();
        assert_eq!(simulator.receive(&mut || false), Err(SlotError::Interrupted));
    }

    #[test]
    fn invalid_length_and_turn_are_refused() {
        let (simulator, process) = sides();
        process.put(usize::MAX, &[]).unwrap();
        assert_eq!(simulator.receive(&mut || true), Err(SlotError::TooLong(u64::MAX)));
        process.memory.turn().store(5, Relaxed);
        assert_eq!(simulator.receive(&mut || true), Err(SlotError::InvalidTurn(5)));
    }

    #[test]
    fn message_over_the_longest_is_not_started() {
        // Untouched pages of zeros take no memory.
        let (_, process) = sides();
        let message = vec![0; LONGEST as usize + 1];
        assert_eq!(process.send(&message, &mut || true), Err(SlotError::TooLong(LONGEST + 1)));
        assert_eq!(process.memory.turn().load(Relaxed), PROCESS);
    }

    #[test]
    fn any_words_in_a_slot_end_in_a_message_or_an_error() {
        for seed in 0..20u64 {
            let (simulator, process) = sides();
            let (turn, length) = (seed as u32 % 5, seed.wrapping_mul(seed) * 977);
            for (at, word) in process.memory.words().iter().enumerate().step_by(7) {
                word.store(seed.wrapping_mul(at as u64 | 1), Relaxed);
            }
            process.memory.words()[LENGTH].store(length, Relaxed);
            process.memory.turn().store(turn, Relaxed);
            match simulator.receive(&mut || false) {
                Ok(message) => assert_eq!(message.len() as u64, length),
                Err(error) => assert_ne!(error, SlotError::TooLong(length.min(LONGEST))),
            }
        }
    }

    #[test]
    fn length_that_shrinks_between_pieces_ends_the_message() {
        let (simulator, process) = sides();
        let sends = thread::spawn(move || {
            process.put(2 * PIECE, &bytes(PIECE)).unwrap();
            process.wait(&mut || true).unwrap();
            process.put(3, &[]).unwrap();
        });
        assert_eq!(simulator.receive(&mut || true).unwrap(), bytes(PIECE));
        sends.join().unwrap();
    }
}
