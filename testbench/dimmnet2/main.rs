//! DIMMnet-2 against its RTL.

/// Assertions of the RTL fire.
mod assertions;
/// Bad input ends in a status bit.
mod bad_input;
/// A board between a host and a link.
mod bench;
/// The whole board.
mod board;
/// What lockstep says about deliberate faults.
mod faults;
/// Published figures, on the whole board.
mod golden;
/// What the host sees.
mod host_interface;
/// What the board hears from its link.
mod link;
/// Blocks that read SO-DIMM into a Prefetch Window.
mod prefetch_unit;
/// Two boards, and what primitives mean.
mod programs;
/// Blocks that take packets apart.
mod receive_controller;
/// Which region a process has.
mod region;
/// Tells remote requests from statuses.
mod request_separator;
/// What a reset leaves.
mod resets;
/// Blocks that write to SO-DIMM and read from it.
mod sodimm_interface;
/// Stores receive statuses.
mod status_write_unit;
/// Blocks between the Core Logic and the link.
mod swif;
/// Every block is there twice.
mod twins;
/// Blocks that take requests and build packets.
mod window_controller;
/// Blocks that store data in SO-DIMM.
mod write_unit;
