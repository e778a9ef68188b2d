//! What can be wrong with a call, in the classes of the standard.

/// Why a call, or the transfer that it began, failed. Each is one of the error classes of the standard (MPI 4.1, section 9.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// `MPI_ERR_COUNT`.
    #[error("{0} bytes are more than a message can have")]
    Count(usize),
    /// `MPI_ERR_TYPE`.
    #[error("{0}")]
    Type(&'static str),
    /// `MPI_ERR_COMM`.
    #[error("{0}")]
    Communicator(&'static str),
    /// `MPI_ERR_RANK`.
    #[error("there is no rank {rank} among {size}")]
    Rank {
        /// The rank that was given.
        rank: usize,
        /// Ranks that there are.
        size: usize,
    },
    /// `MPI_ERR_ROOT`.
    #[error("there is no root {rank} among {size}")]
    Root {
        /// The rank that was given.
        rank: usize,
        /// Ranks that there are.
        size: usize,
    },
    /// `MPI_ERR_GROUP`.
    #[error("{0}")]
    Group(&'static str),
    /// `MPI_ERR_OP`.
    #[error("{0}")]
    Operation(&'static str),
    /// `MPI_ERR_TOPOLOGY`.
    #[error("the communicator has no Cartesian topology")]
    Topology,
    /// `MPI_ERR_DIMS`.
    #[error("{0}")]
    Dimensions(&'static str),
    /// `MPI_ERR_ARG`.
    #[error("{0}")]
    Argument(&'static str),
    /// `MPI_ERR_BUFFER`.
    #[error("{have} bytes are given where {need} are needed")]
    Buffer {
        /// Bytes that were given.
        have: usize,
        /// Bytes that are needed.
        need: usize,
    },
    /// `MPI_ERR_TRUNCATE`.
    #[error("a message of {bytes} bytes came where at most {most} were expected")]
    Truncated {
        /// Bytes of the message.
        bytes: usize,
        /// Most bytes that the receive takes.
        most: usize,
    },
    /// `MPI_ERR_REQUEST`.
    #[error("the result of the request was taken before")]
    Request,
    /// `MPI_ERR_PROC_FAILED`: the network has given the process up.
    #[error("process {0} does not answer")]
    Unreachable(usize),
    /// `MPI_ERR_INTERN`: contexts, or numbers of requests, are used up.
    #[error("{0}")]
    Exhausted(&'static str),
    /// What an operation of the program returned.
    #[error("an operation of the program returned code {0}")]
    User(i32),
}
