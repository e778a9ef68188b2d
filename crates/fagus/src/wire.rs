//! Messages of nodes as bytes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::block::Block;
use crate::protocol::{barrier, lock, object};
use crate::watch::Report;

/// All that nodes tell each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Message {
    /// About an object, by its number.
    Object(u32, object::Message<Data>),
    /// About a lock, by its number.
    Lock(u32, lock::Message),
    /// About a barrier.
    Barrier(barrier::Message),
    /// Are you there? That it is acknowledged is the answer.
    Ping,
    /// To node 0: what a program waits for.
    Report(Report),
    /// From node 0: nodes wait for each other, in words.
    Cycle(String),
    /// A node does not answer, and what was lost with it as far as the sender knows.
    Dead(u16, Vec<String>),
}

/// Data of an object. Clones are the same data.
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
    /// As bytes.
    pub fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("memory takes all bytes")
    }

    /// Out of bytes, of which none is left over.
    pub fn decode(bytes: &[u8]) -> Option<Message> {
        postcard::take_from_bytes(bytes).ok().filter(|(_, rest)| rest.is_empty()).map(|(message, _)| message)
    }
}
