//! The list read of the Write Unit: lists of every length, taken at random.

use cosim::{BlockPair, Stimulus};
use dimmnet2::write_unit::list_read::{In, ListRead};
use hdl::Nic;

#[test]
fn list_read_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("list_read").expect("it is verilated");
        let mut pair: BlockPair<ListRead> = testbench::pair(rtl, seed, "list_read_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut given, mut ended) = (0, 0);
        for _ in 0..200_000 {
            let mut pins: In = stimulus.pins();
            pins.running = !stimulus.one_in(100);
            if !stimulus.one_in(4) {
                pins.store_list.entries &= 0x1f;
            }
            let out = *pair.outputs();
            given += (out.valid && !out.ended && pins.take) as u32;
            ended += (out.valid && out.ended && pins.take) as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        assert!(given > 1000 && ended > 1000, "offsets and ends of lists are seen: {given}, {ended}");
    }
}
