//! The region of a process for each capacity code. It has no clock: its outputs follow its inputs.

use cosim::Simulation;
use dimmnet2::region::{In, Out, region};
use hdl::{Bits, Edges, words_for};

#[test]
fn region_matches_its_rtl_for_every_capacity() {
    let mut rtl = testbench_dimmnet2::open("region").expect("it is verilated");
    for capacity in 0..8 {
        let (mut pins_i, mut pins_o) = (vec![0; words_for(In::WIDTH)], vec![0; words_for(Out::WIDTH)]);
        In { capacity }.put(&mut pins_i, 0, In::WIDTH);
        rtl.step(Edges::NONE, &pins_i, &mut pins_o).unwrap();
        assert_eq!(Out::take(&pins_o, 0, Out::WIDTH), region(capacity), "capacity {capacity}");
    }
}
