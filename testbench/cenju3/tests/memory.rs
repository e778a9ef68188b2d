//! Registers, interrupt and arbiter under random pins.

use cenju3::arbiter::{self, Arbiter};
use cenju3::interrupt::{self, Interrupt};
use cenju3::memory_port;
use cenju3::register_file::RegisterFile;
use cosim::Stimulus;
use hdl::{Bits, Edges, words_for};

use testbench_cenju3::stimulus::register_pins;
use testbench_cenju3::walk;

#[test]
fn register_file_matches_its_rtl() {
    walk::<RegisterFile>("register_file", 400_000, |stimulus, _| register_pins(stimulus));
}

#[test]
fn interrupt_matches_its_rtl() {
    walk::<Interrupt>("interrupt", 50_000, |stimulus, _| {
        let pins: interrupt::In = stimulus.pins();
        pins
    });
}

#[test]
fn memory_port_matches_its_rtl_on_random_pins() {
    let mut answers = [0; 2];
    for seed in testbench::seeds() {
        let mut rtl = testbench_cenju3::open("memory_port").expect("the block is verilated");
        let mut stimulus = Stimulus::new(seed);
        let mut pins_i = vec![0; words_for(memory_port::In::WIDTH)];
        let mut pins_o = vec![0; words_for(memory_port::Out::WIDTH)];
        for _ in 0..100_000 {
            let mut pins: memory_port::In = stimulus.pins();
            if !stimulus.one_in(10) {
                pins.grant = 1 << stimulus.below(6);
            }
            pins_i.fill(0);
            pins.put(&mut pins_i, 0, memory_port::In::WIDTH);
            cosim::Simulation::step(&mut rtl, Edges::NONE, &pins_i, &mut pins_o).expect("it has no clock");
            let expected = memory_port::connect(&pins);
            let out = memory_port::Out::take(&pins_o, 0, memory_port::Out::WIDTH);
            assert_eq!(out, expected, "seed {seed}, pins {pins:?}");
            answers[usize::from(expected.memory.request)] += 1;
        }
    }
    assert!(answers.iter().all(|&count| count > 10_000), "{answers:?}");
}

#[test]
fn arbiter_matches_its_rtl() {
    walk::<Arbiter>("arbiter", 50_000, |stimulus, _| {
        let pins: arbiter::In = stimulus.pins();
        pins
    });
}
