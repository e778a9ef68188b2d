//! Clocks of the card.

use cluster::{ClockDomain, Clocks};

use crate::card;

/// A single clock, that of the cable.
pub(crate) const ALL_CLOCKS: Clocks = Clocks::of(&card::CLOCKS);
/// The clock of card, cable and switch.
pub(crate) const BYTE_CLOCK: ClockDomain = ALL_CLOCKS.domain(0);
