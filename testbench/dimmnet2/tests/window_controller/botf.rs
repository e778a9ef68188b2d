//! BOTF under random pins: every pin is drawn on every cycle, so that the SWIF FIFO stalls at random too.

use cosim::{BlockPair, LockstepError, Stimulus};
use dimmnet2::window_controller::botf::{Botf, In};
use hdl::{Clocked, Probe, Quiet, Visitor};

const CYCLES: u64 = 200_000;

fn open<B>(seed: u64, test: &str) -> BlockPair<B>
where
    B: Clocked<In = In, Out = <Botf as Clocked>::Out> + Probe + Default,
{
    testbench::pair(testbench_dimmnet2::open("botf").expect("botf is verilated"), seed, test)
}

/// Random pins; a reset now and then.
fn run<B>(pair: &mut BlockPair<B>, seed: u64) -> Result<(), LockstepError>
where
    B: Clocked<In = In, Out = <Botf as Clocked>::Out> + Probe + Default,
{
    let mut stimulus = Stimulus::new(seed);
    for _ in 0..CYCLES {
        pair.tick(&stimulus.pins())?;
        if stimulus.one_in(1000) {
            pair.reset().unwrap_or_else(|error| panic!("{error}"));
        }
    }
    Ok(())
}

#[test]
fn botf_matches_its_rtl_on_every_cycle() {
    for seed in testbench::seeds() {
        let mut pair = open::<Botf>(seed, "botf_matches");
        run(&mut pair, seed).unwrap_or_else(|error| panic!("{error}"));
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn botf_walks_every_arc() {
    let mut pair = open::<Botf>(1, "botf_walks");
    run(&mut pair, 1).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
}

#[test]
fn botf_opened_twice_runs_apart_and_closes_in_any_order() {
    let mut first = open::<Botf>(1, "botf_opened");
    let mut second = open::<Botf>(2, "botf_opened");
    let mut stimulus = Stimulus::new(1);
    for _ in 0..1000 {
        first.tick(&stimulus.pins()).unwrap();
        second.tick(&stimulus.pins()).unwrap();
    }
    drop(second);
    first.tick(&stimulus.pins()).unwrap();
    let third = open::<Botf>(3, "botf_opened");
    drop(first);
    drop(third);
}

/// BOTF that loses the PGID of one process: what the next test must see.
#[derive(Clone, Default)]
struct Faulty(Botf);

impl Clocked for Faulty {
    type In = In;
    type Out = <Botf as Clocked>::Out;

    fn outputs(&self) -> Self::Out {
        self.0.outputs()
    }

    fn tick(&mut self, pins: &In) {
        self.0.tick(&In { pgid1: pins.pgid0, ..*pins });
    }

    fn reset(&mut self) {
        self.0.reset();
    }

    fn quiescent(&self) -> Quiet {
        self.0.quiescent()
    }
}

impl Probe for Faulty {
    fn probe(&self, visitor: &mut impl Visitor) {
        self.0.probe(visitor);
    }
}

#[test]
fn botf_with_a_wrong_pgid_is_told_from_its_rtl() {
    let mut pair = open::<Faulty>(1, "botf_with");
    let LockstepError::Divergence(divergence) = run(&mut pair, 1).unwrap_err() else {
        panic!("the RTL has no assertion about PGID")
    };
    let names: Vec<_> = divergence.differences.iter().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["line", "pins_o.line.data"], "{divergence}");
    assert_eq!(divergence.states, [("state".to_string(), "Botf2".to_string())]);
}
