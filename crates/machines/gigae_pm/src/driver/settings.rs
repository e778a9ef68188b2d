//! Settings of a host.

use gigae_pm::protocol::Rules;
use pm::Channel;

use crate::cost::{self, Costs};
use cluster::Duration;
use cluster::host::LibraryCost;

/// Settings of a host.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Repairs of the printed rules.
    pub rules: Rules,
    /// N: unacknowledged messages to a peer.
    pub window: u16,
    /// T: time until an unacknowledged message is sent again.
    pub timeout: Duration,
    /// m: consecutive expiries after which a peer is dead; 0 for never.
    pub limit: u8,
    /// Free slots of a receive ring that end discarding.
    pub room: u8,
    /// Time for which frames of other protocols do not interrupt again.
    pub interrupt_delay: Duration,
    /// Cost of the steps of the MPI library.
    pub library: LibraryCost,
    /// Cost of the steps of PM's library, for programs that call it themselves.
    pub pm_library: LibraryCost,
    /// Costs of accesses.
    pub costs: Costs,
}

impl Default for Settings {
    /// All repairs. N, T and m are our choice (decision 0033): half a ring, ten round trips of full frames, never.
    fn default() -> Self {
        Self {
            rules: Rules::REPAIRED,
            window: 8,
            timeout: Duration::from_us(1_000),
            limit: 0,
            room: 4,
            interrupt_delay: Duration::ZERO,
            library: LibraryCost::default(),
            pm_library: LibraryCost::default(),
            costs: Costs::PUBLISHED,
        }
    }
}

impl Settings {
    /// Settings for other protocols over the card's stock firmware, whose timer delays interrupts (paper section 5.1;
    /// decision 0037).
    pub fn essential(self) -> Self {
        Self { interrupt_delay: self.costs.interrupt_delay, ..self }
    }

    /// T in cycles of the card.
    pub(super) fn timeout_cycles(&self) -> u32 {
        cycles(self.timeout).min(u64::from(u32::MAX)) as u32
    }

    /// The delay of interrupts in cycles of the card.
    pub(super) fn interrupt_delay_cycles(&self) -> u16 {
        cycles(self.interrupt_delay).min(u64::from(u16::MAX)) as u16
    }

    /// Cycles between visits of control structures: each is visited four times in T.
    pub(super) fn scan_period(&self, nodes: u16) -> u16 {
        let structures = Channel::COUNT as u32 * u32::from(nodes);
        (self.timeout_cycles() / (4 * structures)).clamp(1, u16::MAX.into()) as u16
    }
}

/// A time in cycles of the card.
fn cycles(duration: Duration) -> u64 {
    duration.ps() / cost::BUS_CYCLE.ps()
}
