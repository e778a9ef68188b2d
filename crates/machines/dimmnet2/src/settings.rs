//! Settings of a cluster.

use mpi::LibraryCost;
use mpi::carrier::OneSided;

use crate::host::cost::Costs;

/// Settings of a cluster before its boards are switched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Frames that a fault hits are sent again; otherwise boards see the remains of a frame.
    pub retransmission: bool,
    /// A subnet manager has assigned LIDs; otherwise no link is usable until a [sweep](crate::sweep).
    pub subnet: bool,
    /// Path of one-sided accesses of MPI.
    pub one_sided: OneSided,
    /// Cost of the steps of the MPI library.
    pub library: LibraryCost,
    /// Costs of the hosts' accesses.
    pub costs: Costs,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            retransmission: true,
            subnet: true,
            one_sided: OneSided::default(),
            library: LibraryCost::default(),
            costs: Costs::PUBLISHED,
        }
    }
}

impl Settings {
    /// No frame is sent again, and no CRC is checked.
    pub fn without_retransmission() -> Self {
        Settings { retransmission: false, ..Settings::default() }
    }
}
