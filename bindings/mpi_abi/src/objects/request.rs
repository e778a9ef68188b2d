//! Requests, and the destinations of the data that they receive.

use std::sync::Arc;

use processes::mpi::call::{CompletedRequest, Place};

use super::{Generalized, Plan, Type};
use crate::arguments::Memory;
use crate::calls::duplicate;
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
    /// A communicator that gets its number (`MPI_Comm_idup`).
    Duplicate(MPI_Comm),
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

    /// Where the simulator can put the data, if it is long.
    pub fn place(&self) -> Option<Place> {
        match self {
            Destination::Pieces(pieces) => match &pieces[..] {
                [Piece { memory, count, datatype }] => datatype.long(*memory, *count).map(Place::At),
                _ => None,
            },
            Destination::InPlace => Some(Place::Nowhere),
            Destination::Duplicate(_) => None,
        }
    }

    /// Unpacks the data. The last part may be shorter than its buffer.
    pub fn put(&self, mut bytes: &[u8]) -> Outcome {
        let pieces = match self {
            Destination::Pieces(pieces) => pieces,
            Destination::InPlace => return Ok(()),
            Destination::Duplicate(handle) => return duplicate::complete(*handle, bytes),
        };
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
    /// Not complete before a further call of the program, as `MPI_Grequest_complete`.
    Held,
    /// Pending at the simulator under this number.
    Active(u32),
    /// Complete; received data is not yet in the buffer of the program.
    Over(CompletedRequest),
    /// Complete, with all data in the buffer of the program.
    Placed(Box<Ending>),
}

/// Result of a complete request.
#[derive(Clone, Debug)]
pub struct Ending {
    /// Status of the message; empty unless the request is a receive.
    pub status: MPI_Status,
    /// Error of the call.
    pub outcome: Outcome,
}

/// An object that a request uses. Freed by the program, it lives until the request is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Communicator of the call.
    Communicator(MPI_Comm),
    /// Datatype of a reduction by the program.
    Datatype(MPI_Datatype),
    /// Operation of the program.
    Operation(MPI_Op),
}

/// Kind of call of a request.
#[derive(Clone, Copy, Debug)]
pub enum RequestKind {
    /// A send; its status is empty.
    Send,
    /// A receive; its status describes the message.
    Receive,
    /// A collective call; its status is empty.
    Collective,
    /// A partitioned receive with this tag.
    Partitioned {
        /// Tag of the program.
        tag: c_int,
    },
    /// An operation of the program, which sets the status.
    Generalized(Generalized),
}

/// A non-blocking or persistent call.
#[derive(Clone, Debug)]
pub struct Request {
    /// Whether the request is inactive, pending or complete.
    pub progress: Progress,
    /// Destination of the received data.
    pub destination: Destination,
    /// Kind of the call.
    pub kind: RequestKind,
    /// Arguments of a persistent request.
    pub persistent: Option<Persistent>,
    /// Communicator whose error handler is called.
    pub on: MPI_Comm,
    /// Objects in use until the request is removed.
    pub uses: Vec<Use>,
}

impl Request {
    /// Calls the free callback of a generalized request; others have none.
    pub fn free_callback(&self) -> Outcome {
        match &self.kind {
            RequestKind::Generalized(own) => own.free(),
            _ => Ok(()),
        }
    }

    /// An active or completed request that is not persistent.
    pub fn begun(progress: Progress, destination: Destination, kind: RequestKind, on: MPI_Comm) -> Self {
        Request { progress, destination, kind, persistent: None, on, uses: vec![Use::Communicator(on)] }
    }
}

/// Arguments of a persistent request.
#[derive(Clone, Debug)]
pub enum Persistent {
    /// A send or receive.
    Transfer(Transfer),
    /// A collective call.
    Collective {
        /// Communicator of the call.
        on: MPI_Comm,
        /// Duplicate of the communicator for this call alone.
        within: MPI_Comm,
        /// The call with its buffers.
        plan: Arc<Plan>,
    },
    /// A partitioned send or receive.
    Partitioned(Transfer, Partitions),
}

/// Partitions of a send or receive.
#[derive(Clone, Debug)]
pub struct Partitions {
    /// Whether the program has marked each partition of a send as ready since the start.
    pub ready: Vec<bool>,
    /// Tag on the wire, which no other message has.
    pub channel: u32,
}

/// Arguments of a persistent send or receive.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// Buffer address.
    pub memory: Memory,
    /// Number of elements.
    pub count: usize,
    /// Datatype of the elements; the program may free its handle.
    pub datatype: Type,
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
