//! Counters of a card.

use gigae_pm::registers::Register;

use super::Driver;
use crate::BusHost;

/// Counters of a card; they wrap after 65,535.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CardCounters {
    /// Frames that were taken.
    pub good: u32,
    /// Frames dropped for a wrong check sequence.
    pub fcs_errors: u32,
    /// Frames dropped because they are for another card.
    pub foreign: u32,
    /// Frames dropped because the FIFO was full.
    pub missed: u32,
    /// Frames dropped because a ring was full, or by PM's rules.
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
