//! Queues, mask and send DMA under random entries.

use cenju3::mask::Mask;
use cenju3::send_dma::SendDma;
use cenju3::send_queue::SendQueue;

use testbench_cenju3::stimulus::{dma_pins, mask_pins, queue_pins};
use testbench_cenju3::walk;

#[test]
fn send_queue_matches_its_rtl_and_walks_every_arc() {
    walk::<SendQueue>("send_queue", 200_000, |stimulus, _| queue_pins(stimulus));
}

#[test]
fn mask_matches_its_rtl_and_walks_every_arc() {
    walk::<Mask>("mask", 400_000, |stimulus, _| mask_pins(stimulus));
}

#[test]
fn send_dma_matches_its_rtl_and_walks_every_arc() {
    walk::<SendDma>("send_dma", 400_000, |stimulus, _| dma_pins(stimulus));
}
