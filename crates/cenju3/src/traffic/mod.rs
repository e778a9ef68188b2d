//! Surroundings for a NIF: processor elements with local memory, a second NIF on a cable, and random traffic for lockstep runs and benches.
