//! The writer of the Prefetch Unit under random pieces, words that come late and a Prefetch Window that is busy.

use cosim::{BlockPair, Stimulus};
use dimmnet2::prefetch_unit::pu_write::{In, PuWrite};
use hdl::Nic;

#[test]
fn pu_write_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("pu_write").expect("it is verilated");
        let mut pair: BlockPair<PuWrite> = testbench::pair(rtl, seed, "pu_write_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut words, mut lists, mut ends, mut pairs) = (0, 0, 0, 0);
        for cycle in 0..200_000 {
            let mut pins: In = stimulus.pins();
            // Pieces in bursts; a piece too many now and then, which the full FIFO ignores.
            let burst = cycle / 64 % 2 == 0;
            pins.piece_enable = burst && stimulus.one_in([1, 2, 8][cycle / 3000 % 3]);
            if !stimulus.one_in(8) {
                pins.piece.bytes = 4 << stimulus.below(2);
            }
            pins.ended = !burst;
            pins.start &= stimulus.one_in(8);
            pins.prefetch_window_free = !stimulus.one_in([2, 100][cycle / 1000 % 2]);
            let out = *pair.outputs();
            words += (out.prefetch_window_byte_enable != 0 && pins.prefetch_window_free) as u32;
            lists += out.list_write_enable as u32;
            pairs += (out.packet_write_enable && out.packet_pair) as u32;
            ends += (out.quarters == 0xf) as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(5_000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        pair.compare_memories().unwrap_or_else(|error| panic!("{error}"));
        let seen = [words, lists, ends, pairs];
        assert!(seen.iter().all(|&count| count > 500), "words, list words, ends, pairs: {seen:?}");
    }
}
