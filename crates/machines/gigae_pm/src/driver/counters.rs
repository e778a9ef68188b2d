//! What a card counts.

use gigae_pm::registers::Register;

use super::Driver;
use crate::BusHost;

/// Counters of a card; they wrap after 65,535.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CardCounters {
    /// Frames that were taken.
    pub good: u32,
    /// Dropped for a wrong check sequence.
    pub fcs_errors: u32,
    /// Dropped because they are for another card.
    pub foreign: u32,
    /// Dropped for want of room in the FIFO.
    pub missed: u32,
    /// Dropped for want of room in a ring, or by PM's rules.
    pub discarded: u32,
}

impl Driver {
    /// Reads the counters of the card.
    pub async fn counters(&self, host: &BusHost) -> CardCounters {
        CardCounters {
            good: self.register(host, Register::Good).await,
            fcs_errors: self.register(host, Register::FcsErrors).await,
            foreign: self.register(host, Register::Foreign).await,
            missed: self.register(host, Register::Missed).await,
            discarded: self.register(host, Register::Discarded).await,
        }
    }
}
