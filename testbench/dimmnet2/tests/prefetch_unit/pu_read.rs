//! The reader of the Prefetch Unit under random runs, with an SO-DIMM interface and a writer that stall at random.

use cosim::{BlockPair, Stimulus};
use dimmnet2::prefetch_unit::pu_read::{In, PuRead};
use hdl::Nic;

#[test]
fn pu_read_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("pu_read").expect("it is verilated");
        let mut pair: BlockPair<PuRead> = testbench::pair(rtl, seed, "pu_read_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut words, mut pairs, mut run) = (0, 0, In::default().run);
        for cycle in 0..200_000 {
            let mut pins: In = stimulus.pins();
            // A run stays while it is read, but for a few that do not.
            if pair.outputs().idle || stimulus.one_in(500) {
                run = pins.run;
                run.bytes = 1 + stimulus.below(512) as u32;
                if run.to_packet && stimulus.one_in(2) {
                    run.bytes += stimulus.below(6000) as u32;
                }
                run.element_bytes = [4, 8, 16, 128, run.bytes][stimulus.below(5) as usize];
                if stimulus.one_in(4) {
                    // Around the end of the region.
                    let end = (1u64 << 28 << pins.capacity.min(4)) as u32;
                    run.offset = end.wrapping_sub(stimulus.below(600) as u32);
                }
                if stimulus.one_in(2) {
                    run.offset &= 0x0fff_ffff;
                    run.stride &= 0x0000_ffff;
                }
            }
            pins.run = run;
            if !stimulus.one_in(4) {
                pins.list_rdata &= 0x0fff_ffff_0fff_ffff;
            }
            pins.packet_room |= stimulus.one_in(2);
            if cycle / 1000 % 2 == 0 {
                pins.sodimm_almost_full &= stimulus.one_in(8);
                pins.pieces_almost_full &= stimulus.one_in(8);
            }
            words += pair.outputs().read.enable as u32;
            pairs += (pair.outputs().read.enable && pair.outputs().read.pair) as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(5_000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        assert!(words > 20_000 && pairs > 1_000, "{words} words, {pairs} pairs");
    }
}
