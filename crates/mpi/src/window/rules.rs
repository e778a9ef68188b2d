//! Rules of synchronization: the messages that a rank sends and answers, and the conditions on which its calls
//! wait. Independent of time and network, so that a model checker can walk these functions.

use std::collections::BTreeSet;

use super::epoch::Epoch;
use super::locks::{LockKind, LockQueue};
use crate::error::Error;

/// A message of synchronization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Signal {
    /// Asks for an answer when all earlier accesses are done.
    Flush,
    /// Answers a flush or an unlock.
    Flushed,
    /// The target has exposed its memory to this origin.
    Post,
    /// The origin has ended its access epoch.
    Complete,
    /// Asks for a lock.
    Lock(LockKind),
    /// Answers a lock: it is held.
    Granted,
    /// Answers a lock: it conflicts with an exposure epoch.
    Refused,
    /// Ends a lock or withdraws its request.
    Unlock,
}

/// Messages to send, each with its receiver, in this order.
pub type Signals = Vec<(usize, Signal)>;

/// A call that waits for other ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// Begins an access epoch (`MPI_Win_start`).
    Start,
    /// Ends an access epoch (`MPI_Win_complete`).
    Complete,
    /// Ends an exposure epoch (`MPI_Win_wait`).
    Wait,
    /// Locks targets (`MPI_Win_lock`, `MPI_Win_lock_all`).
    Lock(LockKind),
    /// Gives up a lock of several targets of which one cannot be locked.
    Withdraw,
    /// Completes accesses and ends the locks of targets (`MPI_Win_unlock`, `MPI_Win_unlock_all`).
    Unlock,
    /// Completes accesses at their targets (`MPI_Win_flush`, a part of `MPI_Win_fence`).
    Flush,
    /// Completes accesses at this origin (`MPI_Win_flush_local`); puts are complete there at once.
    FlushLocal,
}

/// A step of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Sends the messages of the call ([`Synchronization::send`]).
    Send,
    /// Hands messages to the network, as far as it accepts them.
    Leave,
    /// Waits until a condition holds for each target.
    Await(Condition),
}

impl Call {
    /// Steps of the call, in order.
    pub fn steps(self) -> &'static [Step] {
        use Condition::*;
        match self {
            Call::Start => &[Step::Await(Posted)],
            // The message may overtake remote writes.
            Call::Complete => &[Step::Await(Written), Step::Send, Step::Leave, Step::Await(Answered)],
            Call::Wait => &[Step::Await(Completed)],
            Call::Lock(_) => &[Step::Send, Step::Await(Decided)],
            Call::Withdraw => &[Step::Send, Step::Await(Flushed)],
            Call::Unlock => &[
                // The message may overtake remote writes.
                Step::Await(Written),
                Step::Send,
                Step::Await(Flushed),
                Step::Await(Answered),
                Step::Await(Written),
            ],
            Call::Flush => &[Step::Send, Step::Await(Flushed), Step::Await(Answered), Step::Await(Written)],
            Call::FlushLocal => &[Step::Await(Answered)],
        }
    }

    /// Whether the call goes on with the other targets when one of them is dead: it ends their epochs. A call that
    /// begins an epoch, or that waits for origins, fails at once.
    pub fn outlives_dead(self) -> bool {
        matches!(self, Call::Complete | Call::Withdraw | Call::Unlock | Call::Flush | Call::FlushLocal)
    }
}

/// A condition on another rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// It has exposed its memory.
    Posted,
    /// It has ended its access epoch.
    Completed,
    /// It has granted or refused a lock.
    Decided,
    /// Its network interface has carried out all remote writes and reads.
    Written,
    /// It has answered all flushes and unlocks.
    Flushed,
    /// It or its network interface has answered all gets.
    Answered,
}

impl Condition {
    /// The awaited event, after the name of a rank.
    pub fn event(self) -> &'static str {
        match self {
            Condition::Posted => "to expose its memory",
            Condition::Completed => "to end its access epoch",
            Condition::Decided => "to grant a lock",
            Condition::Written => "to acknowledge data",
            Condition::Flushed => "to carry out accesses",
            Condition::Answered => "to answer a get",
        }
    }
}

/// State of a call that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// The condition holds for all ranks.
    Over,
    /// It does not hold for this rank.
    For(usize),
    /// It never holds for this rank, which is dead.
    ForDead(usize),
}

/// State of a rank on a window: its epochs, and its view of the other ranks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Synchronization {
    /// Access epoch of this rank.
    pub epoch: Epoch,
    peers: Vec<Peer>,
    /// Origins of the exposure epoch; `None` without one.
    exposure: Option<BTreeSet<usize>>,
    locks: LockQueue,
}

/// Another rank, as target and as origin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Peer {
    /// The network has declared it dead.
    is_dead: bool,
    /// Remote writes that are not complete.
    writing: usize,
    /// Remote reads that are not complete.
    reading: usize,
    /// Gets without an answer.
    gets: usize,
    /// Accesses were sent since the last flush.
    is_dirty: bool,
    /// Flushes and unlocks without an answer.
    flushes: u32,
    /// Answer to the request for a lock: granted or refused.
    lock: Option<bool>,
    /// The target does not know of the lock (`MPI_MODE_NOCHECK`).
    is_unchecked: bool,
    /// Exposures that no start has used.
    posts: u32,
    /// Access epochs that it has ended and no wait has used.
    completes: u32,
}

impl Synchronization {
    /// State of a new window of `ranks` ranks.
    pub fn new(ranks: usize) -> Self {
        Synchronization {
            epoch: Epoch::Closed,
            peers: vec![Peer::default(); ranks],
            exposure: None,
            locks: LockQueue::default(),
        }
    }

    /// Locks of this rank's memory.
    pub fn locks(&self) -> &LockQueue {
        &self.locks
    }

    /// Notes an access without an answer. Its epoch has been checked.
    pub fn accessed(&mut self, target: usize) {
        self.peers[target].is_dirty = true;
    }

    /// Notes a get.
    pub fn asked(&mut self, target: usize) {
        self.peers[target].gets += 1;
    }

    /// Notes the answer to a get, or a get that was not sent.
    pub fn answered(&mut self, target: usize) {
        self.peers[target].gets -= 1;
    }

    /// Notes a remote write.
    pub fn writing(&mut self, target: usize) {
        self.peers[target].writing += 1;
    }

    /// Notes the end of a remote write.
    pub fn written(&mut self, target: usize) {
        self.peers[target].writing -= 1;
    }

    /// Whether remote writes are not complete.
    pub fn is_writing(&self, target: usize) -> bool {
        self.peers[target].writing > 0
    }

    /// Notes a remote read.
    pub fn reading(&mut self, target: usize) {
        self.peers[target].reading += 1;
    }

    /// Notes the end of a remote read.
    pub fn read(&mut self, target: usize) {
        self.peers[target].reading -= 1;
    }

    /// Whether the target may not have carried out all messages of this origin.
    pub fn has_messages(&self, target: usize) -> bool {
        let peer = &self.peers[target];
        peer.is_dirty || peer.flushes > 0 || peer.gets > 0
    }

    /// Whether a condition holds for a rank.
    pub fn holds(&self, condition: Condition, rank: usize) -> bool {
        let peer = &self.peers[rank];
        match condition {
            Condition::Posted => peer.posts > 0,
            Condition::Completed => peer.completes > 0,
            Condition::Decided => peer.lock.is_some(),
            Condition::Written => peer.writing == 0 && peer.reading == 0,
            Condition::Flushed => peer.flushes == 0,
            Condition::Answered => peer.gets == 0 && peer.reading == 0,
        }
    }

    /// State of a call that waits until a condition holds for these ranks.
    pub fn wait(&self, condition: Condition, ranks: &[usize]) -> Waiting {
        let missing = || ranks.iter().copied().filter(|rank| !self.holds(condition, *rank));
        match (missing().find(|rank| self.is_dead(*rank)), missing().next()) {
            (Some(dead), _) => Waiting::ForDead(dead),
            (None, Some(rank)) => Waiting::For(rank),
            (None, None) => Waiting::Over,
        }
    }

    /// Exposes the memory to a group of origins. Unchecked, they do not wait for it (`MPI_Win_post`).
    pub fn post(&mut self, group: &[usize], is_unchecked: bool) -> Result<Signals, Error> {
        if self.exposure.is_some() {
            return Err(Error::RmaSync("an exposure epoch of this rank is open"));
        }
        if matches!(self.epoch, Epoch::Fenced { used: true }) {
            return Err(Error::RmaSync("an epoch of a fence is open"));
        }
        if !self.locks.is_idle() {
            return Err(Error::RmaConflict("another rank has locked the memory of this rank"));
        }
        self.exposure = Some(group.iter().copied().collect());
        Ok(to_each(group.iter().filter(|_| !is_unchecked), Signal::Post))
    }

    /// Opens an access epoch; unless unchecked, all of the group have exposed their memory.
    pub fn started(&mut self, group: &[usize], is_unchecked: bool) {
        for target in group.iter().filter(|_| !is_unchecked) {
            self.peers[*target].posts -= 1;
        }
        self.epoch = Epoch::Started(group.iter().copied().collect());
    }

    /// Origins of the exposure epoch.
    pub fn exposed_to(&self) -> Result<Vec<usize>, Error> {
        let group = self.exposure.as_ref().map(|group| group.iter().copied().collect());
        group.ok_or(Error::RmaSync("no exposure epoch is open"))
    }

    /// Ends the exposure epoch, whose origins have all ended theirs.
    pub fn end_exposure(&mut self) {
        for origin in self.exposure.take().unwrap_or_default() {
            self.peers[origin].completes -= 1;
        }
    }

    /// Notes a lock of targets that do not know of it (`MPI_MODE_NOCHECK`).
    pub fn lock_unchecked(&mut self, targets: &[usize]) {
        for target in targets {
            self.peers[*target].is_unchecked = true;
        }
    }

    /// Whether the target has refused the lock.
    pub fn is_refused(&self, target: usize) -> bool {
        self.peers[target].lock == Some(false)
    }

    /// Messages of a call for these targets.
    pub fn send(&mut self, call: Call, targets: &[usize]) -> Signals {
        let mut signals = Vec::new();
        for &target in targets {
            signals.extend(self.peers[target].send(call).map(|signal| (target, signal)));
        }
        signals
    }

    /// Handles a message and returns the answers. A dead rank gets none, and nothing of it counts.
    pub fn arrive(&mut self, from: usize, signal: Signal) -> Signals {
        let peer = &mut self.peers[from];
        if peer.is_dead {
            return Vec::new();
        }
        match signal {
            Signal::Flush => return vec![(from, Signal::Flushed)],
            Signal::Flushed => peer.flushes = peer.flushes.saturating_sub(1),
            Signal::Post => peer.posts = peer.posts.wrapping_add(1),
            Signal::Complete => peer.completes = peer.completes.wrapping_add(1),
            // During an exposure epoch of this rank it is a conflict (MPI 5.0, section 12.5.3).
            Signal::Lock(_) if self.exposure.is_some() => return vec![(from, Signal::Refused)],
            Signal::Lock(kind) => return to_each(&self.locks.request(from, kind), Signal::Granted),
            Signal::Granted | Signal::Refused => peer.lock = Some(signal == Signal::Granted),
            Signal::Unlock => {
                let granted = self.locks.release(from);
                let answer = vec![(from, Signal::Flushed)];
                return [answer, to_each(&granted, Signal::Granted)].concat();
            }
        }
        Vec::new()
    }

    /// Whether the network has declared a rank dead.
    pub fn is_dead(&self, rank: usize) -> bool {
        self.peers[rank].is_dead
    }

    /// Ends the locks and requests of a dead rank. Returns the grants to those behind it.
    pub fn bury(&mut self, rank: usize) -> Signals {
        self.peers[rank].is_dead = true;
        to_each(&self.locks.release(rank), Signal::Granted)
    }
}

impl Peer {
    fn send(&mut self, call: Call) -> Option<Signal> {
        match call {
            Call::Lock(kind) => {
                (self.lock, self.is_unchecked) = (None, false);
                Some(Signal::Lock(kind))
            }
            Call::Complete => {
                self.is_dirty = false;
                Some(Signal::Complete)
            }
            Call::Withdraw if self.lock != Some(false) => Some(self.unlock()),
            Call::Unlock if !self.is_unchecked => Some(self.unlock()),
            Call::Unlock | Call::Flush if self.is_dirty => {
                self.is_dirty = false;
                self.flushes += 1;
                Some(Signal::Flush)
            }
            _ => None,
        }
    }

    fn unlock(&mut self) -> Signal {
        self.is_dirty = false;
        self.flushes += 1;
        Signal::Unlock
    }
}

fn to_each<'a>(ranks: impl IntoIterator<Item = &'a usize>, signal: Signal) -> Signals {
    ranks.into_iter().map(|rank| (*rank, signal)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lock_of_a_dead_rank_goes_to_the_next() {
        let mut target = Synchronization::new(3);
        assert_eq!(target.arrive(1, Signal::Lock(LockKind::Exclusive)), [(1, Signal::Granted)]);
        assert_eq!(target.arrive(2, Signal::Lock(LockKind::Shared)), []);
        assert_eq!(target.bury(1), [(2, Signal::Granted)]);
        assert_eq!(target.arrive(1, Signal::Lock(LockKind::Exclusive)), [], "nothing of it counts");
        assert_eq!(target.arrive(2, Signal::Unlock), [(2, Signal::Flushed)]);
        assert!(target.locks().is_idle());
    }

    #[test]
    fn unlock_answers_its_origin_and_grants_the_next() {
        let mut target = Synchronization::new(2);
        target.arrive(0, Signal::Lock(LockKind::Exclusive));
        target.arrive(1, Signal::Lock(LockKind::Exclusive));
        assert_eq!(target.arrive(0, Signal::Unlock), [(0, Signal::Flushed), (1, Signal::Granted)]);
    }

    #[test]
    fn unlock_without_check_flushes_what_was_accessed() {
        let mut origin = Synchronization::new(2);
        origin.lock_unchecked(&[1]);
        assert_eq!(origin.send(Call::Unlock, &[1]), []);
        origin.accessed(1);
        assert_eq!(origin.send(Call::Unlock, &[1]), [(1, Signal::Flush)]);
        assert!(!origin.holds(Condition::Flushed, 1));
        origin.arrive(1, Signal::Flushed);
        assert!(origin.holds(Condition::Flushed, 1));
    }
}
