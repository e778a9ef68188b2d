//! The Prefetch Unit and its blocks, each alone.

/// Keeps lines for packets.
mod packet_buffer;
/// The blocks below.
#[allow(clippy::module_inception)]
mod prefetch_unit;
/// Keeps first halves of copies.
mod pu_copy;
/// Cuts requests and runs them.
mod pu_ctl;
/// Reads the lists of the Write Unit.
mod pu_list;
/// Asks for words.
mod pu_read;
/// Packs and stores them.
mod pu_write;
