//! The list service of the Prefetch Unit under random lists, often at the end of a region, with words that come late.

use cosim::{BlockPair, Stimulus};
use dimmnet2::prefetch_unit::pu_list::{In, PuList};
use hdl::Nic;

#[test]
fn pu_list_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("pu_list").expect("it is verilated");
        let mut pair: BlockPair<PuList> = testbench::pair(rtl, seed, "pu_list_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut words, mut lists, mut empty) = (0, 0, 0);
        for cycle in 0..200_000 {
            let mut pins: In = stimulus.pins();
            let list = &mut pins.list_request;
            // Around the end of the region.
            let end = (1u64 << 28 << pins.capacity) as u32;
            match stimulus.below(4) {
                0 => list.offset = end.wrapping_add(stimulus.below(1200) as u32).wrapping_sub(600),
                1 => list.offset &= 0x3ff,
                _ => (),
            }
            if stimulus.one_in(2) {
                list.entries &= 0xf;
            }
            let slow = cycle / 2000 % 2 == 0;
            pins.data.empty0 &= slow || stimulus.one_in(4);
            pins.data.empty1 &= slow || stimulus.one_in(4);
            pins.sodimm_almost_full &= slow;
            let out = *pair.outputs();
            words += out.write_enable as u32;
            lists += (out.ready && out.entries != 0) as u32;
            empty += (out.ready && out.entries == 0) as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(5_000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        let seen = [words, lists, empty];
        assert!(seen.iter().all(|&count| count > 500), "words, lists, empty lists: {seen:?}");
    }
}
