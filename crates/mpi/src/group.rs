//! Groups: ordered sets of processes.

use crate::error::Error;

/// An ordered set of processes. The rank of a process is its position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group(Vec<usize>);

/// Result of comparing two groups or communicators, the most alike first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Comparison {
    /// The same processes in the same order; for communicators also the same context.
    Identical,
    /// Communicators with the same group and different contexts.
    Congruent,
    /// The same processes in another order.
    Similar,
    /// Different processes.
    Unequal,
}

/// Ranks `first`, `first + stride` and so on up to `last` (`MPI_Group_range_incl`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// First rank.
    pub first: usize,
    /// Limit of the range, included if a step reaches it.
    pub last: usize,
    /// Step between ranks; not 0.
    pub stride: isize,
}

impl Range {
    fn ranks(self) -> Result<Vec<usize>, Error> {
        let Range { first, last, stride } = self;
        match stride {
            0 => Err(Error::Argument("a range has a stride that is not 0")),
            1.. => Ok((first..=last).step_by(stride.unsigned_abs()).collect()),
            _ => Ok((last..=first).rev().step_by(stride.unsigned_abs()).collect()),
        }
    }
}

impl Group {
    /// The group without processes (`MPI_GROUP_EMPTY`).
    pub const EMPTY: Group = Group(Vec::new());

    /// Group of the processes 0 to `processes - 1`.
    pub fn all(processes: usize) -> Group {
        Group((0..processes).collect())
    }

    /// Number of processes.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// Process number of a rank.
    pub fn process(&self, rank: usize) -> Result<usize, Error> {
        self.0.get(rank).copied().ok_or(Error::Rank { rank, size: self.size() })
    }

    /// Rank of a process, if it belongs to the group.
    pub fn rank(&self, process: usize) -> Option<usize> {
        self.0.iter().position(|other| *other == process)
    }

    /// The processes of these ranks, in this order (`MPI_Group_incl`).
    pub fn include(&self, ranks: &[usize]) -> Result<Group, Error> {
        let mut processes = Vec::with_capacity(ranks.len());
        for &rank in ranks {
            let process = self.process(rank)?;
            if processes.contains(&process) {
                return Err(Error::Argument("a rank is there twice"));
            }
            processes.push(process);
        }
        Ok(Group(processes))
    }

    /// All processes but those of these ranks (`MPI_Group_excl`).
    pub fn exclude(&self, ranks: &[usize]) -> Result<Group, Error> {
        let out = self.include(ranks)?;
        Ok(self.difference(&out))
    }

    /// The processes of these ranges of ranks (`MPI_Group_range_incl`).
    pub fn include_ranges(&self, ranges: &[Range]) -> Result<Group, Error> {
        self.include(&ranks(ranges)?)
    }

    /// All processes but those of these ranges (`MPI_Group_range_excl`).
    pub fn exclude_ranges(&self, ranges: &[Range]) -> Result<Group, Error> {
        self.exclude(&ranks(ranges)?)
    }

    /// All processes of this group, then those of the other group that are not in this one.
    pub fn union(&self, other: &Group) -> Group {
        Group(self.0.iter().chain(&other.difference(self).0).copied().collect())
    }

    /// Processes in both groups, in the order of this one.
    pub fn intersection(&self, other: &Group) -> Group {
        Group(self.0.iter().copied().filter(|process| other.rank(*process).is_some()).collect())
    }

    /// Processes of this group that are not in the other.
    pub fn difference(&self, other: &Group) -> Group {
        Group(self.0.iter().copied().filter(|process| other.rank(*process).is_none()).collect())
    }

    /// Ranks of these processes in another group; `None` for a process outside it.
    pub fn translate(&self, ranks: &[usize], other: &Group) -> Result<Vec<Option<usize>>, Error> {
        ranks.iter().map(|&rank| Ok(other.rank(self.process(rank)?))).collect()
    }

    /// Compares two groups (`MPI_Group_compare`).
    pub fn compare(&self, other: &Group) -> Comparison {
        if self == other {
            Comparison::Identical
        } else if self.size() == other.size() && self.difference(other).size() == 0 {
            Comparison::Similar
        } else {
            Comparison::Unequal
        }
    }
}

fn ranks(ranges: &[Range]) -> Result<Vec<usize>, Error> {
    Ok(ranges.iter().map(|range| range.ranks()).collect::<Result<Vec<_>, _>>()?.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(ranks: &[usize]) -> Group {
        Group::all(10).include(ranks).unwrap()
    }

    #[test]
    fn groups_are_sets_with_an_order() {
        let (left, right) = (group(&[5, 1, 3]), group(&[3, 7, 5]));
        assert_eq!(left.union(&right), group(&[5, 1, 3, 7]));
        assert_eq!(left.intersection(&right), group(&[5, 3]));
        assert_eq!(left.difference(&right), group(&[1]));
        assert_eq!(left.exclude(&[0]), Ok(group(&[1, 3])));
        assert_eq!(left.translate(&[0, 1, 2], &right), Ok(vec![Some(2), None, Some(0)]));
        assert_eq!(left.compare(&left.clone()), Comparison::Identical);
        assert_eq!(left.compare(&group(&[1, 3, 5])), Comparison::Similar);
        assert_eq!(left.compare(&right), Comparison::Unequal);
    }

    #[test]
    fn ranges_go_up_and_down_and_may_be_empty() {
        let range = |first, last, stride| Range { first, last, stride };
        let all = Group::all(10);
        assert_eq!(all.include_ranges(&[range(1, 6, 2), range(9, 7, -2)]), Ok(group(&[1, 3, 5, 9, 7])));
        assert_eq!(all.exclude_ranges(&[range(1, 9, 1)]), Ok(group(&[0])));
        assert_eq!(all.include_ranges(&[range(3, 2, 1)]), Ok(Group::EMPTY));
        assert!(all.include_ranges(&[range(3, 2, 0)]).is_err());
        assert_eq!(all.include(&[10]), Err(Error::Rank { rank: 10, size: 10 }));
        assert!(all.include(&[1, 1]).is_err());
    }
}
