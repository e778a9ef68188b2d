//! The Request Separator under random pins. It has no clock: its outputs follow its inputs.

use cosim::{Simulation, Stimulus};
use dimmnet2::receive_controller::pins::Result;
use dimmnet2::request_separator::{Out, separate};
use hdl::{Bits, Edges, words_for};

#[test]
fn request_separator_matches_its_rtl_on_random_pins() {
    for seed in testbench::seeds() {
        let mut rtl = testbench_dimmnet2::open("request_separator").expect("it is verilated");
        let mut stimulus = Stimulus::new(seed);
        let mut pins_i = vec![0; words_for(Result::WIDTH)];
        let mut pins_o = vec![0; words_for(Out::WIDTH)];
        let (mut remote, mut status) = (0, 0);
        for _ in 0..100_000 {
            let pins: Result = stimulus.pins();
            pins_i.fill(0);
            pins.put(&mut pins_i, 0, Result::WIDTH);
            rtl.step(Edges::NONE, &pins_i, &mut pins_o).unwrap();
            let (expected, found) = (separate(&pins), Out::take(&pins_o, 0, Out::WIDTH));
            assert_eq!(found, expected, "seed {seed}, pins {pins:?}");
            remote += found.remote_request_enable as u32;
            status += found.status_enable as u32;
        }
        assert!(remote > 1000 && status > 1000, "{remote} remote requests, {status} statuses");
    }
}

#[test]
fn request_separator_has_no_clock_to_raise() {
    let mut rtl = testbench_dimmnet2::open("request_separator").expect("it is verilated");
    let (pins_i, mut pins_o) = (vec![0; words_for(Result::WIDTH)], vec![0; words_for(Out::WIDTH)]);
    let stop = rtl.step(Edges::FIRST, &pins_i, &mut pins_o).unwrap_err();
    assert_eq!(stop.to_string(), "no port clk_i");
}
