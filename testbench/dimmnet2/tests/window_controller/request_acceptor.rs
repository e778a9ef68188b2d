//! The Request Acceptor under random pins: both FIFOs and the Executor stall at random.

use cosim::{BlockPair, Stimulus};
use dimmnet2::window_controller::request_acceptor::RequestAcceptor;

#[test]
fn request_acceptor_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("request_acceptor").expect("it is verilated");
        let mut pair: BlockPair<RequestAcceptor> = testbench::pair(rtl, seed, "request_acceptor_matches");
        let mut stimulus = Stimulus::new(seed);
        for _ in 0..100_000 {
            pair.tick(&stimulus.pins()).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
    }
}
