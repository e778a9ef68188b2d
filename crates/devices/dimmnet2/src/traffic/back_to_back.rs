//! Back-to-back BOTFs of 512 bytes, looped back to the board: it sends and receives all the time.

use hdl::Edges;

use super::looped::{Host, Looped, Schedule};
use super::{PGID, packet};
use crate::packet::FirstLine;
use crate::pins::{In, Out};
use crate::registers::UserRegister;
use crate::{BotfLower, Primitive};

/// Core cycles from one BOTF to the next: the Request Executor is busy for lines + 4 cycles.
const PERIOD: u64 = 68;

/// Stream of pins: configuration, images in four Write Windows, then a BOTF every 68 cycles.
///
/// The packets are RVS into SO-DIMM with a receive status; the host empties the status ring continually. The
/// board receives more slowly than it sends, so the link stalls it at times.
#[derive(Clone, Debug)]
pub struct BackToBack(Looped<Botfs>);

#[derive(Clone, Debug)]
struct Botfs;

impl Default for BackToBack {
    fn default() -> Self {
        Self::new()
    }
}

impl BackToBack {
    /// The stream at its start.
    pub fn new() -> Self {
        Self(Looped::new(Botfs))
    }

    /// The pins for the next instant, at which the clocks in `edges` rise; `out` are the board's pins now.
    pub fn pins(&mut self, edges: Edges, out: &Out) -> &In {
        self.0.pins(edges, out)
    }
}

impl Schedule for Botfs {
    fn prepare(&self, host: &mut Host) {
        for window in 0..4 {
            let first = FirstLine {
                packet_size: 512,
                otype: Primitive::Rvs as u8,
                pgid: PGID[0],
                eflag: true,
                ..FirstLine::default()
            };
            packet(window, first, 0x1000 * (u32::from(window) + 1)).for_each(|beat| host.beat(beat));
        }
    }

    fn act(&mut self, cycle: u64, host: &mut Host) {
        if cycle.is_multiple_of(PERIOD) {
            let window = (cycle / PERIOD - 1) % 4;
            host.write(UserRegister::Command0Lower, BotfLower::new(window as u8, 512).bits());
            host.empty_status_ring();
        }
    }
}
