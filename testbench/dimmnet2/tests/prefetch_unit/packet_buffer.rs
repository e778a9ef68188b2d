//! The packet buffer of the Prefetch Unit under random lines and pairs, filled up and emptied in turn.

use cosim::{BlockPair, Stimulus};
use dimmnet2::prefetch_unit::packet_buffer::{In, PacketBuffer};
use hdl::Nic;

#[test]
fn packet_buffer_matches_its_rtl_full_and_empty() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("packet_buffer").expect("it is verilated");
        let mut pair: BlockPair<PacketBuffer> = testbench::pair(rtl, seed, "packet_buffer_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut full, mut almost, mut empty) = (0, 0, 0);
        for cycle in 0..100_000 {
            let mut pins: In = stimulus.pins();
            pins.read_enable = stimulus.one_in([1, 3][cycle / 3000 % 2]);
            pins.write_enable = stimulus.one_in([3, 1][cycle / 3000 % 2]);
            let count = pair.outputs().count;
            full += (count == 1024 && pins.write_enable) as u32;
            almost += (count == 1023 && pins.write_enable && pins.pair) as u32;
            empty += (count == 0 && pins.read_enable) as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(20_000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.compare_memories().unwrap_or_else(|error| panic!("{error}"));
        let seen = [full, almost, empty];
        assert!(seen.iter().all(|&count| count > 50), "full, room for one of two, empty: {seen:?}");
    }
}
