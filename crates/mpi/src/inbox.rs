//! Messages that come to a process, and receives that wait for them. No time and no network.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::envelope::Envelope;
use crate::error::Error;
use crate::matching::{Label, Matching, Pattern};
use crate::protocol::Receiving;
use crate::request::{Completion, Place, Status};

/// What a process receives.
#[derive(Default)]
pub(crate) struct Inbox {
    matching: Matching<Wanted, Key>,
    /// Messages that have begun to come and have not been handed out.
    coming: BTreeMap<Key, Coming>,
}

/// A message at its receiver: process that sends it, and its number there.
pub(crate) type Key = (usize, u32);

/// A receive that waits.
#[derive(Debug)]
struct Wanted {
    place: Rc<Place>,
    most: usize,
    /// Process that it waits for, if it is one.
    from: Option<usize>,
}

struct Coming {
    label: Label,
    length: usize,
    receiving: Receiving,
    bytes: Vec<u8>,
    wanted: Option<(Rc<Place>, usize)>,
}

/// A message that was found by a probe and that no other receive gets.
#[derive(Debug)]
pub(crate) struct Taken(Key);

/// What a call or a packet led to.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Entries of lists that were compared.
    pub looked: usize,
    /// Bytes that were copied.
    pub copied: usize,
    /// A message whose sender is to be told that there is a place for it, and its bytes.
    pub clear: Option<(Key, u32)>,
}

impl Inbox {
    /// A receive begins to wait. `from` is the process that it waits for, if it is one.
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

    /// The first message that a receive would take.
    pub fn probe(&self, context: u16, pattern: Pattern) -> Option<Status> {
        let (label, key) = self.matching.probe(context, pattern).entry?;
        Some(status(label, self.coming[key].length))
    }

    /// The same, which no other receive gets any more.
    pub fn take(&mut self, context: u16, pattern: Pattern) -> Option<(Taken, Status)> {
        let key = self.matching.take(context, pattern).entry?;
        let coming = &self.coming[&key];
        Some((Taken(key), status(coming.label, coming.length)))
    }

    /// Receives a message that was taken.
    pub fn receive_taken(&mut self, Taken(key): Taken, most: usize) -> (Rc<Place>, Outcome) {
        let (place, mut outcome) = (Rc::new(Place::default()), Outcome::default());
        self.want(key, place.clone(), most, &mut outcome);
        (place, outcome)
    }

    /// A receive that has found no message ends like this; whether there was one.
    pub fn withdraw(&mut self, place: &Rc<Place>, end: Result<Completion, Error>) -> bool {
        let withdrawn = self.matching.withdraw(|_, _, wanted| Rc::ptr_eq(&wanted.place, place));
        if !withdrawn.is_empty() {
            place.fill(end);
        }
        !withdrawn.is_empty()
    }

    /// A message begins to come. None if the packet is wrong.
    pub fn begin(&mut self, key: Key, envelope: &Envelope, data: &[u8]) -> Option<Outcome> {
        let length = envelope.length as usize;
        let receiving = Receiving::begin(envelope.kind, length, data.len())?;
        if self.coming.contains_key(&key) {
            return None;
        }
        let label = Label { source: envelope.rank.into(), tag: envelope.tag };
        let found = self.matching.arrive(envelope.context, label, || key);
        let coming = Coming { label, length, receiving, bytes: data.to_vec(), wanted: None };
        self.coming.insert(key, coming);
        let mut outcome = Outcome { looked: found.looked, ..Outcome::default() };
        if let Some(wanted) = found.entry {
            self.want(key, wanted.place, wanted.most, &mut outcome);
        }
        // Into the buffer of the receive, or to where the message waits for one.
        outcome.copied = data.len();
        Some(outcome)
    }

    /// The next data of a message comes. None if the packet is wrong.
    pub fn data(&mut self, key: Key, data: &[u8]) -> Option<Outcome> {
        let coming = self.coming.get_mut(&key)?;
        coming.receiving = coming.receiving.data(data.len())?;
        coming.bytes.extend_from_slice(data);
        self.finish(key);
        Some(Outcome { copied: data.len(), ..Outcome::default() })
    }

    /// Nothing is expected from a process any more. Messages of it that are whole can still be received.
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

    /// Receives that wait: contexts, and what they look for.
    pub fn waiting(&self) -> impl Iterator<Item = (u16, Pattern)> {
        self.matching.waiting()
    }

    /// A receive has found its message. What came before is copied from where it waited.
    fn want(&mut self, key: Key, place: Rc<Place>, most: usize, outcome: &mut Outcome) {
        let Some(coming) = self.coming.get_mut(&key) else {
            // It was taken, and then its sender was given up.
            return place.fill(Err(Error::Unreachable(key.0)));
        };
        outcome.copied = coming.bytes.len().min(most);
        coming.wanted = Some((place, most));
        let (receiving, tell) = coming.receiving.wanted();
        coming.receiving = receiving;
        outcome.clear = tell.then_some((key, coming.length as u32));
        self.finish(key);
    }

    /// Hands a message out, if it is wanted and all of it is there.
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
            false => Ok(Completion { status: status(label, length), bytes }),
        });
    }
}

fn status(label: Label, bytes: usize) -> Status {
    Status { source: label.source, tag: label.tag, bytes, cancelled: false }
}
