//! An SO-DIMM channel under random words of few rows, with a module that stalls at random.

use cosim::{BlockPair, Stimulus};
use dimmnet2::sodimm_interface::sodimm::{In, Sodimm};
use hdl::Nic;

#[test]
fn sodimm_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("sodimm").expect("it is verilated");
        let mut pair: BlockPair<Sodimm> = testbench::pair(rtl, seed, "sodimm_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut writes, mut reads, mut almost_full) = (0, 0, 0);
        for cycle in 0..200_000 {
            let mut pins: In = stimulus.pins();
            // Dense and sparse stretches; a word too many now and then, which the full FIFO ignores.
            pins.word_enable = stimulus.one_in([1, 2, 8, 16][cycle / 1000 % 4]);
            pins.sodimm_enabled = cycle / 4000 % 8 != 7;
            if !stimulus.one_in(20) {
                pins.word.burst &= 0x27;
            }
            // A full data FIFO ignores words, too.
            pins.data_next = stimulus.one_in([1, 2, 16][cycle / 3000 % 3]);
            let out = pair.outputs();
            reads += (out.memory.read && pins.memory.ready) as u32;
            writes += (out.memory.write && pins.memory.ready) as u32;
            almost_full += out.almost_full as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(10_000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.compare_memories().unwrap_or_else(|error| panic!("{error}"));
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        let seen = [writes, reads, almost_full];
        assert!(seen.iter().all(|&count| count > 5_000), "writes, reads, almost full: {seen:?}");
    }
}
