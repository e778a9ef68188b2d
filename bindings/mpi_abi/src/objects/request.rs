//! Requests, and where what they bring is to go.

use processes::mpi::call::CompletedRequest;

use super::Type;
use crate::arguments::Memory;
use crate::fault::{Fault, Outcome};
use crate::types::*;

/// A part of what a call brings, and its place.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Where.
    pub memory: Memory,
    /// So many.
    pub count: usize,
    /// Of these.
    pub datatype: Type,
}

/// Where what a call brings is to go, piece by piece.
#[derive(Clone, Debug)]
pub enum Landing {
    /// There.
    Pieces(Vec<Piece>),
    /// It is there already, and what comes of it is dropped.
    InPlace,
}

impl Default for Landing {
    fn default() -> Self {
        Landing::Pieces(Vec::new())
    }
}

impl Landing {
    /// One piece.
    pub fn one(memory: Memory, count: usize, datatype: &Type) -> Self {
        Landing::Pieces(vec![Piece { memory, count, datatype: datatype.clone() }])
    }

    /// Puts bytes where they belong. The last one may be shorter than its piece.
    pub fn put(&self, mut bytes: &[u8]) -> Outcome {
        let Landing::Pieces(pieces) = self else { return Ok(()) };
        for Piece { memory, count, datatype } in pieces {
            let (own, rest) = bytes.split_at(bytes.len().min(datatype.bytes(*count)?));
            datatype.unpack(*memory, *count, own)?;
            bytes = rest;
        }
        if bytes.is_empty() {
            Ok(())
        } else {
            Err(Fault::new(
                MPI_ERR_TRUNCATE,
                format!("{} bytes came for which there is no room", bytes.len()),
            ))
        }
    }
}

/// How far a request is.
#[derive(Clone, Debug)]
pub enum Progress {
    /// A persistent one that was not started.
    Inactive,
    /// The simulator has it under this number.
    Active(u32),
    /// It has ended.
    Over(CompletedRequest),
}

/// A call that ends later.
#[derive(Clone, Debug)]
pub struct Request {
    /// How far it is.
    pub progress: Progress,
    /// Where what it brings is to go.
    pub landing: Landing,
    /// It is a receive, and so its status tells of a message.
    pub receives: bool,
    /// Of persistent ones: what starts it.
    pub persistent: Option<Persistent>,
    /// The communicator that is told of errors.
    pub on: MPI_Comm,
}

/// What starts a persistent request.
#[derive(Clone, Debug)]
pub struct Persistent {
    /// Buffer.
    pub memory: Memory,
    /// So many.
    pub count: usize,
    /// Of these.
    pub datatype: MPI_Datatype,
    /// Rank of the other side.
    pub peer: c_int,
    /// Tag.
    pub tag: c_int,
    /// Communicator.
    pub on: MPI_Comm,
    /// What it is.
    pub starts: Starts,
}

/// What a persistent request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// A send.
    Send(processes::mpi::call::SendMode),
    /// A receive.
    Receive,
}
