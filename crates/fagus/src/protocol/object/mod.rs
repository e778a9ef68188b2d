//! A shared object: data, and the synchronisation variable that it belongs to.
//!
//! The owner has the latest data, others have copies, and who writes becomes the owner (sections 3 and 5.2). Requests go to the object's home, which
//! orders them. The home asks the owner to supply a copy, or to hand the object over; before that the owner invalidates all copies.
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

/// What nodes tell each other about an object. `request` is a number of the node that asked, `version` one of the object: each write that
/// takes the object over makes a new one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Message<D> {
    /// To home: a copy is wanted.
    Read {
        /// Number of the request.
        request: u32,
    },
    /// To home: ownership is wanted.
    Write {
        /// Number of the request.
        request: u32,
        /// Version of the copy that the writer has.
        has: Option<u32>,
    },
    /// To home: what was asked for has come.
    Done {
        /// Number of the request.
        request: u32,
    },
    /// Home to owner: send a copy of this version.
    Supply {
        /// Who wants it.
        to: u16,
        /// Its request.
        request: u32,
        /// Version that the owner has.
        version: u32,
    },
    /// Home to owner: hand the object over.
    HandOver {
        /// To whom.
        to: u16,
        /// Its request.
        request: u32,
        /// Version that it will write.
        version: u32,
        /// Version of the copy that it has.
        has: Option<u32>,
    },
    /// Owner to reader: a copy. Request 0 if nobody asked: it is pushed.
    Data {
        /// The request that it answers.
        request: u32,
        /// Version of the data.
        version: u32,
        /// The data.
        data: D,
    },
    /// Owner to writer: you are the owner.
    Grant {
        /// The request that it answers.
        request: u32,
        /// Version that begins.
        version: u32,
        /// The data, unless the writer has the same.
        data: Option<D>,
    },
    /// Owner to copies: your copy is not the latest any more.
    Invalidate {
        /// The writer's request.
        request: u32,
        /// Version that begins.
        version: u32,
    },
    /// Copy to owner: so it is.
    Invalidated {
        /// The writer's request.
        request: u32,
        /// Version that begins.
        version: u32,
    },
}

impl<D> Message<D> {
    /// Whether it is to a home, not to a node with data.
    pub fn is_to_home(&self) -> bool {
        matches!(self, Message::Read { .. } | Message::Write { .. } | Message::Done { .. })
    }

    /// Its name.
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
