//! Queues, mask and send DMA under random entries.

use cenju3::mask::{self, Mask};
use cenju3::memory_map::{Addresses, Control, MEMORY_BYTES};
use cenju3::send_dma::{self, SendDma};
use cenju3::send_queue::{self, SendQueue};
use cosim::Stimulus;

use crate::bench::walk;

#[test]
fn send_queue_matches_its_rtl_and_walks_every_arc() {
    walk::<SendQueue>("send_queue", 200_000, |stimulus, _| queue_pins(stimulus));
}

/// Pins of a queue that is empty now and then.
pub fn queue_pins(stimulus: &mut Stimulus) -> send_queue::In {
    let mut pins: send_queue::In = stimulus.pins();
    if stimulus.one_in(3) {
        pins.write = 0;
    }
    pins
}

/// Two words of an entry, mostly near the borders.
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

#[test]
fn mask_matches_its_rtl_and_walks_every_arc() {
    walk::<Mask>("mask", 400_000, |stimulus, _| mask_pins(stimulus));
}

/// Pins with such entries in both queues.
pub fn mask_pins(stimulus: &mut Stimulus) -> mask::In {
    let mut pins: mask::In = stimulus.pins();
    (pins.control0, pins.addresses0) = entry(stimulus);
    (pins.control1, pins.addresses1) = entry(stimulus);
    if stimulus.one_in(2) {
        pins.address_base = stimulus.below(256) as u16;
    }
    pins
}

#[test]
fn send_dma_matches_its_rtl_and_walks_every_arc() {
    walk::<SendDma>("send_dma", 400_000, |stimulus, _| dma_pins(stimulus));
}

/// Pins with transfers of few segments; as it is of any length now and then, which a reset ends.
pub fn dma_pins(stimulus: &mut Stimulus) -> send_dma::In {
    let mut pins: send_dma::In = stimulus.pins();
    if !stimulus.one_in(200) {
        pins.transfer.length = 1 + stimulus.below(600) as u32;
    }
    pins.memory_ready |= stimulus.one_in(2);
    pins
}
