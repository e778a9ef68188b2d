//! The Receive Controller and its blocks, each alone.

/// Writes message heads into the LH Buffer.
mod head_write;
/// Parses packets.
mod packet_control;
/// Stores data in Prefetch Windows and LLCM.
mod packet_write;
/// All of it together; its file has the name of its twins.
#[allow(clippy::module_inception)]
mod receive_controller;

use cosim::Stimulus;
use dimmnet2::receive_controller::packet_control::State;
use dimmnet2::{FirstLine, Line, SecondLine, ThirdLine, line};

/// Process groups of both processes.
pub const PGIDS: [u8; 2] = [5, 0xa5];

/// The line that a packet control in `state` looks at: mostly what it hopes for, now and then anything.
pub fn line(stimulus: &mut Stimulus, state: u8) -> Line {
    let mut line = Line { data: stimulus.word(), id: stimulus.below(4) as u8 };
    if stimulus.one_in(6) {
        return line;
    }
    line.id = if stimulus.one_in(4) { line::LAST } else { line::MIDDLE };
    if state == State::Header1 as u8 {
        let mut first = FirstLine::from_bits(line.data);
        let types =
            [0b10100, 0b10100, 0b10101, 0b10110, 0b10000, 0b10001, 0b10010, 0b10011, 0b11000, 0b11001];
        first.otype = types[stimulus.below(10) as usize];
        first.pgid = PGIDS[first.dwid as usize];
        first.packet_size = stimulus.below(100) as u16;
        line = Line { data: first.bits(), id: line::FIRST };
    } else if state == State::Header2 as u8 {
        let dstoff = offset(stimulus);
        let srcoff = if stimulus.one_in(2) { dstoff & !0xff } else { stimulus.word() as u32 };
        let srcoff = if stimulus.one_in(3) { dstoff } else { srcoff };
        line.data = SecondLine { dstoff, srcoff }.bits();
    } else if state == State::Header3 as u8 && stimulus.one_in(2) {
        let total_transfer_size = stimulus.below(200) as u32;
        line.data = ThirdLine { total_transfer_size, ..ThirdLine::from_bits(line.data) }.bits();
    }
    line
}

/// An offset near an end of a window or of LLCM.
pub fn offset(stimulus: &mut Stimulus) -> u32 {
    [0, 0x1ec, 0x7ec, 0x7fec][stimulus.below(4) as usize] + stimulus.below(28) as u32
}
