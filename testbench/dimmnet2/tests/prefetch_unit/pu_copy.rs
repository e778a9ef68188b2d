//! The copy control of the Prefetch Unit: first halves come and go at random, chunks are asked for in a row.

use cosim::{BlockPair, Stimulus};
use dimmnet2::command::SODIMM_COPY;
use dimmnet2::prefetch_unit::pu_copy::{In, PuCopy};
use hdl::Nic;

#[test]
fn pu_copy_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("pu_copy").expect("it is verilated");
        let mut pair: BlockPair<PuCopy> = testbench::pair(rtl, seed, "pu_copy_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut chunks, mut empty) = (0, 0);
        for _ in 0..200_000 {
            let mut pins: In = stimulus.pins();
            let load = &mut pins.vector_load;
            if !stimulus.one_in(4) {
                load.dstoff = SODIMM_COPY;
            }
            match stimulus.below(4) {
                0 => load.size_list_stride &= 0xfff,
                1 => load.srcoff |= 0xffff_f000,
                2 => load.srcoff = 0x1000_0258 - stimulus.below(1200) as u32,
                _ => (),
            }
            *load = load.measured(pins.capacity);
            pins.start = stimulus.one_in(40);
            pins.copy_request.end_copy = stimulus.one_in(60);
            pins.copy_request.request |= stimulus.one_in(2);
            let out = *pair.outputs();
            chunks += (out.chunk.ready && out.chunk.bytes != 0) as u32;
            empty += (out.chunk.ready && out.chunk.bytes == 0) as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        assert!(chunks > 1000 && empty > 1000, "chunks and ends of copies are seen: {chunks}, {empty}");
    }
}
