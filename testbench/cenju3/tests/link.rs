//! Both sides of the link, and the rings behind it, under random words.

use cenju3::link_receive::LinkReceive;
use cenju3::link_transmit::{self, LinkTransmit};
use cenju3::receive_ring::ReceiveRing;

use testbench_cenju3::stimulus::{link_pins, packet_pins, ring_pins};
use testbench_cenju3::walk;

#[test]
fn link_transmit_matches_its_rtl_and_walks_every_arc() {
    walk::<LinkTransmit>("link_transmit", 200_000, |stimulus, _| {
        let pins: link_transmit::In = stimulus.pins();
        pins
    });
}

#[test]
fn link_receive_matches_its_rtl_and_walks_every_arc() {
    walk::<LinkReceive>("link_receive", 400_000, |stimulus, _| link_pins(stimulus));
}

#[test]
fn receive_ring_matches_its_rtl_and_walks_every_arc() {
    walk::<ReceiveRing>("receive_ring", 400_000, |stimulus, _| ring_pins(stimulus));
}

#[test]
fn receive_ring_walks_whole_packets_like_its_rtl() {
    walk::<ReceiveRing>("receive_ring", 400_000, packet_pins());
}
