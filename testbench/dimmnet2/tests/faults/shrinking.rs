//! Faults that proptest finds with random pins, and shrinks to the fewest cycles and pins.

use dimmnet2::status_write_unit::StatusWriteUnit;
use dimmnet2::window_controller::botf::Botf;
use testbench::shrinking::{Shrunk, of_block};

fn open(block: &'static str) -> impl Fn() -> verilator::Device {
    move || testbench_dimmnet2::open(block).expect("the block is verilated")
}

fn check(found: &Shrunk, register: &str, cycles: &[&[&str]]) {
    let pins = |cycle: &testbench::shrinking::Cycle| {
        cycle.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
    };
    let mut found_pins: Vec<_> = found.cycles.iter().map(pins).collect();
    found_pins.iter_mut().for_each(|pins| pins.sort());
    assert_eq!(found_pins, cycles, "{}", found.divergence);
    assert_eq!(found.divergence.differences[0].name, register);
    assert_eq!(found.divergence.cycle, cycles.len() as u64);
    let waves =
        found.divergence.waves.as_ref().expect("waves are written").as_ref().expect("the folder is there");
    assert!(waves.metadata().is_ok_and(|file| file.len() > 0), "{}", waves.display());
}

#[test]
fn wrong_constant_is_shrunk_to_a_start_of_one_byte() {
    let found = of_block::<Botf, _>(open("counter_starts_at_lines"), 12, 2000).expect("it diverges");
    check(&found, "transfer_counter", &[&["size=1", "start=1"]]);
}

#[test]
fn rtl_without_a_fault_does_not_diverge() {
    assert!(of_block::<Botf, _>(open("botf"), 12, 200).is_none());
    assert!(of_block::<StatusWriteUnit, _>(open("status_write_unit"), 12, 200).is_none());
}
