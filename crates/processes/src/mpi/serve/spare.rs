//! Spare hosts: they wait for orders to start processes.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use mpi::{Communicator, Error, Source, Tag};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use super::{Server, world_error};
use crate::mpi::run::{MpiFailure, Run};
use crate::mpi::services::HOST_TAG;
use crate::process::Program;
use crate::{decode, encode};

/// Order to start a process on a spare host; an empty message dismisses the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StartOrder {
    /// The program and its arguments.
    pub words: Vec<ByteBuf>,
    /// Its working directory; `None` for that of the first program of the run.
    pub folder: Option<ByteBuf>,
    /// Processes of the new world, this one included.
    pub world: Vec<u32>,
    /// Process that gives the order.
    pub parent: u32,
    /// Tag of the intercommunicator between the processes that start others and the new world.
    pub tag: u32,
    /// Number of the program among those started together.
    pub application: u32,
}

impl StartOrder {
    /// The ordered program in the environment of another one.
    pub fn program(&self, other: &Program) -> Program {
        let text = |bytes: &ByteBuf| OsString::from_vec(bytes.to_vec());
        let mut words: Vec<_> = self.words.iter().map(text).collect();
        let folder = self.folder.as_ref().map(|folder| text(folder).into());
        // A program is found from the folder of the simulator. The order itself, a message, does not depend on it.
        if let Some(file) = words.first_mut().filter(|_| folder.is_some()) {
            *file = std::path::absolute(&*file).map_or_else(|_| file.clone(), PathBuf::into_os_string);
        }
        Program { words, folder: folder.or_else(|| other.folder.clone()), ..other.clone() }
    }
}

/// Longest order in bytes.
const MOST_ORDER: usize = 1 << 20;

/// Starts processes, one after the other, until the host is dismissed.
pub(super) async fn serve_spare(all: &Communicator, run: &Run) -> Result<(), MpiFailure> {
    let (rank, universe) = (all.rank(), all.universe());
    loop {
        run.set_spare(rank);
        let order = universe.receive(Source::Any, Tag::Is(HOST_TAG), MOST_ORDER).await;
        let order = order.map_err(|error| world_error(rank, &error))?;
        // Only this library sends orders.
        let Ok(order) = decode::<StartOrder>(&order.bytes) else { return Ok(()) };
        run.start_rank(rank);
        let world: Vec<_> = order.world.iter().map(|process| *process as usize).collect();
        Server::start_and_serve(all, run.clone(), Some(order), &world).await?;
        if run.services().is_over() {
            return Ok(());
        }
    }
}

/// Gives an order to a spare host.
pub(super) async fn order(universe: &Communicator, host: usize, order: &StartOrder) -> Result<(), Error> {
    let order = encode(order);
    match order.len() <= MOST_ORDER {
        true => universe.send(host, HOST_TAG, &order).await,
        false => Err(Error::Count(order.len())),
    }
}

/// Dismisses all spare hosts but this one, when the last process of the run has ended.
pub(super) async fn dismiss(universe: &Communicator, run: &Run) -> Result<(), Error> {
    let spare: Vec<_> = run.services().spare().filter(|host| *host != universe.rank()).collect();
    for host in spare {
        universe.send(host, HOST_TAG, &[]).await?;
    }
    universe.drain().await;
    Ok(())
}
