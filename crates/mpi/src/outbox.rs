//! Outgoing messages of a process, packet by packet. Independent of time and network.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use crate::carrier::{Data, Packet};
use crate::completion::{Completion, Place};
use crate::envelope::{Envelope, Kind};
use crate::error::Error;
use crate::protocol::{Sending, Way};

/// Destination and matching information of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    /// Process of the receiver.
    pub to: usize,
    pub context: u16,
    /// Rank of this process in the communicator.
    pub rank: usize,
    pub tag: u32,
}

/// Send side of a process.
pub(crate) struct Outbox {
    /// This process.
    own: usize,
    /// Bytes of data in a full packet.
    room: usize,
    /// Messages with packets to send, by receiver.
    leaving: BTreeMap<usize, VecDeque<Leaving>>,
    /// Rendezvous messages that wait for `Clear`, by their numbers.
    asked: BTreeMap<u32, (usize, Leaving)>,
    next_request: u32,
    /// Receiver of the last packet sent, for round robin.
    last: usize,
}

struct Leaving {
    envelope: Envelope,
    sending: Sending,
    bytes: Data,
    place: Option<Rc<Place>>,
}

/// The next packet to send.
pub(crate) struct Next {
    pub to: usize,
    /// Position in the queue of the receiver.
    at: usize,
    pub packet: Packet,
}

impl Outbox {
    pub fn new(own: usize, room: usize) -> Outbox {
        let (leaving, asked) = (BTreeMap::new(), BTreeMap::new());
        Outbox { own, room, leaving, asked, next_request: 0, last: 0 }
    }

    /// Queues a message. The returned slot is filled when the send has completed.
    pub fn send(&mut self, way: Way, address: Address, bytes: Vec<u8>) -> Result<Rc<Place>, Error> {
        let length = u32::try_from(bytes.len()).map_err(|_| Error::Count(bytes.len()))?;
        let request = self.next_request;
        self.next_request = request.wrapping_add(1);
        let Address { to, context, rank, tag } = address;
        let envelope = Envelope { context, rank: rank as u16, tag, length, request, kind: Kind::Eager };
        let place = Rc::new(Place::default());
        let sending = Sending::begin(way, bytes.len());
        self.queue(to).push_back(Leaving {
            envelope,
            sending,
            bytes: bytes.into(),
            place: Some(place.clone()),
        });
        Ok(place)
    }

    /// Queues a `Clear` packet for the message `request` of process `to`.
    pub fn clear(&mut self, to: usize, request: u32, length: u32) {
        let envelope = Envelope { context: 0, rank: 0, tag: 0, length, request, kind: Kind::Clear };
        let answer = Leaving { envelope, sending: Sending::Done, bytes: Vec::new().into(), place: None };
        self.queue(to).push_back(answer);
    }

    /// Handles a `Clear` packet. `None` if the message does not wait for one.
    pub fn cleared(&mut self, from: usize, request: u32) -> Option<()> {
        let (_, message) = self.asked.get(&request).filter(|(to, _)| *to == from)?;
        let sending = message.sending.cleared()?;
        let (to, message) = self.asked.remove(&request)?;
        match (sending, &message.place) {
            (Sending::Done, Some(place)) => place.fill(Ok(Completion::sent(0))),
            _ => self.queue(to).push_back(Leaving { sending, ..message }),
        }
        Some(())
    }

    /// Next packet to send, chosen round robin among the receivers for which `has_room` is true; packets to
    /// the own process always have room. A `Clear` packet without room does not block the packets queued
    /// after it, which may need another resource.
    pub fn next(&self, mut has_room: impl FnMut(usize, &Envelope) -> bool) -> Option<Next> {
        for (&to, queue) in self.leaving.range(self.last + 1..).chain(self.leaving.range(..=self.last)) {
            for (at, message) in queue.iter().enumerate() {
                let packet = message.next(self.room);
                if to == self.own || has_room(to, &packet.envelope) {
                    return Some(Next { to, at, packet });
                }
                if packet.envelope.kind != Kind::Clear {
                    break;
                }
            }
        }
        None
    }

    /// Records that the packet has been sent.
    pub fn left(&mut self, Next { to, at, .. }: Next) {
        self.last = to;
        let room = self.room;
        let queue = self.queue(to);
        let mut message = queue.remove(at).expect("a packet of it has left");
        let length = message.bytes.len();
        if let Some((_, sending)) = message.sending.next(length, room) {
            message.sending = sending;
        }
        match (message.sending, &message.place) {
            (Sending::Asked { .. }, _) => {
                self.asked.insert(message.envelope.request, (to, message));
            }
            (Sending::Done, Some(place)) => place.fill(Ok(Completion::sent(length))),
            (Sending::Done, None) => {}
            _ => queue.insert(at, message),
        }
        if self.leaving.get(&to).is_some_and(VecDeque::is_empty) {
            self.leaving.remove(&to);
        }
    }

    /// Fails all messages to a dead process.
    pub fn bury(&mut self, process: usize, error: Error) {
        let leaving = self.leaving.remove(&process).unwrap_or_default();
        let asked = self.asked.extract_if(.., |_, (to, _)| *to == process).map(|(_, (_, message))| message);
        for place in leaving.into_iter().chain(asked).filter_map(|message| message.place) {
            place.fill(Err(error));
        }
    }

    /// Whether no packet is queued.
    pub fn is_empty(&self) -> bool {
        self.leaving.is_empty()
    }

    /// Receivers and envelopes of the rendezvous messages that wait for `Clear`.
    pub fn asked(&self) -> impl Iterator<Item = (usize, Envelope)> {
        self.asked.values().map(|(to, message)| (*to, message.envelope))
    }

    fn queue(&mut self, to: usize) -> &mut VecDeque<Leaving> {
        self.leaving.entry(to).or_default()
    }
}

impl Leaving {
    /// The message's next packet.
    fn next(&self, room: usize) -> Packet {
        // A `Clear` packet is an envelope without data.
        let Some((leaving, _)) = self.sending.next(self.bytes.len(), room) else {
            return Packet { envelope: self.envelope, data: self.bytes.part(0..0) };
        };
        let left = match self.sending {
            Sending::Eager { left, .. } | Sending::Cleared { left } => left,
            _ => 0,
        };
        let begin = self.bytes.len() - left;
        let data = self.bytes.part(begin..begin + leaving.data);
        Packet { envelope: Envelope { kind: leaving.kind, ..self.envelope }, data }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocked_clear_delays_no_other_packet_and_order_is_kept() {
        let mut outbox = Outbox::new(0, 100);
        let address = Address { to: 1, context: 0, rank: 0, tag: 0 };
        outbox.clear(1, 7, 1 << 20);
        for length in [1, 2] {
            outbox.send(Way::Eager, address, vec![0; length]).unwrap();
        }
        let mut left = Vec::new();
        let mut push = |outbox: &mut Outbox, room: &dyn Fn(Kind) -> bool| {
            let next = outbox.next(|to, envelope| to == 1 && room(envelope.kind))?;
            left.push(next.packet.envelope.length);
            outbox.left(next);
            Some(())
        };
        assert_eq!(push(&mut outbox, &|_| false), None);
        push(&mut outbox, &|kind| kind != Kind::Clear).unwrap();
        assert_eq!(push(&mut outbox, &|_| false), None);
        push(&mut outbox, &|_| true).unwrap();
        push(&mut outbox, &|_| true).unwrap();
        assert!(outbox.is_empty());
        assert_eq!(left, [1, 1 << 20, 2]);
    }
}
