//! PM over DIMMnet-2: every node has a ring for every other one, and IPUSH carries a message into it (decision 0033).
//!
//! The board delivers in order and waits for room, so PM needs no protocol here. A message has a head of 8 bytes:
//! channel, session and size. The receiver polls Head and Tail of its rings, and copies a message out.

use std::collections::{BTreeMap, VecDeque};

use pm::{Channel, Endpoint, GetSendBufferError, NodeId, OpenError, Received, SendBuffer, SendError};

use super::botf::Peer;
use super::messages::{Inbox, Ring};
use super::vl::Source;
use super::{Board, Process};
use crate::{Host, lid};
use cluster::{Duration, Time};

/// Bytes of the longest message: as with GigaE PM, and in one packet with its head.
const MOST_BYTES: usize = 1468;
/// Bytes in front of a message.
const HEAD_BYTES: usize = 8;
/// Buffers of a channel that a program may hold, for either direction.
const BUFFERS: u16 = 16;
/// Offset in own SO-DIMM of a message that leaves.
const SEND_AREA: u32 = 0;
/// Offset of the first ring there, and bytes of a ring, one unit.
const RINGS: u32 = 0x10_0000;
const RING_BYTES: u32 = 0x1_0000;
/// Offset in LLCM of the rings' Heads and Tails, behind the statuses.
const ENTRIES: u16 = 0x800;
/// Time at which all nodes have their rings.
const READY: Duration = Duration::from_us(40);
/// Time of a turn of a waiting loop.
const LOOP: Duration = Duration::from_ns(10);

/// State of an open channel.
#[derive(Debug)]
struct Context {
    session: u16,
    send_places: Vec<u16>,
    receive_places: Vec<u16>,
    arrived: VecDeque<(NodeId, Vec<u8>)>,
}

/// The endpoint of the only process of PM on a node.
pub struct Port {
    board: Board,
    inbox: Inbox,
    node: u16,
    nodes: u16,
    /// Next ring to look at: that of the node after the last sender.
    turn: usize,
    contexts: BTreeMap<usize, Context>,
}

impl Port {
    /// Initialises the board and gives every other node its ring. The LID of a node is its number plus one.
    pub async fn initialise(host: Host, process: Process, nodes: u16) -> Self {
        let node = host.node() as u16;
        let board = Board::initialise(host, process).await;
        let rings: Vec<_> = others(node, nodes).map(|other| ring(other, process.wid)).collect();
        let inbox = Inbox::open(&board, 1, &rings).await;
        let ready = Time::ZERO + READY;
        if ready > board.host().now() {
            board.host().compute(ready - board.host().now()).await;
        }
        Port { board, inbox, node, nodes, turn: 0, contexts: BTreeMap::new() }
    }

    /// Takes the oldest message of the first ring that has one, for any channel.
    async fn take(&mut self) {
        let rings: Vec<u16> = others(self.node, self.nodes).collect();
        for i in 0..rings.len() {
            let at = (self.turn + i) % rings.len();
            let entry = self.board.llcm(ring(rings[at], self.board.process().wid).entry.into());
            let pointers = self.board.host().load_uc(entry).await;
            if (pointers >> 32) as u32 == pointers as u32 {
                continue;
            }
            let head = self.inbox.take(&self.board, at, HEAD_BYTES).await;
            let head: [u8; HEAD_BYTES] = head.try_into().expect("that many bytes were asked for");
            let (channel, session, size) = split(u64::from_le_bytes(head));
            let bytes = self.inbox.take(&self.board, at, size).await;
            self.turn = at + 1;
            // A message of an earlier session is dropped.
            if let Some(context) = self.contexts.get_mut(&channel)
                && context.session == session
            {
                context.arrived.push_back((NodeId(rings[at]), bytes));
            }
            return;
        }
    }
}

/// Numbers of all nodes but this one.
fn others(node: u16, nodes: u16) -> impl Iterator<Item = u16> {
    (0..nodes).filter(move |other| *other != node)
}

/// The ring for messages of a node.
fn ring(node: u16, wid: bool) -> Ring {
    Ring {
        sender: Peer { lid: lid(node.into()), wid },
        entry: ENTRIES + 8 * node,
        base: RINGS + RING_BYTES * u32::from(node),
    }
}

/// The head of a message.
fn head(channel: Channel, session: u16, size: usize) -> u64 {
    size as u64 | u64::from(session) << 32 | (channel.number() as u64) << 48
}

fn split(head: u64) -> (usize, u16, usize) {
    ((head >> 48) as usize, (head >> 32) as u16, head as u32 as usize)
}

impl Endpoint for Port {
    fn node(&self) -> NodeId {
        NodeId(self.node)
    }

    fn most_bytes(&self) -> usize {
        MOST_BYTES
    }

    async fn open(&mut self, channel: Channel, session: u16) -> Result<(), OpenError> {
        if self.contexts.contains_key(&channel.number()) {
            return Err(OpenError::IsOpen);
        }
        let places = || (0..BUFFERS).rev().collect();
        let context =
            Context { session, send_places: places(), receive_places: places(), arrived: VecDeque::new() };
        self.contexts.insert(channel.number(), context);
        Ok(())
    }

    async fn close(&mut self, channel: Channel) {
        self.contexts.remove(&channel.number());
    }

    async fn get_send_buffer(
        &mut self,
        channel: Channel,
        size: usize,
    ) -> Result<SendBuffer, GetSendBufferError> {
        let context = self.contexts.get_mut(&channel.number()).ok_or(GetSendBufferError::NotOpen)?;
        if size > MOST_BYTES {
            return Err(GetSendBufferError::TooLong { most: MOST_BYTES });
        }
        let place = context.send_places.pop().ok_or(GetSendBufferError::NoneFree)?;
        Ok(SendBuffer::new(channel, place, size))
    }

    /// Returns when the message has left, so that its buffer is free.
    async fn send_message(&mut self, buffer: SendBuffer, to: NodeId) -> Result<(), SendError> {
        let channel = buffer.channel;
        let context = self.contexts.get_mut(&channel.number()).ok_or(SendError::NotOpen)?;
        context.send_places.push(buffer.slot);
        let session = context.session;
        if to.0 >= self.nodes || to.0 == self.node {
            return Err(SendError::NoSuchNode(to.0));
        }
        let message = [&head(channel, session, buffer.len()).to_le_bytes()[..], &buffer].concat();
        self.board.write_sodimm(SEND_AREA, &message).await;
        let peer = Peer { lid: lid(to.0.into()), wid: self.board.process().wid };
        let from = Source::Contiguous { offset: SEND_AREA, size: message.len() as u32 };
        self.board.ipush(peer, from, false).await;
        Ok(())
    }

    async fn receive(&mut self, channel: Channel) -> Option<Received> {
        let context = self.contexts.get(&channel.number())?;
        // A message may have arrived during a look for another channel.
        if context.arrived.is_empty() && !context.receive_places.is_empty() {
            self.take().await;
        }
        let context = self.contexts.get_mut(&channel.number())?;
        let place = context.receive_places.pop()?;
        match context.arrived.pop_front() {
            Some((sender, bytes)) => Some(Received::new(channel, place, sender, bytes)),
            None => {
                context.receive_places.push(place);
                None
            }
        }
    }

    async fn put_receive_buffer(&mut self, message: Received) {
        if let Some(context) = self.contexts.get_mut(&message.channel.number()) {
            context.receive_places.push(message.slot);
        }
    }

    async fn pause(&mut self) {
        self.board.host().compute(LOOP).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_says_channel_session_and_size() {
        let channel = Channel::new(3).unwrap();
        assert_eq!(split(head(channel, 0xfedc, 1468)), (3, 0xfedc, 1468));
        assert_eq!(split(head(channel, 0, 0)), (3, 0, 0));
    }
}
