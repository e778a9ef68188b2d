//! NIFs, processor elements and a cable.

/// Invalid entries and packets end in a status and have no other effect.
mod bad_input;
/// Skipped edges change nothing.
mod skipping;
/// Transfers arrive whole and in order.
mod transfers;

use cenju3::Cenju3;
use cenju3::registers::Register;
use cenju3::traffic::pair::Pair;
use hdl::Model;

/// Two NIFs whose programs have set them up.
fn pair(new_rom: bool) -> Pair<Model<Cenju3>> {
    let mut pair = Pair::new([0, 1].map(|_| Model::new(Cenju3::default())), 1, new_rom);
    run(&mut pair, 40);
    pair
}

/// Both NIFs and their elements advance by `cycles`.
fn run(pair: &mut Pair<Model<Cenju3>>, cycles: u64) {
    for _ in 0..cycles {
        pair.step().unwrap();
    }
}

/// Runs until the condition holds.
fn until(pair: &mut Pair<Model<Cenju3>>, condition: impl FnMut(&Pair<Model<Cenju3>>) -> bool) -> u64 {
    pair.run_until(1_000_000, condition).unwrap().expect("it comes within a million cycles")
}

/// Value of a register that an element reads from its NIF.
fn read(pair: &mut Pair<Model<Cenju3>>, who: usize, register: Register) -> u32 {
    let offset = register.info().offset;
    let before = pair.elements[who].answers.len();
    pair.elements[who].access(offset, None);
    until(pair, |pair| pair.elements[who].answers[before..].iter().any(|answer| answer.0 == offset));
    pair.elements[who].answers.last().expect("it has come").1
}
