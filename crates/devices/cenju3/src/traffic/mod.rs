//! Surroundings for a NIF: processor elements with local memory, a second NIF on a cable, and random traffic
//! for lockstep runs and benches.

pub mod bad_input;
pub mod element;
pub mod layout;
pub mod pair;
mod random;

pub use random::Traffic;
