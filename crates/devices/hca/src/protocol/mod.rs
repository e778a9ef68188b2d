//! The rules of reliable connections as pure functions: the row of a queue pair and an event in, the next row
//! and what to do out (IBA volume 1, sections 9.7.4 to 9.7.6). They have no memory, time or I/O, so the same
//! code is a combinational block of the adapter with a twin in RTL, and can be explored by a model checker.

use crate::contexts::Requester;

pub mod requester;
pub mod responder;

/// The PSN `count` packets after `psn`; PSNs have 24 bits and wrap.
#[inline]
pub(crate) fn psn_after(psn: u32, count: u32) -> u32 {
    Requester::WIDTHS.psn.wrap(psn.wrapping_add(count))
}

/// Packets from PSN `from` to PSN `to`; 2^23 or more if `to` came before `from`.
#[inline]
pub(crate) fn psn_distance(from: u32, to: u32) -> u32 {
    Requester::WIDTHS.psn.wrap(to.wrapping_sub(from))
}

/// Type of a syndrome, its bits 6:5: 0 an ACK, 1 an RNR NAK, 3 a NAK (IBA volume 1, table 44).
#[inline]
pub(crate) const fn syndrome_type(syndrome: u8) -> u8 {
    syndrome >> 5 & 3
}

/// Bits 4:0 of a syndrome: the code of a NAK, the timer of an RNR NAK.
#[inline]
pub(crate) const fn syndrome_code(syndrome: u8) -> u8 {
    syndrome & 0x1f
}

#[cfg(test)]
mod tests;
