//! PM over DIMMnet-2: every pair of nodes has a ring at either end, and a message is pushed into it by IPUSH (decision 0033).
//!
//! The board delivers in order and waits for room, so PM needs no protocol of its own here. A message is sent with a head of 8
//! bytes in front, its channel, session and size. The receiver looks at Head and Tail of its rings, and copies a message out.

use std::collections::{BTreeMap, VecDeque};

use pm::{Channel, Endpoint, GetSendBufferError, NodeId, OpenError, Received, SendBuffer, SendError};

use super::botf::Peer;
use super::messages::{Inbox, Ring};
use super::vl::Source;
use super::{Board, Process};
use crate::{Host, lid};
use cluster::{Duration, Time};

/// Most bytes of a message: that of GigaE PM, and one packet with its head.
const MOST_BYTES: usize = 1468;
/// Bytes in front of a message.
const HEAD_BYTES: usize = 8;
/// Buffers of a channel that a program may hold, either way.
const BUFFERS: u16 = 16;
/// Where a message to be pushed lies in own SO-DIMM region.
const SEND_AREA: u32 = 0;
/// Where the rings begin there, and bytes of each, which is one unit.
const RINGS: u32 = 0x10_0000;
const RING_BYTES: u32 = 0x1_0000;
/// Where Heads and Tails of the rings begin in LLCM, behind the statuses.
const ENTRIES: u16 = 0x800;
/// All nodes have their rings by then.
const READY: Duration = Duration::from_us(40);
/// A turn of a loop that waits.
const LOOP: Duration = Duration::from_ns(10);

/// What a port keeps of an open channel.
#[derive(Debug)]
struct Context {
    session: u16,
    send_places: Vec<u16>,
    receive_places: Vec<u16>,
    arrived: VecDeque<(NodeId, Vec<u8>)>,
}

/// The endpoint of the one process of PM on a node.
pub struct Port {
    board: Board,
    inbox: Inbox,
    node: u16,
    nodes: u16,
    /// Ring to look at first: of the node after the one from which the last message came.
    turn: usize,
    contexts: BTreeMap<usize, Context>,
}

impl Port {
    /// Initialises the board and gives every other node its ring. Nodes of a cluster have LIDs one above their numbers.
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

    /// Takes the oldest message out of the first ring that has one, for whichever channel it is.
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
            // A message of an earlier session belongs to nobody.
            if let Some(context) = self.contexts.get_mut(&channel)
                && context.session == session
            {
                context.arrived.push_back((NodeId(rings[at]), bytes));
            }
            return;
        }
    }
}

/// The other nodes.
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
        // A message may have come while another channel was looked at.
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
