//! Why processes cannot run together.

use std::io;

use cluster::{RunError, TopologyError};
use thiserror::Error;

/// Why a process cannot join the others.
#[derive(Debug, Error)]
pub enum JoinError {
    /// MPI begins once in a process.
    #[error("this process has joined the others before")]
    Again,
    /// Each process would run everything, alone.
    #[error(
        "mpirun started {started} processes, but MPI finds {found}: this mpirun does not belong to the MPI \
         that this memonet was built with"
    )]
    OtherMpi {
        /// As the environment says.
        started: usize,
        /// As MPI says.
        found: usize,
    },
    /// Boards in lockstep have threads of their own.
    #[error("this MPI does not work in a process with several threads")]
    OneThread,
    /// Processes compare their executables.
    #[error("the executable cannot be read: {0}")]
    Executable(#[source] io::Error),
}

/// Why a run over processes brought no results.
#[derive(Debug, Error)]
pub enum DistributedError {
    /// Processes that are not of one build do not do the same.
    #[error("process {rank} is of another version than process 0; start the same executable on all machines")]
    OtherVersion {
        /// The process.
        rank: usize,
    },
    /// Processes were given different networks.
    #[error("process {rank} has another network than process 0; give all processes the same arguments")]
    OtherNetwork {
        /// The process.
        rank: usize,
    },
    /// Processes were given different workloads.
    #[error("process {rank} has another workload than process 0; give all processes the same arguments")]
    OtherWorkload {
        /// The process.
        rank: usize,
    },
    /// A process found something wrong with what it was given, and says so itself.
    #[error("process {rank} refuses to run what it was given")]
    Refused {
        /// The process.
        rank: usize,
    },
    /// A process went in the midst of things, but in order.
    #[error("process {rank} left before the work was done")]
    Left {
        /// The process.
        rank: usize,
    },
    /// Each process needs a part, and a part needs a node and a switch to meet the others in.
    #[error("this cluster can be cut into no more than {most} parts; {processes} processes are too many")]
    TooManyProcesses {
        /// Most parts.
        most: usize,
        /// Processes that were started.
        processes: usize,
    },
    /// The machine cannot have such a network.
    #[error(transparent)]
    Topology(#[from] TopologyError),
    /// A result did not survive its way.
    #[error("what process {rank} brings cannot be read: {reason}")]
    Results {
        /// The process.
        rank: usize,
        /// Why.
        reason: String,
    },
    /// The run itself failed.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl DistributedError {
    /// Whether it was wrong to start these processes with these arguments, rather than that something went wrong later.
    pub fn is_usage(&self) -> bool {
        use DistributedError::*;
        match self {
            OtherVersion { .. } | OtherNetwork { .. } | OtherWorkload { .. } => true,
            Refused { .. } | TooManyProcesses { .. } | Topology(_) => true,
            Left { .. } | Results { .. } | Run(_) => false,
        }
    }
}
