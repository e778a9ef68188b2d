//! Link fault injection in memory: drop, duplicate and delay frames.

use std::collections::BTreeMap;

use hdl::Stimulus;
use pm_protocol::Kind;

use super::settings::Faults;
use crate::software::Frame;

/// Counters of all links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Frames that were sent.
    pub frames: u64,
    /// Frames with a message.
    pub messages: u64,
    /// Frames that were lost.
    pub lost: u64,
    /// Frames that arrived twice.
    pub repeated: u64,
    /// Frames that were late.
    pub late: u64,
}

/// All links together.
pub(super) struct Wire {
    faults: Faults,
    latency: u32,
    stimulus: Stimulus,
    /// Remaining frames of a burst of losses.
    burst: u32,
    /// Frames in flight by the tick of their arrival, then in the order of sending.
    on_the_way: BTreeMap<(u64, u64), Frame>,
    pub traffic: Traffic,
}

const MILLION: u64 = 1_000_000;

impl Wire {
    pub fn new(faults: Faults, latency: u32, seed: u64) -> Self {
        Self {
            faults,
            latency,
            stimulus: Stimulus::new(seed),
            burst: 0,
            on_the_way: BTreeMap::new(),
            traffic: Traffic::default(),
        }
    }

    fn happens(&mut self, chance: u32) -> bool {
        chance != 0 && self.stimulus.below(MILLION) < u64::from(chance)
    }

    pub fn send(&mut self, frame: Frame, now: u64) {
        self.traffic.frames += 1;
        self.traffic.messages += u64::from(frame.kind == Kind::Message);
        if self.burst == 0 && self.happens(self.faults.loss) {
            self.burst = self.faults.burst.max(1);
        }
        if self.burst > 0 {
            self.burst -= 1;
            self.traffic.lost += 1;
            return;
        }
        let mut arrival = now + u64::from(self.latency);
        if self.happens(self.faults.reordering) {
            self.traffic.late += 1;
            arrival += 1 + self.stimulus.below(u64::from(self.faults.lateness));
        }
        if self.happens(self.faults.duplication) {
            self.traffic.repeated += 1;
            let again = arrival + self.stimulus.below(u64::from(self.latency) + 1);
            self.on_the_way.insert((again, 2 * self.traffic.frames + 1), frame.clone());
        }
        self.on_the_way.insert((arrival, 2 * self.traffic.frames), frame);
    }

    /// The next frame that has arrived by `now`.
    pub fn arrival(&mut self, now: u64) -> Option<Frame> {
        let first = self.on_the_way.first_entry()?;
        (first.key().0 <= now).then(|| first.remove())
    }
}
