//! The write control under random pins.

use cosim::{BlockPair, Stimulus};
use dimmnet2::write_unit::write_control::{In, WriteControl};

#[test]
fn write_control_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("write_control").expect("it is verilated");
        let mut pair: BlockPair<WriteControl> = testbench::pair(rtl, seed, "write_control_matches");
        let mut stimulus = Stimulus::new(seed);
        let mut capacity = 0;
        for _ in 0..200_000 {
            let mut pins: In = stimulus.pins();
            if stimulus.one_in(500) {
                capacity = stimulus.below(8) as u8;
            }
            pins.capacity = capacity;
            pins.write_request = super::request(&mut stimulus, capacity);
            pins.line = super::line(&mut stimulus);
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
    }
}
