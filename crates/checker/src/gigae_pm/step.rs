//! Steps: the rules of the nodes, and the effects of the world around them.

use ::gigae_pm::protocol::{Control, Kind, Sending, precedes, receiver, sender};

use crate::gigae_pm::channel::{Channel, Direction, Frame};
use crate::gigae_pm::state::{Link, State};
use crate::gigae_pm::world::{Action, Grain, Misreading, World};

impl World {
    /// The firmware offers a new message only after all others; it retransmits by itself.
    fn offered(&self, control: &Control) -> bool {
        let new = self.grain == Grain::Rule || control.sent == control.highest;
        new && precedes(control.sent, self.last())
    }

    /// Messages up to this one have no buffer any more.
    pub(crate) fn freed(&self, link: &Link) -> u32 {
        if precedes(link.sender.acked, link.gone) { link.gone } else { link.sender.acked }
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
            limit: self.limit,
            ..Default::default()
        }
    }

    /// S1, if it sends anything.
    pub(crate) fn sends(&self, link: &Link) -> Option<sender::Out> {
        let pins = sender::In { cause: sender::Cause::Offer.code(), ..self.sender_pins(link) };
        let out = sender::apply(&pins);
        out.send.then_some(out)
    }

    /// Whether frames keep their order.
    pub(crate) fn ordered(&self) -> bool {
        !self.network.reordering
    }

    /// A message that S1 would send is lost, because its buffer was taken for one that may be freed.
    pub(crate) fn lacks_buffer(&self, link: &Link, number: u32) -> bool {
        self.misreading.is_some() && !precedes(link.gone, number)
    }

    /// A frame goes onto a channel; false if there is no room.
    fn put(&self, channel: &mut Channel, frame: Frame) -> bool {
        let room = channel.frames().len() < self.capacity;
        if room {
            channel.send(frame, self.ordered());
        }
        room
    }

    /// A rule of the sender sends a message; false if there is no room on the wire.
    fn send_message(&self, link: &mut Link, out: sender::Out) -> bool {
        link.sender = out.control;
        if !out.send || self.lacks_buffer(link, out.number) {
            return true;
        }
        let frame = Frame { kind: Kind::Message.code(), epoch: link.sender.epoch, number: out.number };
        self.put(&mut link.data, frame)
    }

    /// The firmware runs S1, without a pause, until all messages are sent again that were sent before.
    fn send_again(&self, link: &mut Link) -> bool {
        while self.grain == Grain::Firmware && precedes(link.sender.sent, link.sender.highest) {
            let pins =
                sender::In { cause: sender::Cause::Offer.code(), offered: true, ..self.sender_pins(link) };
            let out = sender::apply(&pins);
            if !out.send {
                break;
            }
            link.sender = out.control;
            if !precedes(self.freed(link), out.number) {
                link.asked_freed = true;
                continue;
            }
            let frame = Frame { kind: Kind::Message.code(), epoch: link.sender.epoch, number: out.number };
            if !self.put(&mut link.data, frame) {
                return false;
            }
        }
        true
    }

    /// A node that takes "stop sending" for everything on the channel was told to stop.
    fn is_silenced(&self, state: &State, buffer: usize) -> bool {
        // The node that owns the buffer for one direction is the sender of the other.
        self.misreading == Some(Misreading::StopsChannel)
            && self.mutual
            && state.links[self.senders - 1 - buffer].sender.sending == Sending::Stopped
    }

    fn reply(&self, state: &State, index: usize, link: &mut Link, out: &receiver::Out) -> bool {
        link.receiver = out.control;
        if out.reply == Kind::Nothing.code() || self.is_silenced(state, self.buffer(index)) {
            return true;
        }
        let frame = Frame { kind: out.reply, epoch: link.receiver.epoch, number: out.number };
        self.put(&mut link.replies, frame)
    }

    fn receiver_pins(&self, state: &State, index: usize, cause: receiver::Cause) -> receiver::In {
        let buffer = self.buffer(index);
        receiver::In {
            control: state.links[index].receiver,
            rules: self.rules,
            cause: cause.code(),
            room: self.slots.is_none_or(|slots| state.used[buffer] < slots),
            receiving: state.receiving[buffer],
            ..Default::default()
        }
    }

    /// The receiver's rule for a message that arrives.
    pub(crate) fn receive(&self, state: &State, index: usize, frame: Frame) -> receiver::Out {
        if self.deaf {
            let Link { receiver: control, .. } = state.links[index];
            return receiver::Out { control, receiving: state.receiving[0], ..Default::default() };
        }
        receiver::apply(&receiver::In {
            number: self.read(frame, state.links[index].receiver.received.wrapping_add(1)),
            epoch: frame.epoch,
            ..self.receiver_pins(state, index, receiver::Cause::Message)
        })
    }

    /// A message arrives; false if the control frame that answers it has no room on the wire.
    fn message_arrives(&self, state: &mut State, index: usize, frame: Frame) -> bool {
        let out = self.receive(state, index, frame);
        let buffer = self.buffer(index);
        let mut link = state.links[index];
        let room = self.reply(state, index, &mut link, &out);
        state.receiving[buffer] = out.receiving;
        if out.deliver {
            let next = link.delivered.wrapping_add(1);
            link.repeated |= precedes(frame.number, next);
            link.misplaced |= precedes(next, frame.number);
            if !precedes(frame.number, next) {
                link.delivered = frame.number;
            }
            if self.slots.is_some() {
                state.used[buffer] += 1;
            }
            if self.transfer {
                link.storing += 1;
            } else {
                let stored = receiver::In {
                    control: link.receiver,
                    ..self.receiver_pins(state, index, receiver::Cause::Stored)
                };
                link.receiver = receiver::apply(&stored).control;
            }
        }
        state.links[index] = link;
        room
    }

    /// The sender's rule for a control frame that arrives.
    pub(crate) fn hear(&self, link: &Link, frame: Frame) -> sender::Out {
        sender::apply(&sender::In {
            cause: frame.kind,
            number: self.read(frame, link.sender.acked),
            epoch: frame.epoch,
            ..self.sender_pins(link)
        })
    }

    /// By the misreading, a control frame frees all buffers of the sender.
    pub(crate) fn frees_everything(&self, frame: Frame, out: &sender::Out) -> bool {
        self.misreading == Some(Misreading::FreesEverything) && out.taken && frame.kind() != Kind::Go
    }

    fn arrives(&self, state: &mut State, index: usize, way: Direction, at: usize, copy: bool) -> bool {
        let link = &mut state.links[index];
        let channel = if way == Direction::Data { &mut link.data } else { &mut link.replies };
        let frame = if copy { channel.frames()[at] } else { channel.take(at) };
        match way {
            Direction::Data => self.message_arrives(state, index, frame),
            Direction::Replies => {
                let out = self.hear(link, frame);
                link.sender = out.control;
                if self.frees_everything(frame, &out) {
                    link.gone = link.sender.highest;
                }
                !out.taken || self.send_again(link)
            }
        }
    }

    /// The sender's rule for a timer that expires.
    pub(crate) fn expire(&self, link: &Link, number: u32) -> sender::Out {
        let cause = sender::Cause::Timer.code();
        sender::apply(&sender::In { cause, number, ..self.sender_pins(link) })
    }

    fn finds_room(&self, state: &mut State, buffer: usize) -> bool {
        let mut room = !self.is_silenced(state, buffer);
        for index in self.senders().filter(|&index| self.buffer(index) == buffer) {
            let mut link = state.links[index];
            let out = receiver::apply(&self.receiver_pins(state, index, receiver::Cause::Room));
            state.receiving[buffer] = out.receiving;
            room &= self.reply(state, index, &mut link, &out);
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
                // A probe is all that a stopped sender sends.
                out.taken && self.send_message(link, out) && (out.send || self.send_again(link))
            }
            Action::Arrive(index, way, at) => self.arrives(&mut next, index, way, at, false),
            Action::Repeat(index, way, at) => self.arrives(&mut next, index, way, at, true),
            Action::Lose(index, way, at) => {
                let link = &mut next.links[index];
                let channel = if way == Direction::Data { &mut link.data } else { &mut link.replies };
                channel.take(at);
                true
            }
            Action::Stored(index) => {
                let pins = self.receiver_pins(&next, index, receiver::Cause::Stored);
                let link = &mut next.links[index];
                link.receiver = receiver::apply(&pins).control;
                link.storing -= 1;
                true
            }
            Action::HostFrees(buffer) => {
                next.used[buffer] -= 1;
                true
            }
            Action::Room(buffer) => self.finds_room(&mut next, buffer),
        };
        (happens && next != *state).then_some(next)
    }
}
