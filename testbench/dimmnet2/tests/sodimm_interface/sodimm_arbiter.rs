//! The SO-DIMM arbiter under random requests.

use cosim::{BlockPair, Stimulus};
use dimmnet2::sodimm_interface::sodimm_arbiter::SodimmArbiter;

#[test]
fn sodimm_arbiter_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("sodimm_arbiter").expect("it is verilated");
        let mut pair: BlockPair<SodimmArbiter> = testbench::pair(rtl, seed, "sodimm_arbiter_matches");
        let mut stimulus = Stimulus::new(seed);
        for _ in 0..1_000 {
            pair.tick(&stimulus.pins()).unwrap_or_else(|error| panic!("{error}"));
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
    }
}
