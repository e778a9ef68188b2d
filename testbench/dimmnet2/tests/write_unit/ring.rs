//! The ring under random pins: rings with and without room, in and outside the region.

use cosim::{BlockPair, Stimulus};
use dimmnet2::write_unit::ring::{In, Ring};
use hdl::Nic;

#[test]
fn ring_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("ring").expect("it is verilated");
        let mut pair: BlockPair<Ring> = testbench::pair(rtl, seed, "ring_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut begun, mut refused, mut moved) = (0, 0, 0);
        for _ in 0..200_000 {
            let mut pins: In = stimulus.pins();
            pins.ring_request = super::ring_request(&mut stimulus);
            pins.llcm_rdata = super::amt_entry(&mut stimulus);
            if !stimulus.one_in(4) {
                pins.announced = stimulus.below(80) as u16;
                pins.bytes = stimulus.below(80) as u16;
            }
            let out = *pair.outputs();
            begun += out.begins as u32;
            refused += out.refused as u32;
            moved += out.llcm_write_enable as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        let seen = [begun, refused, moved];
        assert!(
            seen.iter().all(|&count| count > 1000),
            "packets let in, refused and stored are seen: {seen:?}"
        );
    }
}
