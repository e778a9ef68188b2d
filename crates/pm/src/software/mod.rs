//! PM's protocol in software: a node, independent of links, memory and time.
//!
//! It holds the state of a NIC's firmware and applies the same rules ([`pm_protocol`]): in a cluster in
//! [memory](crate::memory), or in the driver of an ordinary network card. It returns the [`Frame`]s to send; its owner
//! passes it the frames that arrive, and the time.

mod settings;

use std::collections::VecDeque;
use std::rc::Rc;

use cluster::NodeId;
use pm_protocol::{Control, Kind, Receiving, receiver, sender};

use crate::buffer::{Received, SendBuffer};
use crate::channel::Channel;
use crate::endpoint::{GetSendBufferError, OpenError, SendError};
pub use settings::Settings;

/// A frame of PM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Channel of the session.
    pub channel: Channel,
    /// Sending node.
    pub from: NodeId,
    /// Receiving node.
    pub to: NodeId,
    /// Kind of the frame.
    pub kind: Kind,
    /// Number of the message, or that of a control frame.
    pub number: u32,
    /// Number of the session.
    pub epoch: u16,
    /// Data of the message; empty in control frames.
    pub bytes: Rc<[u8]>,
}

/// A node and its channels.
pub struct Node {
    id: NodeId,
    settings: Settings,
    channels: [Option<Context>; Channel::COUNT],
}

/// An open channel: the context of one process in one session.
struct Context {
    node: NodeId,
    settings: Settings,
    channel: Channel,
    session: u16,
    receiving: Receiving,
    /// Free send buffers.
    send_free: Vec<u16>,
    /// Free receive buffers.
    receive_free: Vec<u16>,
    /// Messages in receive buffers that the program has not taken.
    arrived: VecDeque<Received>,
    peers: Vec<Peer>,
}

/// Another node, in a context.
struct Peer {
    control: Control,
    /// SBuf: messages from `acked` + 1 on, sent or not.
    kept: VecDeque<Kept>,
}

struct Kept {
    slot: u16,
    bytes: Rc<[u8]>,
}

/// The subject of a rule: a frame, or an event of the node itself.
#[derive(Clone, Copy)]
struct Event {
    cause: u8,
    number: u32,
    epoch: u16,
}

impl Event {
    fn own(cause: u8) -> Self {
        Self { cause, number: 0, epoch: 0 }
    }
}

impl Node {
    /// A node without open channels.
    pub fn new(id: NodeId, settings: Settings) -> Self {
        Self { id, settings, channels: Default::default() }
    }

    /// Bytes of the longest message.
    pub fn most_bytes(&self) -> usize {
        self.settings.most_bytes
    }

    fn context(&mut self, channel: Channel) -> Option<&mut Context> {
        self.channels[channel.number()].as_mut()
    }

    /// Opens a channel for a session of nodes 0 to `nodes - 1`.
    pub fn open(&mut self, channel: Channel, session: u16, nodes: usize) -> Result<(), OpenError> {
        let settings = self.settings;
        let place = &mut self.channels[channel.number()];
        if place.is_some() {
            return Err(OpenError::IsOpen);
        }
        let peer = || Peer { control: Control::open(session), kept: VecDeque::new() };
        *place = Some(Context {
            node: self.id,
            settings,
            channel,
            session,
            receiving: Receiving::Open,
            send_free: (0..settings.send_buffers).rev().collect(),
            receive_free: (0..settings.receive_buffers).rev().collect(),
            arrived: VecDeque::new(),
            peers: (0..nodes).map(|_| peer()).collect(),
        });
        Ok(())
    }

    /// Closes a channel, and gives up its messages.
    pub fn close(&mut self, channel: Channel) {
        self.channels[channel.number()] = None;
    }

    /// `_PM_getsendBuf`.
    pub fn get_send_buffer(
        &mut self,
        channel: Channel,
        size: usize,
    ) -> Result<SendBuffer, GetSendBufferError> {
        let most = self.settings.most_bytes;
        let context = self.context(channel).ok_or(GetSendBufferError::NotOpen)?;
        if size > most {
            return Err(GetSendBufferError::TooLong { most });
        }
        let slot = context.send_free.pop().ok_or(GetSendBufferError::NoneFree)?;
        Ok(SendBuffer::new(channel, slot, size))
    }

    /// `_PM_sendmsg`. The message leaves at the next [`tick`](Node::tick).
    pub fn send_message(&mut self, buffer: SendBuffer, to: NodeId) -> Result<(), SendError> {
        let context = self.context(buffer.channel).ok_or(SendError::NotOpen)?;
        let Some(peer) = context.peers.get_mut(usize::from(to.0)) else {
            context.send_free.push(buffer.slot);
            return Err(SendError::NoSuchNode(to.0));
        };
        if peer.control.dead {
            context.send_free.push(buffer.slot);
            return Err(SendError::PeerDead(to.0));
        }
        peer.kept.push_back(Kept { slot: buffer.slot, bytes: Rc::from(&*buffer) });
        Ok(())
    }

    /// `_PM_receive`.
    pub fn receive(&mut self, channel: Channel) -> Option<Received> {
        self.context(channel)?.arrived.pop_front()
    }

    /// `_PM_putreceiveBuf`.
    pub fn put_receive_buffer(&mut self, message: Received, out: &mut Vec<Frame>) {
        // The channel may have been closed while the program held the message.
        let Some(context) = self.context(message.channel) else { return };
        context.receive_free.push(message.slot);
        let enough = context.receive_free.len() >= context.settings.enough_room();
        if context.receiving == Receiving::Discard && enough {
            for peer in 0..context.peers.len() {
                let rule = context.receiver(peer, Event::own(receiver::Cause::Room.code()));
                out.extend(context.reply(peer, &rule));
            }
        }
    }

    /// Handles a frame that arrives.
    pub fn arrive(&mut self, frame: Frame, now: u64, out: &mut Vec<Frame>) {
        let Some(context) = self.context(frame.channel) else { return };
        let peer = usize::from(frame.from.0);
        if peer >= context.peers.len() {
            return;
        }
        let event = Event { cause: frame.kind.code(), number: frame.number, epoch: frame.epoch };
        if frame.kind != Kind::Message {
            context.sender(peer, event, now);
            return;
        }
        let rule = context.receiver(peer, event);
        if rule.deliver {
            let slot = context.receive_free.pop().expect("a message is delivered only if there is room");
            context.arrived.push_back(Received::new(frame.channel, slot, frame.from, frame.bytes.to_vec()));
            context.receiver(peer, Event::own(receiver::Cause::Stored.code()));
        }
        out.extend(context.reply(peer, &rule));
    }

    /// Whether a message waits for its ACK, so that the node has to be told the time.
    pub fn awaits(&self) -> bool {
        let waits = |peer: &Peer| peer.control.highest != peer.control.acked;
        self.channels.iter().flatten().any(|context| context.peers.iter().any(waits))
    }

    /// Rules S1 and S2 for every peer: retransmissions and new messages.
    pub fn tick(&mut self, now: u64, out: &mut Vec<Frame>) {
        for context in self.channels.iter_mut().flatten() {
            for peer in 0..context.peers.len() {
                let control = &context.peers[peer].control;
                if control.highest != control.acked {
                    let oldest = control.acked.wrapping_add(1);
                    let event = Event { number: oldest, ..Event::own(sender::Cause::Timer.code()) };
                    let rule = context.sender(peer, event, now);
                    out.extend(context.message(peer, &rule));
                    if rule.report_dead {
                        context.give_up(peer);
                    }
                }
                loop {
                    let rule = context.sender(peer, Event::own(sender::Cause::Offer.code()), now);
                    out.extend(context.message(peer, &rule));
                    if !rule.send {
                        break;
                    }
                }
            }
        }
    }
}

impl Context {
    /// Applies a rule of the sender, and frees acknowledged messages.
    fn sender(&mut self, index: usize, event: Event, now: u64) -> sender::Out {
        let (settings, peer) = (&self.settings, &mut self.peers[index]);
        let waiting = peer.control.sent.wrapping_sub(peer.control.acked) as usize;
        let out = sender::apply(&sender::In {
            control: peer.control,
            rules: settings.rules,
            cause: event.cause,
            number: event.number,
            epoch: event.epoch,
            offered: peer.kept.len() > waiting,
            window: settings.window,
            now: now as u32,
            timeout: settings.timeout,
            limit: settings.limit,
        });
        peer.control = out.control;
        let freed = peer.kept.len().min(out.freed as usize);
        self.send_free.extend(peer.kept.drain(..freed).map(|kept| kept.slot));
        out
    }

    /// Applies a rule of the receiver.
    fn receiver(&mut self, index: usize, event: Event) -> receiver::Out {
        let out = receiver::apply(&receiver::In {
            control: self.peers[index].control,
            rules: self.settings.rules,
            cause: event.cause,
            number: event.number,
            epoch: event.epoch,
            room: !self.receive_free.is_empty(),
            receiving: self.receiving,
        });
        self.peers[index].control = out.control;
        self.receiving = out.receiving;
        out
    }

    /// The message that a rule names, if any. With the printed rules its buffer may be free, and no message is sent.
    fn message(&self, index: usize, rule: &sender::Out) -> Option<Frame> {
        let peer = &self.peers[index];
        let place = rule.number.wrapping_sub(peer.control.acked).wrapping_sub(1) as usize;
        let kept = peer.kept.get(place).filter(|_| rule.send)?;
        Some(self.frame(index, Kind::Message, rule.number, Rc::clone(&kept.bytes)))
    }

    /// The answer that a rule names, if any.
    fn reply(&self, index: usize, rule: &receiver::Out) -> Option<Frame> {
        let kind = Kind::from_code(rule.reply).expect("a receiver replies by a kind of frame");
        (kind != Kind::Nothing).then(|| self.frame(index, kind, rule.number, Rc::default()))
    }

    fn frame(&self, to: usize, kind: Kind, number: u32, bytes: Rc<[u8]>) -> Frame {
        let (from, to) = (self.node, NodeId(to as u16));
        Frame { channel: self.channel, from, to, kind, number, epoch: self.session, bytes }
    }

    /// A peer is dead: its messages will never be acknowledged.
    fn give_up(&mut self, index: usize) {
        self.send_free.extend(self.peers[index].kept.drain(..).map(|kept| kept.slot));
    }
}

#[cfg(test)]
mod tests;
