//! Random but meaningful traffic for one NIF: a program that sends and misuses it, and another NIF on a cable
//! that damages words at times.

use hdl::{Edges, Model, Nic, Stimulus};

use super::element::{Element, Entry};
use super::layout::{SOURCE, WINDOW};
use crate::memory_map::{Addresses, Control, MEMORY_BYTES};
use crate::pins::{In, LinkWord, Out};
use crate::registers::Register;
use crate::{Cenju3, clocks};

/// Cycles between two decisions of a program.
const DECISION: u64 = 400;

/// Random pins for a NIF.
#[derive(Clone, Debug)]
pub struct Traffic {
    random: Stimulus,
    elements: [Element; 2],
    partner: Model<Cenju3>,
    pins: In,
    cycle: u64,
}

impl Traffic {
    /// Traffic drawn from `seed`.
    pub fn new(seed: u64) -> Self {
        Self {
            random: Stimulus::new(seed),
            elements: [0, 1].map(|pe| Element::new(pe, seed ^ 0x5eed << pe)),
            partner: Model::new(Cenju3::default()),
            pins: In { new_rom: true, ..In::default() },
            cycle: 0,
        }
    }

    /// Pins for the next edge; `out` are the present outputs of the NIF.
    pub fn pins(&mut self, _edges: Edges, out: &Out) -> &In {
        self.cycle += 1;
        if self.cycle.is_multiple_of(DECISION) {
            self.decide(0);
            self.decide(1);
        }
        let partner = *self.partner.outputs();
        let (host, memory) = self.elements[1].pins(&partner);
        let received = In {
            new_rom: self.pins.new_rom,
            host,
            memory,
            receive_valid: out.transmit_valid,
            receive: out.transmit,
            transmit_ready: out.receive_ready,
        };
        self.partner.edge(clocks::CORE, &received).expect("a model does not fail");
        let (host, memory) = self.elements[0].pins(out);
        self.pins = In {
            new_rom: self.pins.new_rom,
            host,
            memory,
            receive_valid: partner.transmit_valid,
            receive: if partner.transmit_valid {
                self.damaged(partner.transmit)
            } else {
                LinkWord::default()
            },
            transmit_ready: partner.receive_ready,
        };
        &self.pins
    }

    /// A word at the end of the cable, damaged at times.
    fn damaged(&mut self, word: LinkWord) -> LinkWord {
        match self.random.below(1200) {
            0 => LinkWord { last: !word.last, ..word },
            1 => LinkWord { data: self.random.word(), ..word },
            2 => LinkWord { data: word.data ^ 1 << self.random.below(64), ..word },
            _ => word,
        }
    }

    /// Lets the program act.
    fn decide(&mut self, who: usize) {
        let element = &mut self.elements[who];
        let random = &mut self.random;
        if element.waits() < 100 {
            let burst = if random.one_in(20) { 80 } else { 1 + random.below(3) };
            for _ in 0..burst {
                let entry = entry(random, 1 - who as u8);
                element.send(random.below(2) as usize, entry);
            }
        }
        match random.below(40) {
            0 => element.reads_rings = false,
            1..8 => element.reads_rings = true,
            8 => element.set(Register::Status, 0x7f),
            9 => element.set(Register::InterruptCause, 0xf),
            10 => element.set(Register::AddressBase, WINDOW),
            11 => element.set(Register::PeMask, 1),
            12 => element.access(random.below(0x1000) as u16, None),
            13 => element.set(Register::QueueBase0, random.word() as u32),
            14 => {
                element.set(Register::Control, 0);
                element.access(Register::Control.info().offset, None);
                element.set(Register::Pe, who as u32);
                element.set(Register::Control, 1);
            }
            15 => element.access(Register::RefusedEntry.info().offset, None),
            16 => element.access(Register::RefusedAddress.info().offset, None),
            17 => element.set(Register::InterruptEnable, random.word() as u32),
            18 if who == 0 => self.pins.new_rom = !self.pins.new_rom,
            _ => (),
        }
    }
}

/// An entry, mostly a valid one.
fn entry(random: &mut Stimulus, pe: u8) -> Entry {
    let kind = if random.one_in(60) { 3 } else { random.below(3) as u8 };
    let lengths: &[u32] = if kind == 2 {
        &[1, 7, 8, 9, 128, 255, 256, 257, 511, 512, 513, 1000]
    } else {
        &[1, 8, 9, 63, 64, 120, 121, 127, 128]
    };
    let mut length = lengths[random.below(lengths.len() as u64) as usize];
    let mut source = SOURCE + 8 * random.below(0x1000) as u32;
    let mut destination = WINDOW + 8 * random.below(0x4000) as u32;
    match random.below(30) {
        0 => length = [0, 129, MEMORY_BYTES, u32::MAX][random.below(4) as usize],
        1 => source |= 1 + random.below(7) as u32,
        2 => source = MEMORY_BYTES - 8 * random.below(20) as u32,
        3 => destination |= 4,
        4 => destination = MEMORY_BYTES - 8 * random.below(20) as u32,
        5 => destination = WINDOW + 0x4_0000 - 8 * random.below(20) as u32,
        _ => (),
    }
    let pe = if random.one_in(20) { random.word() as u8 } else { pe };
    Entry {
        control: Control { kind, pe, length },
        addresses: Addresses { source, destination },
        library: [0; 4].map(|_: u64| random.word()),
    }
}
