//! Communicators, as a rank knows them.

use std::collections::BTreeMap;

use processes::mpi::call::CommunicatorInfo;

use crate::fault::{Fault, Outcome};
use crate::types::*;

/// A communicator.
#[derive(Clone, Debug)]
pub struct Communicator {
    /// Its number at the simulator.
    pub number: u32,
    /// Its processes in the order of ranks, by their ranks in the world.
    pub processes: Vec<u32>,
    /// The own rank.
    pub rank: usize,
    /// Its Cartesian topology, if it has one.
    pub cartesian: Option<Cartesian>,
    /// Its name.
    pub name: String,
    /// What is done when something is wrong.
    pub handler: MPI_Errhandler,
    /// Values by keys.
    pub attributes: BTreeMap<c_int, usize>,
}

/// Ranks as the places of a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cartesian {
    /// Places in each dimension.
    pub dimensions: Vec<usize>,
    /// Whether the last is followed by the first.
    pub periods: Vec<bool>,
}

impl Communicator {
    /// One that the simulator has made; the process is `own` in the world.
    pub fn new(world: CommunicatorInfo, own: u32, handler: MPI_Errhandler) -> Outcome<Self> {
        let CommunicatorInfo { number, processes } = world;
        let rank = processes.iter().position(|process| *process == own);
        let rank =
            rank.ok_or_else(|| Fault::new(MPI_ERR_INTERN, "the simulator made a communicator of others"))?;
        let (cartesian, name, attributes) = (None, String::new(), BTreeMap::new());
        Ok(Communicator { number, processes, rank, cartesian, name, handler, attributes })
    }

    /// Ranks that there are.
    pub fn size(&self) -> usize {
        self.processes.len()
    }

    /// The own rank in the world.
    pub fn own(&self) -> u32 {
        self.processes[self.rank]
    }

    /// A rank that has to be one of it.
    pub fn check(&self, rank: c_int, class: c_int) -> Outcome<u32> {
        match u32::try_from(rank) {
            Ok(found) if (found as usize) < self.size() => Ok(found),
            _ => Err(Fault::new(class, format!("there is no rank {rank} among {}", self.size()))),
        }
    }
}

impl Cartesian {
    /// The place of a rank.
    pub fn place(&self, rank: usize) -> Vec<i64> {
        let mut rest = rank;
        let mut place: Vec<_> = self
            .dimensions
            .iter()
            .rev()
            .map(|places| {
                let at = rest % places;
                rest /= places;
                at as i64
            })
            .collect();
        place.reverse();
        place
    }

    /// The rank of a place; none beyond an edge.
    pub fn rank(&self, place: &[i64]) -> Option<usize> {
        let mut rank = 0;
        for ((at, places), period) in place.iter().zip(&self.dimensions).zip(&self.periods) {
            let at = if *period { at.rem_euclid(*places as i64) } else { *at };
            if !(0..*places as i64).contains(&at) {
                return None;
            }
            rank = rank * places + at as usize;
        }
        Some(rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_and_places_of_a_grid_are_each_others_inverses() {
        let grid = Cartesian { dimensions: vec![2, 3, 4], periods: vec![false, true, false] };
        for rank in 0..24 {
            assert_eq!(grid.rank(&grid.place(rank)), Some(rank));
        }
        assert_eq!(grid.place(7), [0, 1, 3]);
        assert_eq!(grid.rank(&[1, -1, 0]), grid.rank(&[1, 2, 0]));
        assert_eq!(grid.rank(&[2, 0, 0]), None);
    }
}
