//! DIMMnet-2 as a whole against its RTL.

/// Bad input ends in a status bit.
mod bad_input;
/// A board between a host and a link.
mod bench;
/// The whole board.
mod board;
/// Published figures, on the whole board.
mod golden;
/// What the board hears from its link.
mod link;
/// Two boards, and what primitives mean.
mod programs;
/// What a reset leaves.
mod resets;
