//! Objects of a rank, in tables by handle.

mod attribute;
mod communicator;
mod datatype;
mod file;
mod generalized;
mod handler;
mod handles;
mod operation;
mod plan;
mod request;
mod session;
mod shared_pointer;
mod tiling;
mod topology;
mod window;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicI32;
use std::sync::{LazyLock, Mutex, PoisonError};

pub use attribute::{Attributed, Attributes, Calls, Copied, Key, Owner};
pub use communicator::{Communicator, check_rank};
pub use datatype::{Type, TypeLabel, fault, name, predefined};
pub use file::{OpenFile, SplitCall, View};
pub use generalized::{Generalized, GeneralizedCalls};
pub use handler::{Handler, HandlerOwner};
pub use handles::{Handles, number, numbered};
pub use operation::{Combine, Operation, combine};
pub use plan::Plan;
pub use request::{
    Destination, Ending, Partitions, Persistent, Piece, Progress, Request, RequestKind, Starts, Transfer, Use,
};
pub use session::Session;
pub use shared_pointer::{SharedPointer, SharedPointerName};
pub use tiling::{Pieces, Tiling};
pub use topology::{DistributedGraph, Graph, Neighbours, Topology};
pub use window::{Window, WindowValues};

use rustix::thread::Pid;

use crate::fault::{Fault, Outcome};
use crate::types::*;

/// Phase of a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// Before `MPI_Init`.
    #[default]
    Before,
    /// Between `MPI_Init` and `MPI_Finalize`.
    Within,
    /// After `MPI_Finalize`.
    After,
}

/// State of a rank.
#[derive(Default)]
pub struct Objects {
    /// Phase of the rank.
    pub stage: Stage,
    /// Phase of `MPI_Init` and `MPI_Finalize`, which a program of sessions does not call.
    pub world: Stage,
    /// Thread level returned by `MPI_Init_thread`.
    pub threads: c_int,
    /// The thread that called `MPI_Init`.
    pub main_thread: Option<Pid>,
    /// Returned by `MPI_Get_processor_name`.
    pub processor: String,
    /// All communicators, including the predefined ones.
    pub communicators: Handles<MPI_Comm, Communicator>,
    /// Intercommunicator to the processes that started this one.
    pub parent: Option<MPI_Comm>,
    /// Attribute `MPI_APPNUM`.
    pub application: Option<&'static AtomicI32>,
    /// Attribute `MPI_UNIVERSE_SIZE`.
    pub universe: Option<&'static AtomicI32>,
    /// Groups by the numbers of their processes in the run.
    pub groups: Handles<MPI_Group, Vec<u32>>,
    /// Derived datatypes.
    pub datatypes: Handles<MPI_Datatype, Type>,
    /// Names and attributes of datatypes, predefined ones too.
    pub type_labels: BTreeMap<MPI_Datatype, TypeLabel>,
    /// Datatypes of `MPI_Type_create_f90_...` by combiner, precision and range.
    pub f90_datatypes: BTreeMap<(c_int, c_int, c_int), MPI_Datatype>,
    /// User-defined operations.
    pub operations: Handles<MPI_Op, Operation>,
    /// Active, inactive and completed requests that are not freed.
    pub requests: Handles<MPI_Request, Request>,
    /// Active requests that the program has freed: their data still has to reach its buffers.
    pub freed_requests: Vec<Request>,
    /// Messages reserved by matched probes: their numbers at the simulator.
    pub messages: Handles<MPI_Message, u32>,
    /// Info objects: keys with values in the order of insertion.
    pub infos: Handles<MPI_Info, Vec<(String, String)>>,
    /// Files that are open, each with its view and pointers.
    pub files: Handles<MPI_File, OpenFile>,
    /// User-defined error handlers.
    pub handlers: Handles<MPI_Errhandler, Handler>,
    /// Sessions that are not finalized.
    pub sessions: Handles<MPI_Session, Session>,
    /// Attribute keys of the program.
    pub keys: BTreeMap<c_int, Key>,
    /// Partitioned requests made so far by communicator, peer, tag and direction, which match in order.
    pub partitioned: BTreeMap<(MPI_Comm, c_int, c_int, bool), u32>,
    /// Windows that are not freed.
    pub windows: Handles<MPI_Win, Window>,
    /// Buffer of buffered sends: address and length in bytes.
    pub buffer: Option<(usize, usize)>,
}

impl Objects {
    /// Name and attributes of a datatype; an error if the handle is invalid.
    pub fn type_label(&mut self, handle: MPI_Datatype) -> Outcome<&mut TypeLabel> {
        if predefined(handle).is_none() {
            self.datatypes.get(handle)?;
        }
        Ok(self.type_labels.entry(handle).or_default())
    }

    /// Adds a request and counts the objects that it uses.
    pub fn add_request(&mut self, request: Request) -> MPI_Request {
        for used in &request.uses {
            match *used {
                Use::Communicator(handle) => self.communicators.hold(handle),
                Use::Datatype(handle) => self.datatypes.hold(handle),
                Use::Operation(handle) => self.operations.hold(handle),
            }
        }
        self.requests.add(request)
    }

    /// Ends the uses of a request that is over. Returns the numbers of communicators that no request uses any
    /// more and that the program has freed.
    pub fn release(&mut self, request: &Request) -> Vec<u32> {
        let mut unused = Vec::new();
        for used in &request.uses {
            match *used {
                Use::Communicator(handle) => {
                    unused.extend(self.communicators.release(handle).map(|freed| freed.number));
                }
                Use::Datatype(handle) => drop(self.datatypes.release(handle)),
                Use::Operation(handle) => drop(self.operations.release(handle)),
            }
        }
        unused
    }
}

static OBJECTS: LazyLock<Mutex<Objects>> = LazyLock::new(Mutex::default);

/// Accesses the objects. Neither the program nor the simulator is called meanwhile.
pub fn with<T>(does: impl FnOnce(&mut Objects) -> T) -> T {
    does(&mut OBJECTS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Accesses the objects between `MPI_Init` and `MPI_Finalize`; an error otherwise.
pub fn within<T>(does: impl FnOnce(&mut Objects) -> Outcome<T>) -> Outcome<T> {
    with(|objects| match objects.stage {
        Stage::Within => does(objects),
        Stage::Before => Err(Fault::new(MPI_ERR_OTHER, "MPI_Init was not called before")),
        Stage::After => Err(Fault::new(MPI_ERR_OTHER, "MPI_Finalize was called before")),
    })
}

/// Copy of a communicator's state; an error if the handle is invalid.
pub fn communicator(handle: MPI_Comm) -> Outcome<Communicator> {
    let found = within(|objects| objects.communicators.get(handle).cloned())?;
    match found.pending {
        false => Ok(found),
        true => Err(Fault::new(
            MPI_ERR_COMM,
            "the communicator is not made yet: wait for the request of MPI_Comm_idup",
        )),
    }
}

/// Copy of the state of a communicator with one group; an error for an intercommunicator.
pub fn intracommunicator(handle: MPI_Comm) -> Outcome<Communicator> {
    let found = communicator(handle)?;
    match found.is_inter() {
        false => Ok(found),
        true => Err(Fault::new(MPI_ERR_COMM, "the communicator is an intercommunicator").on(handle)),
    }
}

/// Copy of the state of a communicator that a request uses, freed by the program or not.
pub fn used_communicator(handle: MPI_Comm) -> Outcome<Communicator> {
    within(|objects| objects.communicators.used(handle).cloned())
}

/// Datatype of a handle; an error unless it is committed.
pub fn datatype(handle: MPI_Datatype) -> Outcome<Type> {
    let found = any_datatype(handle)?;
    if !found.committed {
        return Err(Fault::new(MPI_ERR_TYPE, "the datatype was not committed"));
    }
    Ok(found)
}

/// Datatype of a handle that a reduction uses, freed by the program or not.
pub fn used_datatype(handle: MPI_Datatype) -> Outcome<Type> {
    match predefined(handle) {
        Some(found) => Ok(found),
        None => within(|objects| objects.datatypes.used(handle).cloned()),
    }
}

/// Datatype of a handle, committed or not.
pub fn any_datatype(handle: MPI_Datatype) -> Outcome<Type> {
    match predefined(handle) {
        Some(found) => Ok(found),
        None => within(|objects| objects.datatypes.get(handle).cloned()),
    }
}
