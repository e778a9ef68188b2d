//! What goes on inside the calls of a process: packets leave and come, and calls that nobody waits for go on.
//!
//! The library has no thread. A call that waits takes steps: it sends a packet, takes one in, lets non-blocking collectives go on, and
//! sees whether what it waits for is there. What the library itself costs is summed up and paid for before the next step.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::{Rc, Weak};
use std::task::{Context, Poll};

use cluster::Duration;

use crate::carrier::{AnyCarrier, Carrier, Packet, Sent};
use crate::envelope::{Envelope, Kind};
use crate::error::Error;
use crate::host::Host;
use crate::matching::{Label, Matching, Pattern, Source, Tag};
use crate::options::Options;
use crate::protocol::{Receiving, Sending, Way};
use crate::request::{Completion, Place, Status};

/// The library of a process.
pub(crate) struct Library {
    pub rank: usize,
    pub ranks: usize,
    pub host: Host,
    pub options: Options,
    /// Bytes of data in a packet.
    room: usize,
    /// Not here while somebody uses it.
    carrier: RefCell<Option<Box<dyn AnyCarrier>>>,
    state: RefCell<State>,
    background: RefCell<Vec<Pin<Box<dyn Future<Output = ()>>>>>,
    /// What the library has done and not paid for.
    debt: Cell<Duration>,
    /// Something was put among what leaves since the last step.
    more: Cell<bool>,
    /// Contexts in use, by the numbers of their communicators.
    pub contexts: RefCell<BTreeSet<u16>>,
}

#[derive(Default)]
struct State {
    matching: Matching<Wanted, Key>,
    /// Messages that have begun to come and have not been handed out.
    coming: BTreeMap<Key, Coming>,
    /// Messages that leave, by receivers.
    leaving: BTreeMap<usize, VecDeque<Leaving>>,
    /// Messages that have asked, by their numbers.
    asked: BTreeMap<u32, (usize, Leaving)>,
    next_request: u32,
    /// Receiver whose packet left last.
    last: usize,
    /// Packets of this process to itself.
    own: VecDeque<Packet>,
    /// Processes that the network has given up.
    dead: BTreeSet<usize>,
    /// Packets that no rule allows.
    refused: u64,
}

/// A message at its receiver: process that sends it, and its number there.
type Key = (usize, u32);

/// A receive that waits.
#[derive(Debug)]
pub(crate) struct Wanted {
    place: Rc<Place>,
    most: usize,
    /// Process that it waits for, if it is one.
    from: Option<usize>,
}

struct Coming {
    context: u16,
    label: Label,
    length: usize,
    receiving: Receiving,
    bytes: Vec<u8>,
    wanted: Option<(Rc<Place>, usize)>,
}

struct Leaving {
    envelope: Envelope,
    sending: Sending,
    bytes: Vec<u8>,
    place: Option<Rc<Place>>,
}

/// A message that was found by a probe and that no other receive gets.
#[derive(Debug)]
pub(crate) struct Taken(Key);

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

impl Library {
    pub fn new(carrier: impl Carrier + 'static, options: Options) -> Library {
        Library {
            rank: carrier.rank(),
            ranks: carrier.ranks(),
            host: carrier.host(),
            options,
            room: carrier.most_bytes() - Envelope::BYTES,
            carrier: RefCell::new(Some(Box::new(carrier))),
            state: RefCell::default(),
            background: RefCell::default(),
            debt: Cell::default(),
            more: Cell::default(),
            contexts: RefCell::default(),
        }
    }

    /// The library has done something that takes so long.
    pub fn charge(&self, duration: Duration) {
        self.debt.set(self.debt.get() + duration);
    }

    fn charge_looks(&self, looks: usize) {
        self.charge(self.host.costs().look * looks as u64);
    }

    /// Copies or combines so many bytes.
    pub fn charge_bytes(&self, bytes: usize) {
        self.charge(self.host.costs().bytes(bytes));
    }

    /// A message begins to leave.
    pub fn send(&self, way: Way, address: Address, bytes: Vec<u8>) -> Result<Rc<Place>, Error> {
        let length = u32::try_from(bytes.len()).map_err(|_| Error::Count(bytes.len()))?;
        let state = &mut *self.state.borrow_mut();
        let place = Rc::new(Place::default());
        if state.dead.contains(&address.to) {
            place.fill(Err(Error::Unreachable(address.to)));
            return Ok(place);
        }
        let request = state.next_request;
        state.next_request = request.wrapping_add(1);
        let envelope = Envelope {
            context: address.context,
            rank: address.rank as u16,
            tag: address.tag,
            length,
            request,
            credits: 0,
            kind: Kind::Eager,
        };
        let sending = Sending::begin(way, bytes.len());
        let message = Leaving { envelope, sending, bytes, place: Some(place.clone()) };
        state.leaving.entry(address.to).or_default().push_back(message);
        self.more.set(true);
        self.charge_looks(1);
        Ok(place)
    }

    /// A receive begins to wait. `from` is the process that it waits for, if it is one.
    pub fn receive(&self, context: u16, pattern: Pattern, most: usize, from: Option<usize>) -> Rc<Place> {
        let state = &mut *self.state.borrow_mut();
        let place = Rc::new(Place::default());
        let waits = || Wanted { place: place.clone(), most, from };
        let found = state.matching.receive(context, pattern, waits);
        self.charge_looks(1 + found.looked);
        match (found.entry, from) {
            (Some(key), _) => self.want(state, key, place.clone(), most),
            (None, Some(process)) if state.dead.contains(&process) => {
                place.fill(Err(Error::Unreachable(process)));
                state.matching.withdraw(|_, _, wanted| Rc::ptr_eq(&wanted.place, &place));
            }
            _ => {}
        }
        place
    }

    /// The first message that a receive would take.
    pub fn probe(&self, context: u16, pattern: Pattern) -> Option<Status> {
        let state = self.state.borrow();
        let found = state.matching.probe(context, pattern);
        found.entry.map(|(label, key)| status(label, state.coming[key].length))
    }

    /// The same, which no other receive gets any more.
    pub fn take(&self, context: u16, pattern: Pattern) -> Option<(Taken, Status)> {
        let state = &mut *self.state.borrow_mut();
        let key = state.matching.take(context, pattern).entry?;
        let coming = &state.coming[&key];
        Some((Taken(key), status(coming.label, coming.length)))
    }

    /// Receives a message that was taken.
    pub fn receive_taken(&self, taken: Taken, most: usize) -> Rc<Place> {
        let place = Rc::new(Place::default());
        self.charge_looks(1);
        self.want(&mut self.state.borrow_mut(), taken.0, place.clone(), most);
        place
    }

    /// A receive that has found no message waits no longer; whether there was one.
    pub fn cancel(&self, place: &Rc<Place>) -> bool {
        let withdrawn =
            self.state.borrow_mut().matching.withdraw(|_, _, wanted| Rc::ptr_eq(&wanted.place, place));
        for wanted in &withdrawn {
            let status = Status { source: 0, tag: 0, bytes: 0, cancelled: true };
            wanted.place.fill(Ok(Completion { status, bytes: Vec::new() }));
        }
        !withdrawn.is_empty()
    }

    /// A receive has found its message.
    fn want(&self, state: &mut State, key: Key, place: Rc<Place>, most: usize) {
        let coming = state.coming.get_mut(&key).expect("a message that waits is there");
        // What came before it was wanted lies elsewhere, and is copied.
        self.charge_bytes(coming.bytes.len().min(most));
        coming.wanted = Some((place, most));
        let (receiving, tell) = coming.receiving.wanted();
        coming.receiving = receiving;
        if tell {
            let envelope = Envelope {
                context: coming.context,
                rank: 0,
                tag: 0,
                length: 0,
                request: key.1,
                credits: 0,
                kind: Kind::Clear,
            };
            let answer = Leaving { envelope, sending: Sending::Done, bytes: Vec::new(), place: None };
            state.leaving.entry(key.0).or_default().push_back(answer);
            self.more.set(true);
        }
        finish(state, key);
    }

    /// A packet has come.
    fn arrive(&self, packet: Packet) {
        let state = &mut *self.state.borrow_mut();
        self.charge_looks(1);
        let Some((envelope, data)) = Envelope::split(&packet.bytes) else {
            state.refused += 1;
            return;
        };
        let key = (packet.from, envelope.request);
        let accepted = match envelope.kind {
            Kind::Eager | Kind::Ask => self.begin(state, key, &envelope, data),
            Kind::Data => self.data(state, key, data),
            Kind::Clear => clear(state, key),
            Kind::Credit => Some(()),
        };
        state.refused += u64::from(accepted.is_none());
    }

    fn begin(&self, state: &mut State, key: Key, envelope: &Envelope, data: &[u8]) -> Option<()> {
        let receiving = Receiving::begin(envelope.kind, envelope.length as usize, data.len())?;
        if state.coming.contains_key(&key) {
            return None;
        }
        let label = Label { source: envelope.rank.into(), tag: envelope.tag };
        let (context, length) = (envelope.context, envelope.length as usize);
        self.charge_bytes(data.len());
        let found = state.matching.arrive(context, label, || key);
        self.charge_looks(found.looked);
        state
            .coming
            .insert(key, Coming { context, label, length, receiving, bytes: Vec::new(), wanted: None });
        if let Some(wanted) = found.entry {
            self.want(state, key, wanted.place, wanted.most);
        }
        if let Some(coming) = state.coming.get_mut(&key) {
            coming.bytes.extend_from_slice(data);
        }
        finish(state, key);
        Some(())
    }

    fn data(&self, state: &mut State, key: Key, data: &[u8]) -> Option<()> {
        let coming = state.coming.get_mut(&key)?;
        coming.receiving = coming.receiving.data(data.len())?;
        coming.bytes.extend_from_slice(data);
        self.charge_bytes(data.len());
        finish(state, key);
        Some(())
    }

    /// One step: whether something left or came.
    async fn step(&self, carrier: &mut Box<dyn AnyCarrier>) -> bool {
        self.more.set(false);
        let left = self.push(carrier).await;
        self.pay().await;
        let own = self.state.borrow_mut().own.pop_front();
        let packet = match own {
            Some(packet) => Some(packet),
            None => carrier.receive().await,
        };
        let Some(packet) = packet else { return left };
        self.arrive(packet);
        self.pay().await;
        true
    }

    /// Sends the next packet, if there is one and the network takes it.
    async fn push(&self, carrier: &mut Box<dyn AnyCarrier>) -> bool {
        let Some((to, packet)) = self.state.borrow_mut().next_packet(self.room) else { return false };
        let sent = match to == self.rank {
            true => {
                self.state.borrow_mut().own.push_back(Packet { from: to, bytes: packet.clone() });
                Sent::Yes
            }
            false => carrier.send(to, &packet).await,
        };
        match sent {
            Sent::Yes => self.state.borrow_mut().left(to, self.room),
            Sent::NoRoom => return false,
            Sent::Unreachable => self.state.borrow_mut().bury(to),
        }
        self.charge_looks(1);
        true
    }

    /// Pays for what the library did.
    async fn pay(&self) {
        self.host.compute(self.debt.replace(Duration::ZERO)).await;
    }

    /// The carrier, which whoever uses it puts back.
    async fn borrow_carrier(&self) -> Borrowed<'_> {
        let carrier = poll_fn(|_| match self.carrier.borrow_mut().take() {
            Some(carrier) => Poll::Ready(carrier),
            None => Poll::Pending,
        });
        Borrowed { library: self, carrier: Some(carrier.await) }
    }

    /// Lets a call go on to its end, and all else with it.
    pub async fn drive<T>(&self, call: impl Future<Output = T>) -> T {
        let mut call = pin!(call);
        loop {
            if let Some(result) = poll_fn(|context| Poll::Ready(self.look(call.as_mut(), context))).await {
                self.pay().await;
                return result;
            }
            let mut borrowed = self.borrow_carrier().await;
            let carrier = borrowed.carrier.as_mut().expect("it is put back only at the end");
            if self.step(carrier).await {
                continue;
            }
            let mut pause = pin!(carrier.pause());
            let news = poll_fn(|context| {
                if let Some(result) = self.look(call.as_mut(), context) {
                    return Poll::Ready(Some(result));
                }
                if self.more.get() || self.debt.get() > Duration::ZERO {
                    return Poll::Ready(None);
                }
                pause.as_mut().poll(context).map(|()| None)
            });
            if let Some(result) = news.await {
                self.pay().await;
                return result;
            }
        }
    }

    /// Takes one step for a call that does not wait, and lets a little time pass.
    pub async fn turn(&self) {
        self.charge_looks(1);
        poll_fn(|context| {
            self.advance(context);
            Poll::Ready(())
        })
        .await;
        let mut borrowed = self.borrow_carrier().await;
        self.step(borrowed.carrier.as_mut().expect("it is put back only at the end")).await;
        drop(borrowed);
        poll_fn(|context| {
            self.advance(context);
            Poll::Ready(())
        })
        .await;
    }

    /// Sends what can be sent now.
    pub async fn flush(&self) {
        self.pay().await;
        let mut borrowed = self.borrow_carrier().await;
        let carrier = borrowed.carrier.as_mut().expect("it is put back only at the end");
        while self.push(carrier).await {
            self.pay().await;
        }
    }

    /// Goes on until nothing of this process is left to leave.
    pub async fn drain(&self) {
        let empty = poll_fn(|_| match self.state.borrow().leaving.is_empty() {
            true => Poll::Ready(()),
            false => Poll::Pending,
        });
        self.drive(empty).await;
    }

    /// A call that nobody waits for goes on whenever another one does.
    pub fn spawn(&self, call: impl Future<Output = ()> + 'static) {
        self.background.borrow_mut().push(Box::pin(call));
    }

    /// The result of a call, if it is there now. Those that nobody waits for go on first.
    fn look<T>(&self, mut call: Pin<&mut impl Future<Output = T>>, context: &mut Context<'_>) -> Option<T> {
        self.advance(context);
        match call.as_mut().poll(context) {
            Poll::Ready(result) => Some(result),
            Poll::Pending => None,
        }
    }

    fn advance(&self, context: &mut Context<'_>) {
        let mut calls = self.background.take();
        calls.retain_mut(|call| call.as_mut().poll(context).is_pending());
        // Calls that these have begun.
        let begun = self.background.take();
        calls.extend(begun);
        *self.background.borrow_mut() = calls;
    }
}

impl State {
    /// The next packet to leave, of the first receiver behind the last one.
    fn next_packet(&self, room: usize) -> Option<(usize, Vec<u8>)> {
        let behind = self.leaving.range(self.last + 1..).chain(self.leaving.range(..=self.last));
        let (to, message) = behind.filter_map(|(to, queue)| Some((*to, queue.front()?))).next()?;
        Some((to, message.packet(room)))
    }

    /// The packet of `next_packet` has left.
    fn left(&mut self, to: usize, room: usize) {
        self.last = to;
        let queue = self.leaving.get_mut(&to).expect("a packet of it has left");
        let message = queue.front_mut().expect("a packet of it has left");
        let length = message.bytes.len();
        if let Some((_, sending)) = message.sending.next(length, room) {
            message.sending = sending;
        }
        match message.sending {
            Sending::Asked { .. } => {
                let message = queue.pop_front().expect("it is the first");
                self.asked.insert(message.envelope.request, (to, message));
            }
            Sending::Done => {
                if let Some(place) = queue.pop_front().and_then(|message| message.place) {
                    place.fill(Ok(Completion::sent(length)));
                }
            }
            _ => {}
        }
        if queue.is_empty() {
            self.leaving.remove(&to);
        }
    }

    /// The network has given a process up: nothing goes there, and nothing is expected from there.
    fn bury(&mut self, process: usize) {
        self.dead.insert(process);
        let error = Err(Error::Unreachable(process));
        let leaving = self.leaving.remove(&process).unwrap_or_default();
        let asked = self.asked.extract_if(.., |_, (to, _)| *to == process).map(|(_, (_, message))| message);
        for place in leaving.into_iter().chain(asked).filter_map(|message| message.place) {
            place.fill(error.clone());
        }
        for wanted in self.matching.withdraw(|_, _, wanted| wanted.from == Some(process)) {
            wanted.place.fill(error.clone());
        }
        for (_, coming) in
            self.coming.extract_if(.., |key, coming| key.0 == process && coming.wanted.is_some())
        {
            if let Some((place, _)) = coming.wanted {
                place.fill(error.clone());
            }
        }
    }
}

impl Leaving {
    fn packet(&self, room: usize) -> Vec<u8> {
        let Some((leaving, _)) = self.sending.next(self.bytes.len(), room) else {
            return self.envelope.to_bytes().to_vec();
        };
        let left = match self.sending {
            Sending::Eager { left, .. } | Sending::Cleared { left } => left,
            _ => 0,
        };
        let data = &self.bytes[self.bytes.len() - left..][..leaving.data];
        let envelope = Envelope { kind: leaving.kind, ..self.envelope };
        [&envelope.to_bytes()[..], data].concat()
    }
}

/// The receiver has cleared a message of this process.
fn clear(state: &mut State, key: Key) -> Option<()> {
    let (to, message) = state.asked.get(&key.1)?;
    if *to != key.0 {
        return None;
    }
    let sending = message.sending.cleared()?;
    let (to, mut message) = state.asked.remove(&key.1)?;
    message.sending = sending;
    match (sending, message.place.take()) {
        (Sending::Done, Some(place)) => place.fill(Ok(Completion::sent(0))),
        (_, place) => {
            message.place = place;
            state.leaving.entry(to).or_default().push_back(message);
        }
    }
    Some(())
}

/// Hands a message out, if it is wanted and all of it is there.
fn finish(state: &mut State, key: Key) {
    let Some(coming) = state.coming.get(&key) else { return };
    if coming.wanted.is_none() || coming.receiving != Receiving::Whole || coming.bytes.len() < coming.length {
        return;
    }
    let Some(Coming { label, length, mut bytes, wanted: Some((place, most)), .. }) =
        state.coming.remove(&key)
    else {
        return;
    };
    if length > most {
        bytes.truncate(most);
        place.fill(Err(Error::Truncated { bytes: length, most }));
    } else {
        place.fill(Ok(Completion { status: status(label, length), bytes }));
    }
}

fn status(label: Label, bytes: usize) -> Status {
    Status { source: label.source, tag: label.tag, bytes, cancelled: false }
}

/// The carrier while a call uses it.
struct Borrowed<'a> {
    library: &'a Library,
    carrier: Option<Box<dyn AnyCarrier>>,
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        *self.library.carrier.borrow_mut() = self.carrier.take();
    }
}

/// Tells what a process waits for, from outside.
#[derive(Clone)]
pub struct Watcher(pub(crate) Weak<Library>);

impl Watcher {
    /// What the process waits for, in words: receives without messages, messages that were not wanted.
    pub fn waiting(&self) -> Vec<String> {
        let Some(library) = self.0.upgrade() else { return Vec::new() };
        let state = library.state.borrow();
        let receives = state.matching.waiting().map(|(context, pattern)| {
            let source = match pattern.source {
                Source::Any => "anybody".to_string(),
                Source::Rank(rank) => format!("rank {rank}"),
            };
            let tag = match pattern.tag {
                Tag::Any => "of any tag".to_string(),
                Tag::Is(tag) => format!("of tag {tag}"),
            };
            match context % 2 {
                0 => format!("a message of {source} {tag}"),
                _ => format!("{source} in collective call {}", tag_of(pattern)),
            }
        });
        let asked = state.asked.values().map(|(to, message)| {
            let Envelope { tag, length, .. } = message.envelope;
            format!("process {to} to receive {length} bytes of tag {tag}")
        });
        receives.chain(asked).collect()
    }
}

fn tag_of(pattern: Pattern) -> u32 {
    match pattern.tag {
        Tag::Is(tag) => tag,
        Tag::Any => 0,
    }
}
