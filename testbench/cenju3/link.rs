//! Both sides of the link, and the rings behind it, under random words.

use cenju3::link_receive::{self, LinkReceive};
use cenju3::link_transmit::{self, LinkTransmit};
use cenju3::memory_map::Header;
use cenju3::receive_ring::{self, ReceiveRing};
use cosim::Stimulus;

use crate::bench::walk;

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

/// Pins with words that begin a packet, and some that nearly do.
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

#[test]
fn receive_ring_matches_its_rtl_and_walks_every_arc() {
    walk::<ReceiveRing>("receive_ring", 400_000, |stimulus, _| ring_pins(stimulus));
}

/// Pins with short packets, which end at any word.
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

#[test]
fn receive_ring_walks_whole_packets_like_its_rtl() {
    walk::<ReceiveRing>("receive_ring", 400_000, packet_pins());
}

/// Pins with whole packets, of which few end too early or too late.
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
