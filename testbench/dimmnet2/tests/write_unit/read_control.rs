//! The read control under random pins.

use cosim::{BlockPair, Stimulus};
use dimmnet2::write_unit::read_control::{In, ReadControl};
use hdl::Nic;

#[test]
fn read_control_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("read_control").expect("it is verilated");
        let mut pair: BlockPair<ReadControl> = testbench::pair(rtl, seed, "read_control_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut cut, mut broken) = (0, 0);
        let mut capacity = 0;
        for _ in 0..200_000 {
            let mut pins: In = stimulus.pins();
            if stimulus.one_in(500) {
                capacity = stimulus.below(8) as u8;
            }
            pins.capacity = capacity;
            pins.write_request = super::request(&mut stimulus, capacity);
            pins.line = super::line(&mut stimulus);
            let out = *pair.outputs();
            cut += (out.line_valid && out.overrun) as u32;
            broken += (out.line_valid && out.broken) as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        assert!(cut > 50 && broken > 50, "cut and broken packets are seen: {cut}, {broken}");
    }
}
