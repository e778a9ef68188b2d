//! Tests of the combinational block `key_check`.

use cosim::Stimulus;
use hca::contexts::Key;
use hca::key_check::{In, Out, check};
use hdl::{Bits, Edges, words_for};

#[test]
fn key_check_matches_its_rtl_on_random_pins() {
    let mut answers = [0; 2];
    for seed in testbench::seeds() {
        let mut rtl = testbench_hca::open("key_check").expect("the block is verilated");
        let mut stimulus = Stimulus::new(seed);
        let mut pins_i = vec![0; words_for(In::WIDTH)];
        let mut pins_o = vec![0; words_for(Out::WIDTH)];
        for _ in 0..200_000 {
            let mut pins: In = stimulus.pins();
            // Most keys are valid, and most accesses are near an end of the area, which may be near the end
            // of the address space.
            if !stimulus.one_in(8) {
                pins.row.valid = true;
                pins.key = Key::of(Key::row_of(pins.key), pins.row.variant);
                pins.domain = pins.row.domain;
            }
            if stimulus.one_in(2) {
                pins.row.base |= 0xffff_f000;
            }
            let length = stimulus.below(0x2000) as u32;
            pins.row.limit = u64::from(pins.row.base) + u64::from(length);
            pins.length = stimulus.below(64) as u32;
            let end = if stimulus.one_in(2) { 0 } else { length };
            let offset = end.wrapping_add(stimulus.below(128) as u32).wrapping_sub(64);
            pins.address = pins.row.base.wrapping_add(offset);
            pins.reach = u64::from(pins.address) + u64::from(pins.length);
            pins_i.fill(0);
            pins.put(&mut pins_i, 0, In::WIDTH);
            cosim::Simulation::step(&mut rtl, Edges::NONE, &pins_i, &mut pins_o).expect("it has no clock");
            let expected = check(&pins);
            assert_eq!(Out::take(&pins_o, 0, Out::WIDTH), expected, "seed {seed}, pins {pins:?}");
            answers[usize::from(expected.allowed)] += 1;
        }
    }
    assert!(answers.iter().all(|&count| count > 10_000), "{answers:?}");
}
