//! A world: GigaE PM over a faulty network, and what can happen in it.
//!
//! One receiver and one or two senders, each with a stream of messages. The nodes do nothing but apply
//! [`sender::apply`] and [`receiver::apply`], the functions that the NIC runs; what is modelled here is the world around
//! them: channels, timers, and a host that frees its receive buffer some time.

use gigae_pm::protocol::{Control, Kind, Rules, precedes, receiver, sender};

use crate::channel::Frame;
use crate::network::{Network, Timers};
use crate::state::{Link, State};

/// A world to explore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    /// Repairs of the printed rules.
    pub rules: Rules,
    /// N of the paper.
    pub window: u16,
    /// Messages of every sender.
    pub messages: u32,
    /// Messages that the receive buffer holds; `None` if it is never full.
    pub slots: Option<u8>,
    /// What the network may do.
    pub network: Network,
    /// When timers may expire.
    pub timers: Timers,
    /// Senders, one or two.
    pub senders: usize,
    /// Frames that fit into a channel, in each direction; a step that would send one more cannot happen yet.
    pub capacity: usize,
    /// The transfer to the host is a step of its own, during which the receiver takes frames.
    pub transfer: bool,
    /// Message numbers are cut to this many on the wire.
    pub modulus: Option<u32>,
    /// Number before that of the first message.
    pub base: u32,
    /// What an earlier session left behind.
    pub before: Before,
}

/// What an earlier session left behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Before {
    /// There was none.
    #[default]
    Nothing,
    /// The sender started anew, but the receiver counts on from this message.
    Receiver(u32),
    /// The receiver started anew, but the sender counts on from this message.
    Sender(u32),
    /// Both started anew, but an ACK of this message is still on its way.
    Ack(u32),
}

impl Default for World {
    fn default() -> Self {
        Self {
            rules: Rules::REPAIRED,
            window: 2,
            messages: 3,
            slots: Some(1),
            network: Network::FIFO,
            timers: Timers::Late,
            senders: 1,
            capacity: 3,
            transfer: false,
            modulus: None,
            base: 0,
            before: Before::Nothing,
        }
    }
}

/// A direction between a sender and the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// To the receiver.
    Data,
    /// To the sender.
    Replies,
}

/// One thing that happens. The first number is that of the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The sender executes S1.
    Send(usize),
    /// The timer of a message expires.
    Timer(usize, u32),
    /// The frame at this place arrives.
    Arrive(usize, Way, usize),
    /// The frame at this place arrives, and a copy of it stays on its way.
    Repeat(usize, Way, usize),
    /// The frame at this place is lost.
    Lose(usize, Way, usize),
    /// A message has reached the host.
    Stored(usize),
    /// The host frees a place in the receive buffer.
    HostFrees,
    /// The receiver finds room and sends GO.
    Room,
}

/// What must never happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Violation {
    /// A message was freed that its receiver does not have.
    SilentLoss,
    /// A message was delivered twice.
    Duplicate,
    /// A message was delivered out of its order.
    Misorder,
    /// S1 may send a message whose buffer is free.
    FreedSent,
}

impl Violation {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::SilentLoss, Self::Duplicate, Self::Misorder, Self::FreedSent];

    /// Name of the property that holds without it.
    pub const fn property(self) -> &'static str {
        match self {
            Self::SilentLoss => "no message is freed before it is delivered",
            Self::Duplicate => "no message is delivered twice",
            Self::Misorder => "messages are delivered in order",
            Self::FreedSent => "no freed message is sent",
        }
    }
}

impl World {
    pub(crate) fn last(&self) -> u32 {
        self.base.wrapping_add(self.messages)
    }

    /// All senders, by number.
    pub fn senders(&self) -> std::ops::Range<usize> {
        0..self.senders
    }

    fn offered(&self, control: &Control) -> bool {
        precedes(control.sent, self.last())
    }

    /// The frame is read at its receiver: the wire carried its number modulo [`World::modulus`], so what it stands for is
    /// found by its distance from the number that is waited for. An old message then seems to follow a gap, and LOSE names the
    /// same number as ACK would.
    fn read(&self, frame: Frame, waited: u32) -> u32 {
        let Some(modulus) = self.modulus else { return frame.number };
        let distance = (frame.number % modulus + modulus - waited % modulus) % modulus;
        waited.wrapping_add(distance)
    }

    fn sender_pins(&self, link: &Link) -> sender::In {
        sender::In {
            control: link.sender,
            rules: self.rules,
            offered: self.offered(&link.sender),
            window: self.window,
            ..Default::default()
        }
    }

    /// What is wrong with a state.
    pub fn violates(&self, state: &State, violation: Violation) -> bool {
        state.links[self.senders()].iter().any(|link| match violation {
            Violation::SilentLoss => precedes(link.delivered, link.sender.acked),
            Violation::Duplicate => link.repeated,
            Violation::Misorder => link.misplaced,
            Violation::FreedSent => {
                precedes(link.sender.sent, link.sender.acked) && self.sends(link).is_some()
            }
        })
    }

    /// Every message is delivered and acknowledged.
    pub fn complete(&self, state: &State) -> bool {
        state.links[self.senders()]
            .iter()
            .all(|link| link.delivered == self.last() && link.sender.acked == self.last())
    }

    /// What S1 does, if it does anything.
    pub(crate) fn sends(&self, link: &Link) -> Option<sender::Out> {
        let pins = sender::In { cause: sender::Cause::Offer.code(), ..self.sender_pins(link) };
        let out = sender::apply(&pins);
        out.send.then_some(out)
    }

    /// Whether frames keep their order.
    pub(crate) fn ordered(&self) -> bool {
        !self.network.reordering
    }

    fn send_message(&self, link: &mut Link, out: sender::Out) -> bool {
        link.sender = out.control;
        if !out.send {
            return true;
        }
        let frame = Frame { kind: Kind::Message.code(), epoch: link.sender.epoch, number: out.number };
        let room = link.data.frames().len() < self.capacity;
        if room {
            link.data.send(frame, self.ordered());
        }
        room
    }

    fn reply(&self, link: &mut Link, out: &receiver::Out) -> bool {
        link.receiver = out.control;
        if out.reply == Kind::Nothing.code() {
            return true;
        }
        let frame = Frame { kind: out.reply, epoch: link.receiver.epoch, number: out.number };
        let room = link.replies.frames().len() < self.capacity;
        if room {
            link.replies.send(frame, self.ordered());
        }
        room
    }

    fn receiver_pins(&self, state: &State, link: &Link, cause: receiver::Cause) -> receiver::In {
        receiver::In {
            control: link.receiver,
            rules: self.rules,
            cause: cause.code(),
            room: self.slots.is_none_or(|slots| state.used < slots),
            receiving: state.receiving,
            ..Default::default()
        }
    }

    /// What the receiver does with a message that arrives.
    pub(crate) fn receive(&self, state: &State, index: usize, frame: Frame) -> receiver::Out {
        let link = &state.links[index];
        receiver::apply(&receiver::In {
            number: self.read(frame, link.receiver.received.wrapping_add(1)),
            epoch: frame.epoch,
            ..self.receiver_pins(state, link, receiver::Cause::Message)
        })
    }

    /// A message arrives; false if the control frame that answers it has no room on the wire.
    fn message_arrives(&self, state: &mut State, index: usize, frame: Frame) -> bool {
        let out = self.receive(state, index, frame);
        let mut link = state.links[index];
        let room = self.reply(&mut link, &out);
        state.receiving = out.receiving;
        if out.deliver {
            let next = link.delivered.wrapping_add(1);
            link.repeated |= precedes(frame.number, next);
            link.misplaced |= precedes(next, frame.number);
            if !precedes(frame.number, next) {
                link.delivered = frame.number;
            }
            if self.slots.is_some() {
                state.used += 1;
            }
            if self.transfer {
                link.storing += 1;
            } else {
                let stored = receiver::In {
                    control: link.receiver,
                    ..self.receiver_pins(state, &link, receiver::Cause::Stored)
                };
                link.receiver = receiver::apply(&stored).control;
            }
        }
        state.links[index] = link;
        room
    }

    /// What a sender does with a control frame that arrives.
    pub(crate) fn hear(&self, link: &Link, frame: Frame) -> sender::Out {
        sender::apply(&sender::In {
            cause: frame.kind,
            number: self.read(frame, link.sender.acked),
            epoch: frame.epoch,
            ..self.sender_pins(link)
        })
    }

    fn arrives(&self, state: &mut State, index: usize, way: Way, at: usize, copy: bool) -> bool {
        let link = &mut state.links[index];
        let channel = if way == Way::Data { &mut link.data } else { &mut link.replies };
        let frame = if copy { channel.frames()[at] } else { channel.take(at) };
        match way {
            Way::Data => self.message_arrives(state, index, frame),
            Way::Replies => {
                link.sender = self.hear(link, frame).control;
                true
            }
        }
    }

    /// What a sender does when a timer expires.
    pub(crate) fn expire(&self, link: &Link, number: u32) -> sender::Out {
        let cause = sender::Cause::Timer.code();
        sender::apply(&sender::In { cause, number, ..self.sender_pins(link) })
    }

    fn finds_room(&self, state: &mut State) -> bool {
        let mut room = true;
        for index in self.senders() {
            let mut link = state.links[index];
            let out = receiver::apply(&self.receiver_pins(state, &link, receiver::Cause::Room));
            state.receiving = out.receiving;
            room &= self.reply(&mut link, &out);
            state.links[index] = link;
        }
        room
    }

    /// The state after an action, or `None` if the action cannot happen or changes nothing.
    pub(crate) fn after(&self, state: &State, action: Action) -> Option<State> {
        let mut next = *state;
        let happens = match action {
            Action::Send(index) => {
                let link = &mut next.links[index];
                self.sends(link).is_some_and(|out| self.send_message(link, out))
            }
            Action::Timer(index, number) => {
                let link = &mut next.links[index];
                let out = self.expire(link, number);
                out.taken && self.send_message(link, out)
            }
            Action::Arrive(index, way, at) => self.arrives(&mut next, index, way, at, false),
            Action::Repeat(index, way, at) => self.arrives(&mut next, index, way, at, true),
            Action::Lose(index, way, at) => {
                let link = &mut next.links[index];
                let channel = if way == Way::Data { &mut link.data } else { &mut link.replies };
                channel.take(at);
                true
            }
            Action::Stored(index) => {
                let pins = self.receiver_pins(&next, &next.links[index], receiver::Cause::Stored);
                let link = &mut next.links[index];
                link.receiver = receiver::apply(&pins).control;
                link.storing -= 1;
                true
            }
            Action::HostFrees => {
                next.used -= 1;
                true
            }
            Action::Room => self.finds_room(&mut next),
        };
        (happens && next != *state).then_some(next)
    }
}
