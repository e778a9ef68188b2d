//! The VS module under random pins: the Write Unit is busy, stores and is done at random.

use cosim::{BlockPair, Stimulus};
use dimmnet2::window_controller::vs::{In, Vs};
use hdl::Nic;

#[test]
fn vs_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("vs").expect("it is verilated");
        let mut pair: BlockPair<Vs> = testbench::pair(rtl, seed, "vs_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut clamped, mut chunks, mut copied) = (0, 0, 0);
        for _ in 0..200_000 {
            let mut pins: In = stimulus.pins();
            pins.status.done = stimulus.one_in(8);
            if stimulus.one_in(2) {
                pins.size_list_stride = stimulus.below(1024) as u32;
            }
            if !stimulus.one_in(4) {
                // A whole chunk.
                pins.copy_chunk.bytes = 512;
            }
            if stimulus.one_in(8) {
                pins.offset |= 0xffff_fc00;
            }
            let out = *pair.outputs();
            clamped += (out.result.done && out.result.source_clamped) as u32;
            chunks += (out.copy_request.request && pins.copy_chunk.ready) as u32;
            copied += out.copy_request.end_copy as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        assert!(clamped > 1000, "clamped sources are seen: {clamped}");
        assert!(chunks > copied + 100, "copies of several chunks are seen: {chunks} chunks, {copied} copies");
    }
}
