//! Cycles in a wait-for relation.
//!
//! A frame received over one direction of a cable waits in a buffer for the next direction. If these
//! dependencies have no cycle, some frame can always move and the network is free of deadlock (Dally and
//! Seitz, IEEE Transactions on Computers, 1987).

use std::collections::BTreeSet;

/// A cycle among the numbers below `count`, if there is one. `waits` has pairs of a waiting channel and the
/// channel it waits for.
pub(super) fn find(count: usize, waits: &BTreeSet<(u32, u32)>) -> Option<Vec<u32>> {
    let mut done = vec![false; count];
    let mut on_the_way = vec![false; count];
    for begin in 0..count as u32 {
        // Path of the search, each with the last dependency followed.
        let mut way = vec![(begin, None)];
        while let Some((at, last)) = way.last_mut() {
            let here = *at;
            if done[here as usize] {
                way.pop();
                continue;
            }
            on_the_way[here as usize] = true;
            let from = last.map_or(0, |last: u32| last + 1);
            let Some(&(_, next)) = waits.range((here, from)..=(here, u32::MAX)).next() else {
                done[here as usize] = true;
                on_the_way[here as usize] = false;
                continue;
            };
            *last = Some(next);
            if on_the_way[next as usize] {
                let first = way.iter().position(|(met, _)| *met == next).expect("it is on the way");
                return Some(way[first..].iter().map(|(met, _)| *met).collect());
            }
            way.push((next, None));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycle_is_found_and_listed_from_its_begin() {
        let waits = |pairs: &[(u32, u32)]| pairs.iter().copied().collect::<BTreeSet<_>>();
        assert_eq!(find(4, &waits(&[(0, 1), (1, 2), (0, 2), (2, 3)])), None);
        assert_eq!(find(4, &waits(&[(0, 1), (1, 2), (2, 3), (3, 1)])), Some(vec![1, 2, 3]));
        assert_eq!(find(2, &waits(&[(1, 1)])), Some(vec![1]));
    }
}
