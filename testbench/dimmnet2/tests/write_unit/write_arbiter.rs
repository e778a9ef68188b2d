//! The arbiter of the Write Unit under random pins.

use cosim::{BlockPair, Stimulus};
use dimmnet2::write_unit::write_arbiter::WriteArbiter;

#[test]
fn write_arbiter_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("write_arbiter").expect("it is verilated");
        let mut pair: BlockPair<WriteArbiter> = testbench::pair(rtl, seed, "write_arbiter_matches");
        let mut stimulus = Stimulus::new(seed);
        for _ in 0..50_000 {
            pair.tick(&stimulus.pins()).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
    }
}
