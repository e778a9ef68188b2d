//! What a host sets up.

use gigae_pm::protocol::Rules;
use pm::Channel;

use crate::Duration;
use crate::gigae::cost;

/// What a host sets up.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Repairs of the printed rules.
    pub rules: Rules,
    /// N: messages to a peer without an ACK.
    pub window: u16,
    /// T: from sending a message to sending it again.
    pub timeout: Duration,
    /// m: expiries in a row after which a peer is dead; 0 for never.
    pub limit: u8,
    /// Free slots of a receive ring that end discarding.
    pub room: u8,
}

impl Default for Settings {
    /// All repairs. N, T and m are ours (decision 0033): half a ring, ten round trips of full frames, never.
    fn default() -> Self {
        Self { rules: Rules::REPAIRED, window: 8, timeout: Duration::from_us(1_000), limit: 0, room: 4 }
    }
}

impl Settings {
    /// T in cycles of the card.
    pub(super) fn timeout_cycles(&self) -> u32 {
        (self.timeout.ps() / cost::BUS_CYCLE.duration.ps()).min(u64::from(u32::MAX)) as u32
    }

    /// Cycles between visits of control structures: each of them four times in T.
    pub(super) fn scan_period(&self, nodes: u16) -> u16 {
        let structures = Channel::COUNT as u32 * u32::from(nodes);
        (self.timeout_cycles() / (4 * structures)).clamp(1, u16::MAX.into()) as u16
    }
}
