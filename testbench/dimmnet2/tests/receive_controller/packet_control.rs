//! The packet control under random pins: headers whole and broken, and answers at any time.

use cosim::{BlockPair, Stimulus};
use dimmnet2::receive_controller::packet_control::{In, PacketControl};
use hdl::Nic;

#[test]
fn packet_control_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("packet_control").expect("it is verilated");
        let mut pair: BlockPair<PacketControl> = testbench::pair(rtl, seed, "packet_control_matches");
        let mut stimulus = Stimulus::new(seed);
        for _ in 0..200_000 {
            let mut pins: In = stimulus.pins();
            [pins.pgid0, pins.pgid1] = super::PGIDS;
            pins.line = super::line(&mut stimulus, pair.outputs().state as u8);
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
    }
}
