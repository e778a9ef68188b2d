//! Which repairs are enough: all subsets of F1 to F9 on a world.

use ::gigae_pm::protocol::Rules;

use super::world::World;
use crate::core::{self, TooManyStates};

/// Repairs that are searched: those that change a printed rule for one sender, one session and an atomic receiver.
pub const SEARCHED: u32 = 9;

/// The smallest sets of F1 to F9 with which a world is safe and live.
pub fn minimal_sets(world: &World, limit: usize) -> Result<Vec<Rules>, TooManyStates> {
    let sets = core::minimal_sets(SEARCHED, |set| {
        World { rules: Rules::from_bits(set), ..world.clone() }.is_safe_and_live(limit)
    })?;
    Ok(sets.into_iter().map(Rules::from_bits).collect())
}
