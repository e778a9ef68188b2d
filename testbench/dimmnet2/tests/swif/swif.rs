//! SWIF under random pins and random edges of its two clocks, coinciding ones among them.

use cosim::{Lockstep, Stimulus};
use dimmnet2::clocks;
use dimmnet2::line::{FIRST, LAST, Line, MIDDLE};
use dimmnet2::swif::Swif;
use dimmnet2::swif::pins::In;
use hdl::{Model, Nic};

const LID: u16 = 0x1234;

/// Lines in the order of packets or frames, with an end once in `length` lines and a cut now and then.
#[derive(Default)]
struct Lines {
    inside: bool,
}

impl Lines {
    /// The next line; it counts only if `taken`.
    fn next(&mut self, stimulus: &mut Stimulus, length: u64, taken: bool) -> Line {
        let id = match stimulus.below(200) {
            0 => FIRST,
            _ if !self.inside => FIRST,
            _ if stimulus.one_in(length) => LAST,
            _ => MIDDLE,
        };
        if taken {
            self.inside = id != LAST;
        }
        Line { data: stimulus.word(), id }
    }
}

/// Random traffic, with a Controller Reset once in `reset_odds` steps; none for 0.
fn run(seed: u64, reset_odds: u64) -> Lockstep<Model<Swif>> {
    let model = Model::new(Swif::default());
    let rtl = Box::new(testbench_dimmnet2::open("swif").expect("it is verilated"));
    let pair = Lockstep::open(model, rtl);
    let mut pair =
        pair.unwrap_or_else(|error| panic!("{error}")).replay(seed, testbench::replay(seed, "swif_matches"));
    let mut stimulus = Stimulus::new(seed);
    let (mut transmit, mut receive) = (Lines::default(), Lines::default());
    let (mut reset, mut packets, mut stopped) = (0, 0, 0);
    for step in 0..300_000 {
        // Stretches in which one side is fast, slow or silent.
        let stretch = step / 3000 % 8;
        let which = if stretch == 7 { 2 } else { stimulus.below(3) };
        let edges = [clocks::NETWORK, clocks::CORE, clocks::BOTH][which as usize];
        let mut pins: In = stimulus.pins();
        let length = if stretch == 6 { 400 } else { 12 };
        pins.line_enable = stretch == 1 || stimulus.one_in(3);
        pins.line = transmit.next(&mut stimulus, length, pins.line_enable && edges.meets(clocks::CORE));
        pins.packet_start &= stretch != 2;
        pins.line_next &= stretch != 2;
        pins.network.tx_ready &= stretch != 3;
        pins.network.sma_lid = LID;
        pins.network.rx_valid &= stretch != 5 || step % 3000 < 1000;
        let begun = receive.inside;
        let taken = pins.network.rx_valid && edges.meets(clocks::NETWORK);
        pins.network.rx_line = receive.next(&mut stimulus, length, taken);
        if pins.network.rx_line.id == FIRST && (!begun || stimulus.one_in(2)) {
            let dlid = if stimulus.one_in(6) { LID + 1 } else { LID };
            let header = pins.network.rx_line.data & !(0xffff << 32) | (dlid as u64) << 32;
            pins.network.rx_line.data = header.swap_bytes();
        }
        if reset_odds != 0 && stimulus.one_in(reset_odds) {
            reset = 8;
        }
        pins.controller_reset = reset > 0;
        reset -= (reset > 0 && edges.meets(clocks::CORE)) as u32;
        packets += (pair.outputs().packet_available && pins.packet_start && edges.meets(clocks::CORE)) as u32;
        stopped += !pair.outputs().network.rx_ready as u32;
        pair.step(edges, &pins).unwrap_or_else(|error| panic!("{error}"));
    }
    pair.compare_memories().unwrap_or_else(|error| panic!("{error}"));
    assert!(packets > 1_000 && stopped > 1_000, "{packets} packets, stopped {stopped} times");
    pair
}

#[test]
fn swif_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let pair = run(seed, 0);
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
    }
}

#[test]
fn swif_matches_its_rtl_through_controller_resets() {
    // A reset leads to the first state from anywhere, which is not an arc.
    for seed in testbench::seeds() {
        run(seed, 5_000);
    }
}
