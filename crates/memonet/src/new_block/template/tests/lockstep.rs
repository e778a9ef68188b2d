//! Model and RTL under random pins: compares every register in every cycle and covers every transition.

use cosim::{BlockPair, Stimulus};
use my_block::my_block::{In, MyBlock};

const CYCLES: u32 = 100_000;

#[test]
fn model_matches_rtl_and_walks_every_arc() {
    let rtl = my_block::open("my_block").unwrap_or_else(|error| panic!("{error}"));
    let pair = BlockPair::<MyBlock>::open_block(Box::new(rtl)).unwrap_or_else(|error| panic!("{error}"));
    let mut pair = pair.replay(1, "cargo test".to_string());
    let mut stimulus = Stimulus::new(1);
    for _ in 0..CYCLES {
        let mut pins: In = stimulus.pins();
        // Short counts let the block pass through all states often.
        if !stimulus.one_in(50) {
            pins.cycles &= 7;
        }
        pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
        if stimulus.one_in(1000) {
            pair.reset().unwrap_or_else(|error| panic!("{error}"));
        }
    }
    pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
}
