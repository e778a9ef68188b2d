//! The progress engine: sends and receives packets and drives non-blocking calls during the calls of a
//! process.
//!
//! A blocking call repeats one step: send a packet, receive a packet, drive the non-blocking collectives, and
//! check its own completion. The processor time of the library is summed up and charged before the next step.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll};

use cluster::{Duration, Looking, Time};

use crate::carrier::{AnyCarrier, Carrier, Direction, Part, Piece, Reach, Received, Sent};
use crate::completion::{Completion, Place, Status};
use crate::concurrent::Concurrent;
use crate::contexts::UNIVERSE;
use crate::envelope::{Envelope, Kind};
use crate::error::Error;
use crate::host::Host;
use crate::inbox::{Inbox, Outcome, Taken};
use crate::marks;
use crate::matching::Pattern;
use crate::options::Options;
use crate::outbox::{Address, Outbox};
use crate::protocol::Way;
use crate::signs::{Signs, count};
use crate::thread::Thread;

/// Called when a remote write or read is complete, with the data of a read, or when the target is dead.
pub(crate) type Done = Box<dyn FnOnce(Result<Vec<u8>, Error>)>;

/// The library of one process.
pub(crate) struct Library {
    pub rank: usize,
    pub ranks: usize,
    pub host: Host,
    pub options: Options,
    /// Longest message, and longest eager message, in bytes.
    most: usize,
    pub most_eager: usize,
    /// `None` while a call uses the carrier.
    pub carrier: RefCell<Option<Box<dyn AnyCarrier>>>,
    pub outbox: RefCell<Outbox>,
    pub inbox: RefCell<Inbox>,
    /// Packets of this process to itself.
    own: RefCell<VecDeque<Received>>,
    /// Processes to which nothing is sent any more, with the reason.
    dead: RefCell<BTreeMap<usize, Error>>,
    background: RefCell<Vec<Pin<Box<dyn Future<Output = ()>>>>>,
    /// Processor time of library steps not yet charged.
    debt: Cell<Duration>,
    /// Receiver of the packet that is built but for which the carrier had no room.
    built: Cell<Option<usize>>,
    /// Packets were queued since the last step.
    more: Cell<bool>,
    pub signs: Rc<Signs>,
    /// Progress thread, if the options have one.
    pub thread: Option<Thread>,
    /// Numbers of the communicators in use.
    pub contexts: RefCell<BTreeSet<u16>>,
    /// Non-blocking calls that have not agreed on the number of a communicator yet.
    pub agreements: Cell<usize>,
    /// Packets that have arrived, those of this process to itself included.
    pub arrivals: Cell<u64>,
    /// Memory that the carrier accesses without the library of its process.
    pub reach: Reach,
    /// Called when a remote write or read is complete, by target and in the order of the calls.
    accesses: RefCell<BTreeMap<usize, VecDeque<Done>>>,
    /// The event that a synchronization of a window waits for, for reports.
    pub window_wait: RefCell<Option<String>>,
    /// Calls of several threads, while they are polled.
    pub concurrent: Concurrent,
}

impl Library {
    pub fn new(carrier: impl Carrier + 'static, options: Options) -> Library {
        let (rank, ranks) = (carrier.rank(), carrier.ranks());
        let room = carrier.most_bytes() - Envelope::BYTES;
        let host = carrier.host();
        Library {
            rank,
            ranks,
            thread: options.progress.map(|progress| Thread::new(progress, host.now())),
            host,
            most: carrier.most_message(),
            most_eager: options.eager.min(carrier.most_eager()),
            options,
            reach: carrier.reach(),
            carrier: RefCell::new(Some(Box::new(carrier))),
            outbox: RefCell::new(Outbox::new(rank, room)),
            inbox: RefCell::default(),
            own: RefCell::default(),
            dead: RefCell::default(),
            background: RefCell::default(),
            debt: Cell::default(),
            built: Cell::default(),
            more: Cell::default(),
            signs: Rc::default(),
            contexts: RefCell::new(BTreeSet::from([UNIVERSE])),
            agreements: Cell::default(),
            window_wait: RefCell::default(),
            arrivals: Cell::default(),
            accesses: RefCell::default(),
            concurrent: Concurrent::default(),
        }
    }

    /// Adds processor time of library steps, which [`pay`](Self::pay) charges.
    pub fn charge(&self, duration: Duration) {
        self.debt.set(self.debt.get() + duration);
    }

    fn charge_call(&self) {
        self.charge(self.host.costs().call);
    }

    /// Charges the time to copy or combine `bytes`.
    pub fn charge_bytes(&self, bytes: usize) {
        self.charge(self.host.costs().bytes(bytes));
    }

    /// Longest message in bytes.
    pub fn most_message(&self) -> usize {
        self.most
    }

    /// Why nothing is sent to a process any more, if the network has declared it dead.
    pub fn dead(&self, process: usize) -> Option<Error> {
        self.dead.borrow().get(&process).copied()
    }

    /// Number of processes that the network has declared dead.
    pub fn count_dead(&self) -> usize {
        self.dead.borrow().len()
    }

    /// Begins a send.
    pub fn send(&self, way: Way, address: Address, bytes: Vec<u8>) -> Result<Rc<Place>, Error> {
        self.charge_call();
        if bytes.len() > self.most {
            return Err(Error::Count(bytes.len()));
        }
        if let Some(error) = self.dead.borrow().get(&address.to) {
            return Ok(Place::filled(Err(*error)));
        }
        self.more.set(true);
        self.outbox.borrow_mut().send(way, address, bytes)
    }

    /// Posts a receive. `from` is the process of the sender, or `None` for any source.
    pub fn receive(&self, context: u16, pattern: Pattern, most: usize, from: Option<usize>) -> Rc<Place> {
        self.charge_call();
        let (place, outcome) = self.inbox.borrow_mut().receive(context, pattern, most, from);
        self.follow(outcome);
        if let Some(error) = from.and_then(|process| self.dead.borrow().get(&process).copied()) {
            self.inbox.borrow_mut().withdraw(&place, Err(error));
        }
        place
    }

    /// Assigns a place to memory that the library has allocated for a window.
    pub async fn place(&self, bytes: u64) -> Option<u64> {
        self.pay().await;
        self.borrow_carrier().await.carrier().place(bytes).await
    }

    /// Frees a place.
    pub async fn release(&self, place: u64) {
        self.borrow_carrier().await.carrier().release(place);
    }

    /// Cuts an access into parts that the network carries out; none if it has to be a message.
    pub async fn cut(&self, direction: Direction, place: u64, pieces: &[Piece]) -> Vec<Vec<Piece>> {
        self.borrow_carrier().await.carrier().cut(direction, place, pieces)
    }

    /// Stores data in the memory of another process; `done` is called when it is there.
    pub async fn write(&self, part: &Part, data: &[u8], done: Done) -> Result<(), Error> {
        self.access(part.target, Some(done), async |carrier| carrier.write(part, data).await).await
    }

    /// Reads data, at `present`, from the memory of another process; `done` gets it when it is here.
    pub async fn read(&self, part: &Part, present: &[u8], done: Done) -> Result<(), Error> {
        self.access(part.target, Some(done), async |carrier| carrier.read(part, present).await).await
    }

    /// Has the carrier report the writes to a process that are complete.
    pub async fn settle(&self, target: usize) -> Result<(), Error> {
        self.access(target, None, async |carrier| carrier.settle(target).await).await
    }

    /// Hands an access to the carrier. Makes progress until it has room.
    async fn access(
        &self,
        target: usize,
        done: Option<Done>,
        mut begin: impl AsyncFnMut(&mut Box<dyn AnyCarrier>) -> Sent,
    ) -> Result<(), Error> {
        if done.is_some() {
            self.charge_call();
        }
        loop {
            self.pay().await;
            if let Some(error) = self.dead(target) {
                return Err(error);
            }
            let sent = begin(self.borrow_carrier().await.carrier()).await;
            match sent {
                Sent::Yes => break,
                Sent::NoRoom => self.turn().await,
                Sent::Unreachable(dead) => {
                    self.bury(dead, Error::Unreachable(dead));
                    return Err(Error::Unreachable(dead));
                }
                Sent::Refused(error) => return Err(error),
            }
        }
        if let Some(done) = done {
            self.accesses.borrow_mut().entry(target).or_default().push_back(done);
        }
        Ok(())
    }

    /// Whether remote writes or reads are in flight.
    pub fn is_accessing(&self) -> bool {
        self.accesses.borrow().values().any(|accesses| !accesses.is_empty())
    }

    /// Ends the oldest remote access to a process.
    fn finish(&self, process: usize, data: Vec<u8>) {
        let done = self.accesses.borrow_mut().get_mut(&process).and_then(VecDeque::pop_front);
        if let Some(done) = done {
            done(Ok(data));
        }
    }

    /// Receives a reserved message.
    pub fn receive_taken(&self, taken: Taken, most: usize) -> Rc<Place> {
        self.charge_call();
        let (place, outcome) = self.inbox.borrow_mut().receive_taken(taken, most);
        self.follow(outcome);
        place
    }

    /// Cancels a receive that has not matched. Returns false if it has matched.
    pub fn cancel(&self, place: &Rc<Place>) -> bool {
        let status = Status { source: 0, tag: 0, bytes: 0, cancelled: true };
        self.inbox.borrow_mut().withdraw(place, Ok(Completion { status, bytes: Vec::new() }))
    }

    /// Charges the effects of a call or packet, and queues a `Clear` if one is due.
    fn follow(&self, outcome: Outcome) {
        self.charge(self.host.costs().entry * outcome.looked as u64);
        self.charge_bytes(outcome.copied);
        if let Some(((to, request), length)) = outcome.clear {
            self.outbox.borrow_mut().clear(to, request, length);
            self.more.set(true);
        }
    }

    /// Handles a received packet. Packets that violate the protocol are dropped.
    fn arrive(&self, Received { from, packet }: Received) {
        count(&self.arrivals);
        self.charge(self.host.costs().received);
        let Some(packet) = packet else { return };
        let envelope = packet.envelope;
        let key = (from, envelope.request);
        let outcome = match envelope.kind {
            Kind::Eager | Kind::Ask => self.inbox.borrow_mut().begin(key, packet),
            Kind::Data => self.inbox.borrow_mut().data(key, packet.data),
            Kind::Clear => {
                self.outbox.borrow_mut().cleared(from, envelope.request);
                None
            }
        };
        self.follow(outcome.unwrap_or_default());
    }

    /// Fails everything that depends on a dead process.
    fn bury(&self, process: usize, error: Error) {
        self.dead.borrow_mut().entry(process).or_insert(error);
        let accesses = self.accesses.borrow_mut().remove(&process);
        accesses.into_iter().flatten().for_each(|done| done(Err(error)));
        self.outbox.borrow_mut().bury(process, error);
        self.inbox.borrow_mut().bury(process, error);
    }

    /// Takes one step. Returns whether a packet was sent or received.
    pub async fn step(&self, carrier: &mut Box<dyn AnyCarrier>) -> bool {
        self.more.set(false);
        let left = self.push(carrier).await;
        self.pay().await;
        let own = self.own.borrow_mut().pop_front();
        let packet = match own {
            Some(packet) => Some(packet),
            None => carrier.receive().await,
        };
        let mut is_finished = false;
        while let Some((process, data)) = carrier.finished() {
            self.finish(process, data);
            is_finished = true;
        }
        while let Some(dead) = carrier.lost() {
            self.bury(dead, Error::Unreachable(dead));
        }
        while let Some((process, error)) = carrier.refused() {
            self.bury(process, error);
        }
        let Some(packet) = packet else { return left || is_finished };
        self.signs.busy();
        if packet.from != self.rank {
            count(&self.signs.received);
            self.host.mark(marks::TAKEN);
        }
        self.arrive(packet);
        self.pay().await;
        self.host.mark(marks::MATCHED);
        true
    }

    /// Sends the next packet, if there is one. Returns whether the carrier accepted it.
    async fn push(&self, carrier: &mut Box<dyn AnyCarrier>) -> bool {
        let next = self.outbox.borrow().next(|to, envelope| carrier.has_room(to, envelope));
        let Some(next) = next else { return false };
        let build = self.host.costs().build;
        if build > Duration::ZERO && self.built.replace(Some(next.to)) != Some(next.to) {
            self.charge(build);
            self.pay().await;
        }
        let sent = match next.to == self.rank {
            true => {
                self.own
                    .borrow_mut()
                    .push_back(Received { from: next.to, packet: Some(next.packet.clone()) });
                Sent::Yes
            }
            false => {
                self.host.mark(marks::HANDED);
                carrier.send(next.to, &next.packet).await
            }
        };
        match sent {
            Sent::Yes => {
                if next.to != self.rank {
                    count(&self.signs.sent);
                }
                self.outbox.borrow_mut().left(next);
            }
            Sent::NoRoom => return false,
            Sent::Unreachable(dead) => {
                self.bury(dead, Error::Unreachable(dead));
                self.bury(next.to, Error::Unreachable(dead));
            }
            Sent::Refused(error) => self.bury(next.to, error),
        }
        self.built.set(None);
        self.charge(self.host.costs().sent);
        true
    }

    /// Spends the accumulated processor time.
    async fn pay(&self) {
        let debt = self.debt.replace(Duration::ZERO);
        self.signs.spent.set(self.signs.spent.get() + debt);
        self.host.compute(debt).await;
    }

    /// Waits for the carrier; the guard returns it when dropped.
    async fn borrow_carrier(&self) -> Borrowed<'_> {
        let carrier = poll_fn(|_| match self.carrier.borrow_mut().take() {
            Some(carrier) => Poll::Ready(carrier),
            None => {
                self.concurrent.want_carrier();
                Poll::Pending
            }
        });
        Borrowed { library: self, carrier: Some(carrier.await) }
    }

    /// Runs a call to completion, together with all non-blocking calls. One of several calls at the same time takes no
    /// steps itself.
    pub async fn drive<T>(&self, call: impl Future<Output = T>) -> T {
        if self.concurrent.is_polling() {
            let result = self.concurrent.wait(call).await;
            return self.complete(result).await;
        }
        let mut call = pin!(call);
        let mut looking = self.host.looking();
        loop {
            let looked = poll_fn(|context| Poll::Ready(self.look(call.as_mut(), context)));
            if let Some(result) = looked.await {
                return self.complete(result).await;
            }
            self.find_at_work().await;
            let mut borrowed = self.borrow_carrier().await;
            let carrier = borrowed.carrier();
            if self.step(carrier).await {
                looking = self.host.looking();
                continue;
            }
            self.signs.idle();
            self.look_again(&mut looking, carrier.looks_alike()).await;
            let mut pause = pin!(carrier.pause());
            let news = poll_fn(|context| {
                if let Some(result) = self.look(call.as_mut(), context) {
                    return Poll::Ready(Some(result));
                }
                if self.has_work() {
                    return Poll::Ready(None);
                }
                pause.as_mut().poll(context).map(|()| None)
            });
            match news.await {
                Some(result) => return self.complete(result).await,
                None if self.has_work() => looking = self.host.looking(),
                None => {}
            }
        }
    }

    /// Ends a look in vain. If the next one is `alike`, the identical ones may be skipped; otherwise a loop begins anew.
    pub async fn look_again(&self, looking: &mut Option<Looking>, alike: bool) {
        match looking {
            Some(looking) if alike && self.thread.is_none() => looking.again().await,
            _ => *looking = self.host.looking(),
        }
    }

    /// Whether packets were queued or processor time was charged since the last step.
    pub fn has_work(&self) -> bool {
        self.more.get() || self.debt.get() > Duration::ZERO
    }

    /// Ends a call with `result`; its processor time is spent before it returns.
    async fn complete<T>(&self, result: T) -> T {
        self.signs.busy();
        self.pay().await;
        result
    }

    /// Computes for `duration`. On the single processor the progress thread preempts the program when it is
    /// due, so the computation ends later by the thread's work.
    pub async fn compute(&self, duration: Duration) {
        let Some(thread) = &self.thread else { return self.host.compute(duration).await };
        let mut left = duration;
        loop {
            let part = thread.sleeps(self.host.now()).unwrap_or_default();
            if part >= left {
                return self.host.compute(left).await;
            }
            self.host.compute(part).await;
            left = left - part;
            self.look_in(thread).await;
        }
    }

    /// Switches to the progress thread, which takes steps until nothing is left to do, and back.
    async fn look_in(&self, thread: &Thread) {
        self.host.compute(thread.progress.switch).await;
        let mut borrowed = self.borrow_carrier().await;
        let carrier = borrowed.carrier();
        while self.step(carrier).await {}
        drop(borrowed);
        self.advance_background().await;
        self.pay().await;
        thread.done(self.host.now());
    }

    /// Handles a progress thread that is due during a call. The library's only lock is taken (hazard H11 of
    /// MPI/DE), so the thread goes back to sleep.
    pub async fn find_at_work(&self) {
        if let Some(thread) = self.thread.as_ref().filter(|thread| thread.sleeps(self.host.now()).is_none()) {
            self.host.compute(thread.progress.switch).await;
            thread.done(self.host.now());
        }
    }

    /// Takes one step for a call that does not wait; charges one look, so that polling loops advance the
    /// time.
    pub async fn turn(&self) {
        self.charge(self.host.costs().look);
        self.advance_background().await;
        let mut borrowed = self.borrow_carrier().await;
        self.step(borrowed.carrier()).await;
        drop(borrowed);
        self.advance_background().await;
    }

    /// A time before which a step finds nothing to do, whatever other processes do; `None` if that is not
    /// known.
    pub fn quiet_until(&self) -> Option<Time> {
        let idle = self.thread.is_none()
            && !self.has_work()
            && self.own.borrow().is_empty()
            && self.outbox.borrow().is_empty();
        self.carrier.borrow().as_ref().filter(|_| idle)?.quiet_until()
    }

    /// Sends the packets that the carrier accepts now.
    pub async fn flush(&self) {
        self.pay().await;
        let mut borrowed = self.borrow_carrier().await;
        let carrier = borrowed.carrier();
        while self.push(carrier).await {
            self.pay().await;
        }
    }

    /// Makes progress until all messages of this process have left.
    pub async fn drain(&self) {
        let empty = poll_fn(|_| match self.outbox.borrow().is_empty() {
            true => Poll::Ready(()),
            false => Poll::Pending,
        });
        self.drive(empty).await;
    }

    /// Adds a call that progresses whenever another call of the process does.
    pub fn spawn(&self, call: impl Future<Output = ()> + 'static) {
        self.background.borrow_mut().push(Box::pin(call));
    }

    /// Result of a call, if it is complete. Non-blocking calls progress first.
    fn look<T>(&self, mut call: Pin<&mut impl Future<Output = T>>, context: &mut Context<'_>) -> Option<T> {
        self.advance(context);
        match call.as_mut().poll(context) {
            Poll::Ready(result) => Some(result),
            Poll::Pending => None,
        }
    }

    /// Polls each non-blocking call once.
    async fn advance_background(&self) {
        poll_fn(|context| {
            self.advance(context);
            Poll::Ready(())
        })
        .await;
    }

    pub fn advance(&self, context: &mut Context<'_>) {
        let mut calls = self.background.take();
        calls.retain_mut(|call| call.as_mut().poll(context).is_pending());
        // Calls begun by those that have just been polled.
        let begun = self.background.take();
        calls.extend(begun);
        *self.background.borrow_mut() = calls;
    }
}

/// Guard of the carrier while a call uses it.
pub(crate) struct Borrowed<'a> {
    pub library: &'a Library,
    /// `None` only during the drop.
    pub carrier: Option<Box<dyn AnyCarrier>>,
}

impl Borrowed<'_> {
    pub fn carrier(&mut self) -> &mut Box<dyn AnyCarrier> {
        self.carrier.as_mut().expect("it is put back only at the end")
    }
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        *self.library.carrier.borrow_mut() = self.carrier.take();
    }
}
