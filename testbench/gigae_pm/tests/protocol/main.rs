//! The rules of the protocol. The blocks have no clock: their outputs follow their inputs.

mod receiver;
mod sender;

use cosim::Stimulus;
use gigae_pm::protocol::{Control, Receiving, Rules, Sending};
use hdl::{Bundle, Edges, words_for};

use testbench_gigae_pm::epoch;

/// Compares a block with its model on pins that `pins` draws.
///
/// # Panics
/// If they differ.
fn compare<I: Bundle, O: Bundle>(
    block: &str,
    mut pins: impl FnMut(&mut Stimulus) -> I,
    model: impl Fn(&I) -> O,
    mut seen: impl FnMut(&I, &O),
) {
    for seed in testbench::several_seeds() {
        let mut rtl = testbench_gigae_pm::open(block).expect("the block is verilated");
        let mut stimulus = Stimulus::new(seed);
        let mut pins_i = vec![0; words_for(I::WIDTH)];
        let mut pins_o = vec![0; words_for(O::WIDTH)];
        for _ in 0..200_000 {
            let pins = pins(&mut stimulus);
            pins_i.fill(0);
            pins.put(&mut pins_i, 0, I::WIDTH);
            cosim::Simulation::step(&mut rtl, Edges::NONE, &pins_i, &mut pins_o).expect("it has no clock");
            let expected = model(&pins);
            assert_eq!(O::take(&pins_o, 0, O::WIDTH), expected, "seed {seed}, pins {pins:?}");
            seen(&pins, &expected);
        }
    }
}

/// A number near which all others of a case lie: small, anywhere, or where the sign of a difference turns.
fn base(stimulus: &mut Stimulus) -> u32 {
    match stimulus.below(3) {
        0 => stimulus.below(4) as u32,
        1 => stimulus.word() as u32,
        _ => (stimulus.below(4) as u32).wrapping_sub(2) ^ 0x8000_0000,
    }
}

/// A number near the base; once in a while any.
fn near(stimulus: &mut Stimulus, base: u32) -> u32 {
    if stimulus.one_in(32) {
        stimulus.word() as u32
    } else {
        base.wrapping_add(stimulus.below(9) as u32).wrapping_sub(4)
    }
}

/// Everything that a control structure can hold, consistent or not.
fn control(stimulus: &mut Stimulus, base: u32) -> Control {
    Control {
        sent: near(stimulus, base),
        acked: near(stimulus, base),
        received: near(stimulus, base),
        highest: near(stimulus, base),
        stamp: near(stimulus, base),
        epoch: epoch(stimulus),
        sending: if stimulus.one_in(2) { Sending::Running } else { Sending::Stopped },
        dead: stimulus.one_in(8),
        expiries: if stimulus.one_in(2) { stimulus.below(4) as u8 } else { 252 + stimulus.below(4) as u8 },
        ..stimulus.pins()
    }
}

fn rules(stimulus: &mut Stimulus) -> Rules {
    if stimulus.one_in(2) { Rules::REPAIRED } else { stimulus.pins() }
}

fn receiving(stimulus: &mut Stimulus) -> Receiving {
    if stimulus.one_in(2) { Receiving::Open } else { Receiving::Discard }
}
