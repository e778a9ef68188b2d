//! The rules of reliable connections, as pure functions: the row of a queue pair and an event in, the next row and what to do out (IBA volume
//! 1, sections 9.7.4 to 9.7.6). They have no memory, time or I/O, so the same code is a combinational block of the adapter with a twin
//! in RTL, and what a checker can walk.

pub mod requester;
pub mod responder;

/// Numbers of packets have 24 bits.
pub(crate) const PSN_MASK: u32 = 0xff_ffff;

#[cfg(test)]
mod tests;
