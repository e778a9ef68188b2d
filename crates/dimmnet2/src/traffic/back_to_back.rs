//! 512-byte BOTFs back to back, looped back to the board: it sends and receives all the time.

use std::collections::VecDeque;

use hdl::Edges;

use super::{LID, PGID, beat, configuration, user};
use crate::address::Area;
use crate::line::{FIRST, Line};
use crate::packet::{FirstLine, SecondLine};
use crate::pins::{HostIn, In, NetworkIn, Out};
use crate::registers::UserRegister;
use crate::{BotfLower, Primitive};

/// Lines that the loop holds before the link stops the board.
const LOOP_LINES: usize = 256;
/// Core cycles from one BOTF to the next: the Request Executor is busy for lines + 4.
const PERIOD: u64 = 68;

/// The stream of pins: configuration, images in four Write Windows, then a BOTF every 68 cycles.
///
/// The packets are RVS into SO-DIMM with a receive status; the host empties the status ring as it goes. The
/// board receives more slowly than it sends, so the link holds it back now and then.
#[derive(Clone, Debug)]
pub struct BackToBack {
    beats: VecDeque<HostIn>,
    cycle: u64,
    sent: u64,
    asked: bool,
    link: VecDeque<Line>,
    pins: In,
}

impl Default for BackToBack {
    fn default() -> Self {
        Self::new()
    }
}

impl BackToBack {
    /// The stream from its beginning.
    pub fn new() -> Self {
        let network = NetworkIn { sma_lid: LID, link_status: 3, ..NetworkIn::default() };
        let mut pins = In { network, ..In::default() };
        (pins.memory0.ready, pins.memory1.ready) = (true, true);
        let mut beats = VecDeque::from(configuration());
        for window in 0..4 {
            beats.extend(image(window));
        }
        Self { beats, cycle: 0, sent: 0, asked: false, link: VecDeque::new(), pins }
    }

    /// The pins for the next instant, at which the clocks in `edges` rise; `out` are the board's pins now.
    pub fn pins(&mut self, edges: Edges, out: &Out) -> &In {
        if edges.core {
            self.core(out);
        }
        if edges.network {
            self.network(out);
        }
        &self.pins
    }

    fn core(&mut self, out: &Out) {
        if std::mem::take(&mut self.asked) {
            let next_write_address = out.host.rdata as u64;
            self.beats.push_back(beat(
                true,
                user(false, UserRegister::StatusNextReadAddress),
                next_write_address,
            ));
        }
        self.cycle += 1;
        if self.cycle.is_multiple_of(PERIOD) {
            let lower = BotfLower::new((self.sent % 4) as u8, 512);
            self.beats.push_back(beat(true, user(false, UserRegister::Command0Lower), lower.bits()));
            self.beats.push_back(beat(false, user(false, UserRegister::StatusNextWriteAddress), 0));
            self.sent += 1;
        }
        self.pins.host = self.beats.pop_front().unwrap_or_default();
        self.asked = self.pins.host.enable && !self.pins.host.write;
    }

    fn network(&mut self, out: &Out) {
        if self.pins.network.tx_ready && out.network.tx_valid {
            self.link.push_back(out.network.tx_line);
        }
        self.pins.network.tx_ready = self.link.len() < LOOP_LINES;
        let may = self.link.front().is_some_and(|line| line.id != FIRST || out.network.rx_ready);
        self.pins.network.rx_valid = may;
        self.pins.network.rx_line =
            if may { self.link.pop_front().unwrap_or_default() } else { Line::default() };
    }
}

/// The beats that write a packet image of 512 bytes into a Write Window of WID 0.
fn image(window: u8) -> impl Iterator<Item = HostIn> {
    let first = FirstLine {
        packet_size: 512,
        otype: Primitive::Rvs as u8,
        pgid: PGID[0],
        dlid: LID,
        eflag: true,
        ..FirstLine::default()
    };
    let offset = 0x1000 * (window as u32 + 1);
    let second = SecondLine::writing(offset, offset).bits();
    let word = move |n: u64| match n {
        0 => first.bits(),
        1 => second,
        // Any data will do, as long as its bits move.
        n => n.wrapping_mul(0x9e37_79b9_7f4a_7c15),
    };
    (0..32).map(move |row| HostIn {
        wdata: word(2 * row) as u128 | (word(2 * row + 1) as u128) << 64,
        byte_enable: 0xffff,
        address: Area::WriteWindow.window(false, window) + 16 * row as u32,
        enable: true,
        write: true,
    })
}
