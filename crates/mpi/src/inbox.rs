//! Matching of messages with receives, and assembly of arriving messages. Independent of time and network.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::carrier::{Data, Packet};
use crate::completion::{Completion, Place, Status};
use crate::error::Error;
use crate::matching::{Label, Matching, Pattern};
use crate::protocol::Receiving;

/// Receive side of a process.
#[derive(Default)]
pub(crate) struct Inbox {
    matching: Matching<Wanted, Key>,
    /// Messages that have begun to arrive and are not yet delivered.
    coming: BTreeMap<Key, Coming>,
}

/// Identifies a message at its receiver: sending process, and number of the message there.
pub(crate) type Key = (usize, u32);

/// A posted receive.
#[derive(Debug)]
struct Wanted {
    place: Rc<Place>,
    most: usize,
    /// Process of the sender; `None` for any source.
    from: Option<usize>,
}

struct Coming {
    label: Label,
    length: usize,
    receiving: Receiving,
    bytes: Data,
    wanted: Option<(Rc<Place>, usize)>,
}

/// A message reserved by a matched probe.
#[derive(Debug)]
pub(crate) struct Taken(Key);

/// Effects of a call or packet.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// List entries compared.
    pub looked: usize,
    /// Bytes copied.
    pub copied: usize,
    /// A rendezvous message whose sender is to be cleared to send, with its length in bytes.
    pub clear: Option<(Key, u32)>,
}

impl Inbox {
    /// Posts a receive. `from` is the process of the sender, or `None` for any source.
    pub fn receive(
        &mut self,
        context: u16,
        pattern: Pattern,
        most: usize,
        from: Option<usize>,
    ) -> (Rc<Place>, Outcome) {
        let place = Rc::new(Place::default());
        let found = self.matching.receive(context, pattern, || Wanted { place: place.clone(), most, from });
        let mut outcome = Outcome { looked: found.looked, ..Outcome::default() };
        if let Some(key) = found.entry {
            self.want(key, place.clone(), most, &mut outcome);
        }
        (place, outcome)
    }

    /// Status of the first message that a receive would match.
    pub fn probe(&self, context: u16, pattern: Pattern) -> Option<Status> {
        let (label, key) = self.matching.probe(context, pattern).entry?;
        Some(status(label, self.coming[key].length))
    }

    /// Reserves the first message that a receive would match.
    pub fn take(&mut self, context: u16, pattern: Pattern) -> Option<(Taken, Status)> {
        let key = self.matching.take(context, pattern).entry?;
        let coming = &self.coming[&key];
        Some((Taken(key), status(coming.label, coming.length)))
    }

    /// Receives a reserved message.
    pub fn receive_taken(&mut self, Taken(key): Taken, most: usize) -> (Rc<Place>, Outcome) {
        let (place, mut outcome) = (Rc::new(Place::default()), Outcome::default());
        self.want(key, place.clone(), most, &mut outcome);
        (place, outcome)
    }

    /// Withdraws a receive that has not matched and completes it with `end`. Returns false if it has matched.
    pub fn withdraw(&mut self, place: &Rc<Place>, end: Result<Completion, Error>) -> bool {
        let withdrawn = self.matching.withdraw(|_, _, wanted| Rc::ptr_eq(&wanted.place, place));
        if !withdrawn.is_empty() {
            place.fill(end);
        }
        !withdrawn.is_empty()
    }

    /// Handles the first packet of a message. `None` if the packet violates the protocol.
    pub fn begin(&mut self, key: Key, Packet { envelope, data }: Packet) -> Option<Outcome> {
        let length = envelope.length as usize;
        let receiving = Receiving::begin(envelope.kind, length, data.len())?;
        if self.coming.contains_key(&key) {
            return None;
        }
        let label = Label { source: envelope.rank.into(), tag: envelope.tag };
        let found = self.matching.arrive(envelope.context, label, || key);
        let copied = data.len();
        let coming = Coming { label, length, receiving, bytes: data, wanted: None };
        self.coming.insert(key, coming);
        let mut outcome = Outcome { looked: found.looked, ..Outcome::default() };
        if let Some(wanted) = found.entry {
            self.want(key, wanted.place, wanted.most, &mut outcome);
        }
        // Copied into the buffer of the receive or that of unexpected messages.
        outcome.copied = copied;
        Some(outcome)
    }

    /// Handles a `Data` packet. `None` if it violates the protocol.
    pub fn data(&mut self, key: Key, data: Data) -> Option<Outcome> {
        let coming = self.coming.get_mut(&key)?;
        coming.receiving = coming.receiving.data(data.len())?;
        let copied = data.len();
        coming.bytes.append(data);
        self.finish(key);
        Some(Outcome { copied, ..Outcome::default() })
    }

    /// Fails everything that depends on a dead process. Messages that arrived whole can still be received.
    pub fn bury(&mut self, process: usize, error: Error) {
        for wanted in self.matching.withdraw(|_, _, wanted| wanted.from == Some(process)) {
            wanted.place.fill(Err(error));
        }
        let lost = |key: &Key, coming: &mut Coming| key.0 == process && coming.receiving != Receiving::Whole;
        for (key, coming) in self.coming.extract_if(.., lost) {
            self.matching.forget(|other| *other == key);
            if let Some((place, _)) = coming.wanted {
                place.fill(Err(error));
            }
        }
    }

    /// Posted receives: their contexts and patterns.
    pub fn waiting(&self) -> impl Iterator<Item = (u16, Pattern)> {
        self.matching.waiting()
    }

    /// Joins a receive with its message. Data that arrived earlier is copied from the buffer of unexpected
    /// messages.
    fn want(&mut self, key: Key, place: Rc<Place>, most: usize, outcome: &mut Outcome) {
        let Some(coming) = self.coming.get_mut(&key) else {
            // The message was reserved and its sender has died since.
            return place.fill(Err(Error::Unreachable(key.0)));
        };
        outcome.copied = coming.bytes.len().min(most);
        coming.wanted = Some((place, most));
        let (receiving, tell) = coming.receiving.wanted();
        coming.receiving = receiving;
        outcome.clear = tell.then_some((key, coming.length as u32));
        self.finish(key);
    }

    /// Delivers a message that is matched and complete.
    fn finish(&mut self, key: Key) {
        let whole = |coming: &Coming| coming.wanted.is_some() && coming.receiving == Receiving::Whole;
        if !self.coming.get(&key).is_some_and(whole) {
            return;
        }
        let Some(Coming { label, length, bytes, wanted: Some((place, most)), .. }) = self.coming.remove(&key)
        else {
            return;
        };
        place.fill(match length > most {
            true => Err(Error::Truncated { bytes: length, most }),
            false => Ok(Completion { status: status(label, length), bytes: bytes.into_vec() }),
        });
    }
}

fn status(label: Label, bytes: usize) -> Status {
    Status { source: label.source, tag: label.tag, bytes, cancelled: false }
}

#[cfg(test)]
mod tests;
