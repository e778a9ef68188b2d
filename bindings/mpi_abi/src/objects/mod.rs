//! What handles stand for: everything that a rank has made, in tables by handle.

mod communicator;
mod datatype;
mod handles;
mod request;

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

pub use communicator::{Cartesian, Communicator};
pub use datatype::{Type, fault, name, predefined};
pub use handles::{Handles, number, numbered};
pub use request::{Landing, Persistent, Piece, Progress, Request, Starts};

use crate::calls::attribute::Calls;
use crate::fault::{Fault, Outcome};
use crate::types::*;

/// A function of the program that combines elements.
#[derive(Clone, Copy)]
pub enum Combine {
    /// With counts of 32 bits.
    Small(MPI_User_function),
    /// With counts of 64 bits.
    Large(MPI_User_function_c),
}

/// An operation of the program.
#[derive(Clone, Copy)]
pub struct Operation {
    /// Its function.
    pub combine: Combine,
    /// Operands may change their places.
    pub commutative: bool,
}

/// A key of attributes.
#[derive(Clone, Copy)]
pub struct Key {
    /// Called when a communicator is duplicated.
    pub copy: usize,
    /// Called when an attribute goes.
    pub delete: usize,
    /// What both are given.
    pub extra: usize,
    /// How they are called.
    pub calls: &'static Calls,
}

/// Where a rank is in its life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// `MPI_Init` was not called.
    #[default]
    Before,
    /// Between the two.
    Within,
    /// `MPI_Finalize` was called.
    After,
}

/// All of a rank.
#[derive(Default)]
pub struct Objects {
    /// Where it is in its life.
    pub stage: Stage,
    /// Threads that may call, as `MPI_Init_thread` answered.
    pub threads: c_int,
    /// Name of its processor.
    pub processor: String,
    /// Communicators.
    pub communicators: Handles<MPI_Comm, Communicator>,
    /// Groups: ranks of processes in the world.
    pub groups: Handles<MPI_Group, Vec<u32>>,
    /// Datatypes that the program made.
    pub datatypes: Handles<MPI_Datatype, Type>,
    /// Operations that it made.
    pub operations: Handles<MPI_Op, Operation>,
    /// Requests.
    pub requests: Handles<MPI_Request, Request>,
    /// Messages that were found and are kept: their numbers.
    pub messages: Handles<MPI_Message, u32>,
    /// Hints.
    pub infos: Handles<MPI_Info, Vec<(String, String)>>,
    /// Error handlers that the program made.
    pub handlers: Handles<MPI_Errhandler, MPI_Comm_errhandler_function>,
    /// Keys of attributes.
    pub keys: BTreeMap<c_int, Key>,
    /// The buffer of buffered sends: address and bytes.
    pub buffer: Option<(usize, usize)>,
}

static OBJECTS: LazyLock<Mutex<Objects>> = LazyLock::new(Mutex::default);

/// Looks at the tables, or changes them. Nothing of the program is called meanwhile, nor the simulator.
pub fn with<T>(does: impl FnOnce(&mut Objects) -> T) -> T {
    does(&mut OBJECTS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The same between `MPI_Init` and `MPI_Finalize`.
pub fn within<T>(does: impl FnOnce(&mut Objects) -> Outcome<T>) -> Outcome<T> {
    with(|objects| match objects.stage {
        Stage::Within => does(objects),
        Stage::Before => Err(Fault::new(MPI_ERR_OTHER, "MPI_Init was not called before")),
        Stage::After => Err(Fault::new(MPI_ERR_OTHER, "MPI_Finalize was called before")),
    })
}

/// What a communicator is.
pub fn communicator(handle: MPI_Comm) -> Outcome<Communicator> {
    within(|objects| objects.communicators.get(handle).cloned())
}

/// What a datatype is, ready to be used in messages.
pub fn datatype(handle: MPI_Datatype) -> Outcome<Type> {
    let found = any_datatype(handle)?;
    if !found.committed {
        return Err(Fault::new(MPI_ERR_TYPE, "the datatype was not committed"));
    }
    Ok(found)
}

/// What a datatype is, committed or not.
pub fn any_datatype(handle: MPI_Datatype) -> Outcome<Type> {
    match predefined(handle) {
        Some(found) => Ok(found),
        None => within(|objects| objects.datatypes.get(handle).cloned()),
    }
}
