//! Message buffers. A buffer is memory that host and NIC share, so their number is limited.
//!
//! A program holds a buffer or has given it away, never both: sending and putting back consume it.

use std::ops::{Deref, DerefMut};

use cluster::NodeId;

use crate::channel::Channel;

/// A send buffer: the message is built in place, then sent.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a send buffer that is not sent is lost to its channel"]
pub struct SendBuffer {
    /// Channel to whose send area it belongs.
    pub channel: Channel,
    /// Place in the send buffer.
    pub slot: u16,
    bytes: Vec<u8>,
}

impl SendBuffer {
    /// A buffer of an endpoint, filled with zeros.
    pub fn new(channel: Channel, slot: u16, size: usize) -> Self {
        Self { channel, slot, bytes: vec![0; size] }
    }
}

impl Deref for SendBuffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl DerefMut for SendBuffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

/// A received message, in its receive buffer until the buffer is put back.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a receive buffer that is not put back is lost to its channel"]
pub struct Received {
    /// Channel of the message.
    pub channel: Channel,
    /// Place in the receive buffer.
    pub slot: u16,
    /// Sending node.
    pub sender: NodeId,
    bytes: Vec<u8>,
}

impl Received {
    /// A message of an endpoint.
    pub fn new(channel: Channel, slot: u16, sender: NodeId, bytes: Vec<u8>) -> Self {
        Self { channel, slot, sender, bytes }
    }
}

impl Deref for Received {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}
