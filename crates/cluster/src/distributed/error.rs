//! Errors of processes that run a cluster together.

use std::io;

use crate::{RunError, TopologyError};
use thiserror::Error;

/// Why a process cannot join the others.
#[derive(Debug, Error)]
pub enum JoinError {
    /// MPI starts once in a process.
    #[error("this process has joined the others before")]
    Again,
    /// The mpirun is that of another MPI, so each process would run everything.
    #[error(
        "mpirun started {started} processes, but MPI finds {found}: this mpirun does not belong to the MPI \
         that this memonet was built with"
    )]
    OtherMpi {
        /// Processes by the environment of the launcher.
        started: usize,
        /// Processes by MPI.
        found: usize,
    },
    /// MPI allows one thread, and NICs in lockstep need more.
    #[error("this MPI does not work in a process with several threads")]
    OneThread,
    /// The executable, which processes compare, cannot be read.
    #[error("the executable cannot be read: {0}")]
    Executable(#[source] io::Error),
}

/// Why a run over processes has no results.
#[derive(Debug, Error)]
pub enum DistributedError {
    /// Executables differ.
    #[error("process {rank} is of another version than process 0; start the same executable on all machines")]
    OtherVersion {
        /// Number of the process in MPI.
        rank: usize,
    },
    /// Networks differ.
    #[error("process {rank} has another network than process 0; give all processes the same arguments")]
    OtherNetwork {
        /// Number of the process in MPI.
        rank: usize,
    },
    /// Machines, limits or workloads differ.
    #[error("process {rank} has another workload than process 0; give all processes the same arguments")]
    OtherWorkload {
        /// Number of the process in MPI.
        rank: usize,
    },
    /// A process has refused its arguments and printed the reason itself.
    #[error("process {rank} refuses to run what it was given")]
    Refused {
        /// Number of the process in MPI.
        rank: usize,
    },
    /// A process has left before the end, in order.
    #[error("process {rank} left before the work was done")]
    Left {
        /// Number of the process in MPI.
        rank: usize,
    },
    /// Each process needs a part, and each part a node at a switch.
    #[error("this cluster can be cut into no more than {most} parts; {processes} processes are too many")]
    TooManyProcesses {
        /// Parts at most.
        most: usize,
        /// Processes that were started.
        processes: usize,
    },
    /// The network is not valid for the machine.
    #[error(transparent)]
    Topology(#[from] TopologyError),
    /// Results of a process cannot be decoded.
    #[error("the results of process {rank} cannot be read: {reason}")]
    Results {
        /// Number of the process in MPI.
        rank: usize,
        /// The error of the decoder.
        reason: String,
    },
    /// The run failed.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl DistributedError {
    /// Whether the arguments were wrong, rather than that the run failed: exit code 2 rather than 1.
    pub fn is_usage(&self) -> bool {
        use DistributedError::*;
        match self {
            OtherVersion { .. } | OtherNetwork { .. } | OtherWorkload { .. } => true,
            Refused { .. } | TooManyProcesses { .. } | Topology(_) => true,
            Left { .. } | Results { .. } | Run(_) => false,
        }
    }
}
