//! The smallest sufficient sets of repairs.

use super::verdict::TooManyStates;

/// The minimal sets out of `count` repairs, one bit each, for which `is_enough` holds, in ascending order of size. Supersets of a
/// sufficient set are omitted.
pub fn minimal_sets(
    count: u32,
    mut is_enough: impl FnMut(u32) -> Result<bool, TooManyStates>,
) -> Result<Vec<u32>, TooManyStates> {
    let mut sets: Vec<u32> = (0..1 << count).collect();
    sets.sort_by_key(|set| set.count_ones());
    let mut enough: Vec<u32> = Vec::new();
    for set in sets {
        if enough.iter().all(|smaller| smaller & set != *smaller) && is_enough(set)? {
            enough.push(set);
        }
    }
    Ok(enough)
}
