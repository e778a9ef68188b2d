//! VL under random pins: every pin is drawn on every cycle, so that the Prefetch Unit is busy at random too.

use cosim::{BlockPair, Stimulus};
use dimmnet2::window_controller::vl::{In, Vl};

#[test]
fn vl_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("vl").expect("it is verilated");
        let mut pair: BlockPair<Vl> = testbench::pair(rtl, seed, "vl_matches");
        let mut stimulus = Stimulus::new(seed);
        for _ in 0..100_000 {
            let mut pins: In = stimulus.pins();
            pins.vector_load.first_half = stimulus.one_in(4);
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
    }
}
