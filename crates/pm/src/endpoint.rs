//! The calls of PM as a trait.

use std::future::Future;

use cluster::NodeId;

use crate::buffer::{Received, SendBuffer};
use crate::channel::Channel;

/// Why a channel cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// A program has the channel open.
    #[error("the channel is open")]
    IsOpen,
}

/// Why no send buffer is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GetSendBufferError {
    /// The channel was not opened.
    #[error("the channel is not open")]
    NotOpen,
    /// The message is longer than a frame; splitting is left to the layer above.
    #[error("a message has at most {most} bytes")]
    TooLong {
        /// Bytes of the longest message.
        most: usize,
    },
    /// The message is empty, and the NIC moves messages by DMA.
    #[error("a message has at least one byte")]
    Empty,
    /// All buffers hold unacknowledged messages; try again later.
    #[error("all send buffers are in use")]
    NoneFree,
}

/// Why a message is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The channel was closed in the meantime.
    #[error("the channel is not open")]
    NotOpen,
    /// There is no such node.
    #[error("there is no node {0}")]
    NoSuchNode(u16),
    /// The node has not answered often enough, and its messages are given up.
    #[error("node {0} does not answer")]
    PeerDead(u16),
    /// The message is too long.
    #[error("a message has at most {most} bytes")]
    TooLong {
        /// Bytes of the longest message.
        most: usize,
    },
    /// The message is empty, which not all NICs can send.
    #[error("a message has at least one byte")]
    Empty,
}

/// A node as a user process sees it.
///
/// No call blocks: a call costs time where it does in the paper, and then returns. A program that has to wait repeats
/// its call after a [`pause`](Endpoint::pause); [`send`](Endpoint::send) and [`next`](Endpoint::next) do so.
pub trait Endpoint {
    /// Number of this node.
    fn node(&self) -> NodeId;

    /// Bytes of the longest message.
    fn most_bytes(&self) -> usize;

    /// Opens a channel for a session, whose number is the same on all participating nodes. The next session of a
    /// channel has another number and begins when all nodes have closed the one before; frames still in flight then are
    /// dropped (decision 0027).
    fn open(&mut self, channel: Channel, session: u16) -> impl Future<Output = Result<(), OpenError>>;

    /// Closes a channel. Messages that were not received, or not acknowledged, are given up.
    fn close(&mut self, channel: Channel) -> impl Future<Output = ()>;

    /// `_PM_getsendBuf` (step sc1): a buffer in the send area, in which the message is built.
    fn get_send_buffer(
        &mut self,
        channel: Channel,
        size: usize,
    ) -> impl Future<Output = Result<SendBuffer, GetSendBufferError>>;

    /// `_PM_sendmsg` (steps sc2, sc3): gives the buffer to the NIC, which sends it (sd1) and frees it when the receiver has
    /// acknowledged it.
    fn send_message(&mut self, buffer: SendBuffer, to: NodeId)
    -> impl Future<Output = Result<(), SendError>>;

    /// `_PM_receive` (steps rc1, rc2): the oldest message that the NIC has stored (rd1), if there is one.
    fn receive(&mut self, channel: Channel) -> impl Future<Output = Option<Received>>;

    /// `_PM_putreceiveBuf` (steps rc3, rc4): gives a receive buffer back, in any order.
    fn put_receive_buffer(&mut self, message: Received) -> impl Future<Output = ()>;

    /// Lets time pass, in which other programs run.
    fn pause(&mut self) -> impl Future<Output = ()>;

    /// Sends a message, and waits for a buffer if there is none.
    fn send(
        &mut self,
        channel: Channel,
        to: NodeId,
        message: &[u8],
    ) -> impl Future<Output = Result<(), SendError>> {
        async move {
            loop {
                match self.get_send_buffer(channel, message.len()).await {
                    Ok(mut buffer) => {
                        buffer.copy_from_slice(message);
                        return self.send_message(buffer, to).await;
                    }
                    Err(GetSendBufferError::NoneFree) => self.pause().await,
                    Err(GetSendBufferError::Empty) => return Err(SendError::Empty),
                    Err(GetSendBufferError::NotOpen) => return Err(SendError::NotOpen),
                    Err(GetSendBufferError::TooLong { most }) => return Err(SendError::TooLong { most }),
                }
            }
        }
    }

    /// Waits for the next message, whose buffer has to be put back.
    fn next(&mut self, channel: Channel) -> impl Future<Output = Received> {
        async move {
            loop {
                match self.receive(channel).await {
                    Some(message) => return message,
                    None => self.pause().await,
                }
            }
        }
    }
}
