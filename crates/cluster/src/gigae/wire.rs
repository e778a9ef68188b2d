//! One direction of a cable: bytes in the order of time, and what befalls frames.

use std::collections::VecDeque;

use hdl::Stimulus;

use super::cost;
use crate::{Clocks, Duration, Time};

/// Time of a byte: 125 MB/s (paper section 1).
pub(super) const BYTE: Duration = Clocks::GIGAE_PM.network.period;

/// Bytes of silence between frames (IEEE 802.3, section 4).
const GAP: u64 = 12;

/// Bytes in front of a frame: preamble and start delimiter.
pub(super) const PREAMBLE: usize = 8;

/// What a wire does to frames: each of these to so many of a million.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The frame is lost.
    pub loss: u32,
    /// It arrives twice.
    pub duplication: u32,
    /// It arrives behind the frame that follows it.
    pub reordering: u32,
    /// A bit of it is wrong.
    pub corruption: u32,
    /// It is the first of a run of frames that are all lost.
    pub burst: u32,
    /// Frames of such a run.
    pub burst_length: u32,
}

/// What a wire did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WireCounters {
    /// Frames that were sent.
    pub frames: u64,
    /// Frames lost, in bursts too.
    pub lost: u64,
    /// Bursts.
    pub bursts: u64,
    /// Frames that arrived twice.
    pub repeated: u64,
    /// Frames that arrived behind others.
    pub reordered: u64,
    /// Frames with a wrong bit.
    pub damaged: u64,
}

/// What befalls a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Nothing.
    Passes,
    /// It does not arrive.
    IsLost,
    /// It arrives twice.
    Repeats,
    /// It arrives behind the next one.
    ComesLate,
    /// This byte, counted from the preamble, is wrong in these bits.
    IsDamaged(usize, u8),
}

/// A frame as it was sent into a wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    /// When its last byte had left.
    pub time: Time,
    pub fate: Fate,
    /// From the destination address to the check sequence.
    pub bytes: Vec<u8>,
}

/// One direction of a cable.
#[derive(Clone, Debug)]
pub struct Wire {
    faults: Faults,
    random: Stimulus,
    /// Bytes on their way, and when they arrive.
    bytes: VecDeque<(Time, u8)>,
    /// When the next byte of a frame, and the first of another, may arrive.
    next_byte: Time,
    next_frame: Time,
    /// Frame that is being sent, as it was sent, and what befalls it.
    frame: Vec<u8>,
    fate: Fate,
    /// Frames of the present burst that are still to be lost.
    burst_left: u32,
    /// A frame that waits for the next to go first.
    late: Option<Vec<u8>>,
    counters: WireCounters,
    /// Frames that were sent, if somebody wants them.
    sent: Option<Vec<Sent>>,
}

impl Wire {
    /// A good wire.
    pub(super) fn new() -> Self {
        Wire {
            faults: Faults::default(),
            random: Stimulus::new(0),
            bytes: VecDeque::new(),
            next_byte: Time::ZERO,
            next_frame: Time::ZERO,
            frame: Vec::new(),
            fate: Fate::Passes,
            burst_left: 0,
            late: None,
            counters: WireCounters::default(),
            sent: None,
        }
    }

    /// Keeps a copy of every frame from now on.
    pub(super) fn capture(&mut self) {
        self.sent.get_or_insert_default();
    }

    /// The copies kept so far, the oldest first.
    pub(super) fn take_sent(&mut self) -> Vec<Sent> {
        self.sent.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Makes the wire a bad one from the next frame on. The same seed befalls the same frames.
    pub fn set_faults(&mut self, faults: Faults, seed: u64) {
        self.faults = faults;
        self.random = Stimulus::new(seed);
    }

    /// Whether no byte is on its way. A frame that waits for the next one is not.
    pub(super) fn is_quiet(&self) -> bool {
        self.bytes.is_empty() && self.frame.is_empty()
    }

    /// What it did so far.
    pub fn counters(&self) -> WireCounters {
        self.counters
    }

    /// A cycle of the network clock at the sending end: a byte of a frame, or silence. Tells whether a frame begins or ends.
    pub(super) fn send(&mut self, now: Time, byte: Option<u8>) -> Option<Edge> {
        match byte {
            Some(byte) => {
                let first = self.frame.is_empty();
                if first {
                    self.fate = self.draw();
                    self.counters.frames += 1;
                }
                self.frame.push(byte);
                let (at, place) = (now + cost::CABLE.duration, self.frame.len() - 1);
                match self.fate {
                    Fate::Passes | Fate::Repeats => self.put(at, byte, first),
                    Fate::IsDamaged(wrong, bits) => {
                        self.put(at, if place == wrong { byte ^ bits } else { byte }, first);
                    }
                    Fate::IsLost | Fate::ComesLate => {}
                }
                first.then_some(Edge::Begins)
            }
            None if self.frame.is_empty() => None,
            None => {
                if let Some(sent) = &mut self.sent {
                    let bytes = self.frame.get(PREAMBLE..).unwrap_or_default().to_vec();
                    sent.push(Sent { time: now, fate: self.fate, bytes });
                }
                self.end(now + cost::CABLE.duration);
                Some(Edge::Ends)
            }
        }
    }

    /// When the next byte arrives, if one is on its way.
    pub(super) fn next_arrival(&self) -> Option<Time> {
        self.bytes.front().map(|(time, _)| *time)
    }

    /// A byte that has arrived by `now`.
    pub(super) fn receive(&mut self, now: Time) -> Option<u8> {
        let (time, byte) = *self.bytes.front()?;
        (time <= now).then(|| {
            self.bytes.pop_front();
            byte
        })
    }

    /// The frame has been sent.
    fn end(&mut self, at: Time) {
        let frame = std::mem::take(&mut self.frame);
        let late = self.late.take();
        match self.fate {
            Fate::Repeats => self.put_frame(at, &frame),
            Fate::ComesLate => self.late = Some(frame),
            Fate::Passes | Fate::IsLost | Fate::IsDamaged(..) => {}
        }
        if let Some(late) = late {
            self.put_frame(at, &late);
        }
    }

    fn put_frame(&mut self, at: Time, frame: &[u8]) {
        for (i, byte) in frame.iter().enumerate() {
            self.put(at, *byte, i == 0);
        }
    }

    /// A byte arrives at `at`, or when those before it have.
    fn put(&mut self, at: Time, byte: u8, first: bool) {
        let at = at.max(if first { self.next_frame } else { self.next_byte });
        self.bytes.push_back((at, byte));
        self.next_byte = at + BYTE;
        self.next_frame = self.next_byte + BYTE * GAP;
    }

    fn draw(&mut self) -> Fate {
        let Faults { loss, duplication, reordering, corruption, burst, burst_length } = self.faults;
        let counters = &mut self.counters;
        if self.burst_left > 0 {
            self.burst_left -= 1;
            counters.lost += 1;
            return Fate::IsLost;
        }
        let drawn = self.random.below(1_000_000) as u32;
        let (repeats, late) = (loss + duplication, loss + duplication + reordering);
        if drawn < loss {
            counters.lost += 1;
            Fate::IsLost
        } else if drawn < repeats {
            counters.repeated += 1;
            Fate::Repeats
        } else if drawn < late {
            counters.reordered += 1;
            Fate::ComesLate
        } else if drawn < late + corruption {
            counters.damaged += 1;
            // Behind the preamble, and within the shortest frame.
            Fate::IsDamaged(PREAMBLE + self.random.below(60) as usize, 1 << self.random.below(8))
        } else if drawn < late + corruption + burst {
            counters.lost += 1;
            counters.bursts += 1;
            self.burst_left = burst_length.saturating_sub(1);
            Fate::IsLost
        } else {
            Fate::Passes
        }
    }
}

/// Where in a frame the sending end is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// Its first byte.
    Begins,
    /// Its last byte is sent.
    Ends,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What arrives of frames of these bytes: when each begins, and its bytes.
    fn carry(faults: Faults, frames: &[Vec<u8>]) -> (Vec<(u64, Vec<u8>)>, WireCounters) {
        let mut wire = Wire::new();
        wire.set_faults(faults, 1);
        let silence = [None; 12];
        let line = frames.iter().flat_map(|frame| frame.iter().copied().map(Some).chain(silence));
        let (mut now, mut arrived, mut open) = (Time::ZERO, Vec::<(u64, Vec<u8>)>::new(), false);
        for byte in line.chain([None; 2_000]) {
            now += BYTE;
            wire.send(now, byte);
            let byte = wire.receive(now);
            match (byte, open) {
                (Some(byte), true) => arrived.last_mut().unwrap().1.push(byte),
                (Some(byte), false) => arrived.push((now.ps(), vec![byte])),
                (None, _) => {}
            }
            open = byte.is_some();
        }
        (arrived, wire.counters())
    }

    fn frames() -> Vec<Vec<u8>> {
        (0..4).map(|i| vec![i; 72]).collect()
    }

    fn marks(faults: Faults) -> Vec<u8> {
        carry(faults, &frames()).0.iter().map(|(_, frame)| frame[0]).collect()
    }

    #[test]
    fn good_wire_delivers_after_its_latency() {
        let (arrived, counters) = carry(Faults::default(), &frames());
        // The first byte leaves at 8 ns; 50 ns later is between two clocks.
        assert_eq!(arrived[0], (64_000, vec![0; 72]));
        assert_eq!(arrived.len(), 4);
        assert_eq!(counters, WireCounters { frames: 4, ..WireCounters::default() });
    }

    #[test]
    fn burst_loses_a_run_of_frames_and_no_others() {
        let frames: Vec<_> = (0..180).map(|i| vec![i; 72]).collect();
        let faults = Faults { burst: 40_000, burst_length: 5, ..Faults::default() };
        let (arrived, counters) = carry(faults, &frames);
        let arrived: Vec<_> = arrived.iter().map(|(_, frame)| frame[0]).collect();
        let lost: Vec<_> = (0..180).filter(|mark| !arrived.contains(mark)).collect();
        let runs = lost.chunk_by(|a, b| a + 1 == *b).map(<[u8]>::len).collect::<Vec<_>>();
        assert!(counters.bursts > 2 && runs.iter().all(|run| run.is_multiple_of(5)), "{runs:?}");
        assert_eq!((lost.len() as u64, counters.lost), (5 * counters.bursts, 5 * counters.bursts));
    }

    #[test]
    fn frames_are_captured_as_they_were_sent_whatever_befalls_them() {
        let mut wire = Wire::new();
        wire.set_faults(Faults { loss: 1_000_000, ..Faults::default() }, 1);
        wire.capture();
        let mut now = Time::ZERO;
        for byte in frames()[3].iter().copied().map(Some).chain([None; 2]) {
            now += BYTE;
            wire.send(now, byte);
        }
        let time = Time::ZERO + BYTE * 73;
        assert_eq!(wire.take_sent(), [Sent { time, fate: Fate::IsLost, bytes: vec![3; 64] }]);
        assert_eq!(wire.take_sent(), []);
    }

    #[test]
    fn certain_faults_befall_every_frame() {
        let all = 1_000_000;
        assert!(marks(Faults { loss: all, ..Faults::default() }).is_empty());
        assert_eq!(
            marks(Faults { duplication: all, ..Faults::default() }),
            [0, 0, 1, 1, 2, 2, 3, 3],
            "a frame and its copy"
        );
        assert_eq!(marks(Faults { reordering: all, ..Faults::default() }), [0, 1, 2], "each behind the next");
        let (arrived, counters) = carry(Faults { corruption: all, ..Faults::default() }, &frames());
        assert_eq!(counters.damaged, 4);
        for (i, (_, frame)) in arrived.iter().enumerate() {
            let wrong: u32 = frame.iter().map(|byte| (byte ^ i as u8).count_ones()).sum();
            assert_eq!(wrong, 1);
        }
    }
}
