//! Whether the ranks of a communicator agree: all make the same collective calls, in one order (MPI 5.0, sections 6.1 and 6.14).
//!
//! The simulator sees the calls of all ranks, so it can tell at once what else would end in a wrong result, or in ranks that wait for
//! each other. It compares what every rank knows: the call, its root, its operation and, where all give the same, how much. It takes
//! no virtual time.

use std::collections::{HashMap, VecDeque};
use std::mem::{Discriminant, discriminant};

use crate::mpi::call::{Collective, Combination, Failure};

/// Calls of all communicators that not all their ranks have made.
#[derive(Debug, Default)]
pub(crate) struct Agreement(HashMap<Talk, Calls>);

/// A communicator: its number and its processes. Those that share no process may share a number.
pub(crate) type Talk = (u16, Vec<usize>);

/// Calls of a communicator.
#[derive(Debug, Default)]
struct Calls {
    /// How many each process has made.
    of: HashMap<usize, u64>,
    /// How many all have made.
    first: u64,
    /// Those behind, as they were made first.
    open: VecDeque<Made>,
}

/// A call as a rank has made it first.
#[derive(Debug)]
struct Made {
    rank: usize,
    function: String,
    what: What,
    /// Ranks that have not made it.
    left: usize,
}

/// What has to be the same at all ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct What {
    kind: Kind,
    root: Option<u32>,
    operation: Option<u32>,
    bytes: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Operation(Discriminant<Collective>),
    Communicator,
}

impl What {
    /// A communicator is made of this one.
    pub fn communicator() -> Self {
        What { kind: Kind::Communicator, root: None, operation: None, bytes: None }
    }

    /// A collective operation.
    pub fn of(call: &Collective) -> Self {
        let standard = |how: &Combination| match how {
            Combination::Standard { operation, .. } => Some(*operation),
            // Numbers of programs are their own.
            Combination::Program { .. } => None,
        };
        let (root, operation, bytes) = match call {
            Collective::Barrier => (None, None, None),
            Collective::Broadcast { root, length, .. } => (Some(*root), None, Some(*length)),
            // Lengths may differ from rank to rank.
            Collective::Gather { root, .. } | Collective::Scatter { root, .. } => (Some(*root), None, None),
            Collective::GatherAll { bytes, lengths: None } | Collective::ToAll { bytes, lengths: None } => {
                (None, None, Some(bytes.len() as u64))
            }
            Collective::GatherAll { .. } | Collective::ToAll { .. } => (None, None, None),
            Collective::Reduce { root, bytes, how } => (*root, standard(how), Some(bytes.len() as u64)),
            Collective::ReduceScatter { bytes, how, .. } | Collective::Scan { bytes, how, .. } => {
                (None, standard(how), Some(bytes.len() as u64))
            }
        };
        What { kind: Kind::Operation(discriminant(call)), root, operation, bytes }
    }

    /// What is wrong with this call beside that of another rank: an error class, and words.
    fn differs(&self, function: &str, other: &Made) -> Option<(i32, String)> {
        let Made { rank, function: theirs, what, .. } = other;
        if self.kind != what.kind || self.root.is_some() != what.root.is_some() {
            return Some((OTHER, format!("rank {rank} is in {theirs}, where this rank is in {function}")));
        }
        if let (Some(own), Some(root)) = (self.root, what.root)
            && own != root
        {
            return Some((ROOT, format!("root {own} is given, and rank {rank} gives root {root}")));
        }
        if let (Some(own), Some(bytes)) = (self.bytes, what.bytes)
            && own != bytes
        {
            return Some((COUNT, format!("{own} bytes are given, and rank {rank} gives {bytes}")));
        }
        (self.operation.is_some() && what.operation.is_some() && self.operation != what.operation)
            .then(|| (OPERATION, format!("rank {rank} gives another operation")))
    }
}

/// `MPI_ERR_COUNT`, `MPI_ERR_ROOT`, `MPI_ERR_OP` and `MPI_ERR_OTHER`.
const COUNT: i32 = 2;
const ROOT: i32 = 8;
const OPERATION: i32 = 10;
const OTHER: i32 = 16;

impl Agreement {
    /// A process makes its next call on a communicator; an error if another one has made another call there.
    pub fn call(&mut self, talk: Talk, process: usize, function: &str, what: What) -> Result<(), Failure> {
        let ranks = talk.1.len();
        let calls = self.0.entry(talk).or_default();
        let made = calls.of.entry(process).or_default();
        // What has no place there was made before a communicator of this number was freed.
        let at = made.saturating_sub(calls.first) as usize;
        *made += 1;
        let mut differs = None;
        match calls.open.get_mut(at) {
            Some(other) => {
                differs = what.differs(function, other);
                other.left -= 1;
            }
            None => {
                let function = function.to_owned();
                calls.open.push_back(Made { rank: process, function, what, left: ranks - 1 });
            }
        }
        while calls.open.front().is_some_and(|made| made.left == 0) {
            calls.open.pop_front();
            calls.first += 1;
        }
        differs.map_or(Ok(()), |(class, why)| Err(Failure { class, why }))
    }

    /// A process does not use a communicator any more. When none does, its number may be that of another one.
    pub fn free(&mut self, talk: &Talk, process: usize) {
        if let Some(calls) = self.0.get_mut(talk) {
            calls.of.remove(&process);
            if calls.of.is_empty() {
                self.0.remove(talk);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARRIER: Collective = Collective::Barrier;

    fn broadcast(root: u32, length: u64) -> Collective {
        Collective::Broadcast { root, length, bytes: Default::default() }
    }

    /// Calls of ranks 0 and 1, one after the other; what is said of the last one.
    fn told(calls: &[(usize, &str, Collective)]) -> Option<(i32, String)> {
        let mut agreement = Agreement::default();
        let made = calls
            .iter()
            .map(|(rank, function, call)| agreement.call((0, vec![0, 1]), *rank, function, What::of(call)));
        let last = made.last().expect("there is a call");
        last.err().map(|Failure { class, why }| (class, why))
    }

    #[test]
    fn ranks_that_make_the_same_calls_agree_however_far_one_is_ahead() {
        let [bcast, barrier] = ["MPI_Bcast", "MPI_Barrier"];
        let calls = [
            (0, bcast, broadcast(0, 4)),
            (0, barrier, BARRIER),
            (1, bcast, broadcast(0, 4)),
            (0, bcast, broadcast(1, 8)),
            (1, barrier, BARRIER),
            (1, bcast, broadcast(1, 8)),
        ];
        assert!((1..=calls.len()).all(|count| told(&calls[..count]).is_none()));
    }

    #[test]
    fn another_call_another_root_and_another_count_are_told_apart() {
        let first = (0, "MPI_Bcast", broadcast(0, 4));
        let cases = [
            (BARRIER, OTHER, "rank 0 is in MPI_Bcast, where this rank is in MPI_X"),
            (broadcast(1, 4), ROOT, "root 1 is given, and rank 0 gives root 0"),
            (broadcast(0, 8), COUNT, "8 bytes are given, and rank 0 gives 4"),
        ];
        for (call, class, why) in cases {
            assert_eq!(told(&[first.clone(), (1, "MPI_X", call)]), Some((class, why.to_owned())));
        }
    }

    #[test]
    fn communicators_of_one_number_are_apart_and_a_number_that_is_free_begins_anew() {
        let mut agreement = Agreement::default();
        let mut call =
            |processes: &[usize], what| agreement.call((3, processes.to_vec()), processes[0], "MPI_X", what);
        assert!(call(&[0, 1], What::of(&BARRIER)).is_ok());
        assert!(call(&[2, 3], What::of(&broadcast(0, 1))).is_ok());
        agreement.free(&(3, vec![0, 1]), 0);
        assert!(agreement.call((3, vec![0, 1]), 1, "MPI_X", What::communicator()).is_ok());
    }
}
