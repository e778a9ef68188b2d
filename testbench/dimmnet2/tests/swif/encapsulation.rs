//! The encapsulation under random pins: every pin is drawn on every cycle, so that the link stalls at random.

use cosim::{BlockPair, Stimulus};
use dimmnet2::swif::encapsulation::Encapsulation;

#[test]
fn encapsulation_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("encapsulation").expect("it is verilated");
        let mut pair: BlockPair<Encapsulation> = testbench::pair(rtl, seed, "encapsulation_matches");
        let mut stimulus = Stimulus::new(seed);
        for _ in 0..100_000 {
            pair.tick(&stimulus.pins()).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1_000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
    }
}
