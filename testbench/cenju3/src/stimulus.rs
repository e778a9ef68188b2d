//! Random pins of blocks whose pins belong together.

use cenju3::memory_map::{Addresses, Control, Header, MEMORY_BYTES};
use cenju3::registers::Register;
use cenju3::{link_receive, mask, receive_ring, register_file, send_dma, send_queue};
use cosim::Stimulus;

/// Pins with accesses, mostly of registers that exist.
pub fn register_pins(stimulus: &mut Stimulus) -> register_file::In {
    let mut pins: register_file::In = stimulus.pins();
    let all = Register::ALL;
    if !stimulus.one_in(10) {
        pins.host.address = all[stimulus.below(all.len() as u64) as usize].info().offset;
    }
    if stimulus.one_in(2) {
        pins.host.wdata &= 0x3ff_f000;
    }
    pins.busy &= stimulus.one_in(2);
    pins.user_busy &= stimulus.one_in(4);
    if stimulus.one_in(2) {
        pins.positions.read1 = 0;
    }
    pins
}

/// Pins of a queue that is empty at times.
pub fn queue_pins(stimulus: &mut Stimulus) -> send_queue::In {
    let mut pins: send_queue::In = stimulus.pins();
    if stimulus.one_in(3) {
        pins.write = 0;
    }
    pins
}

/// Two words of an entry, mostly near the limits.
fn entry(stimulus: &mut Stimulus) -> (u64, u64) {
    let near = |stimulus: &mut Stimulus, border: u32| {
        border.wrapping_add(stimulus.below(300) as u32).wrapping_sub(150) & !(stimulus.below(2) as u32 * 7)
    };
    let border = [0, 0x4_0000, MEMORY_BYTES][stimulus.below(3) as usize];
    let length = if stimulus.one_in(10) { stimulus.word() as u32 } else { stimulus.below(300) as u32 };
    let control = Control { kind: stimulus.below(4) as u8, pe: stimulus.word() as u8, length };
    let addresses = Addresses { source: near(stimulus, border), destination: near(stimulus, border) };
    (control.bits() | stimulus.word() & 0xffff_00fc, addresses.bits())
}

/// Pins with entries near the limits in both queues.
pub fn mask_pins(stimulus: &mut Stimulus) -> mask::In {
    let mut pins: mask::In = stimulus.pins();
    (pins.control0, pins.addresses0) = entry(stimulus);
    (pins.control1, pins.addresses1) = entry(stimulus);
    if stimulus.one_in(2) {
        pins.address_base = stimulus.below(256) as u16;
    }
    pins
}

/// Pins with transfers of few segments; some have any length, and end with a reset.
pub fn dma_pins(stimulus: &mut Stimulus) -> send_dma::In {
    let mut pins: send_dma::In = stimulus.pins();
    if !stimulus.one_in(200) {
        pins.transfer.length = 1 + stimulus.below(600) as u32;
    }
    pins.memory_ready |= stimulus.one_in(2);
    pins
}

/// Pins with valid and almost valid first words of packets.
pub fn link_pins(stimulus: &mut Stimulus) -> link_receive::In {
    let mut pins: link_receive::In = stimulus.pins();
    pins.pe &= 3;
    pins.full &= if stimulus.one_in(4) { 7 } else { 0 };
    pins.fault &= stimulus.one_in(8);
    pins.fifo_word.last &= stimulus.one_in(3);
    if !stimulus.one_in(3) {
        let address = [0, 0x3ff_fff8, 0x400_0000][stimulus.below(3) as usize];
        let header = Header {
            kind: stimulus.below(4) as u8,
            last: !stimulus.one_in(4),
            pe: pins.pe,
            source: stimulus.word() as u8,
            bytes: if stimulus.one_in(2) { stimulus.below(9) as u8 } else { stimulus.word() as u8 },
            address: address - 8 * (stimulus.below(40) as u32 & address >> 3),
        };
        pins.fifo_word.data = header.bits();
    }
    pins
}

/// Pins with short packets that end at any word.
pub fn ring_pins(stimulus: &mut Stimulus) -> receive_ring::In {
    let mut pins: receive_ring::In = stimulus.pins();
    if !stimulus.one_in(4) {
        let mut header = Header::from_bits(pins.header);
        header.bytes = stimulus.below(30) as u8;
        pins.header = header.bits();
    }
    pins.word.last = stimulus.one_in(12);
    pins
}

/// Pins with packets, few of which end too early or too late.
pub fn packet_pins() -> impl FnMut(&mut Stimulus, &receive_ring::Out) -> receive_ring::In {
    let mut left = 0;
    move |stimulus, out| {
        let mut pins: receive_ring::In = stimulus.pins();
        let mut header = Header::from_bits(pins.header);
        header.bytes = stimulus.word() as u8;
        if out.idle {
            pins.start = true;
            pins.header = header.bits();
            left = u64::from(header.bytes >> 3) + 1 + if header.last { 6 } else { 0 };
        }
        let takes = out.word_next && pins.word_valid;
        pins.word.last = (left == 1) != stimulus.one_in(100);
        left -= u64::from(takes && left > 0);
        pins
    }
}
