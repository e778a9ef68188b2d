//! Frames between NIC memory and the MAC.

use gigae_pm::mac::pins::ReceiveStatus;
use gigae_pm::network_dma::receive_dma::{self, ReceiveDma};
use gigae_pm::network_dma::transmit_dma::{self, TransmitDma};

use testbench_gigae_pm::walk;

#[test]
fn receive_dma_matches_its_rtl_and_walks_every_arc() {
    walk::<ReceiveDma>("receive_dma", 300_000, |stimulus, out| {
        let mut pins: receive_dma::In = stimulus.pins();
        // Addresses and statuses that are sometimes valid.
        pins.identity.mac_prefix = 0x5047_0002;
        pins.identity.node = 0x155;
        pins.word.last = stimulus.one_in(6);
        pins.enable = !stimulus.one_in(20);
        pins.frame_done = out.frame_waiting && stimulus.one_in(30);
        if pins.word.last && !stimulus.one_in(4) {
            pins.word.data = ReceiveStatus { length: 64, ..ReceiveStatus::default() }.bits();
        } else if stimulus.one_in(2) {
            pins.word.data = if stimulus.one_in(2) { 0x0002_0000 } else { 0x5501_5047 };
        }
        pins
    });
}

#[test]
fn transmit_dma_matches_its_rtl_and_walks_every_arc() {
    walk::<TransmitDma>("transmit_dma", 300_000, |stimulus, _| {
        let mut pins: transmit_dma::In = stimulus.pins();
        pins.frame.kind = stimulus.below(6) as u8;
        pins.frame.size = stimulus.below(100) as u16;
        pins.frame.raw &= pins.frame.size != 0;
        pins
    });
}
