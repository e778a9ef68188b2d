//! The packet writer under random pins: offsets near the ends of areas.

use cosim::{BlockPair, Stimulus};
use dimmnet2::receive_controller::packet_write::{In, PacketWrite};
use hdl::Nic;

#[test]
fn packet_write_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("packet_write").expect("it is verilated");
        let mut pair: BlockPair<PacketWrite> = testbench::pair(rtl, seed, "packet_write_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut cut, mut broken) = (0, 0);
        for _ in 0..200_000 {
            let mut pins: In = stimulus.pins();
            pins.line = super::line(&mut stimulus, 0);
            if !stimulus.one_in(4) {
                pins.bytes = stimulus.below(80) as u16;
                pins.offset = super::offset(&mut stimulus);
            }
            let out = *pair.outputs();
            cut += (out.done && out.overrun) as u32;
            broken += (out.done && out.broken) as u32;
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
