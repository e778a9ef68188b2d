//! Files (MPI 5.0, chapter 14): each rank reads and writes the files of the host in its own process.
//!
//! Data takes no virtual time. Collective calls synchronize over a duplicate of the communicator that opened
//! the file. An access is finished when its call returns, so the request of a non-blocking one is complete.

pub mod access;
mod collective;
pub mod consistency;
mod host;
pub mod manage;
pub mod open;
mod ordered;
pub mod position;
pub mod representation;
mod transfer;
pub mod view;

use crate::fault::Outcome;
use crate::objects::{OpenFile, within};
use crate::types::*;

/// Runs a function on an open file, whose error handler gets the faults. Those of invalid handles belong to
/// `MPI_FILE_NULL`.
fn on_file<T>(fh: MPI_File, does: impl FnOnce(OpenFile) -> Outcome<T>) -> Outcome<T> {
    let file = within(|objects| objects.files.get(fh).cloned()).map_err(|fault| fault.on(MPI_FILE_NULL))?;
    does(file).map_err(|fault| fault.on(fh))
}

/// Changes the state of an open file.
fn change(fh: MPI_File, change: impl FnOnce(&mut OpenFile)) -> Outcome {
    within(|objects| objects.files.get_mut(fh).map(change))
}
