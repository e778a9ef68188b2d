//! GigaE PM, whose card runs the functions that are walked.

mod hazards;
mod repaired;
mod replays;
mod second_opinion;
mod subsets;

use checker::gigae_pm::{Verdict, World};

/// Walks a world of these tests; none has more states than this.
fn check(world: &World) -> Verdict {
    world.check(500_000).expect("the worlds of tests are small")
}
