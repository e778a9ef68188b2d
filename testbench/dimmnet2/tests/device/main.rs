//! DIMMnet-2 as a whole against its RTL.

/// Bad input ends in a status bit.
mod bad_input;
/// A board between a host and a link.
mod bench;
/// The whole board.
mod board;
/// Published figures, on the whole board.
mod golden;
/// LID and room, as the board gets them from its link.
mod link;
/// Programs on two boards, against the meaning of primitives.
mod programs;
/// Registers after a reset.
mod resets;
/// Random pins, shrunk if model and RTL differ.
mod shrinking;
