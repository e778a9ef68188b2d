//! Full verification: the ranks sort all keys, and no key is lost.

use mpi::Predefined;

use super::Class;
use super::keys::Keys;
use super::ranking::Ranked;
use crate::error::Error;
use crate::traffic::World;

/// Sorts the keys by their ranks and checks order and completeness. The result is the same at all ranks.
pub async fn sorted(world: &World<'_>, class: &Class, before: &Keys, ranked: &Ranked) -> Result<bool, Error> {
    let mut sorted = vec![None; ranked.keys.len()];
    let first = ranked.less.first().copied().unwrap_or(0);
    let mut places: Vec<_> = ranked.less.iter().map(|less| (less - first) as usize).collect();
    let mut fits = true;
    for key in &ranked.keys {
        let place = &mut places[*key as usize - ranked.values.start];
        match sorted.get_mut(*place) {
            Some(free @ None) => *free = Some(*key),
            _ => fits = false,
        }
        *place += 1;
    }
    fits &= sorted.is_sorted() && follows(world, first, &sorted).await?;
    let right = sum(world, u64::from(fits)).await? == world.size() as u64;
    Ok(right && same_keys(world, class, &before.keys, &ranked.keys).await?)
}

/// Whether the ranks of this process continue those of the processes before it, with keys that are not
/// smaller.
async fn follows(world: &World<'_>, first: u64, sorted: &[Option<u32>]) -> Result<bool, Error> {
    let ends = |key: Option<&Option<u32>>| key.copied().flatten().map_or(0, u64::from);
    let own = [sorted.len() as u64, ends(sorted.first()), ends(sorted.last())];
    let all = world.allgather(&own).await?;
    let (all, _) = all.as_chunks::<3>();
    let (before, _) = all.split_at(world.rank());
    let empty = sorted.is_empty();
    let count: u64 = before.iter().map(|[count, ..]| count).sum();
    let last = before.iter().filter(|[count, ..]| *count > 0).map(|[.., last]| *last).max();
    Ok(empty || (first == count && last.is_none_or(|last| last <= own[1])))
}

/// Whether number and checksums of the keys are unchanged. The checksums are sums of two hash functions.
async fn same_keys(world: &World<'_>, class: &Class, before: &[u32], after: &[u32]) -> Result<bool, Error> {
    let mix = |key: u32| u64::from(key).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let sums = |keys: &[u32]| {
        let hash = keys.iter().fold(0_u64, |sum, key| sum.wrapping_add(mix(*key)));
        [keys.len() as u64, keys.iter().map(|key| u64::from(*key)).sum(), hash]
    };
    let sums = world.allreduce(&[sums(before), sums(after)].concat(), Predefined::Sum).await?;
    Ok(sums[0] == class.keys() as u64 && sums[..3] == sums[3..])
}

/// Sum of a number over all ranks.
pub async fn sum(world: &World<'_>, own: u64) -> Result<u64, Error> {
    Ok(world.allreduce(&[own], Predefined::Sum).await?.into_iter().sum())
}
