//! The receiver under random bytes, gaps and room.

use gigae_pm::mac::mac_receive::{In, MacReceive};
use gigae_pm::mac::pins::ReceiveStatus;

use testbench_gigae_pm::walk;

#[test]
fn mac_receive_matches_its_rtl_and_walks_every_arc() {
    let (mut odds, mut starved, mut full) = (2, false, false);
    walk::<MacReceive>("mac_receive", 300_000, |stimulus, out| {
        let mut pins: In = stimulus.pins();
        // Now and then without room for so long that the counter of missed frames comes to its end.
        starved ^= stimulus.one_in(3_000);
        if starved {
            pins.fifo_free = 0;
        }
        let status = ReceiveStatus::from_bits(out.word.data);
        full |= out.word_enable && out.word.last && status.missed == 0xff;
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
    assert!(full, "255 frames or more are missed in a row");
}
