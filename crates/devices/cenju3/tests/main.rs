//! NIFs, processor elements and a cable.

/// What may not be sent or received ends in a status, and nothing else.
mod bad_input;
/// Edges that are not walked leave no trace.
mod skipping;
/// What is sent arrives, whole and in its order.
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

/// Lets cycles pass.
fn run(pair: &mut Pair<Model<Cenju3>>, cycles: u64) {
    for _ in 0..cycles {
        pair.step().unwrap();
    }
}

/// Runs until something is so.
fn until(pair: &mut Pair<Model<Cenju3>>, condition: impl FnMut(&Pair<Model<Cenju3>>) -> bool) -> u64 {
    pair.run_until(1_000_000, condition).unwrap().expect("it comes within a million cycles")
}

/// What an element reads in a register of its NIF.
fn read(pair: &mut Pair<Model<Cenju3>>, who: usize, register: Register) -> u32 {
    let offset = register.info().offset;
    let before = pair.elements[who].answers.len();
    pair.elements[who].access(offset, None);
    until(pair, |pair| pair.elements[who].answers[before..].iter().any(|answer| answer.0 == offset));
    pair.elements[who].answers.last().expect("it has come").1
}
