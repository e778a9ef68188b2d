//! The Status Write Unit under random pins: rings of every size fill up, move and are read.

use cosim::{BlockPair, Stimulus};
use dimmnet2::status_write_unit::{In, StatusWriteUnit};
use hdl::Nic;

#[test]
fn status_write_unit_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("status_write_unit").expect("it is verilated");
        let mut pair: BlockPair<StatusWriteUnit> = testbench::pair(rtl, seed, "status_write_unit_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut full, mut written) = (0, 0);
        for _ in 0..200_000 {
            let mut pins: In = stimulus.pins();
            let out = *pair.outputs();
            if stimulus.one_in(2) {
                pins.configuration.value = 1 << stimulus.below(8);
            }
            if !stimulus.one_in(100) {
                pins.configuration.user_code &= 0b011;
            }
            if stimulus.one_in(40) {
                pins.configuration.user_code = 0b111;
                let next = [out.next_write_address0, out.next_write_address1];
                pins.configuration.value = next[pins.configuration.wid as usize];
            }
            full += (out.full != 0) as u32;
            written += (out.llcm_byte_enable != 0) as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        assert!(full > 1000 && written > 1000, "full rings and statuses are seen: {full}, {written}");
    }
}
