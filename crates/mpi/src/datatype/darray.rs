//! Arrays distributed over a grid of processes (MPI 5.0, section 5.1.4).

use super::{Contents, Datatype, Order};
use crate::error::Error;

/// Distribution of one dimension of an array over the processes of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// Not distributed (`MPI_DISTRIBUTE_NONE`).
    Whole,
    /// One block for each process, of this size or the smallest possible one (`MPI_DISTRIBUTE_BLOCK`).
    Block(Option<u64>),
    /// Blocks of this size, or of one index, dealt to the processes in turn (`MPI_DISTRIBUTE_CYCLIC`).
    Cyclic(Option<u64>),
}

/// A dimension of a distributed array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DistributedDimension {
    /// Indices of the whole array.
    pub size: u64,
    /// Distribution of the indices.
    pub distribution: Distribution,
    /// Processes of the grid in this dimension.
    pub processes: u64,
}

/// Indices of one process in a dimension: `count` blocks of `length` indices, `step` apart, and a last block.
struct Part {
    first: u64,
    length: u64,
    step: u64,
    count: u64,
    rest: u64,
}

impl DistributedDimension {
    /// Part of the process with this coordinate.
    fn part(&self, coordinate: u64) -> Result<Part, Error> {
        let DistributedDimension { size, distribution, processes } = *self;
        let too_large = Error::Type("an array is too large");
        match distribution {
            Distribution::Whole if processes == 1 => {
                Ok(Part { first: 0, length: size, step: size, count: 1, rest: 0 })
            }
            Distribution::Whole => {
                Err(Error::Argument("a dimension that is not distributed has one process"))
            }
            Distribution::Block(length) => {
                let length = length.unwrap_or(size.div_ceil(processes));
                if length == 0 || length.checked_mul(processes).is_some_and(|all| all < size) {
                    return Err(Error::Argument("the blocks of a dimension hold all of its indices"));
                }
                let first = length.saturating_mul(coordinate).min(size);
                Ok(Part { first, length: length.min(size - first), step: length, count: 1, rest: 0 })
            }
            Distribution::Cyclic(length) => {
                let length = length.unwrap_or(1);
                if length == 0 {
                    return Err(Error::Argument("a block of a dimension has an index"));
                }
                let step = length.checked_mul(processes).ok_or(too_large)?;
                let first = length.checked_mul(coordinate).ok_or(too_large)?.min(size);
                let behind = size - first;
                let (count, rest) = (behind / step, behind % step);
                let whole = count + u64::from(rest >= length);
                Ok(Part { first, length, step, count: whole, rest: if rest < length { rest } else { 0 } })
            }
        }
    }
}

impl Datatype {
    /// Part of process `rank` of an array that is distributed over a grid of `size` processes, with the extent of the
    /// whole array (`MPI_Type_create_darray`). Ranks of the grid are in row-major order.
    pub fn darray(
        &self,
        size: u64,
        rank: u64,
        dimensions: &[DistributedDimension],
        order: Order,
    ) -> Result<Datatype, Error> {
        let processes =
            dimensions.iter().try_fold(1u64, |all, dimension| all.checked_mul(dimension.processes));
        if dimensions.is_empty() || processes != Some(size) || rank >= size {
            return Err(Error::Argument("the dimensions of a grid have as many processes as the grid"));
        }
        if dimensions.iter().any(|dimension| dimension.size == 0) {
            return Err(Error::Argument("a dimension of an array has an index"));
        }
        let mut coordinates = vec![0; dimensions.len()];
        let mut left = rank;
        for (at, dimension) in dimensions.iter().enumerate().rev() {
            (coordinates[at], left) = (left % dimension.processes, left / dimension.processes);
        }
        let mut fastest_first: Vec<_> = dimensions.iter().zip(coordinates).collect();
        if order == Order::C {
            fastest_first.reverse();
        }
        let large = Error::Type("an array is too large");
        let bytes = |indices: u64, row: i64| {
            i64::try_from(indices).ok().and_then(|indices| indices.checked_mul(row)).ok_or(large)
        };
        let (mut inner, mut row, mut at) = (self.clone(), self.extent(), 0i64);
        for (dimension, coordinate) in fastest_first {
            let Part { first, length, step, count, rest } = dimension.part(coordinate)?;
            let blocks = inner.hvector(length, 1, row)?.hvector(count, 1, bytes(step, row)?)?;
            let last = inner.hvector(rest, 1, row)?;
            inner = match rest {
                0 => blocks,
                _ => Datatype::structure(&[1, 1], &[0, bytes(count, bytes(step, row)?)?], &[blocks, last])?,
            };
            at = at.checked_add(bytes(first, row)?).ok_or(large)?;
            row = bytes(dimension.size, row)?;
        }
        let contents =
            Contents::Darray { size, rank, dimensions: dimensions.to_vec(), order, of: self.clone() };
        Ok(inner.hindexed(&[1], &[at])?.resized(0, row)?.with_contents(contents))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datatype::Kind;

    /// Indices of a one-dimensional array of 10 that each of 3 processes has.
    fn indices(distribution: Distribution) -> [Vec<i64>; 3] {
        [0, 1, 2].map(|rank| {
            let dimension = DistributedDimension { size: 10, distribution, processes: 3 };
            let part = Datatype::named(Kind::Int32, 0).darray(3, rank, &[dimension], Order::C).unwrap();
            assert_eq!((part.lower(), part.extent()), (0, 40));
            let mut found = Vec::new();
            part.runs(1, |at, length| (0..length as i64 / 4).for_each(|index| found.push(at / 4 + index)))
                .unwrap();
            found
        })
    }

    #[test]
    fn dimensions_are_dealt_in_blocks_and_in_turn() {
        assert_eq!(indices(Distribution::Block(None)), [vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![8, 9]]);
        assert_eq!(indices(Distribution::Block(Some(10)))[1..], [vec![], vec![]]);
        assert_eq!(indices(Distribution::Cyclic(None)), [vec![0, 3, 6, 9], vec![1, 4, 7], vec![2, 5, 8]]);
        let pairs = indices(Distribution::Cyclic(Some(2)));
        assert_eq!(pairs, [vec![0, 1, 6, 7], vec![2, 3, 8, 9], vec![4, 5]]);
        let triples = indices(Distribution::Cyclic(Some(3)));
        assert_eq!(triples, [vec![0, 1, 2, 9], vec![3, 4, 5], vec![6, 7, 8]]);
    }

    #[test]
    fn all_processes_of_a_grid_have_each_element_once() {
        let dimension =
            |size, distribution, processes| DistributedDimension { size, distribution, processes };
        let dimensions = [
            dimension(5, Distribution::Cyclic(Some(2)), 2),
            dimension(3, Distribution::Whole, 1),
            dimension(7, Distribution::Block(None), 3),
        ];
        for order in [Order::C, Order::Fortran] {
            let mut found = Vec::new();
            for rank in 0..6 {
                let part = Datatype::named(Kind::Byte, 0).darray(6, rank, &dimensions, order).unwrap();
                part.runs(1, |at, length| found.extend(at..at + length as i64)).unwrap();
            }
            found.sort_unstable();
            assert_eq!(found, (0..105).collect::<Vec<_>>(), "{order:?}");
        }
    }

    #[test]
    fn grids_that_do_not_fit_are_errors() {
        let byte = Datatype::named(Kind::Byte, 0);
        let of = |size, distribution, processes| DistributedDimension { size, distribution, processes };
        let made = |dimension, size, rank| byte.darray(size, rank, &[dimension], Order::C);
        assert!(made(of(4, Distribution::Whole, 2), 2, 0).is_err());
        assert!(made(of(9, Distribution::Block(Some(2)), 4), 4, 0).is_err());
        assert!(made(of(9, Distribution::Cyclic(Some(0)), 4), 4, 0).is_err());
        assert!(made(of(9, Distribution::Cyclic(None), 4), 5, 0).is_err());
        assert!(made(of(9, Distribution::Cyclic(None), 4), 4, 4).is_err());
        assert!(made(of(u64::MAX, Distribution::Cyclic(None), 4), 4, 0).is_err());
        assert!(byte.darray(1, 0, &[], Order::C).is_err());
    }
}
