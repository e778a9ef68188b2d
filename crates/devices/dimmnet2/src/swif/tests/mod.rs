mod decapsulation;
mod encapsulation;
mod frames;
mod reset;

use hdl::Stimulus;

use super::infiniband::LocalRouteHeader;
use crate::line::{FIRST, LAST, Line, MIDDLE};

/// Marks lines with the identifiers of a packet or frame.
pub fn marked(data: impl IntoIterator<Item = u64>) -> Vec<Line> {
    let mut lines: Vec<_> = data.into_iter().map(|data| Line { data, id: MIDDLE }).collect();
    lines[0].id = FIRST;
    lines.last_mut().unwrap().id = LAST;
    lines
}

/// A packet of `lines` lines to `dlid`, with random data.
pub fn packet(dlid: u16, lines: usize, random: &mut Stimulus) -> Vec<Line> {
    let first = random.word() & 0xffff_0000_ffff_f000 | (dlid as u64) << 32 | (8 * lines as u64) & 0xfff;
    marked(std::iter::once(first).chain((1..lines).map(|_| random.word())))
}

/// The packet as the receiver sees it: with the sender's LID in place of DLID.
pub fn received(mut packet: Vec<Line>, slid: u16) -> Vec<Line> {
    packet[0].data = packet[0].data & !(0xffff << 32) | (slid as u64) << 32;
    packet
}

/// A frame from `slid` to `dlid` with `data` as its lines.
pub fn frame(slid: u16, dlid: u16, data: impl IntoIterator<Item = u64>) -> Vec<Line> {
    let lrh = LocalRouteHeader { slid, dlid, ..LocalRouteHeader::default() };
    marked([lrh.bits().swap_bytes(), 0x24, 0].into_iter().chain(data))
}
