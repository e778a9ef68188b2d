//! GigaE PM, whose card runs the functions that are walked.

mod hazards;
mod repaired;
mod replays;
mod second_opinion;
mod subsets;

use checker::core::{Protocol, Verdict};
use checker::gigae_pm::{GigaePm, World, Wrong};

/// Walks a world of these tests; none has more states than this.
fn check(world: &World) -> Verdict<Wrong> {
    GigaePm::walk(world, 500_000, &mut || ()).expect("the worlds of tests are small")
}
