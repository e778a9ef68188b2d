//! The receiver under random bytes, gaps and room.

use gigae_pm::mac::mac_receive::{In, MacReceive};

use crate::bench::walk;

#[test]
fn mac_receive_matches_its_rtl_and_walks_every_arc() {
    let mut odds = 2;
    walk::<MacReceive>("mac_receive", 300_000, |stimulus, _| {
        let mut pins: In = stimulus.pins();
        // Frames of a few bytes up to more than the longest.
        if stimulus.one_in(500) {
            odds = [2, 20, 200, 3000][stimulus.below(4) as usize];
        }
        pins.rx_valid = !stimulus.one_in(odds);
        pins.rx_error &= stimulus.one_in(10);
        if stimulus.one_in(8) {
            pins.rx_data = 0xd5;
        }
        pins
    });
}
