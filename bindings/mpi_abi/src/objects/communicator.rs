//! Communicators of a rank.

use processes::mpi::call::CommunicatorInfo;

use crate::fault::{Fault, Outcome};
use crate::types::*;

/// A communicator with the state that the program can query.
#[derive(Clone, Debug)]
pub struct Communicator {
    /// Number of the communicator at the simulator.
    pub number: u32,
    /// Processes in the order of ranks, by their numbers in the run; of an intercommunicator those of
    /// the local group.
    pub processes: Vec<u32>,
    /// The same of the remote group of an intercommunicator.
    pub remote: Option<Vec<u32>>,
    /// Rank of this process.
    pub rank: usize,
    /// Cartesian topology, if the communicator has one.
    pub cartesian: Option<Cartesian>,
    /// Set by `MPI_Comm_set_name`; at most `MPI_MAX_OBJECT_NAME` bytes are returned.
    pub name: String,
    /// Error handler, inherited by derived communicators.
    pub handler: MPI_Errhandler,
    /// Attributes in the order in which they were set.
    pub attributes: Attributes,
    /// The request of `MPI_Comm_idup` that makes the communicator is not complete, so it has no number yet.
    pub pending: bool,
}

/// Attributes of an object: keys and values, in the order in which they were set.
#[derive(Clone, Debug, Default)]
pub struct Attributes(Vec<(c_int, usize)>);

impl Attributes {
    /// Value of an attribute.
    pub fn get(&self, key: c_int) -> Option<usize> {
        self.0.iter().find(|(other, _)| *other == key).map(|(_, value)| *value)
    }

    /// Sets an attribute, which is then the last one.
    pub fn set(&mut self, key: c_int, value: usize) {
        self.remove(key);
        self.0.push((key, value));
    }

    /// Removes an attribute.
    pub fn remove(&mut self, key: c_int) {
        self.0.retain(|(other, _)| *other != key);
    }

    /// Keys in the order in which they were set.
    pub fn keys(&self) -> Vec<c_int> {
        self.0.iter().map(|(key, _)| *key).collect()
    }

    /// All attributes in the order in which they were set.
    pub fn iter(&self) -> impl Iterator<Item = (c_int, usize)> {
        self.0.iter().copied()
    }
}

/// A Cartesian grid of ranks in row-major order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cartesian {
    /// Size of each dimension.
    pub dimensions: Vec<usize>,
    /// Whether each dimension wraps around.
    pub periods: Vec<bool>,
}

impl Communicator {
    /// A communicator created by the simulator; this process has the number `own` in the run.
    pub fn new(world: CommunicatorInfo, own: u32, handler: MPI_Errhandler) -> Outcome<Self> {
        let CommunicatorInfo { number, processes, remote } = world;
        let rank = processes.iter().position(|process| *process == own);
        let rank =
            rank.ok_or_else(|| Fault::new(MPI_ERR_INTERN, "the simulator made a communicator of others"))?;
        let (cartesian, name, attributes) = (None, String::new(), Attributes::default());
        let pending = false;
        Ok(Communicator { number, processes, remote, rank, cartesian, name, handler, attributes, pending })
    }

    /// Number of ranks of the local group.
    pub fn size(&self) -> usize {
        self.processes.len()
    }

    /// Whether there are two groups.
    pub fn is_inter(&self) -> bool {
        self.remote.is_some()
    }

    /// Processes to which ranks of messages and roots refer: the remote group of an intercommunicator.
    pub fn peers(&self) -> &[u32] {
        self.remote.as_ref().unwrap_or(&self.processes)
    }

    /// Number of this process in the run.
    pub fn own(&self) -> u32 {
        self.processes[self.rank]
    }

    /// Checks that a rank of a peer is valid; otherwise an error of the given class.
    pub fn check(&self, rank: c_int, class: c_int) -> Outcome<u32> {
        check_rank(rank, self.peers().len(), class)
    }
}

/// Checks a rank among `size` ranks; otherwise an error of the given class.
pub fn check_rank(rank: c_int, size: usize, class: c_int) -> Outcome<u32> {
    match u32::try_from(rank) {
        Ok(found) if (found as usize) < size => Ok(found),
        _ => Err(Fault::new(class, format!("there is no rank {rank} among {size}"))),
    }
}

impl Cartesian {
    /// Coordinates of a rank.
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

    /// Rank at the coordinates; `None` beyond the edge of a non-periodic dimension.
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
    fn ranks_and_coordinates_are_inverse() {
        let grid = Cartesian { dimensions: vec![2, 3, 4], periods: vec![false, true, false] };
        for rank in 0..24 {
            assert_eq!(grid.rank(&grid.place(rank)), Some(rank));
        }
        assert_eq!(grid.place(7), [0, 1, 3]);
        assert_eq!(grid.rank(&[1, -1, 0]), grid.rank(&[1, 2, 0]));
        assert_eq!(grid.rank(&[2, 0, 0]), None);
    }
}
