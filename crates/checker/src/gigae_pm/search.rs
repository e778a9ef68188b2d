//! Which repairs are enough: all subsets of F1 to F9 on a world.

use ::gigae_pm::protocol::Rules;

use crate::gigae_pm::verdict::TooManyStates;
use crate::gigae_pm::world::World;

/// Repairs that are searched: those that change a printed rule for one sender, one session and an atomic receiver.
pub const SEARCHED: u32 = 9;

/// The smallest sets of F1 to F9 with which a world is safe and live, in ascending order of size. A set is left out if a
/// subset of it is enough.
pub fn minimal_sets(world: &World, limit: usize) -> Result<Vec<Rules>, TooManyStates> {
    let mut sets: Vec<u32> = (0..1 << SEARCHED).collect();
    sets.sort_by_key(|set| set.count_ones());
    let mut enough: Vec<u32> = Vec::new();
    for set in sets {
        if enough.iter().any(|smaller| smaller & set == *smaller) {
            continue;
        }
        let rules = Rules::from_bits(set);
        if (World { rules, ..world.clone() }).is_safe_and_live(limit)? {
            enough.push(set);
        }
    }
    Ok(enough.into_iter().map(Rules::from_bits).collect())
}
