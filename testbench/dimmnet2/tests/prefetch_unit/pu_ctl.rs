//! The control of the Prefetch Unit under random requests, many of which end at the end of a region or a window.

use cosim::{BlockPair, Stimulus};
use dimmnet2::command::SODIMM_COPY;
use dimmnet2::prefetch_unit::pu_ctl::{In, PuCtl};
use hdl::Nic;

#[test]
fn pu_ctl_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("pu_ctl").expect("it is verilated");
        let mut pair: BlockPair<PuCtl> = testbench::pair(rtl, seed, "pu_ctl_matches");
        let mut stimulus = Stimulus::new(seed);
        let mut runs = 0;
        for _ in 0..200_000 {
            let mut pins: In = stimulus.pins();
            let load = &mut pins.vector_load;
            // Around the end of the region.
            let capacity = stimulus.below(8) as u8;
            let end = (1u64 << 28 << capacity) as u32;
            for offset in [&mut load.srcoff, &mut load.size_list_stride] {
                match stimulus.below(4) {
                    0 => *offset = end.wrapping_add(stimulus.below(1200) as u32).wrapping_sub(600),
                    1 => *offset &= 0x3ff,
                    _ => (),
                }
            }
            if stimulus.one_in(3) {
                load.size_list_stride &= 0x3ff;
            }
            if stimulus.one_in(8) {
                load.dstoff = SODIMM_COPY;
            }
            if stimulus.one_in(4) {
                pins.vector_load.total = 0;
            }
            pins.vector_load = pins.vector_load.measured(capacity);
            pins.copy_load = pins.copy_load.measured(capacity);
            runs += pair.outputs().start as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(5_000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        assert!(runs > 10_000, "{runs} runs");
    }
}
