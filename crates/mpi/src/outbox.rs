//! Messages of a process that leave, packet by packet. No time and no network.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use crate::credits::Credits;
use crate::envelope::{Envelope, Kind};
use crate::error::Error;
use crate::protocol::{Sending, Way};
use crate::request::{Completion, Place};

/// Where a message goes, and as what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    /// Process.
    pub to: usize,
    pub context: u16,
    /// Rank of this process in the communicator.
    pub rank: usize,
    pub tag: u32,
}

/// What a process sends.
pub(crate) struct Outbox {
    /// This process.
    own: usize,
    /// Bytes of data in a packet.
    room: usize,
    /// Messages that leave, by receivers.
    leaving: BTreeMap<usize, VecDeque<Leaving>>,
    /// Messages that have asked, by their numbers.
    asked: BTreeMap<u32, (usize, Leaving)>,
    next_request: u32,
    /// Receiver whose packet left last.
    last: usize,
    /// Places that this process and each other one have of each other, if the carrier leaves that to the library.
    credits: Vec<Credits>,
}

struct Leaving {
    envelope: Envelope,
    sending: Sending,
    bytes: Vec<u8>,
    place: Option<Rc<Place>>,
}

/// A packet that is to leave.
pub(crate) struct Next {
    pub to: usize,
    pub packet: Vec<u8>,
    /// It is of a message, and not of credits alone.
    message: bool,
}

impl Outbox {
    pub fn new(own: usize, room: usize, credits: Vec<Credits>) -> Outbox {
        let (leaving, asked) = (BTreeMap::new(), BTreeMap::new());
        Outbox { own, room, leaving, asked, next_request: 0, last: 0, credits }
    }

    /// A message begins to leave.
    pub fn send(&mut self, way: Way, address: Address, bytes: Vec<u8>) -> Result<Rc<Place>, Error> {
        let length = u32::try_from(bytes.len()).map_err(|_| Error::Count(bytes.len()))?;
        let request = self.next_request;
        self.next_request = request.wrapping_add(1);
        let Address { to, context, rank, tag } = address;
        let envelope =
            Envelope { context, rank: rank as u16, tag, length, request, credits: 0, kind: Kind::Eager };
        let place = Rc::new(Place::default());
        let sending = Sending::begin(way, bytes.len());
        self.queue(to).push_back(Leaving { envelope, sending, bytes, place: Some(place.clone()) });
        Ok(place)
    }

    /// Tells a sender that there is a place for the message of that number.
    pub fn clear(&mut self, to: usize, request: u32) {
        let envelope = Envelope { request, kind: Kind::Clear, ..Envelope::NOTHING };
        self.queue(to).push_back(Leaving {
            envelope,
            sending: Sending::Done,
            bytes: Vec::new(),
            place: None,
        });
    }

    /// A receiver has a place for the message of that number. None if nobody asked.
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

    /// A packet of another process was taken, which told of so many credits.
    pub fn took(&mut self, from: usize, told: u16) {
        if let Some(credits) = self.credits.get_mut(from).filter(|_| from != self.own) {
            credits.took(told);
        }
    }

    /// The next packet to leave, of the first receiver behind the last one that has room for it; or one that only tells of credits.
    pub fn next(&self) -> Option<Next> {
        let told = |to: usize| self.credits(to).map_or(0, Credits::told);
        let behind = self.leaving.range(self.last + 1..).chain(self.leaving.range(..=self.last));
        let message = behind
            .filter(|(to, _)| self.credits(**to).is_none_or(Credits::may_send))
            .find_map(|(to, queue)| Some((*to, queue.front()?)));
        if let Some((to, message)) = message {
            return Some(Next { to, packet: message.packet(self.room, told(to)), message: true });
        }
        let to = (0..self.credits.len()).find(|to| self.credits(*to).is_some_and(Credits::is_to_tell))?;
        let envelope = Envelope { credits: told(to), ..Envelope::NOTHING };
        Some(Next { to, packet: envelope.to_bytes().to_vec(), message: false })
    }

    /// That packet has left.
    pub fn left(&mut self, Next { to, message, .. }: Next) {
        if let Some(credits) = self.credits.get_mut(to).filter(|_| to != self.own) {
            credits.sent();
        }
        if !message {
            return;
        }
        self.last = to;
        let room = self.room;
        let queue = self.queue(to);
        let mut message = queue.pop_front().expect("a packet of it has left");
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
            _ => queue.push_front(message),
        }
        if self.leaving.get(&to).is_some_and(VecDeque::is_empty) {
            self.leaving.remove(&to);
        }
    }

    /// Nothing goes to a process any more.
    pub fn bury(&mut self, process: usize, error: Error) {
        let leaving = self.leaving.remove(&process).unwrap_or_default();
        let asked = self.asked.extract_if(.., |_, (to, _)| *to == process).map(|(_, (_, message))| message);
        for place in leaving.into_iter().chain(asked).filter_map(|message| message.place) {
            place.fill(Err(error));
        }
        if let Some(credits) = self.credits.get_mut(process) {
            credits.forget();
        }
    }

    /// Whether nothing is left to leave.
    pub fn is_empty(&self) -> bool {
        self.leaving.is_empty()
    }

    /// Messages that have asked and were not cleared: their receivers and envelopes.
    pub fn asked(&self) -> impl Iterator<Item = (usize, Envelope)> {
        self.asked.values().map(|(to, message)| (*to, message.envelope))
    }

    /// What this process has of another one, if it goes by credits.
    fn credits(&self, other: usize) -> Option<&Credits> {
        self.credits.get(other).filter(|_| other != self.own)
    }

    fn queue(&mut self, to: usize) -> &mut VecDeque<Leaving> {
        self.leaving.entry(to).or_default()
    }
}

impl Leaving {
    fn packet(&self, room: usize, credits: u16) -> Vec<u8> {
        let Some((leaving, _)) = self.sending.next(self.bytes.len(), room) else {
            return Envelope { credits, ..self.envelope }.to_bytes().to_vec();
        };
        let left = match self.sending {
            Sending::Eager { left, .. } | Sending::Cleared { left } => left,
            _ => 0,
        };
        let data = &self.bytes[self.bytes.len() - left..][..leaving.data];
        let envelope = Envelope { kind: leaving.kind, credits, ..self.envelope };
        [&envelope.to_bytes()[..], data].concat()
    }
}
