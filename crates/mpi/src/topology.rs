//! Cartesian topologies: ranks arranged on a grid (MPI 4.1, section 8.5).

use crate::error::Error;

/// A grid with ranks in row-major order: the last dimension varies fastest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cartesian {
    /// Size of each dimension, at least 1.
    pub dimensions: Vec<usize>,
    /// Whether each dimension wraps around.
    pub periodic: Vec<bool>,
}

impl Cartesian {
    /// A grid; every dimension is at least 1. A grid without dimensions has one place.
    pub fn new(dimensions: Vec<usize>, periodic: Vec<bool>) -> Result<Cartesian, Error> {
        if dimensions.len() != periodic.len() {
            return Err(Error::Dimensions("each dimension is periodic or not"));
        }
        let places = dimensions.iter().try_fold(1usize, |places, size| places.checked_mul(*size));
        match places {
            None => Err(Error::Dimensions("a grid has more places than there are numbers")),
            Some(0) => Err(Error::Dimensions("a dimension has at least one place")),
            Some(_) => Ok(Cartesian { dimensions, periodic }),
        }
    }

    /// Number of places on the grid.
    pub fn size(&self) -> usize {
        self.dimensions.iter().product()
    }

    /// Coordinates of a rank (`MPI_Cart_coords`).
    pub fn coordinates(&self, rank: usize) -> Result<Vec<usize>, Error> {
        if rank >= self.size() {
            return Err(Error::Rank { rank, size: self.size() });
        }
        let mut left = rank;
        let mut coordinates: Vec<_> = self
            .dimensions
            .iter()
            .rev()
            .map(|size| {
                let here = left % size;
                left /= size;
                here
            })
            .collect();
        coordinates.reverse();
        Ok(coordinates)
    }

    /// Rank at the coordinates (`MPI_Cart_rank`). Periodic dimensions wrap around; `None` outside the others.
    pub fn rank(&self, coordinates: &[i64]) -> Result<Option<usize>, Error> {
        if coordinates.len() != self.dimensions.len() {
            return Err(Error::Dimensions("a place has a coordinate in each dimension"));
        }
        let mut rank = 0;
        for ((&at, &size), &periodic) in coordinates.iter().zip(&self.dimensions).zip(&self.periodic) {
            let inside = (0..size as i64).contains(&at);
            if !inside && !periodic {
                return Ok(None);
            }
            rank = rank * size + at.rem_euclid(size as i64) as usize;
        }
        Ok(Some(rank))
    }

    /// Source and destination of a rank when all shift by `by` places (`MPI_Cart_shift`); `None` outside the
    /// grid.
    pub fn shift(
        &self,
        rank: usize,
        dimension: usize,
        by: i64,
    ) -> Result<(Option<usize>, Option<usize>), Error> {
        let here: Vec<i64> = self.coordinates(rank)?.into_iter().map(|at| at as i64).collect();
        let size = *self.dimensions.get(dimension).ok_or(Error::Dimensions("there is no such dimension"))?;
        let by = if self.periodic[dimension] { by % size as i64 } else { by };
        let beside = |by: i64| {
            let mut there = here.clone();
            there[dimension] = there[dimension].saturating_add(by);
            self.rank(&there)
        };
        Ok((beside(by.saturating_neg())?, beside(by)?))
    }

    /// Grid of the remaining dimensions, and the number of the part that contains the rank (`MPI_Cart_sub`).
    pub fn part(&self, rank: usize, remain: &[bool]) -> Result<(Cartesian, usize), Error> {
        if remain.len() != self.dimensions.len() {
            return Err(Error::Dimensions("each dimension remains or not"));
        }
        let coordinates = self.coordinates(rank)?;
        let kept = |index: &usize| remain[*index];
        let each = || 0..remain.len();
        let part = each().filter(|i| !kept(i)).fold(0, |part, i| part * self.dimensions[i] + coordinates[i]);
        let dimensions = each().filter(kept).map(|i| self.dimensions[i]).collect();
        let periodic = each().filter(kept).map(|i| self.periodic[i]).collect();
        Ok((Cartesian { dimensions, periodic }, part))
    }
}

/// Fills in the dimensions that are 0 so that the grid has `places` places. Filled dimensions are as equal as
/// possible and non-increasing (`MPI_Dims_create`).
pub fn dims_create(places: usize, dimensions: &[usize]) -> Result<Vec<usize>, Error> {
    if u32::try_from(places).is_err() {
        return Err(Error::Dimensions("there are not that many processes"));
    }
    let fixed =
        dimensions.iter().filter(|size| **size > 0).try_fold(1usize, |all, size| all.checked_mul(*size));
    let free = dimensions.iter().filter(|size| **size == 0).count();
    let left = match fixed {
        Some(fixed) if places > 0 && places.is_multiple_of(fixed) => places / fixed,
        _ => return Err(Error::Dimensions("the dimensions that are given do not divide the places")),
    };
    if free == 0 && left != 1 {
        return Err(Error::Dimensions("the dimensions that are given have other places"));
    }
    let mut sizes = balanced(left, free).into_iter();
    Ok(dimensions.iter().map(|&size| if size == 0 { sizes.next().unwrap_or(1) } else { size }).collect())
}

/// Factors of a number in non-increasing order. The difference of the largest and the smallest is minimal; of
/// several such lists the one whose smallest factor is maximal, then the second smallest, and so on.
fn balanced(number: usize, dimensions: usize) -> Vec<usize> {
    // More factors than a number has bits end with ones.
    let count = dimensions.min(usize::BITS as usize);
    if count == 0 {
        return Vec::new();
    }
    let divisors: Vec<_> =
        (1..).take_while(|low| low * low <= number).filter(|low| number.is_multiple_of(*low)).collect();
    let above = divisors.iter().rev().map(|low| number / low).filter(|high| high * high > number);
    let divisors: Vec<_> = divisors.iter().copied().chain(above).collect();
    let below_root = |divisor: &&usize| power(**divisor, count).is_some_and(|power| power <= number);
    let root = divisors.iter().take_while(below_root).last().copied().unwrap_or(1);
    let mut best: Option<Vec<usize>> = None;
    for &first in divisors.iter().filter(|first| reaches(**first, count, number)) {
        let width = best.as_ref().map(|best| best[0] - best[count - 1]);
        // The smallest factor is at most the root.
        if width.is_some_and(|width| first > root + width) {
            break;
        }
        let least = width.map_or(1, |width| first.saturating_sub(width).max(1));
        let rest = closest(number / first, count - 1, (least, first), &divisors);
        best = rest.map(|rest| [vec![first], rest].concat()).or(best);
    }
    let mut factors = best.unwrap_or_default();
    factors.resize(dimensions, 1);
    factors
}

/// Non-increasing factors within bounds. The smallest is maximal, then the second smallest, and so on.
fn closest(number: usize, count: usize, bounds: (usize, usize), divisors: &[usize]) -> Option<Vec<usize>> {
    let (least, most) = bounds;
    if count == 0 {
        return (number == 1).then(Vec::new);
    }
    let mut best: Option<Vec<usize>> = None;
    let within = divisors.iter().filter(|here| (least..=most).contains(*here));
    for &first in within.filter(|first| number.is_multiple_of(**first) && reaches(**first, count, number)) {
        let least = best.as_ref().map_or(least, |best| best[count - 1]);
        // All factors are at least the smallest.
        if least > first || power(least, count - 1).is_none_or(|power| power > number / first) {
            break;
        }
        let rest = closest(number / first, count - 1, (least, first), divisors);
        let found = rest.map(|rest| [vec![first], rest].concat());
        best = best.into_iter().chain(found).max_by(|one, other| one.iter().rev().cmp(other.iter().rev()));
    }
    best
}

/// Whether `count` factors of at most `first` can reach the number.
fn reaches(first: usize, count: usize, number: usize) -> bool {
    power(first, count).is_none_or(|power| power >= number)
}

/// The power of a factor; `None` if it is larger than any number.
fn power(factor: usize, count: usize) -> Option<usize> {
    u32::try_from(count).ok().and_then(|count| factor.checked_pow(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_and_coordinates_are_inverse() {
        let grid = Cartesian::new(vec![2, 3, 4], vec![false, true, false]).unwrap();
        for rank in 0..24 {
            let at: Vec<_> = grid.coordinates(rank).unwrap().into_iter().map(|at| at as i64).collect();
            assert_eq!(grid.rank(&at), Ok(Some(rank)));
        }
        assert_eq!(grid.coordinates(7), Ok(vec![0, 1, 3]));
        assert_eq!(grid.rank(&[1, -1, 0]), grid.rank(&[1, 2, 0]));
        assert_eq!(grid.rank(&[2, 0, 0]), Ok(None));
    }

    #[test]
    fn ranks_and_coordinates_are_the_same_row_by_row() {
        let grid = Cartesian::new(vec![2, 3, 4], vec![false; 3]).unwrap();
        for rank in 0..24 {
            let at = grid.coordinates(rank).unwrap();
            assert_eq!(at, [rank / 12, rank / 4 % 3, rank % 4]);
            let at: Vec<_> = at.iter().map(|at| *at as i64).collect();
            assert_eq!(grid.rank(&at), Ok(Some(rank)));
        }
        assert_eq!(grid.coordinates(24), Err(Error::Rank { rank: 24, size: 24 }));
    }

    #[test]
    fn shift_wraps_around_periodic_dimensions_only() {
        let grid = Cartesian::new(vec![3, 4], vec![true, false]).unwrap();
        assert_eq!(grid.shift(1, 0, 1), Ok((Some(9), Some(5))));
        assert_eq!(grid.shift(1, 0, -4), Ok((Some(5), Some(9))));
        assert_eq!(grid.shift(1, 1, 2), Ok((None, Some(3))));
        assert_eq!(grid.shift(1, 1, i64::MIN), Ok((None, None)));
        assert!(grid.shift(1, 2, 1).is_err());
    }

    #[test]
    fn part_keeps_the_dimensions_that_remain() {
        let grid = Cartesian::new(vec![2, 3, 4], vec![false, true, false]).unwrap();
        let (part, number) = grid.part(17, &[false, true, false]).unwrap();
        assert_eq!((part.dimensions, part.periodic, number), (vec![3], vec![true], 5));
        let (part, number) = grid.part(17, &[false; 3]).unwrap();
        assert_eq!((part.size(), number), (1, 17));
    }

    #[test]
    fn dimensions_are_as_equal_as_possible() {
        // The examples of the standard, section 8.5.2.
        assert_eq!(dims_create(6, &[0, 0]), Ok(vec![3, 2]));
        assert_eq!(dims_create(7, &[0, 0]), Ok(vec![7, 1]));
        assert_eq!(dims_create(6, &[0, 3, 0]), Ok(vec![2, 3, 1]));
        assert!(dims_create(7, &[0, 3, 0]).is_err());
        assert_eq!(dims_create(64, &[0, 0, 0]), Ok(vec![4, 4, 4]));
        assert_eq!(dims_create(96, &[0, 0, 0]), Ok(vec![6, 4, 4]));
        assert_eq!(dims_create(936, &[0, 0, 0]), Ok(vec![13, 9, 8]));
        assert_eq!(dims_create(5040, &[0, 0, 0]), Ok(vec![21, 16, 15]));
        assert_eq!(dims_create(1 << 30, &[0; 9]), Ok([vec![16; 3], vec![8; 6]].concat()));
        assert_eq!(dims_create(12, &[3, 4]), Ok(vec![3, 4]));
        assert!(dims_create(12, &[3, 3]).is_err());
        assert!(dims_create(0, &[0]).is_err());
        assert!(dims_create(usize::MAX, &[0, 0]).is_err());
        assert_eq!(dims_create(1, &[]), Ok(vec![]));
        assert_eq!(dims_create(6, &[0; 100_000]).map(|sizes| sizes[..3].to_vec()), Ok(vec![3, 2, 1]));
    }

    #[test]
    fn grids_without_places_are_refused() {
        assert!(Cartesian::new(vec![2, 0], vec![false; 2]).is_err());
        assert!(Cartesian::new(vec![usize::MAX, 2], vec![false; 2]).is_err());
        assert_eq!(Cartesian::new(vec![], vec![]).map(|grid| grid.size()), Ok(1));
    }

    #[test]
    fn each_dimension_is_periodic_or_not() {
        assert!(Cartesian::new(vec![2, 3], vec![true]).is_err());
        assert!(Cartesian::new(vec![2], vec![true, false]).is_err());
    }
}
