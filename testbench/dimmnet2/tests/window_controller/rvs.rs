//! The RVS module under random pins: the Prefetch Unit is busy, the SWIF FIFO is almost full and
//! lines come at random, with gaps inside of packets.

use cosim::{BlockPair, Stimulus};
use dimmnet2::window_controller::rvs::{In, Rvs, State};
use hdl::Nic;

#[test]
fn rvs_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("rvs").expect("it is verilated");
        let mut pair: BlockPair<Rvs> = testbench::pair(rtl, seed, "rvs_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut lines, mut done, mut gaps) = (0, 0, 0);
        for cycle in 0..300_000 {
            let mut pins: In = stimulus.pins();
            pins.mtu = [256, 512, 1024, 2048, 4088][stimulus.below(5) as usize];
            let long = pins.mtu > 512;
            pins.target.variant = stimulus.below(3) as u8;
            pins.sizes.command = match stimulus.below(8) {
                0 => 0,
                1 if long => stimulus.below(10_000) as u32,
                2 => u32::from(pins.mtu) - 20 + stimulus.below(8) as u32,
                _ => stimulus.below(900) as u32,
            };
            pins.target.iteration = stimulus.word() as u8 >> stimulus.below(8);
            if pins.target.variant != 0 && stimulus.one_in(2) {
                pins.sizes.command = u32::from(pins.target.iteration) << pins.target.dtype;
            }
            // An IPUSH may begin with lines of the Write Window.
            pins.sizes.window_lines = match stimulus.below(3) {
                0 => stimulus.below(65).min(u64::from(pins.sizes.command) / 8) as u8,
                _ => 0,
            };
            // The elements of Command Ex may be less than that, or none.
            pins.sizes.limited = stimulus.one_in(4);
            pins.sizes.elements = if stimulus.one_in(8) { 0 } else { stimulus.below(900) as u16 };
            pins.sizes.limit = pins.sizes.elements + 8 * u16::from(pins.sizes.window_lines);
            pins.sizes.nothing = pins.sizes.total() == 0;
            // Lines are always there, come at random, or come one by one.
            pins.packet_lines = match cycle / 3000 % 3 {
                0 => 1024,
                1 => stimulus.below(2) as u16,
                _ => u16::from(stimulus.one_in(8)),
            };
            // A transfer with `data_awaited` sometimes gets the whole packet.
            if stimulus.one_in(64) {
                pins.packet_lines = 1024;
            }
            let out = *pair.outputs();
            lines += out.line_enable as u32;
            done += out.done as u32;
            gaps += (out.state == State::Rvs5 && !out.line_enable) as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            // A reset in the one cycle in which a primitive without data is told as done comes by
            // chance too seldom.
            if stimulus.one_in(5_000) || pair.model().block().empty && stimulus.one_in(50) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        let seen = lines > 50_000 && done > 500 && gaps > 50_000;
        assert!(seen, "{lines} lines, {done} primitives, {gaps} cycles without a line");
    }
}
