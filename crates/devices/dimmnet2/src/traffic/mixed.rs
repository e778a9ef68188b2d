//! All families of primitives in turn, looped back to the board: every unit of the Core Logic is busy.

use hdl::Edges;

use super::looped::{Host, Looped, Schedule};
use super::{LID, PGID, beat, packet, system};
use crate::address::Area;
use crate::packet::FirstLine;
use crate::pins::{HostIn, In, Out};
use crate::registers::{AmtAddressTableInterface, SystemRegister, UserRegister};
use crate::{BotfLower, Lower, Primitive, Upper};

/// Core cycles from one primitive to the next: few enough that the Request FIFO never runs dry.
const PERIOD: u64 = 64;
/// Word of LLCM with the AMT entry of the board as its own sender.
const AMT: u16 = 0x780;
/// SO-DIMM offset of the IPUSH ring; rings lie at multiples of their size, 64 KB.
const RING: u32 = 0x2_0000;

/// Stream of pins: configuration, then BOTF, VS, RVS, VL, RVL and IPUSH in turn.
///
/// The board ignores a command that finds the Request FIFO full. The host empties the status ring and the
/// IPUSH ring continually.
#[derive(Clone, Debug)]
pub struct Mixed(Looped<Turns>);

#[derive(Clone, Debug)]
struct Turns;

impl Default for Mixed {
    fn default() -> Self {
        Self::new()
    }
}

impl Mixed {
    /// The stream at its start.
    pub fn new() -> Self {
        Self(Looped::new(Turns))
    }

    /// The pins for the next instant, at which the clocks in `edges` rise; `out` are the board's pins now.
    pub fn pins(&mut self, edges: Edges, out: &Out) -> &In {
        self.0.pins(edges, out)
    }
}

impl Schedule for Turns {
    fn prepare(&self, host: &mut Host) {
        let sender = AmtAddressTableInterface { value: AMT, wid: false, lid: LID };
        host.beat(beat(true, system(SystemRegister::AmtAddressTableInterface), sender.bits()));
        host.write(UserRegister::IpushAreaSize, 1);
        host.beat(entry(RING, RING, 0xff));
        let first = FirstLine {
            packet_size: 512,
            otype: Primitive::Rvs.code(),
            pgid: PGID[0],
            eflag: true,
            ..FirstLine::default()
        };
        packet(0, first, 0x1000).for_each(|beat| host.beat(beat));
    }

    fn act(&mut self, cycle: u64, host: &mut Host) {
        if !cycle.is_multiple_of(PERIOD) {
            return;
        }
        let to_itself = |primitive, size| Lower { dclid: LID, eflag: true, ..Lower::new(primitive, size) };
        match cycle / PERIOD % 6 {
            0 => host.write(UserRegister::Command0Lower, BotfLower::new(0, 512).bits()),
            1 => command(host, Lower::new(Primitive::Vs, 256), Upper { srcoff: 0x400, dstoff: 0x4000 }),
            2 => command(host, to_itself(Primitive::Rvs, 512), Upper { srcoff: 0x4000, dstoff: 0x6000 }),
            3 => command(host, Lower::new(Primitive::Vl, 512), Upper { srcoff: 0x6000, dstoff: 0x200 }),
            4 => command(host, to_itself(Primitive::Rvl, 256), Upper { srcoff: 0x6000, dstoff: 0x8000 }),
            _ => {
                command(host, to_itself(Primitive::Ipush, 512), Upper { srcoff: 0x6000, dstoff: 0 });
                host.empty_status_ring();
                // Tail is the lower half; the host has read everything up to it.
                host.read(Area::Llcm.part(false) + 8 * u32::from(AMT), |word| {
                    let tail = word as u32;
                    entry(tail, tail, 0xf0)
                });
            }
        }
    }
}

fn command(host: &mut Host, lower: Lower, upper: Upper) {
    host.write(UserRegister::Command0Upper, upper.bits());
    host.write(UserRegister::Command0Lower, lower.bits());
}

/// The beat that writes the bytes of the AMT entry selected by `byte_enable`.
fn entry(head: u32, tail: u32, byte_enable: u16) -> HostIn {
    let word = u64::from(head) << 32 | u64::from(tail);
    HostIn { byte_enable, ..beat(true, Area::Llcm.part(false) + 8 * u32::from(AMT), word) }
}

#[cfg(test)]
mod tests {
    use hdl::{Instants, Model, Nic};

    use super::*;
    use crate::Dimmnet2;
    use crate::clocks::CLOCKS;

    #[test]
    fn every_family_completes_repeatedly() {
        let (mut model, mut mixed) = (Model::new(Dimmnet2::default()), Mixed::new());
        let mut instants = Instants::new(&CLOCKS);
        for _ in 0..80_000 {
            let edges = instants.next_edges();
            let pins = *mixed.pins(edges, model.outputs());
            model.edge(edges, &pins).unwrap();
        }
        let page = &model.device().core_logic.host_interface.user_register0;
        let counts =
            [page.botf_count, page.vl_count, page.vs_count, page.rvl_count, page.rvs_count, page.ipush_count];
        assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
    }
}
