//! Encoding of messages between nodes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::block::Block;
use crate::protocol::{barrier, lock, object};
use crate::watch::Report;

/// A message between nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Message {
    /// Message of an object, by its number.
    Object(u32, object::Message<Data>),
    /// Message of a lock, by its number.
    Lock(u32, lock::Message),
    /// Arrival at a barrier, or its completion.
    Barrier(barrier::Message),
    /// Liveness probe, answered by its acknowledgement.
    Ping,
    /// To node 0: report of a waiting node.
    Report(Report),
    /// From node 0: description of a deadlock.
    Cycle(String),
    /// A dead node, and the names of the objects lost with it as far as the sender knows.
    Dead(u16, Vec<String>),
}

/// Data of an object. Clones share the data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Data(pub Arc<Block>);

impl Serialize for Data {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Data(Arc::new(Block::deserialize(deserializer)?)))
    }
}

impl Message {
    /// Encodes the message with postcard.
    pub fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("memory takes all bytes")
    }

    /// Decodes a message; `None` if bytes are invalid or left over.
    pub fn decode(bytes: &[u8]) -> Option<Message> {
        postcard::take_from_bytes(bytes).ok().filter(|(_, rest)| rest.is_empty()).map(|(message, _)| message)
    }
}
