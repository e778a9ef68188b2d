//! Links in memory: the faults of [`cluster::Rates`], in ticks.

use std::collections::BTreeMap;

use cluster::{LinkCounters, Rates};
use hdl::Stimulus;
use pm_protocol::Kind;

use super::settings::Settings;
use crate::software::Frame;

/// All links together.
pub(super) struct Wire {
    rates: Rates,
    latency: u32,
    /// Most ticks by which a late frame is late.
    lateness: u32,
    stimulus: Stimulus,
    /// Remaining frames of a burst of losses.
    burst: u32,
    /// Frames in flight by the tick of their arrival, then in the order of sending.
    in_flight: BTreeMap<(u64, u64), Frame>,
    pub counters: LinkCounters,
    /// Frames that carried a message.
    pub messages: u64,
}

const MILLION: u64 = 1_000_000;

impl Wire {
    pub fn new(settings: &Settings) -> Self {
        Self {
            rates: settings.faults,
            latency: settings.latency,
            lateness: settings.lateness,
            stimulus: Stimulus::new(settings.seed),
            burst: 0,
            in_flight: BTreeMap::new(),
            counters: LinkCounters::default(),
            messages: 0,
        }
    }

    fn happens(&mut self, chance: u32) -> bool {
        chance != 0 && self.stimulus.below(MILLION) < u64::from(chance)
    }

    /// Whether a frame is dropped, by its link or for a wrong check sequence by its receiver.
    fn drops(&mut self) -> bool {
        if self.burst == 0 && self.happens(self.rates.burst) {
            self.counters.bursts += 1;
            self.burst = self.rates.burst_length;
        }
        if self.burst > 0 || self.happens(self.rates.loss) {
            self.burst = self.burst.saturating_sub(1);
            self.counters.lost += 1;
            return true;
        }
        if self.happens(self.rates.corruption) {
            self.counters.damaged += 1;
            return true;
        }
        let cut = self.happens(self.rates.cut);
        self.counters.cut += u64::from(cut);
        cut
    }

    pub fn send(&mut self, frame: Frame, now: u64) {
        self.counters.frames += 1;
        self.messages += u64::from(frame.kind == Kind::Message);
        if self.drops() {
            return;
        }
        let mut arrival = now + u64::from(self.latency);
        if self.happens(self.rates.reordering) {
            self.counters.delayed += 1;
            arrival += 1 + self.stimulus.below(u64::from(self.lateness));
        }
        let order = 2 * self.counters.frames;
        if self.happens(self.rates.duplication) {
            self.counters.repeated += 1;
            let again = arrival + self.stimulus.below(u64::from(self.latency) + 1);
            self.in_flight.insert((again, order + 1), frame.clone());
        }
        self.in_flight.insert((arrival, order), frame);
    }

    /// The next frame that has arrived by `now`.
    pub fn arrival(&mut self, now: u64) -> Option<Frame> {
        let first = self.in_flight.first_entry()?;
        (first.key().0 <= now).then(|| first.remove())
    }
}

#[cfg(test)]
mod tests;
