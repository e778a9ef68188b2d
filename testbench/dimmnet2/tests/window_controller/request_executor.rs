//! The Request Executor under random pins: every code, every MTU that the Configuration Register gives.

use cosim::{BlockPair, Stimulus};
use dimmnet2::window_controller::request_acceptor::Sizes;
use dimmnet2::window_controller::request_executor::{In, RequestExecutor};

#[test]
fn request_executor_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("request_executor").expect("it is verilated");
        let mut pair: BlockPair<RequestExecutor> = testbench::pair(rtl, seed, "request_executor_matches");
        let mut stimulus = Stimulus::new(seed);
        for _ in 0..200_000 {
            let mut pins: In = stimulus.pins();
            pins.mtu = [256, 512, 1024, 2048, 4088][stimulus.below(5) as usize];
            let longest_packet = (pins.mtu / 8).max(64);
            // Around the threshold, where one line too many or too few shows.
            pins.swif_fifo_free = longest_packet + stimulus.below(8) as u16;
            let codes = [
                1,
                1,
                4 + stimulus.below(3),
                16 + stimulus.below(8),
                8,
                9,
                24 + stimulus.below(3),
                stimulus.below(32),
            ];
            pins.request.lower = pins.request.lower & !0x1f | codes[stimulus.below(8) as usize];
            if stimulus.one_in(8) {
                pins.request.upper |= 0xffff_ffff;
            }
            if stimulus.one_in(4) {
                pins.request.upper |= 0xffff_ffff << 32;
            }
            if stimulus.one_in(4) {
                pins.request.lower &= 0x0000_00ff_ffff_ffff;
            } else {
                pins.request.lower &= 0x0000_0fff_ffff_ffff;
            }
            if !stimulus.one_in(4) {
                pins.ex = 0;
            }
            // Sources and lists around the end of a region.
            let end = (1u64 << 28 << pins.capacity) as u32;
            let place = end.wrapping_add(stimulus.below(1200) as u32).wrapping_sub(600);
            match stimulus.below(4) {
                0 => pins.request.upper = pins.request.upper & !0xffff_ffff | u64::from(place),
                1 => pins.request.lower = pins.request.lower & 0xffff_ffff | u64::from(place) << 32,
                _ => (),
            }
            pins.sizes = Sizes::of(&pins.request, pins.ex);
            pins.packet_lines = if stimulus.one_in(4) { 0 } else { 1024 };
            pins.vector_store_status.done = stimulus.one_in(16);
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
    }
}
