//! The RVL module under random pins: every pin is drawn on every cycle, so that the SWIF FIFO stalls at random too.

use cosim::{BlockPair, Stimulus};
use dimmnet2::window_controller::rvl::{In, Rvl};
use hdl::Nic;

#[test]
fn rvl_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("rvl").expect("it is verilated");
        let mut pair: BlockPair<Rvl> = testbench::pair(rtl, seed, "rvl_matches");
        let mut stimulus = Stimulus::new(seed);
        let mut partly = 0;
        for _ in 0..100_000 {
            let mut pins: In = stimulus.pins();
            if stimulus.one_in(2) {
                pins.request.lower &= 0x0000_01ff_ffff_ffff;
            }
            let flag = pair.outputs().flag;
            partly += (flag.opened && flag.quarters != 0 && flag.quarters != 0xf) as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        assert!(partly > 500, "quarters that stay untouched are seen: {partly}");
    }
}
