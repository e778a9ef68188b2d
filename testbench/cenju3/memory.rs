//! Registers, interrupt and arbiter under random pins.

use cenju3::arbiter::{self, Arbiter};
use cenju3::interrupt::{self, Interrupt};
use cenju3::register_file::{self, RegisterFile};
use cenju3::registers::Register;
use cosim::Stimulus;

use crate::bench::walk;

#[test]
fn register_file_matches_its_rtl() {
    walk::<RegisterFile>("register_file", 400_000, |stimulus, _| register_pins(stimulus));
}

/// Pins with accesses that are mostly of registers.
pub fn register_pins(stimulus: &mut Stimulus) -> register_file::In {
    let mut pins: register_file::In = stimulus.pins();
    let all = Register::ALL;
    if !stimulus.one_in(10) {
        pins.host.address = all[stimulus.below(all.len() as u64) as usize].info().offset;
    }
    if stimulus.one_in(2) {
        pins.host.wdata &= 0x3ff_f000;
    }
    pins.busy &= stimulus.one_in(2);
    pins.user_busy &= stimulus.one_in(4);
    if stimulus.one_in(2) {
        pins.positions.read1 = 0;
    }
    pins
}

#[test]
fn interrupt_matches_its_rtl() {
    walk::<Interrupt>("interrupt", 50_000, |stimulus, _| {
        let pins: interrupt::In = stimulus.pins();
        pins
    });
}

#[test]
fn arbiter_matches_its_rtl() {
    walk::<Arbiter>("arbiter", 50_000, |stimulus, _| {
        let pins: arbiter::In = stimulus.pins();
        pins
    });
}
