//! The transmitter under random words.

use gigae_pm::mac::mac_transmit::{In, MacTransmit};

use testbench_gigae_pm::walk;

#[test]
fn mac_transmit_matches_its_rtl_and_walks_every_arc() {
    walk::<MacTransmit>("mac_transmit", 300_000, |stimulus, _| {
        let mut pins: In = stimulus.pins();
        pins.word.last = stimulus.one_in(20);
        pins
    });
}
