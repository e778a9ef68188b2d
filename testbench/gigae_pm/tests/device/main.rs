//! GigaE PM as a whole against its RTL.

/// Bad input ends in a counter, a flag or a cause.
mod bad_input;
/// The whole card.
mod board;
/// A card between a host and a cable.
mod card;
/// Traces of the checker, played on cards.
mod replays;
/// Registers after a reset.
mod resets;
