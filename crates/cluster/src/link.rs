//! A link: lines in one direction, the receiver's readiness in the other.

use std::collections::VecDeque;

use dimmnet2::line::{FIRST, LAST, Line};

use crate::fault::Faults;
use crate::{Duration, Time};

/// How long things take on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkTiming {
    /// From one end of the cable to the other, for data and for flow control.
    pub latency: Duration,
    /// How long one line of 8 bytes occupies the link.
    pub line: Duration,
    /// What a frame occupies beyond its lines.
    pub frame_overhead: Duration,
}

impl LinkTiming {
    /// InfiniBand 4X over 2 m of copper (thesis table 6.1).
    ///
    /// * latency: 2 m at 5 ns/m, a wave that runs at two thirds of the speed of light, as in most copper cables
    ///   (decision 0013; the thesis gives only the length);
    /// * line: 4 lanes of 2.5 Gbps with 8B10B carry 1 byte per ns;
    /// * frame overhead: ICRC 4 bytes, VCRC 2 bytes, a start and an end delimiter of one symbol each
    ///   (InfiniBand Architecture, volume 1 chapter 7 and volume 2, packet formats), less the 4 bytes by which
    ///   the last line of the base transport header is shorter than the others (decision 0010).
    pub const INFINIBAND_4X: LinkTiming = LinkTiming {
        latency: Duration::from_ps(2 * 5_000),
        line: Duration::from_ps(8_000),
        frame_overhead: Duration::from_ps((4 + 2 + 1 + 1 - 4) * 1_000),
    };
}

/// One direction of a cable.
///
/// Flow control is on/off: a frame starts only if the receiver was ready one latency ago. A frame under way
/// always runs to its end, and all its lines arrive unless a [fault](Faults) strikes it.
#[derive(Debug)]
pub struct Link {
    timing: LinkTiming,
    /// The link has room for a next line from here on.
    free_at: Time,
    /// The line sent last did not end a frame.
    in_frame: bool,
    /// Lines on their way, with the time at which they have arrived whole.
    lines: VecDeque<(Time, Line)>,
    /// The receiver's readiness as the sender knows it.
    ready: bool,
    /// Changes of it that are still on their way to the sender.
    changes: VecDeque<(Time, bool)>,
    /// The readiness that the receiver announced last.
    announced: bool,
    faults: Faults,
}

impl Link {
    /// An empty link towards a receiver that is not ready yet.
    pub fn new(timing: LinkTiming) -> Self {
        Link {
            timing,
            free_at: Time::ZERO,
            in_frame: false,
            lines: VecDeque::new(),
            ready: false,
            changes: VecDeque::new(),
            announced: false,
            faults: Faults::default(),
        }
    }

    /// What the link is like.
    pub fn timing(&self) -> LinkTiming {
        self.timing
    }

    /// Whether a line may start at `start`, with what the sender knows at `now`.
    pub fn takes(&mut self, now: Time, start: Time) -> bool {
        while self.changes.front().is_some_and(|(time, _)| *time <= now) {
            self.ready = self.changes.pop_front().expect("there is a change").1;
        }
        self.free_at <= start && (self.in_frame || self.ready)
    }

    /// Sends a line that starts at `start`; only when the link [takes](Link::takes) it.
    pub fn send(&mut self, start: Time, line: Line) {
        debug_assert!(self.free_at <= start, "a line starts when the one before it has left");
        debug_assert!(self.in_frame != (line.id == FIRST), "a frame ends before the next one begins");
        self.in_frame = line.id != LAST;
        self.free_at = start + self.timing.line;
        if !self.in_frame {
            self.free_at += self.timing.frame_overhead;
        }
        if let Some(line) = self.faults.strike(line) {
            self.lines.push_back((start + self.timing.line + self.timing.latency, line));
        }
    }

    /// Faults of the frames to come, and of those that have passed.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// The same, to add some.
    pub fn faults_mut(&mut self) -> &mut Faults {
        &mut self.faults
    }

    /// From when on the link has room for a next line.
    pub fn free_at(&self) -> Time {
        self.free_at
    }

    /// When the sender learns next that the receiver's readiness has changed.
    pub fn next_change(&self) -> Option<Time> {
        self.changes.front().map(|(time, _)| *time)
    }

    /// When the next line has arrived whole.
    pub fn next_arrival(&self) -> Option<Time> {
        self.lines.front().map(|(time, _)| *time)
    }

    /// Lines on their way and at the end of it, the first one to arrive first.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Line> {
        self.lines.iter().map(|(_, line)| *line)
    }

    /// The line sent last did not end a frame.
    pub(crate) fn in_frame(&self) -> bool {
        self.in_frame
    }

    /// Takes the next line if it has arrived at `now`, with the time of its arrival.
    pub fn receive(&mut self, now: Time) -> Option<(Time, Line)> {
        if self.next_arrival()? <= now { self.lines.pop_front() } else { None }
    }

    /// The receiver announces at `now` whether a frame may start.
    pub fn announce(&mut self, now: Time, ready: bool) {
        if ready != self.announced {
            self.announced = ready;
            self.changes.push_back((now + self.timing.latency, ready));
        }
    }

    /// Whether nothing is under way.
    pub fn is_idle(&self) -> bool {
        self.lines.is_empty() && !self.in_frame
    }
}

#[cfg(test)]
mod tests {
    use dimmnet2::line::MIDDLE;

    use super::*;

    const TIMING: LinkTiming = LinkTiming::INFINIBAND_4X;

    fn ready_link() -> Link {
        let mut link = Link::new(TIMING);
        link.announce(Time::ZERO, true);
        link
    }

    fn at(ps: u64) -> Time {
        Time::from_ps(ps)
    }

    fn line(id: u8) -> Line {
        Line { data: 7, id }
    }

    #[test]
    fn line_arrives_after_its_length_and_the_latency() {
        let mut link = ready_link();
        assert!(!link.takes(at(9_999), at(9_999)), "the sender does not know yet");
        assert!(link.takes(at(10_000), at(10_000)));
        link.send(at(10_000), line(FIRST));
        assert_eq!(link.next_arrival(), Some(at(10_000 + 8_000 + 10_000)));
        assert_eq!(link.receive(at(27_999)), None);
        assert_eq!(link.receive(at(28_000)), Some((at(28_000), line(FIRST))));
    }

    #[test]
    fn frame_occupies_its_lines_and_4_bytes_more() {
        let mut link = ready_link();
        link.send(at(16_000), line(FIRST));
        assert!(!link.takes(at(16_000), at(23_999)));
        assert!(link.takes(at(16_000), at(24_000)));
        link.send(at(24_000), line(LAST));
        assert_eq!(link.free_at(), at(24_000 + 8_000 + 4_000));
        assert!(!link.is_idle());
    }

    #[test]
    fn frame_under_way_ends_though_the_receiver_is_no_longer_ready() {
        let mut link = ready_link();
        assert!(link.takes(at(16_000), at(16_000)));
        link.send(at(16_000), line(FIRST));
        link.announce(at(16_000), false);
        assert!(link.takes(at(40_000), at(40_000)));
        link.send(at(40_000), line(MIDDLE));
        link.send(at(48_000), line(LAST));
        assert!(!link.takes(at(80_000), at(80_000)), "a next frame must wait");
        link.announce(at(80_000), true);
        assert_eq!(link.next_change(), Some(at(90_000)));
        assert!(!link.takes(at(89_999), at(89_999)));
        assert!(link.takes(at(90_000), at(90_000)));
    }

    #[test]
    fn readiness_that_does_not_change_is_not_announced_again() {
        let mut link = ready_link();
        link.announce(at(1_000), true);
        assert!(link.takes(at(10_000), at(10_000)));
        assert_eq!(link.next_change(), None);
    }
}
