//! Communicators of a rank.

use processes::mpi::call::CommunicatorInfo;

use super::{Attributes, Topology};
use crate::fault::{Fault, Outcome};
use crate::types::*;

/// A communicator with the state that the program can query.
#[derive(Clone, Debug)]
pub struct Communicator {
    /// Number of the communicator at the simulator.
    pub number: u32,
    /// Processes in the order of ranks, by their ranks in `MPI_COMM_WORLD`; of an intercommunicator those of
    /// the local group.
    pub processes: Vec<u32>,
    /// The same of the remote group of an intercommunicator.
    pub remote: Option<Vec<u32>>,
    /// Rank of this process.
    pub rank: usize,
    /// Virtual topology, if the communicator has one.
    pub topology: Option<Topology>,
    /// Set by `MPI_Comm_set_name`; at most `MPI_MAX_OBJECT_NAME` bytes are returned.
    pub name: String,
    /// Error handler, inherited by derived communicators.
    pub handler: MPI_Errhandler,
    /// Attributes in the order in which they were set.
    pub attributes: Attributes,
    /// Hints in use: keys and values.
    pub hints: Vec<(String, String)>,
    /// Buffer of buffered sends: address and length in bytes.
    pub buffer: Option<(usize, usize)>,
    /// Session that the communicator was derived from; none of those of `MPI_Init`.
    pub session: Option<MPI_Session>,
    /// The request of `MPI_Comm_idup` that makes the communicator is not complete, so it has no number yet.
    pub pending: bool,
}

impl Communicator {
    /// A communicator created by the simulator; this process has rank `own` in `MPI_COMM_WORLD`.
    pub fn new(world: CommunicatorInfo, own: u32, handler: MPI_Errhandler) -> Outcome<Self> {
        let CommunicatorInfo { number, processes, remote } = world;
        let rank = processes.iter().position(|process| *process == own);
        let rank =
            rank.ok_or_else(|| Fault::new(MPI_ERR_INTERN, "the simulator made a communicator of others"))?;
        Ok(Communicator {
            number,
            processes,
            remote,
            rank,
            topology: None,
            name: String::new(),
            handler,
            attributes: Attributes::default(),
            hints: Vec::new(),
            buffer: None,
            session: None,
            pending: false,
        })
    }

    /// Number of ranks of the local group.
    pub fn size(&self) -> usize {
        self.processes.len()
    }

    /// Whether there are two groups.
    pub fn is_inter(&self) -> bool {
        self.remote.is_some()
    }

    /// Processes to which ranks of messages and roots refer: the remote group of an intercommunicator.
    pub fn peers(&self) -> &[u32] {
        self.remote.as_ref().unwrap_or(&self.processes)
    }

    /// Rank of this process in `MPI_COMM_WORLD`.
    pub fn own(&self) -> u32 {
        self.processes[self.rank]
    }

    /// Checks that a rank of a peer is valid; otherwise an error of the given class.
    pub fn check(&self, rank: c_int, class: c_int) -> Outcome<u32> {
        check_rank(rank, self.peers().len(), class)
    }
}

/// Checks a rank among `size` ranks; otherwise an error of the given class.
pub fn check_rank(rank: c_int, size: usize, class: c_int) -> Outcome<u32> {
    match u32::try_from(rank) {
        Ok(found) if (found as usize) < size => Ok(found),
        _ => Err(Fault::new(class, format!("there is no rank {rank} among {size}"))),
    }
}
