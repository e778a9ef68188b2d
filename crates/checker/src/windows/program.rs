//! Programs of ranks.

use std::fmt;

use mpi::LockKind;

/// A call of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `MPI_Win_lock` of a target.
    Lock(usize, LockKind),
    /// `MPI_Win_unlock` of a target.
    Unlock(usize),
    /// `MPI_Win_lock_all`.
    LockAll,
    /// `MPI_Win_unlock_all`.
    UnlockAll,
    /// `MPI_Put` in one message.
    Put(usize),
    /// `MPI_Put` whose data comes after its envelope.
    LongPut(usize),
    /// `MPI_Put` by a remote write of the network.
    Write(usize),
    /// `MPI_Get`.
    Get(usize),
    /// `MPI_Win_flush` of a target.
    Flush(usize),
    /// `MPI_Win_fence`.
    Fence,
    /// `MPI_Win_post` to a group of origins.
    Post(&'static [usize]),
    /// `MPI_Win_start` of a group of targets.
    Start(&'static [usize]),
    /// `MPI_Win_complete`.
    Complete,
    /// `MPI_Win_wait`.
    Wait,
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks = |group: &[usize]| group.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Op::Lock(target, LockKind::Shared) => write!(f, "shared lock of rank {target}"),
            Op::Lock(target, LockKind::Exclusive) => write!(f, "lock of rank {target}"),
            Op::Unlock(target) => write!(f, "unlock of rank {target}"),
            Op::LockAll => write!(f, "lock_all"),
            Op::UnlockAll => write!(f, "unlock_all"),
            Op::Put(target) => write!(f, "put to rank {target}"),
            Op::LongPut(target) => write!(f, "long put to rank {target}"),
            Op::Write(target) => write!(f, "remote write to rank {target}"),
            Op::Get(target) => write!(f, "get from rank {target}"),
            Op::Flush(target) => write!(f, "flush of rank {target}"),
            Op::Fence => write!(f, "fence"),
            Op::Post(group) => write!(f, "post to rank {}", ranks(group)),
            Op::Start(group) => write!(f, "start of rank {}", ranks(group)),
            Op::Complete => write!(f, "complete"),
            Op::Wait => write!(f, "wait"),
        }
    }
}
