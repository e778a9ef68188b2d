//! Errors of calls, after the error classes of the standard.

/// Reason why a call or the transfer that it began failed. Each belongs to an error class of the standard
/// (MPI 4.1, section 9.4).
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
        /// Rank that was given.
        rank: usize,
        /// Number of ranks.
        size: usize,
    },
    /// `MPI_ERR_ROOT`.
    #[error("there is no root {rank} among {size}")]
    Root {
        /// Root that was given.
        rank: usize,
        /// Number of ranks.
        size: usize,
    },
    /// `MPI_ERR_ROOT`: a root that only calls of intercommunicators have.
    #[error("the root of a group's own call is a rank")]
    NoRank,
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
        /// Bytes given.
        have: usize,
        /// Bytes needed.
        need: usize,
    },
    /// `MPI_ERR_TRUNCATE`.
    #[error("a message of {bytes} bytes came where at most {most} were expected")]
    Truncated {
        /// Length of the message in bytes.
        bytes: usize,
        /// Length of the receive buffer in bytes.
        most: usize,
    },
    /// `MPI_ERR_REQUEST`.
    #[error("the result of the request was taken before")]
    Request,
    /// `MPI_ERR_PROC_FAILED`: the network has declared the process dead.
    #[error("process {0} does not answer")]
    Unreachable(usize),
    /// `MPI_ERR_INTERN`: the network interface or the kernel has refused a packet of the library.
    #[error("{0}")]
    Refused(&'static str),
    /// `MPI_ERR_OTHER`: the network interface has dropped a packet of an unknown message, which is lost.
    #[error("the network interface dropped a packet, and nobody knows whose")]
    Dropped,
    /// `MPI_ERR_INTERN`: communicator contexts or request numbers are exhausted.
    #[error("{0}")]
    Exhausted(&'static str),
    /// `MPI_ERR_DISP`.
    #[error("{0}")]
    Displacement(&'static str),
    /// `MPI_ERR_RMA_SYNC`.
    #[error("{0}")]
    RmaSync(&'static str),
    /// `MPI_ERR_RMA_CONFLICT`.
    #[error("{0}")]
    RmaConflict(&'static str),
    /// `MPI_ERR_RMA_RANGE`: offset from the base of the window, or address in a dynamic window.
    #[error("{bytes} bytes at {at:#x} are not in the window of the target")]
    RmaRange {
        /// First byte of the access.
        at: u64,
        /// Length of the access.
        bytes: u64,
    },
    /// `MPI_ERR_RMA_RANGE`: the target has exposed memory that it does not have.
    #[error("memory in the window of the target cannot be accessed")]
    RmaMemory,
    /// `MPI_ERR_RMA_ATTACH`.
    #[error("{0}")]
    RmaAttach(&'static str),
    /// `MPI_ERR_RMA_FLAVOR`.
    #[error("{0}")]
    RmaFlavor(&'static str),
    /// Error code returned by a user-defined operation.
    #[error("an operation of the program returned code {0}")]
    User(i32),
}

impl Error {
    /// Name of the error class. Codes of user-defined operations count as `MPI_ERR_OTHER`.
    pub fn class(&self) -> &'static str {
        match self {
            Error::Count(_) => "MPI_ERR_COUNT",
            Error::Type(_) => "MPI_ERR_TYPE",
            Error::Communicator(_) => "MPI_ERR_COMM",
            Error::Rank { .. } => "MPI_ERR_RANK",
            Error::Root { .. } | Error::NoRank => "MPI_ERR_ROOT",
            Error::Group(_) => "MPI_ERR_GROUP",
            Error::Operation(_) => "MPI_ERR_OP",
            Error::Topology => "MPI_ERR_TOPOLOGY",
            Error::Dimensions(_) => "MPI_ERR_DIMS",
            Error::Argument(_) => "MPI_ERR_ARG",
            Error::Buffer { .. } => "MPI_ERR_BUFFER",
            Error::Truncated { .. } => "MPI_ERR_TRUNCATE",
            Error::Request => "MPI_ERR_REQUEST",
            Error::Unreachable(_) => "MPI_ERR_PROC_FAILED",
            Error::Refused(_) | Error::Exhausted(_) => "MPI_ERR_INTERN",
            Error::Displacement(_) => "MPI_ERR_DISP",
            Error::RmaSync(_) => "MPI_ERR_RMA_SYNC",
            Error::RmaConflict(_) => "MPI_ERR_RMA_CONFLICT",
            Error::RmaRange { .. } | Error::RmaMemory => "MPI_ERR_RMA_RANGE",
            Error::RmaAttach(_) => "MPI_ERR_RMA_ATTACH",
            Error::RmaFlavor(_) => "MPI_ERR_RMA_FLAVOR",
            Error::Dropped | Error::User(_) => "MPI_ERR_OTHER",
        }
    }
}
