//! The SO-DIMM interface under random words for both modules, each of which stalls at random.

use cosim::{BlockPair, Stimulus};
use dimmnet2::sodimm_interface::SodimmInterface;
use dimmnet2::sodimm_interface::pins::In;
use hdl::Nic;

#[test]
fn sodimm_interface_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("sodimm_interface").expect("it is verilated");
        let mut pair: BlockPair<SodimmInterface> = testbench::pair(rtl, seed, "sodimm_interface_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut writes, mut reads, mut late) = ([0; 2], [0; 2], 0);
        for cycle in 0..200_000 {
            let mut pins: In = stimulus.pins();
            pins.write_right_request = cycle % 300 < 160;
            pins.read_right_request = (150..290).contains(&(cycle % 300));
            pins.read.address &= 0x9f;
            let data = pair.outputs().data;
            late += (pins.data_next0 && pins.data_next1 && data.empty0 != data.empty1) as u32;
            pins.sodimm_enabled = cycle / 4000 % 8 != 7;
            pins.word.address &= 0x9f;
            if pair.outputs().almost_full || !stimulus.one_in([1, 2, 8, 16][cycle / 1000 % 4]) {
                pins.word.byte_enable = 0;
                pins.read.enable = false;
            }
            writes[0] += (pair.outputs().memory0.write && pins.memory0.ready) as u32;
            writes[1] += (pair.outputs().memory1.write && pins.memory1.ready) as u32;
            reads[0] += (pair.outputs().memory0.read && pins.memory0.ready) as u32;
            reads[1] += (pair.outputs().memory1.read && pins.memory1.ready) as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(10_000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.compare_memories().unwrap_or_else(|error| panic!("{error}"));
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        let seen = [writes, reads];
        assert!(seen.iter().flatten().all(|&count| count > 4_000), "writes and reads: {seen:?}");
        assert!(late > 500, "of a pair one word was there: {late} cycles");
    }
}
