//! The stride of the Write Unit under random pins, mostly near the end of the region.

use cosim::{BlockPair, Stimulus};
use dimmnet2::write_unit::stride::{Elements, In, Stride};
use hdl::Nic;

#[test]
fn stride_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("stride").expect("it is verilated");
        let mut pair: BlockPair<Stride> = testbench::pair(rtl, seed, "stride_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut capacity, mut overruns) = (0, 0);
        for _ in 0..200_000 {
            let mut pins: In = stimulus.pins();
            if stimulus.one_in(500) {
                capacity = stimulus.below(8) as u8;
            }
            pins.capacity = capacity;
            let store = super::store(&mut stimulus, capacity);
            pins.elements = Elements { offset: store.offset, stride: store.stride, ..pins.elements };
            pins.done = stimulus.one_in(32);
            pins.data |= stimulus.one_in(2);
            pins.last = stimulus.one_in(50);
            overruns += pair.outputs().overrun as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        assert!(overruns > 1000, "elements beyond the region are seen: {overruns}");
    }
}
