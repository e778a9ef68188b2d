//! A shared object: data with its synchronization variable.
//!
//! The owner has the current data, other nodes may have copies, and a writer becomes the owner (sections 3
//! and 5.2). Requests go to the home of the object, which orders them. The home asks the owner to supply a
//! copy or to hand the object over; before a hand-over the owner invalidates all copies.
//!
//! ```text
//! reader             home              owner            writer            home             owner           a copy
//!   |-- Read ---------->|                 |                |-- Write -------->|                |               |
//!   |                   |-- Supply ------>|                |                  |-- HandOver --->|               |
//!   |<----------------- Data -------------|                |                  |                |- Invalidate ->|
//!   |-- Done ---------->|                 |                |                  |                |<- Invalidated-|
//!                                                          |<---------------- Grant -----------|
//!                                                          |-- Done --------->|
//! ```

mod home;
mod input;
mod replica;

use serde::{Deserialize, Serialize};

pub use home::Home;
pub use input::{Guards, Input, Output};
pub use replica::Replica;

/// Messages of objects. `request` is a number of the requesting node. `version` is that of the object; each
/// change of ownership creates a new one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Message<D> {
    /// To home: request of a copy.
    Read {
        /// Number of the request.
        request: u32,
    },
    /// To home: request of ownership.
    Write {
        /// Number of the request.
        request: u32,
        /// Version of the writer's copy, if it has one.
        has: Option<u32>,
    },
    /// To home: the requested copy or ownership has arrived.
    Done {
        /// Number of the request.
        request: u32,
    },
    /// Home to owner: send a copy of this version.
    Supply {
        /// Node that requested the copy.
        to: u16,
        /// Number of its request.
        request: u32,
        /// Version at the owner.
        version: u32,
    },
    /// Home to owner: hand the object over.
    HandOver {
        /// Node that becomes the owner.
        to: u16,
        /// Number of its request.
        request: u32,
        /// Version that it will write.
        version: u32,
        /// Version of its copy, if it has one.
        has: Option<u32>,
    },
    /// Owner to reader: a copy. Request 0 marks a pushed copy.
    Data {
        /// Request that is answered.
        request: u32,
        /// Version of the data.
        version: u32,
        /// The object's data.
        data: D,
    },
    /// Owner to writer: ownership.
    Grant {
        /// Request that is answered.
        request: u32,
        /// New version.
        version: u32,
        /// Data, unless the writer's copy is current.
        data: Option<D>,
    },
    /// Owner to copies: the copy is out of date.
    Invalidate {
        /// Request of the writer.
        request: u32,
        /// New version.
        version: u32,
    },
    /// Copy to owner: the copy is invalidated.
    Invalidated {
        /// Request of the writer.
        request: u32,
        /// New version.
        version: u32,
    },
}

impl<D> Message<D> {
    /// Whether the receiver is the home.
    pub fn is_to_home(&self) -> bool {
        matches!(self, Message::Read { .. } | Message::Write { .. } | Message::Done { .. })
    }

    /// Name in traces, such as `HAND-OVER`.
    pub fn name(&self) -> &'static str {
        match self {
            Message::Read { .. } => "READ",
            Message::Write { .. } => "WRITE",
            Message::Done { .. } => "DONE",
            Message::Supply { .. } => "SUPPLY",
            Message::HandOver { .. } => "HAND-OVER",
            Message::Data { request: 0, .. } => "PUSH",
            Message::Data { .. } => "DATA",
            Message::Grant { .. } => "GRANT",
            Message::Invalidate { .. } => "INV",
            Message::Invalidated { .. } => "INV-ACK",
        }
    }
}
