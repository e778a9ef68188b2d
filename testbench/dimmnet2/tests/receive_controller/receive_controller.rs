//! The Receive Controller under random pins.

use cosim::{BlockPair, Stimulus};
use dimmnet2::receive_controller::ReceiveController;
use dimmnet2::receive_controller::pins::In;
use hdl::Nic;

#[test]
fn receive_controller_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("receive_controller").expect("it is verilated");
        let mut pair: BlockPair<ReceiveController> = testbench::pair(rtl, seed, "receive_controller_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut windows, mut llcm, mut results, mut complete) = (0, 0, 0, 0);
        for _ in 0..400_000 {
            let out = *pair.outputs();
            let mut pins: In = stimulus.pins();
            [pins.pgid0, pins.pgid1] = super::PGIDS;
            pins.line = super::line(&mut stimulus, out.state);
            windows += (out.prefetch_window_byte_enable != 0) as u32;
            llcm += (out.llcm_byte_enable != 0) as u32;
            results += out.result.enable as u32;
            complete += (out.flag.quarters == 0xf) as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        let seen = [windows, llcm, results, complete];
        assert!(seen.iter().all(|&count| count > 300), "writes and results are seen: {seen:?}");
    }
}
