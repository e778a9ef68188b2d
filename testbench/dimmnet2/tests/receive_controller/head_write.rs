//! The head writer under random pins: messages shorter and longer than a head, whole and broken.

use cosim::{BlockPair, Stimulus};
use dimmnet2::receive_controller::head_write::{HeadWrite, In};
use hdl::Nic;

#[test]
fn head_write_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("head_write").expect("it is verilated");
        let mut pair: BlockPair<HeadWrite> = testbench::pair(rtl, seed, "head_write_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut whole, mut broken) = (0, 0);
        for _ in 0..200_000 {
            let mut pins: In = stimulus.pins();
            pins.line = super::line(&mut stimulus, 0);
            if !stimulus.one_in(4) {
                pins.bytes = stimulus.below(100) as u16;
                pins.size = stimulus.below(100) as u32;
            }
            let out = *pair.outputs();
            whole += out.advance as u32;
            broken += (out.done && out.broken) as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        assert!(whole > 1000 && broken > 1000, "whole and broken heads are seen: {whole}, {broken}");
    }
}
