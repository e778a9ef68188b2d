//! The window read of the Write Unit: a store begins when the one before is over, lines are taken at random.

use cosim::{BlockPair, Stimulus};
use dimmnet2::write_unit::window_read::{In, WindowRead};
use hdl::Nic;

#[test]
fn window_read_matches_its_rtl_on_every_cycle() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("window_read").expect("it is verilated");
        let mut pair: BlockPair<WindowRead> = testbench::pair(rtl, seed, "window_read_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut capacity, mut lines, mut cut) = (0, 0, 0);
        for _ in 0..200_000 {
            let mut pins: In = stimulus.pins();
            if stimulus.one_in(500) {
                capacity = stimulus.below(8) as u8;
            }
            pins.capacity = capacity;
            pins.vector_store = super::store(&mut stimulus, capacity);
            let out = *pair.outputs();
            // Once in a while a store begins in the middle of another.
            pins.begin_store = !out.line_valid && stimulus.one_in(20) || stimulus.one_in(1000);
            lines += (out.line_valid && pins.take) as u32;
            cut += (out.line_valid && out.overrun) as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.compare_memories().unwrap_or_else(|error| panic!("{error}"));
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert!(lines > 10_000 && cut > 500, "lines and cut stores are seen: {lines}, {cut}");
    }
}
