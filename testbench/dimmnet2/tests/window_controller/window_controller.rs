//! The Window Controller under random pins: phases in which the Request FIFOs fill up and phases in which they drain.

use cosim::{BlockPair, Stimulus};
use dimmnet2::window_controller::WindowController;
use dimmnet2::window_controller::pins::In;
use hdl::Nic;

/// Cycles that are run in any case, and at most until every arc is walked.
const CYCLES: u64 = 200_000;
const MOST_CYCLES: u64 = 10 * CYCLES;

#[test]
fn window_controller_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("window_controller").expect("it is verilated");
        let mut pair: BlockPair<WindowController> = testbench::pair(rtl, seed, "window_controller_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut host_full, mut remote_full, mut lines) = (0, 0, 0);
        for cycle in 0..MOST_CYCLES {
            // How often rare primitives come, and what they meet, is for the seed to say.
            if cycle >= CYCLES && cycle.is_multiple_of(CYCLES / 10) && pair.coverage().missing().is_empty() {
                break;
            }
            let floods = cycle / 3000 % 2 == 0;
            let mut pins: In = stimulus.pins();
            pins.host_request_enable = stimulus.one_in(if floods { 2 } else { 100 });
            pins.remote_request_enable = stimulus.one_in(if floods { 2 } else { 100 });
            // Mostly BOTF of a few lines, with the other codes between them.
            match stimulus.below(9) {
                0..5 => pins.host_request.lower = stimulus.below(80) << 32 | stimulus.below(4) << 5 | 1,
                5 => pins.host_request.lower = pins.host_request.lower & !0x1f | (4 + stimulus.below(3)),
                _ => (),
            }
            if stimulus.one_in(4) {
                pins.host_request.upper |= 0xffff_ffff << 32;
            }
            if stimulus.one_in(8) {
                pins.host_request.lower = stimulus.below(600) << 32 | (8 + stimulus.below(2));
            }
            match stimulus.below(8) {
                0 => pins.host_request.lower = stimulus.below(600) << 32 | 20,
                1 => {
                    let iteration = stimulus.below(20) << 8 | stimulus.below(8) << 5;
                    pins.host_request.lower =
                        stimulus.below(600) << 32 | iteration | (20 + stimulus.below(3));
                }
                2 => pins.host_request.lower = pins.host_request.lower & !0x1f | (16 + stimulus.below(3)),
                _ => (),
            }
            // Remote families: a transfer of gigabytes would keep the Executor until the next reset.
            for lower in [&mut pins.host_request.lower, &mut pins.remote_request.lower] {
                if *lower >> 4 & 1 == 1 {
                    *lower &= 0x0000_0fff_ffff_ffff;
                }
            }
            // Remote requests are of the RVL family, mostly small.
            pins.remote_request.lower = pins.remote_request.lower & !0x1f | (16 + stimulus.below(3));
            if !stimulus.one_in(8) {
                pins.remote_request.lower &= 0x0000_003f_ffff_03ff;
            }
            if !stimulus.one_in(4) {
                pins.host_ex = 0;
            }
            pins.packet_lines = if stimulus.one_in(3) { 0 } else { 1024 };
            pins.vector_store_status.done = stimulus.one_in(8);
            pins.swif_fifo_free = if stimulus.one_in(3) { 66 } else { 1024 } + stimulus.below(4) as u16;
            if !stimulus.one_in(100) {
                pins.configuration.system_code = 0;
            }
            let out = *pair.outputs();
            host_full += out.host_fifo_full as u32;
            remote_full += out.remote_fifo_full as u32;
            lines += out.line_enable as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(20_000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        let seen = [host_full, remote_full, lines];
        assert!(seen.iter().all(|&count| count > 1000), "full FIFOs and lines are seen: {seen:?}");
    }
}
