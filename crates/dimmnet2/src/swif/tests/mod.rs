mod decapsulation;
mod encapsulation;
mod frames;
mod reset;

use super::infiniband::LocalRouteHeader;
use crate::line::{FIRST, LAST, Line, MIDDLE};

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// Gives lines the identifiers of a packet or frame.
pub fn marked(data: impl IntoIterator<Item = u64>) -> Vec<Line> {
    let mut lines: Vec<_> = data.into_iter().map(|data| Line { data, id: MIDDLE }).collect();
    lines[0].id = FIRST;
    lines.last_mut().unwrap().id = LAST;
    lines
}

/// A packet of so many lines to `dlid`, with random data.
pub fn packet(dlid: u16, lines: usize, random: &mut Random) -> Vec<Line> {
    let first = random.next() & 0xffff_0000_ffff_f000 | (dlid as u64) << 32 | (8 * lines as u64) & 0xfff;
    marked(std::iter::once(first).chain((1..lines).map(|_| random.next())))
}

/// The packet as the receiver must see it: the LID of the sender in place of its own.
pub fn received(mut packet: Vec<Line>, slid: u16) -> Vec<Line> {
    packet[0].data = packet[0].data & !(0xffff << 32) | (slid as u64) << 32;
    packet
}

/// A frame from `slid` to `dlid` around lines of data.
pub fn frame(slid: u16, dlid: u16, data: impl IntoIterator<Item = u64>) -> Vec<Line> {
    let lrh = LocalRouteHeader { slid, dlid, ..LocalRouteHeader::default() };
    marked([lrh.bits().swap_bytes(), 0x24, 0].into_iter().chain(data))
}
