//! A Request FIFO under random pins: phases that fill it and phases that drain it.

use cosim::{BlockPair, Stimulus};
use dimmnet2::window_controller::request_fifo::{In, RequestFifo};
use hdl::{Clocked, Nic};

#[test]
fn request_fifo_matches_its_rtl_from_empty_to_full() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("request_fifo").expect("it is verilated");
        let mut pair: BlockPair<RequestFifo> = testbench::pair(rtl, seed, "request_fifo_matches");
        let mut stimulus = Stimulus::new(seed);
        let mut seen = [0; 4];
        // Requests held, without one of the last cycle: the memories are read ahead, so that one is not taken yet.
        let (mut held, mut settled) = (0, 0);
        for cycle in 0..100_000 {
            let fills = cycle / 1500 % 2 == 0;
            let pins = In {
                write_enable: stimulus.one_in(if fills { 1 } else { 4 }),
                read_enable: stimulus.one_in(if fills { 4 } else { 1 }) && settled > 0,
                ..stimulus.pins()
            };
            let out: <RequestFifo as Clocked>::Out = *pair.outputs();
            let levels = [out.empty, out.full, out.almost_full, out.almost_full && !out.full];
            seen.iter_mut().zip(levels).for_each(|(count, level)| *count += level as u32);
            held -= u32::from(pins.read_enable);
            settled = held;
            held += u32::from(pins.write_enable && !out.full);
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(20_000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
                (held, settled) = (0, 0);
            }
        }
        assert!(seen.iter().all(|&count| count > 100), "every level is reached: {seen:?}");
    }
}
