//! A node: what the firmware of a NIC keeps, and how it applies the rules of the protocol.

use std::collections::VecDeque;
use std::rc::Rc;

use gigae_pm::protocol::{Control, Kind, Receiving, receiver, sender};

use super::settings::Settings;
use super::wire::{Frame, Wire};
use crate::buffer::{Received, SendBuffer};
use crate::endpoint::{Channel, GetSendBufferError, NodeId, OpenError, SendError};

/// A node of a cluster.
pub(super) struct Node {
    id: NodeId,
    channels: [Option<Context>; Channel::COUNT],
}

/// A channel that is open: the context of one process in one session.
struct Context {
    channel: Channel,
    session: u16,
    receiving: Receiving,
    /// Send buffers that nobody holds.
    send_free: Vec<u16>,
    /// Receive buffers that nobody holds.
    receive_free: Vec<u16>,
    /// Messages that lie in receive buffers and were not asked for yet.
    arrived: VecDeque<Received>,
    peers: Vec<Peer>,
}

/// Another node, as seen from a context.
struct Peer {
    control: Control,
    /// SBuf: messages from `acked` + 1 on, sent or not.
    kept: VecDeque<Kept>,
}

struct Kept {
    slot: u16,
    bytes: Rc<[u8]>,
}

/// What a rule is applied to: a frame, or something of the node's own.
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
    pub fn new(id: NodeId) -> Self {
        Self { id, channels: Default::default() }
    }

    fn context(&mut self, channel: Channel) -> Option<&mut Context> {
        self.channels[channel.number()].as_mut()
    }

    pub fn open(
        &mut self,
        channel: Channel,
        session: u16,
        nodes: usize,
        settings: &Settings,
    ) -> Result<(), OpenError> {
        let place = &mut self.channels[channel.number()];
        if place.is_some() {
            return Err(OpenError::IsOpen);
        }
        let peer = || Peer { control: Control::open(session), kept: VecDeque::new() };
        *place = Some(Context {
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

    pub fn close(&mut self, channel: Channel) {
        self.channels[channel.number()] = None;
    }

    pub fn get_send_buffer(
        &mut self,
        channel: Channel,
        size: usize,
        settings: &Settings,
    ) -> Result<SendBuffer, GetSendBufferError> {
        let context = self.context(channel).ok_or(GetSendBufferError::NotOpen)?;
        if size > settings.most_bytes {
            return Err(GetSendBufferError::TooLong { most: settings.most_bytes });
        }
        let slot = context.send_free.pop().ok_or(GetSendBufferError::NoneFree)?;
        Ok(SendBuffer::new(channel, slot, size))
    }

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

    pub fn receive(&mut self, channel: Channel) -> Option<Received> {
        self.context(channel)?.arrived.pop_front()
    }

    pub fn put_receive_buffer(&mut self, message: Received, settings: &Settings, wire: &mut Wire, now: u64) {
        let id = self.id;
        // The channel may have been closed while the program held the message.
        let Some(context) = self.context(message.channel) else { return };
        context.receive_free.push(message.slot);
        if context.receiving == Receiving::Discard && context.receive_free.len() >= settings.enough_room() {
            for peer in 0..context.peers.len() {
                let out = context.receiver(peer, Event::own(receiver::Cause::Room.code()), settings);
                context.reply(id, peer, &out, wire, now);
            }
        }
    }

    /// A frame arrives.
    pub fn arrive(&mut self, frame: Frame, settings: &Settings, wire: &mut Wire, now: u64) {
        let id = self.id;
        let Some(context) = self.context(frame.channel) else { return };
        let peer = usize::from(frame.from.0);
        let event = Event { cause: frame.kind.code(), number: frame.number, epoch: frame.epoch };
        if frame.kind != Kind::Message {
            context.sender(peer, event, settings, now);
            return;
        }
        let out = context.receiver(peer, event, settings);
        if out.deliver {
            let slot = context.receive_free.pop().expect("a message is delivered only if there is room");
            context.arrived.push_back(Received::new(frame.channel, slot, frame.from, frame.bytes.to_vec()));
            context.receiver(peer, Event::own(receiver::Cause::Stored.code()), settings);
        }
        context.reply(id, peer, &out, wire, now);
    }

    /// Rules S1 and S2 for every peer.
    pub fn tick(&mut self, settings: &Settings, wire: &mut Wire, now: u64) {
        let id = self.id;
        for context in self.channels.iter_mut().flatten() {
            for peer in 0..context.peers.len() {
                let control = &context.peers[peer].control;
                if control.highest != control.acked {
                    let oldest = control.acked.wrapping_add(1);
                    let event = Event { number: oldest, ..Event::own(sender::Cause::Timer.code()) };
                    let out = context.sender(peer, event, settings, now);
                    context.transmit(id, peer, &out, wire, now);
                    if out.report_dead {
                        context.give_up(peer);
                    }
                }
                while {
                    let out = context.sender(peer, Event::own(sender::Cause::Offer.code()), settings, now);
                    context.transmit(id, peer, &out, wire, now)
                } {}
            }
        }
    }
}

impl Context {
    /// Applies a rule of the sender, and frees what it frees.
    fn sender(&mut self, index: usize, event: Event, settings: &Settings, now: u64) -> sender::Out {
        let peer = &mut self.peers[index];
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
    fn receiver(&mut self, index: usize, event: Event, settings: &Settings) -> receiver::Out {
        let out = receiver::apply(&receiver::In {
            control: self.peers[index].control,
            rules: settings.rules,
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

    /// Sends the message that a rule says; false if it says none. With the printed rules its buffer may be free, and nothing
    /// is there to be sent.
    fn transmit(&self, id: NodeId, index: usize, out: &sender::Out, wire: &mut Wire, now: u64) -> bool {
        let peer = &self.peers[index];
        let place = out.number.wrapping_sub(peer.control.acked).wrapping_sub(1) as usize;
        if let (true, Some(kept)) = (out.send, peer.kept.get(place)) {
            let bytes = Rc::clone(&kept.bytes);
            wire.send(self.frame(id, index, Kind::Message, out.number, bytes), now);
        }
        out.send
    }

    fn reply(&self, id: NodeId, index: usize, out: &receiver::Out, wire: &mut Wire, now: u64) {
        let kind = Kind::from_code(out.reply).expect("a receiver replies by a kind of frame");
        if kind != Kind::Nothing {
            wire.send(self.frame(id, index, kind, out.number, Rc::default()), now);
        }
    }

    fn frame(&self, from: NodeId, to: usize, kind: Kind, number: u32, bytes: Rc<[u8]>) -> Frame {
        let to = NodeId(to as u16);
        Frame { channel: self.channel, from, to, kind, number, epoch: self.session, bytes }
    }

    /// A peer is dead: its messages will never be acknowledged.
    fn give_up(&mut self, index: usize) {
        self.send_free.extend(self.peers[index].kept.drain(..).map(|kept| kept.slot));
    }
}
