//! Requests, and the destinations of the data that they receive.

use processes::mpi::call::CompletedRequest;

use super::Type;
use crate::arguments::Memory;
use crate::fault::{Fault, Outcome};
use crate::types::*;

/// A contiguous part of received data, and where to unpack it.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Buffer address.
    pub memory: Memory,
    /// Number of elements.
    pub count: usize,
    /// Datatype of the elements.
    pub datatype: Type,
}

/// Destination of the data that a call receives.
#[derive(Clone, Debug)]
pub enum Destination {
    /// Buffers for consecutive parts of the data.
    Pieces(Vec<Piece>),
    /// The data is already in place (`MPI_IN_PLACE`) and the received copy is dropped.
    InPlace,
}

impl Default for Destination {
    fn default() -> Self {
        Destination::Pieces(Vec::new())
    }
}

impl Destination {
    /// A single buffer.
    pub fn one(memory: Memory, count: usize, datatype: &Type) -> Self {
        Destination::Pieces(vec![Piece { memory, count, datatype: datatype.clone() }])
    }

    /// Unpacks the data. The last part may be shorter than its buffer.
    pub fn put(&self, mut bytes: &[u8]) -> Outcome {
        let Destination::Pieces(pieces) = self else { return Ok(()) };
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

/// State of a request.
#[derive(Clone, Debug)]
pub enum Progress {
    /// A persistent request that is not started.
    Inactive,
    /// Pending at the simulator under this number.
    Active(u32),
    /// Complete.
    Over(CompletedRequest),
}

/// A non-blocking or persistent call.
#[derive(Clone, Debug)]
pub struct Request {
    /// Whether the request is inactive, pending or complete.
    pub progress: Progress,
    /// Destination of the received data.
    pub destination: Destination,
    /// Whether the request is a receive, whose status describes a message.
    pub receives: bool,
    /// Arguments of a persistent request.
    pub persistent: Option<Persistent>,
    /// Communicator whose error handler is called.
    pub on: MPI_Comm,
}

impl Request {
    /// An active or completed request that is not persistent.
    pub fn begun(progress: Progress, destination: Destination, receives: bool, on: MPI_Comm) -> Self {
        Request { progress, destination, receives, persistent: None, on }
    }
}

/// Arguments of a persistent request.
#[derive(Clone, Debug)]
pub struct Persistent {
    /// Buffer address.
    pub memory: Memory,
    /// Number of elements.
    pub count: usize,
    /// Datatype of the elements.
    pub datatype: MPI_Datatype,
    /// Rank of the peer.
    pub peer: c_int,
    /// Tag, or `MPI_ANY_TAG` for a receive.
    pub tag: c_int,
    /// Communicator of the transfer.
    pub on: MPI_Comm,
    /// Kind of transfer.
    pub starts: Starts,
}

/// Kind of transfer that a persistent request starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// `MPI_Send_init` and its variants by mode.
    Send(processes::mpi::call::SendMode),
    /// `MPI_Recv_init`.
    Receive,
}
