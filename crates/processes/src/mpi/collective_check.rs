//! Collective calls of all ranks of a communicator are compared: same operation, same order (MPI 5.0, sections 6.1 and
//! 6.14).
//!
//! The simulator sees the calls of all ranks, so it reports a mismatch at once instead of a wrong result or a deadlock
//! later. It compares what every rank knows: the operation, its root, the reduction and, where all ranks give the same,
//! the length. The check takes no virtual time.

use std::collections::{HashMap, VecDeque};
use std::mem::{Discriminant, discriminant};

use super::call::{CallError, Collective, Reduction, Root};
use super::standard::{ERR_COUNT, ERR_OP, ERR_OTHER, ERR_ROOT};

/// Collective calls that some, but not all ranks of their communicator have made.
#[derive(Debug, Default)]
pub(crate) struct CollectiveCheck(HashMap<CommunicatorId, CallSequence>);

/// A communicator: its number and its processes, for an intercommunicator those of both groups. Communicators without a
/// common process may share a number.
pub(crate) type CommunicatorId = (u16, Vec<usize>);

/// A rank of a communicator: the group, which is 0 unless it is the second one of an intercommunicator, and the rank in
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub group: usize,
    pub rank: u32,
}

/// Collective calls of a communicator, in their order.
#[derive(Debug, Default)]
struct CallSequence {
    /// Calls that each process has made.
    made: HashMap<usize, u64>,
    /// Calls that all processes have made.
    completed: u64,
    /// Later calls, each as the first process made it.
    pending: VecDeque<PendingCall>,
}

#[derive(Debug)]
struct PendingCall {
    /// The first rank that made it.
    rank: usize,
    function: String,
    signature: CollectiveSignature,
    ranks_missing: usize,
}

/// Arguments of a collective call that have to be the same on all ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CollectiveSignature {
    kind: Kind,
    root: Option<GivenRoot>,
    operation: Option<u32>,
    bytes: Option<u64>,
}

/// A root, as far as one rank knows it: others of its group in an intercommunicator know the group alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct GivenRoot {
    group: usize,
    rank: Option<u32>,
}

impl GivenRoot {
    /// The root that a rank in an intercommunicator, or in a group of its own, gives.
    fn new(root: Root, place: Place, between: bool) -> Self {
        let Place { group, rank } = place;
        match root {
            Root::Rank(rank) => {
                GivenRoot { group: if between { 1 - group } else { group }, rank: Some(rank) }
            }
            Root::Here => GivenRoot { group, rank: Some(rank) },
            Root::Elsewhere => GivenRoot { group, rank: None },
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Operation(Discriminant<Collective>),
    NewCommunicator,
    Fence,
    FreeWindow,
}

impl CollectiveSignature {
    /// Signature of a call that makes a communicator out of this one.
    pub fn new_communicator() -> Self {
        Self::of_kind(Kind::NewCommunicator)
    }

    /// Signature of a fence on a window, whose communicator this is.
    pub fn fence() -> Self {
        Self::of_kind(Kind::Fence)
    }

    /// Signature of the call that frees a window.
    pub fn free_window() -> Self {
        Self::of_kind(Kind::FreeWindow)
    }

    fn of_kind(kind: Kind) -> Self {
        CollectiveSignature { kind, root: None, operation: None, bytes: None }
    }

    /// Signature of a collective operation of a rank, in an intercommunicator if `between`.
    pub fn of(call: &Collective, place: Place, between: bool) -> Self {
        let predefined = |reduction: &Reduction| match reduction {
            Reduction::Predefined { operation, .. } => Some(*operation),
            // Each rank numbers its user-defined operations itself.
            Reduction::User { .. } => None,
        };
        let (root, operation, bytes) = match call {
            Collective::Barrier | Collective::Neighbours { .. } => (None, None, None),
            Collective::Broadcast { root, length, .. } => (Some(*root), None, Some(*length)),
            // Lengths may differ between ranks.
            Collective::Gather { root, .. } | Collective::Scatter { root, .. } => (Some(*root), None, None),
            Collective::Allgather { bytes, lengths: None }
            | Collective::Alltoall { bytes, lengths: None } => (None, None, Some(bytes.len() as u64)),
            Collective::Allgather { .. } | Collective::Alltoall { .. } => (None, None, None),
            Collective::Reduce { root, bytes, reduction } => {
                (*root, predefined(reduction), Some(bytes.len() as u64))
            }
            Collective::ReduceScatter { bytes, reduction, .. }
            | Collective::Scan { bytes, reduction, .. } => {
                (None, predefined(reduction), Some(bytes.len() as u64))
            }
        };
        let takes_part = root != Some(Root::Elsewhere);
        CollectiveSignature {
            kind: Kind::Operation(discriminant(call)),
            root: root.map(|root| GivenRoot::new(root, place, between)),
            operation: operation.filter(|_| takes_part),
            bytes: bytes.filter(|_| takes_part),
        }
    }

    /// Error class and reason if this signature contradicts that of another rank.
    fn mismatch(&self, function: &str, other: &PendingCall) -> Option<(i32, String)> {
        let PendingCall { rank, function: theirs, signature, .. } = other;
        if self.kind != signature.kind || self.root.is_some() != signature.root.is_some() {
            return Some((
                ERR_OTHER,
                format!("rank {rank} is in {theirs}, where this rank is in {function}"),
            ));
        }
        if let (Some(own), Some(root)) = (self.root, signature.root)
            && own.group != root.group
        {
            return Some((ERR_ROOT, format!("this rank and rank {rank} give roots in different groups")));
        }
        let ranks = |signature: &Self| signature.root.and_then(|root| root.rank);
        if let (Some(own), Some(root)) = (ranks(self), ranks(signature))
            && own != root
        {
            return Some((ERR_ROOT, format!("root {own} is given, and rank {rank} gives root {root}")));
        }
        if let (Some(own), Some(bytes)) = (self.bytes, signature.bytes)
            && own != bytes
        {
            return Some((ERR_COUNT, format!("{own} bytes are given, and rank {rank} gives {bytes}")));
        }
        let operations = self.operation.zip(signature.operation);
        operations
            .is_some_and(|(own, theirs)| own != theirs)
            .then(|| (ERR_OP, format!("rank {rank} gives another operation")))
    }
}

impl PendingCall {
    /// Adds the arguments of a process that the ones before did not know.
    fn learn(&mut self, process: usize, signature: &CollectiveSignature) {
        let own = &mut self.signature;
        if own.root.is_some_and(|root| root.rank.is_none()) {
            (own.root, self.rank) = (signature.root, process);
        }
        own.operation = own.operation.or(signature.operation);
        own.bytes = own.bytes.or(signature.bytes);
    }
}

impl CollectiveCheck {
    /// Adds the next collective call of a process; an error if another process made a different call in its place.
    pub fn add(
        &mut self,
        communicator: CommunicatorId,
        process: usize,
        function: &str,
        signature: CollectiveSignature,
    ) -> Result<(), CallError> {
        let ranks = communicator.1.len();
        let calls = self.0.entry(communicator).or_default();
        let made = calls.made.entry(process).or_default();
        // Calls below `completed` belong to an earlier communicator of this number.
        let at = made.saturating_sub(calls.completed) as usize;
        *made += 1;
        let mut mismatch = None;
        match calls.pending.get_mut(at) {
            Some(other) => {
                mismatch = signature.mismatch(function, other);
                other.learn(process, &signature);
                other.ranks_missing -= 1;
            }
            None => {
                let function = function.to_owned();
                calls.pending.push_back(PendingCall {
                    rank: process,
                    function,
                    signature,
                    ranks_missing: ranks - 1,
                });
            }
        }
        while calls.pending.front().is_some_and(|call| call.ranks_missing == 0) {
            calls.pending.pop_front();
            calls.completed += 1;
        }
        mismatch.map_or(Ok(()), |(class, reason)| Err(CallError { class, reason }))
    }

    /// A process frees a communicator. When all have, its number may be used again.
    pub fn free(&mut self, communicator: &CommunicatorId, process: usize) {
        if let Some(calls) = self.0.get_mut(communicator) {
            calls.made.remove(&process);
            if calls.made.is_empty() {
                self.0.remove(communicator);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARRIER: Collective = Collective::Barrier;

    fn broadcast(root: u32, length: u64) -> Collective {
        Collective::Broadcast { root: Root::Rank(root), length, bytes: Default::default() }
    }

    fn signature(rank: usize, call: &Collective) -> CollectiveSignature {
        CollectiveSignature::of(call, Place { group: 0, rank: rank as u32 }, false)
    }

    /// Result of the last of these calls of ranks 0 and 1.
    fn last_mismatch(calls: &[(usize, &str, Collective)]) -> Option<(i32, String)> {
        let mut check = CollectiveCheck::default();
        let results = calls.iter().map(|(rank, function, call)| {
            check.add((0, vec![0, 1]), *rank, function, signature(*rank, call))
        });
        let last = results.last().expect("there is a call");
        last.err().map(|CallError { class, reason }| (class, reason))
    }

    #[test]
    fn same_calls_match_however_far_one_rank_is_ahead() {
        let [bcast, barrier] = ["MPI_Bcast", "MPI_Barrier"];
        let calls = [
            (0, bcast, broadcast(0, 4)),
            (0, barrier, BARRIER),
            (1, bcast, broadcast(0, 4)),
            (0, bcast, broadcast(1, 8)),
            (1, barrier, BARRIER),
            (1, bcast, broadcast(1, 8)),
        ];
        assert!((1..=calls.len()).all(|count| last_mismatch(&calls[..count]).is_none()));
    }

    #[test]
    fn other_operation_root_or_length_is_an_error() {
        let first = (0, "MPI_Bcast", broadcast(0, 4));
        let cases = [
            (BARRIER, ERR_OTHER, "rank 0 is in MPI_Bcast, where this rank is in MPI_X"),
            (broadcast(1, 4), ERR_ROOT, "root 1 is given, and rank 0 gives root 0"),
            (broadcast(0, 8), ERR_COUNT, "8 bytes are given, and rank 0 gives 4"),
        ];
        for (call, class, reason) in cases {
            assert_eq!(last_mismatch(&[first.clone(), (1, "MPI_X", call)]), Some((class, reason.to_owned())));
        }
    }

    /// Result of the last of these broadcasts between the groups of processes 0 and 1, and of process 2.
    fn last_between(roots: &[(usize, Root, u64)]) -> Option<(i32, String)> {
        let mut check = CollectiveCheck::default();
        let results = roots.iter().map(|(process, root, length)| {
            let call = Collective::Broadcast { root: *root, length: *length, bytes: Default::default() };
            let place = Place { group: process / 2, rank: *process as u32 % 2 };
            check.add((0, vec![0, 1, 2]), *process, "MPI_X", CollectiveSignature::of(&call, place, true))
        });
        let last = results.last().expect("there is a call");
        last.err().map(|CallError { class, reason }| (class, reason))
    }

    #[test]
    fn groups_agree_on_the_group_the_rank_and_the_data_of_a_root() {
        let elsewhere = (0, Root::Elsewhere, 0);
        assert_eq!(last_between(&[elsewhere, (2, Root::Rank(1), 4), (1, Root::Here, 4)]), None);
        assert_eq!(last_between(&[(2, Root::Rank(1), 4), (1, Root::Here, 4), elsewhere]), None);
        let cases = [
            ((0, Root::Rank(0), 4), (2, Root::Rank(1), 4), ERR_ROOT),
            (elsewhere, (2, Root::Here, 4), ERR_ROOT),
            ((2, Root::Rank(0), 4), (1, Root::Here, 4), ERR_ROOT),
            ((2, Root::Rank(1), 4), (1, Root::Here, 8), ERR_COUNT),
        ];
        for (first, second, class) in cases {
            assert_eq!(last_between(&[first, second]).map(|(class, _)| class), Some(class), "{second:?}");
        }
        // Process 0 does not know the root, so process 1 contradicts process 2.
        let (_, reason) = last_between(&[elsewhere, (2, Root::Rank(0), 4), (1, Root::Here, 4)]).unwrap();
        assert_eq!(reason, "root 1 is given, and rank 2 gives root 0");
        // A process that knows less in between changes nothing.
        let later = [(2, Root::Rank(1), 4), (1, Root::Elsewhere, 0), (0, Root::Here, 4)];
        let (_, reason) = last_between(&later).unwrap();
        assert_eq!(reason, "root 0 is given, and rank 2 gives root 1");
    }

    #[test]
    fn communicators_may_share_a_number_and_a_freed_one_starts_anew() {
        let mut check = CollectiveCheck::default();
        let mut add = |processes: &[usize], signature| {
            check.add((3, processes.to_vec()), processes[0], "MPI_X", signature)
        };
        assert!(add(&[0, 1], signature(0, &BARRIER)).is_ok());
        assert!(add(&[2, 3], signature(2, &broadcast(0, 1))).is_ok());
        check.free(&(3, vec![0, 1]), 0);
        assert!(check.add((3, vec![0, 1]), 1, "MPI_X", CollectiveSignature::new_communicator()).is_ok());
    }
}
