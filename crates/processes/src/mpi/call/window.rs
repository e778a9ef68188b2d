//! Calls of windows (MPI 5.0, chapter 12).

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

/// A call of a window. All but [`Create`](Self::Create) have the window's number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WindowCall {
    /// Makes a window, called by all of the communicator: [`Answer::Window`](super::Answer::Window).
    Create {
        /// Number of the communicator.
        communicator: u32,
        /// Length of this rank's memory in bytes; none for a dynamic window.
        size: Option<u64>,
        /// Unit of displacements in bytes.
        unit: u64,
        /// The library has allocated the memory, so that the network interface may hold it.
        is_allocated: bool,
    },
    /// An error while an epoch is open: [`Answer::Done`](super::Answer::Done).
    CheckFree(u32),
    /// Frees a window, called by all of its ranks: [`Answer::Landed`](super::Answer::Landed).
    Free(u32),
    /// Adds memory to a dynamic window: [`Answer::Done`](super::Answer::Done).
    Attach {
        /// Number of the window.
        window: u32,
        /// Length in bytes.
        size: u64,
    },
    /// Removes memory from a dynamic window: [`Answer::Done`](super::Answer::Done).
    Detach(u32),
    /// Begins an access: [`Answer::Done`](super::Answer::Done), or [`Answer::Request`](super::Answer::Request) for one
    /// that has a request and reads data of the target.
    Access {
        /// Number of the window.
        window: u32,
        /// Rank of the target.
        target: u32,
        /// Displacement in units of the target; 0 in a dynamic window.
        displacement: i64,
        /// Offset from there and length of each run of bytes at the target.
        runs: Vec<(i64, u64)>,
        /// The operation, with the data of the origin.
        access: WindowAccess,
        /// Number of the destination for data of the target.
        destination: Option<u32>,
        /// The access is complete when its request is.
        has_request: bool,
    },
    /// Synchronizes accesses: [`Answer::Landed`](super::Answer::Landed), or [`Answer::Flag`](super::Answer::Flag) for
    /// [`Synchronization::Test`].
    Synchronize {
        /// Number of the window.
        window: u32,
        /// Epochs and accesses that begin or end.
        by: Synchronization,
    },
}

/// An access to the memory of a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WindowAccess {
    /// `MPI_Put`.
    Put(ByteBuf),
    /// `MPI_Get`: bytes to be read.
    Get(u64),
    /// `MPI_Accumulate`: predefined operation and datatype, by their numbers in the standard ABI.
    Accumulate {
        /// `MPI_SUM` and others.
        operation: u32,
        /// `MPI_INT` and others.
        datatype: u32,
        /// Elements of the origin.
        bytes: ByteBuf,
    },
    /// `MPI_Get_accumulate` and `MPI_Fetch_and_op`.
    Fetch {
        /// `MPI_SUM` and others.
        operation: u32,
        /// `MPI_INT` and others.
        datatype: u32,
        /// Elements of the origin.
        bytes: ByteBuf,
    },
    /// `MPI_Compare_and_swap`.
    CompareAndSwap {
        /// Expected value.
        compare: ByteBuf,
        /// New value.
        bytes: ByteBuf,
    },
}

impl WindowAccess {
    /// Data of the origin.
    pub fn data_mut(&mut self) -> Option<&mut ByteBuf> {
        match self {
            WindowAccess::Get(_) => None,
            WindowAccess::Put(bytes)
            | WindowAccess::Accumulate { bytes, .. }
            | WindowAccess::Fetch { bytes, .. }
            | WindowAccess::CompareAndSwap { bytes, .. } => Some(bytes),
        }
    }

    /// Bytes that the access moves between origin and target.
    pub fn length(&self) -> u64 {
        match self {
            WindowAccess::Get(length) => *length,
            WindowAccess::Put(bytes)
            | WindowAccess::Accumulate { bytes, .. }
            | WindowAccess::Fetch { bytes, .. }
            | WindowAccess::CompareAndSwap { bytes, .. } => bytes.len() as u64,
        }
    }
}

/// A synchronization (MPI 5.0, section 12.5). Unchecked stands for `MPI_MODE_NOCHECK`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Synchronization {
    /// `MPI_Win_fence`, by all ranks.
    Fence {
        /// No access follows (`MPI_MODE_NOSUCCEED`).
        is_last: bool,
    },
    /// `MPI_Win_post`.
    Post {
        /// Origins, by their ranks in the window.
        group: Vec<u32>,
        /// The origins do not wait.
        is_unchecked: bool,
    },
    /// `MPI_Win_start`.
    Start {
        /// Targets, by their ranks in the window.
        group: Vec<u32>,
        /// The targets have posted.
        is_unchecked: bool,
    },
    /// `MPI_Win_complete`.
    Complete,
    /// `MPI_Win_wait`.
    Wait,
    /// `MPI_Win_test`.
    Test,
    /// `MPI_Win_lock`.
    Lock {
        /// Rank of the target.
        target: u32,
        /// `MPI_LOCK_EXCLUSIVE`.
        is_exclusive: bool,
        /// No other rank holds a conflicting lock.
        is_unchecked: bool,
    },
    /// `MPI_Win_lock_all`.
    LockAll {
        /// No other rank holds a conflicting lock.
        is_unchecked: bool,
    },
    /// `MPI_Win_unlock`.
    Unlock(u32),
    /// `MPI_Win_unlock_all`.
    UnlockAll,
    /// `MPI_Win_flush` and its variants.
    Flush {
        /// Rank of the target; all targets without.
        target: Option<u32>,
        /// At the origin alone.
        is_local: bool,
    },
    /// `MPI_Win_sync`.
    Sync,
}
