//! Communicators: a group of processes with a context of its own, and point-to-point messages.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::rc::Rc;
use std::task::Poll;

use cluster::{Duration, Time};

use crate::carrier::Carrier;
use crate::completion::{Completion, Place, Status};
use crate::concurrent::Calls;
use crate::contexts::UNIVERSE;
use crate::error::Error;
use crate::group::{Comparison, Group};
use crate::host::Host;
use crate::inbox::Taken;
use crate::matching::{Pattern, Source, Tag};
use crate::options::Options;
use crate::outbox::Address;
use crate::progress::Library;
use crate::protocol::Way;
use crate::request::Request;
use crate::topology::Cartesian;
use crate::watcher::Watcher;

/// Completion condition of a send (MPI 4.1, section 3.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The network has accepted the whole message; a rendezvous message also needs a matching receive.
    #[default]
    Standard,
    /// A matching receive has begun to receive the message.
    Synchronous,
    /// Completes at once; the library keeps a copy.
    Buffered,
    /// As standard; the program guarantees that the receive has been posted.
    Ready,
}

/// A group of processes with a context of its own. Clones are the same communicator.
#[derive(Clone)]
pub struct Communicator(Rc<Inner>);

struct Inner {
    library: Rc<Library>,
    group: Group,
    rank: usize,
    /// Number of the communicator, the same at all its processes.
    number: u16,
    /// Number of the next collective call.
    calls: Rc<Cell<u32>>,
    topology: Option<Cartesian>,
    /// The other group of an intercommunicator.
    remote: Option<Remote>,
}

/// The other group of an intercommunicator.
struct Remote {
    group: Group,
    /// Communicator of the local group. It shares the number and the count of calls.
    local: Communicator,
}

impl Communicator {
    /// Communicator of all processes of a carrier; called once for each carrier (`MPI_COMM_WORLD`).
    pub fn world(carrier: impl Carrier + 'static, options: Options) -> Communicator {
        let library = Rc::new(Library::new(carrier, options));
        let (group, rank) = (Group::all(library.ranks), library.rank);
        Communicator::new(library, group, rank, 0, None)
    }

    pub(crate) fn new(
        library: Rc<Library>,
        group: Group,
        rank: usize,
        number: u16,
        topology: Option<Cartesian>,
    ) -> Communicator {
        library.contexts.borrow_mut().insert(number);
        let calls = Rc::default();
        Communicator(Rc::new(Inner { library, group, rank, number, calls, topology, remote: None }))
    }

    /// Intercommunicator of this process's group `local` with the group `remote`. The rank is that in the
    /// local group.
    pub(crate) fn between(
        library: Rc<Library>,
        local: Group,
        rank: usize,
        remote: Group,
        number: u16,
    ) -> Communicator {
        let local = Communicator::new(library.clone(), local, rank, number, None);
        let (group, calls) = (local.group().clone(), local.0.calls.clone());
        let remote = Some(Remote { group: remote, local });
        Communicator(Rc::new(Inner { library, group, rank, number, calls, topology: None, remote }))
    }

    /// Communicator of all processes of the carrier, besides those that programs make. Ranks are numbers of
    /// processes.
    pub fn universe(&self) -> Communicator {
        let library = self.library().clone();
        let (group, rank) = (Group::all(library.ranks), library.rank);
        Communicator::new(library, group, rank, UNIVERSE, None)
    }

    /// The world of some processes of the carrier, to which this one belongs. No process is in two worlds at
    /// the same time.
    pub fn world_of(&self, processes: &[usize]) -> Result<Communicator, Error> {
        let library = self.library().clone();
        let group = Group::all(library.ranks).include(processes)?;
        let rank = group.rank(library.rank).ok_or(Error::Group("a process is in its world"))?;
        Ok(Communicator::new(library, group, rank, 0, None))
    }

    /// Number of the communicator, the same at all its processes. Communicators without a common process may
    /// have the same number.
    pub fn number(&self) -> u16 {
        self.0.number
    }

    /// Subset of the processes, which communicates in the context of this communicator.
    pub(crate) fn part(&self, group: Group, rank: usize) -> Communicator {
        Communicator::new(self.0.library.clone(), group, rank, self.0.number, None)
    }

    /// The same communicator with a Cartesian topology.
    pub(crate) fn with_topology(self, grid: Cartesian) -> Communicator {
        let Inner { library, group, rank, number, .. } = &*self.0;
        Communicator::new(library.clone(), group.clone(), *rank, *number, Some(grid))
    }

    /// Rank of this process in its own group.
    pub fn rank(&self) -> usize {
        self.0.rank
    }

    /// Number of ranks of this process's own group.
    pub fn size(&self) -> usize {
        self.0.group.size()
    }

    /// Processes of the communicator in rank order; of an intercommunicator those of the local group.
    pub fn group(&self) -> &Group {
        &self.0.group
    }

    /// The other group of an intercommunicator (`MPI_Comm_remote_group`).
    pub fn remote_group(&self) -> Option<&Group> {
        self.0.remote.as_ref().map(|remote| &remote.group)
    }

    /// Group to which ranks of messages and roots refer: the remote group of an intercommunicator.
    pub fn peers(&self) -> &Group {
        self.remote_group().unwrap_or_else(|| self.group())
    }

    /// Communicator of the local group: this one, unless it is an intercommunicator.
    pub(crate) fn local(&self) -> &Communicator {
        self.0.remote.as_ref().map_or(self, |remote| &remote.local)
    }

    /// Cartesian topology, if the communicator has one.
    pub fn topology(&self) -> Option<&Cartesian> {
        self.0.topology.as_ref()
    }

    /// Compares two communicators of one process (`MPI_Comm_compare`).
    pub fn compare(&self, other: &Communicator) -> Comparison {
        let remote = match (self.remote_group(), other.remote_group()) {
            (None, None) => Comparison::Identical,
            (Some(own), Some(other)) => own.compare(other),
            _ => Comparison::Unequal,
        };
        match self.group().compare(other.group()).max(remote) {
            Comparison::Identical if self.0.number != other.0.number => Comparison::Congruent,
            alike => alike,
        }
    }

    /// Current time (`MPI_Wtime`).
    pub fn now(&self) -> Time {
        self.host().now()
    }

    /// The processor of this rank.
    pub fn host(&self) -> &Host {
        &self.0.library.host
    }

    /// A time before which a look that has found nothing finds nothing again, whatever other processes do;
    /// `None` if that is not known.
    pub fn quiet_until(&self) -> Option<Time> {
        self.library().quiet_until()
    }

    /// Computes for `duration`. Meanwhile the library makes progress only through its progress thread, if it
    /// has one.
    pub async fn compute(&self, duration: Duration) {
        self.library().compute(duration).await;
    }

    /// Returns a watcher, which reports pending operations of this process from outside.
    pub fn watcher(&self) -> Watcher {
        let library = self.library();
        Watcher { library: Rc::downgrade(library), signs: library.signs.clone() }
    }

    /// Begins to send (`MPI_Isend`, `MPI_Issend`, `MPI_Ibsend`, `MPI_Irsend`). The tag is at most 2^31 - 1.
    pub async fn isend(&self, mode: Mode, to: usize, tag: u32, bytes: Vec<u8>) -> Result<Request, Error> {
        let _call = self.host().call("MPI_Isend");
        let length = bytes.len();
        let place = self.post_send(self.context(), mode, to, tag, bytes)?;
        self.library().flush().await;
        let request = Request::new(self.library().clone(), place);
        Ok(match mode {
            // The library has copied the bytes, so the program may reuse its buffer.
            Mode::Buffered => {
                self.library().charge_bytes(length);
                Request::new(self.library().clone(), Place::filled(Ok(Completion::sent(length))))
            }
            _ => request,
        })
    }

    /// Sends in the given mode (`MPI_Ssend`, `MPI_Bsend`, `MPI_Rsend`).
    pub async fn send_as(&self, mode: Mode, to: usize, tag: u32, bytes: Vec<u8>) -> Result<(), Error> {
        let _call = self.host().call("MPI_Send");
        self.isend(mode, to, tag, bytes).await?.wait().await.map(|_| ())
    }

    /// Sends in standard mode (`MPI_Send`).
    pub async fn send(&self, to: usize, tag: u32, bytes: &[u8]) -> Result<(), Error> {
        self.send_as(Mode::Standard, to, tag, bytes.to_vec()).await
    }

    /// Begins to receive a message of at most `most` bytes (`MPI_Irecv`).
    pub async fn ireceive(&self, source: Source, tag: Tag, most: usize) -> Result<Request, Error> {
        let _call = self.host().call("MPI_Irecv");
        let place = self.post_receive(self.context(), source, tag, most)?;
        self.library().flush().await;
        Ok(Request::new(self.library().clone(), place))
    }

    /// Receives a message of at most `most` bytes (`MPI_Recv`).
    pub async fn receive(&self, source: Source, tag: Tag, most: usize) -> Result<Completion, Error> {
        let _call = self.host().call("MPI_Recv");
        self.ireceive(source, tag, most).await?.wait().await
    }

    /// Sends and receives (`MPI_Sendrecv`).
    pub async fn exchange(
        &self,
        to: (usize, u32),
        bytes: Vec<u8>,
        from: (Source, Tag),
        most: usize,
    ) -> Result<Completion, Error> {
        let _call = self.host().call("MPI_Sendrecv");
        let receive = self.post_receive(self.context(), from.0, from.1, most)?;
        let send = self.post_send(self.context(), Mode::Standard, to.0, to.1, bytes)?;
        self.drive(async {
            let received = receive.end().await;
            send.end().await?;
            received
        })
        .await
    }

    /// Waits for a matching message and returns its status (`MPI_Probe`).
    pub async fn probe(&self, source: Source, tag: Tag) -> Result<Status, Error> {
        let _call = self.host().call("MPI_Probe");
        let pattern = self.pattern(source, tag)?;
        let found = poll_fn(|_| {
            self.library().inbox.borrow().probe(self.context(), pattern).map_or(Poll::Pending, Poll::Ready)
        });
        Ok(self.drive(found).await)
    }

    /// Takes one progress step and returns the status of a matching message, if there is one (`MPI_Iprobe`).
    pub async fn iprobe(&self, source: Source, tag: Tag) -> Result<Option<Status>, Error> {
        let _call = self.host().call("MPI_Iprobe");
        let pattern = self.pattern(source, tag)?;
        self.library().turn().await;
        Ok(self.library().inbox.borrow().probe(self.context(), pattern))
    }

    /// Waits for a matching message and reserves it: no other receive matches it (`MPI_Mprobe`).
    pub async fn probe_message(&self, source: Source, tag: Tag) -> Result<(Message, Status), Error> {
        let _call = self.host().call("MPI_Mprobe");
        let pattern = self.pattern(source, tag)?;
        let found = poll_fn(|_| {
            self.library().inbox.borrow_mut().take(self.context(), pattern).map_or(Poll::Pending, Poll::Ready)
        });
        let (taken, status) = self.drive(found).await;
        Ok((Message { library: self.library().clone(), taken }, status))
    }

    /// Takes one progress step and reserves a matching message, if there is one (`MPI_Improbe`).
    pub async fn iprobe_message(&self, source: Source, tag: Tag) -> Result<Option<(Message, Status)>, Error> {
        let _call = self.host().call("MPI_Improbe");
        let pattern = self.pattern(source, tag)?;
        self.library().turn().await;
        let taken = self.library().inbox.borrow_mut().take(self.context(), pattern);
        Ok(taken.map(|(taken, status)| (Message { library: self.library().clone(), taken }, status)))
    }

    pub(crate) fn library(&self) -> &Rc<Library> {
        &self.0.library
    }

    /// Runs a call of this process to completion.
    pub(crate) async fn drive<T>(&self, call: impl Future<Output = T>) -> T {
        self.library().drive(call).await
    }

    /// Runs the calls of several threads of this process at once, by ascending number, until one is complete. `None` at
    /// `until`, or if `rests` holds and all wait for packets or for the program.
    pub async fn drive_calls<T>(
        &self,
        calls: &mut Calls<T>,
        until: Option<Time>,
        rests: bool,
    ) -> Option<(u32, T)> {
        self.library().drive_calls(calls, until, rests).await
    }

    /// Context of point-to-point messages.
    pub(crate) fn context(&self) -> u16 {
        2 * self.0.number
    }

    /// Context of collective calls.
    pub(crate) fn collective_context(&self) -> u16 {
        2 * self.0.number + 1
    }

    /// Number of the next collective call, the same at all ranks. Those of intercommunicators take two: one
    /// for messages between the groups, the next one for messages within each group.
    pub(crate) fn next_call(&self) -> u32 {
        let taken = if self.0.remote.is_some() { 2 } else { 1 };
        self.0.calls.replace(self.0.calls.get().wrapping_add(taken))
    }

    fn pattern(&self, source: Source, tag: Tag) -> Result<Pattern, Error> {
        if let Source::Rank(rank) = source {
            self.peers().process(rank)?;
        }
        Ok(Pattern { source, tag })
    }

    pub(crate) fn post_send(
        &self,
        context: u16,
        mode: Mode,
        to: usize,
        tag: u32,
        bytes: Vec<u8>,
    ) -> Result<Rc<Place>, Error> {
        let address = Address { to: self.peers().process(to)?, context, rank: self.rank(), tag };
        let way = match mode {
            Mode::Synchronous => Way::Rendezvous,
            _ if bytes.len() > self.library().most_eager => Way::Rendezvous,
            _ => Way::Eager,
        };
        self.library().send(way, address, bytes)
    }

    pub(crate) fn post_receive(
        &self,
        context: u16,
        source: Source,
        tag: Tag,
        most: usize,
    ) -> Result<Rc<Place>, Error> {
        let pattern = self.pattern(source, tag)?;
        let from = match source {
            Source::Any => None,
            Source::Rank(rank) => Some(self.peers().process(rank)?),
        };
        Ok(self.library().receive(context, pattern, most, from))
    }
}

/// A message reserved by a matched probe.
pub struct Message {
    library: Rc<Library>,
    taken: Taken,
}

impl Message {
    /// Begins to receive the message (`MPI_Imrecv`).
    pub async fn ireceive(self, most: usize) -> Request {
        let place = self.library.receive_taken(self.taken, most);
        self.library.flush().await;
        Request::new(self.library, place)
    }

    /// Receives the message (`MPI_Mrecv`).
    pub async fn receive(self, most: usize) -> Result<Completion, Error> {
        self.ireceive(most).await.wait().await
    }
}
