//! Groups: processes in an order.

use crate::error::Error;

/// Processes in an order, each once. Their ranks are their places.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group(Vec<usize>);

/// How two groups, or two communicators, are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The same processes in the same order, for communicators with the same context.
    Identical,
    /// Communicators of other contexts with the same group.
    Congruent,
    /// The same processes in another order.
    Similar,
    /// Others.
    Unequal,
}

/// Ranks `first`, `first + stride` and so on up to `last` (`MPI_Group_range_incl`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Where it begins.
    pub first: usize,
    /// What it does not go beyond.
    pub last: usize,
    /// From one to the next; not 0.
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
    /// Nobody.
    pub const EMPTY: Group = Group(Vec::new());

    /// All of so many processes.
    pub fn all(processes: usize) -> Group {
        Group((0..processes).collect())
    }

    /// Processes that are there.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// The process of a rank.
    pub fn process(&self, rank: usize) -> Result<usize, Error> {
        self.0.get(rank).copied().ok_or(Error::Rank { rank, size: self.size() })
    }

    /// The rank of a process, if it is there.
    pub fn rank(&self, process: usize) -> Option<usize> {
        self.0.iter().position(|other| *other == process)
    }

    /// Those of these ranks, in this order.
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

    /// All but those of these ranks.
    pub fn exclude(&self, ranks: &[usize]) -> Result<Group, Error> {
        let out = self.include(ranks)?;
        Ok(self.difference(&out))
    }

    /// Those of these ranges of ranks.
    pub fn include_ranges(&self, ranges: &[Range]) -> Result<Group, Error> {
        self.include(&ranks(ranges)?)
    }

    /// All but those of these ranges.
    pub fn exclude_ranges(&self, ranges: &[Range]) -> Result<Group, Error> {
        self.exclude(&ranks(ranges)?)
    }

    /// All of this group, then those of the other that are not here.
    pub fn union(&self, other: &Group) -> Group {
        Group(self.0.iter().chain(&other.difference(self).0).copied().collect())
    }

    /// Those that are in both, in the order of this one.
    pub fn intersection(&self, other: &Group) -> Group {
        Group(self.0.iter().copied().filter(|process| other.rank(*process).is_some()).collect())
    }

    /// Those that are not in the other.
    pub fn difference(&self, other: &Group) -> Group {
        Group(self.0.iter().copied().filter(|process| other.rank(*process).is_none()).collect())
    }

    /// The ranks that those of these ranks have in another group; none for who is not there.
    pub fn translate(&self, ranks: &[usize], other: &Group) -> Result<Vec<Option<usize>>, Error> {
        ranks.iter().map(|&rank| Ok(other.rank(self.process(rank)?))).collect()
    }

    /// How both are alike.
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
