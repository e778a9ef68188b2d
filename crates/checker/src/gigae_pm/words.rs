//! Traces in plain words.

use std::fmt::Write;

use ::gigae_pm::protocol::{Kind, Receiving, Sending, sender};

use crate::gigae_pm::channel::{Channel, Direction, Frame};
use crate::gigae_pm::state::State;
use crate::gigae_pm::world::{Action, World};

impl World {
    /// An action that cannot happen in a state, in words.
    pub(crate) fn tell_skipped(&self, state: &State, action: Action) -> String {
        let frame = |index: usize, way, at: usize| {
            let channel = state.links[index].channel(way);
            channel.frames().get(at).map_or("a frame that is not there".to_string(), |&frame| name(frame))
        };
        match action {
            Action::Send(index) => format!("{} may not send another message", self.name(index)),
            Action::Timer(index, _) => format!("no timer of {} can expire", self.name(index)),
            Action::Arrive(index, way, at) | Action::Repeat(index, way, at) => {
                format!("nothing comes of {}", frame(index, way, at))
            }
            Action::Lose(index, way, at) => format!("the network cannot lose {}", frame(index, way, at)),
            Action::Stored(_) => "nothing is being stored".into(),
            Action::HostFrees(_) => "the host has nothing to free".into(),
            Action::Room(_) => "the receiver does not discard".into(),
        }
    }

    /// The contents of both sides and of the wires, a line each.
    pub(super) fn known(&self, state: &State) -> Vec<String> {
        let mut lines = Vec::new();
        for index in self.senders() {
            let link = &state.links[index];
            let (control, name) = (&link.sender, self.name(index));
            let sending = if control.sending == Sending::Running { "running" } else { "stopped" };
            lines.push(format!("{name}: sent {}, acknowledged {}, {sending}", control.sent, control.acked));
        }
        for buffer in self.buffers() {
            lines.push(self.receiver_knows(state, buffer));
        }
        for index in self.senders() {
            let link = &state.links[index];
            let name = self.name(index);
            lines.extend(on_wire(&link.data, format!("from {name}")));
            lines.extend(on_wire(&link.replies, format!("to {name}")));
        }
        lines
    }

    fn receiver_knows(&self, state: &State, buffer: usize) -> String {
        let mut text = format!("{}: ", self.receiver(buffer));
        for index in self.senders().filter(|&index| self.buffer(index) == buffer) {
            let of = if self.senders == 1 { String::new() } else { format!(" of {}", self.name(index)) };
            write!(text, "received {}{of}, ", state.links[index].receiver.received)
                .expect("a string takes any text");
        }
        text += if state.receiving[buffer] == Receiving::Open { "open" } else { "discarding" };
        if let Some(slots) = self.slots {
            write!(text, ", buffer {} of {slots}", state.used[buffer]).expect("a string takes any text");
        }
        text
    }

    fn name(&self, index: usize) -> String {
        match (self.senders, self.mutual) {
            (1, _) => "sender".into(),
            (_, false) => format!("sender {}", ["a", "b"][index]),
            (_, true) => format!("node {}", ["a", "b"][index]),
        }
    }

    /// The name of the owner of a receive buffer.
    fn receiver(&self, buffer: usize) -> String {
        if self.mutual { self.name(self.senders - 1 - buffer) } else { "receiver".into() }
    }

    /// An action in words.
    pub(super) fn told(&self, before: &State, action: Action, after: &State) -> String {
        let frame = |index: usize, way, at: usize| before.links[index].channel(way).frames()[at];
        match action {
            Action::Send(index) => {
                let number = after.links[index].sender.sent;
                let lacks = self.lacks_buffer(&before.links[index], number);
                let sends = if lacks { "has no buffer any more to send" } else { "sends" };
                format!("{} {sends} message {number}", self.name(index))
            }
            Action::Timer(index, number) => self.timer(before, index, number),
            Action::Arrive(index, way, at) => self.arrival(before, index, way, frame(index, way, at)),
            Action::Repeat(index, way, at) => {
                self.arrival(before, index, way, frame(index, way, at)) + "; a copy is still on its way"
            }
            Action::Lose(index, way, at) => format!("the network loses {}", name(frame(index, way, at))),
            Action::Stored(_) => "the message has reached the host, and is counted".into(),
            Action::HostFrees(_) if !self.mutual => "the host frees a place in the receive buffer".into(),
            Action::HostFrees(buffer) => {
                format!("the host frees a place in the receive buffer of {}", self.receiver(buffer))
            }
            Action::Room(buffer) => {
                let went =
                    |index: &usize| before.links[*index].receiver.owed && !after.links[*index].receiver.owed;
                let names: Vec<_> = self.senders().filter(went).map(|index| self.name(index)).collect();
                let receiver = if self.mutual { self.receiver(buffer) } else { "the receiver".into() };
                format!("{receiver} finds room and sends GO to {}", names.join(" and "))
            }
        }
    }

    fn timer(&self, before: &State, index: usize, number: u32) -> String {
        let link = &before.links[index];
        let out = self.expire(link, number);
        let then = if out.send {
            format!("sends message {} as a probe", out.number)
        } else {
            format!("goes back to {}, so that {} is next", out.control.sent, out.control.sent.wrapping_add(1))
        };
        format!("the timer of message {number} expires: {} {then}", self.name(index))
    }

    fn arrival(&self, before: &State, index: usize, way: Direction, frame: Frame) -> String {
        let what = name(frame);
        if way == Direction::Data {
            let out = self.receive(before, index, frame);
            let done = if out.deliver { "accepted" } else { "discarded" };
            return match Kind::from_code(out.reply) {
                Some(Kind::Nothing) | None => format!("{what} arrives: {done}, no answer"),
                Some(kind) => {
                    let answer = name(Frame { kind: kind.code(), epoch: 0, number: out.number });
                    format!("{what} arrives: {done}, the receiver answers {answer}")
                }
            };
        }
        let link = &before.links[index];
        let out: sender::Out = self.hear(link, frame);
        let (from, to) = (link.sender.acked.wrapping_add(1), out.control.acked);
        let mut done = match out.freed {
            _ if !out.taken => "ignored".to_string(),
            _ if self.frees_everything(frame, &out) => "every buffer is freed".to_string(),
            0 => "nothing is freed".to_string(),
            1 => format!("message {to} is freed"),
            _ => format!("messages {from} to {to} are freed"),
        };
        done += match (link.sender.sending, out.control.sending) {
            (Sending::Running, Sending::Stopped) => ", it stops",
            (Sending::Stopped, Sending::Running) => ", it runs again",
            _ => "",
        };
        format!("{what} arrives at {}: {done}", self.name(index))
    }
}

fn name(frame: Frame) -> String {
    match frame.kind() {
        Kind::Nothing => "nothing".into(),
        Kind::Message => format!("message {}", frame.number),
        Kind::Ack => format!("ACK({})", frame.number),
        Kind::Lose => format!("LOSE({})", frame.number),
        Kind::Stop => format!("STOP({})", frame.number),
        Kind::Go => format!("GO({})", frame.number),
    }
}

fn on_wire(channel: &Channel, whence: String) -> Option<String> {
    let names: Vec<_> = channel.frames().iter().map(|&frame| name(frame)).collect();
    (!names.is_empty()).then(|| format!("on the wire {whence}: {}", names.join(", ")))
}
