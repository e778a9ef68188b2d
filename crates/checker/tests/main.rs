//! The protocol of GigaE PM, walked state by state.

/// MPI/DE on Cenju-3: slots, cache lines, waiting threads.
mod cenju3;
/// Ranks of MPI that fill each other's buffers.
mod exchange;
/// Shared memory.
mod fagus;
/// What the printed rules do, hazard by hazard, by the shortest traces.
mod hazards;
/// That the repaired rules do none of it.
mod repaired;
/// What goes wrong in a trace goes wrong on cards.
mod replays;
/// A second checker finds the same.
mod second_opinion;
/// Which of the repairs are enough.
mod subsets;
/// Suci, as printed, repaired and our own.
mod suci;

use checker::{Verdict, World};

/// Explores a world of a test: none has more states than this.
fn check(world: &World) -> Verdict {
    world.check(500_000).expect("the worlds of tests are small")
}
