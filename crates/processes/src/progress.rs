//! Processes by interface and number, and how far they have come.

use std::fmt;

/// Names of an interface in error texts, and the environment variables of its processes.
#[derive(Debug, PartialEq, Eq)]
pub struct Interface {
    /// Name of the interface: `MPI`.
    pub name: &'static str,
    /// Words before the number of a process: `rank`, `the program of host`.
    pub process: &'static str,
    /// Environment variable with the number of the slot's descriptor.
    pub slot_variable: &'static str,
    /// Environment variable with the number of the process, for scripts between launcher and program.
    pub number_variable: &'static str,
}

/// A process of a run: a rank of MPI, or the program of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessId {
    /// The interface that its program uses.
    pub interface: &'static Interface,
    /// From 0 on; the same in each run.
    pub number: usize,
}

impl fmt::Display for ProcessId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.interface.process, self.number)
    }
}

/// The last call of a process before it ended or was interrupted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The rank, or the host of the program.
    pub process: ProcessId,
    /// The function of the interface that it called last; empty before the first call.
    pub function: String,
    /// Calls that it has made.
    pub calls: u64,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.calls {
            0 => write!(f, "before its first call of {}", self.process.interface.name),
            calls => write!(f, "after {}, its call {calls}", self.function),
        }
    }
}
