//! The processor as seen by a program: time, marks, computing. Each machine adds its own operations.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use super::calls::{Call, Calls};
use super::position::Position;
use crate::look::{Event, Log, Place};
use crate::{Duration, Time};

/// Reason for which a program waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Nothing that virtual time can bring about.
    Nothing,
    /// The end of its own computation.
    Computing,
    /// A part of its host, as worded in a report.
    For(&'static str),
    /// An access of its host, as worded in a report, to this address.
    Access(&'static str, u32),
    /// A value at this address, which it polls; the text describes it.
    Poll(&'static str, u32),
    /// A [signal](super::Signal), described by the text.
    Signal(&'static str),
    /// Nothing: the operating system ended it at its access to this address, which is not on one of its
    /// pages.
    PageFault(u32),
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Waiting::Nothing => write!(f, "nothing that time could bring about"),
            Waiting::Computing => write!(f, "its own computing"),
            Waiting::For(what) | Waiting::Signal(what) => write!(f, "{what}"),
            Waiting::Access(what, address) => write!(f, "{what} {address:#07x}"),
            Waiting::Poll(what, address) => write!(f, "{what}, polling {address:#07x}"),
            Waiting::PageFault(address) => {
                write!(f, "nothing any more, after a page fault at {address:#07x}")
            }
        }
    }
}

/// State that all programs of a host share.
pub(crate) struct Shared {
    pub node: usize,
    pub now: Cell<Time>,
    /// Polling iterations may be skipped.
    pub leaping: Cell<bool>,
    pub log: RefCell<Log>,
    pub calls: Calls,
}

impl Shared {
    pub fn new(node: usize) -> Self {
        Shared {
            node,
            now: Cell::default(),
            leaping: Cell::default(),
            log: RefCell::default(),
            calls: Calls::default(),
        }
    }
}

/// State of a program in the executor.
pub(crate) struct Task {
    /// Time at which the program continues.
    wake: Cell<Option<Time>>,
    /// Time at which the first program of the same executor continues.
    first_wake: Rc<Cell<Option<Time>>>,
    waiting: Cell<(Waiting, Time)>,
    polling: Cell<Option<(Waiting, Time)>>,
    /// Number of the iteration of a [polling loop](super::Looking) at whose end the program is; the first is 1.
    stands: Cell<Option<u32>>,
    /// Times that the program was resumed.
    resumed: Cell<u64>,
    /// End of its last polling iteration, and times that it was resumed by then.
    turned: Cell<Option<(Time, u64)>>,
    /// Time until it continues once iterations are no longer skipped.
    held: Cell<Option<Duration>>,
}

impl Task {
    pub fn starting_at(now: Time, first_wake: Rc<Cell<Option<Time>>>) -> Self {
        let task = Task {
            wake: Cell::new(None),
            first_wake,
            waiting: Cell::new((Waiting::Nothing, now)),
            polling: Cell::new(None),
            stands: Cell::new(None),
            resumed: Cell::new(0),
            turned: Cell::new(None),
            held: Cell::new(None),
        };
        task.wake_at(now);
        task
    }

    /// Time at which the program continues, if known.
    pub fn wake(&self) -> Option<Time> {
        self.wake.get()
    }

    /// Makes the program continue at `time`, or earlier if it does so anyway.
    pub fn wake_at(&self, time: Time) {
        for wake in [&self.wake, &self.first_wake] {
            wake.set(Some(wake.get().map_or(time, |earlier| earlier.min(time))));
        }
    }

    /// Clears the wake-up time: the program continues now or is finished.
    pub fn awake(&self) {
        self.wake.set(None);
        self.stands.set(None);
        self.resumed.set(self.resumed.get() + 1);
    }

    /// Suspends the program at the end of a polling iteration.
    pub fn stand(&self, turn: u32, now: Time) {
        self.stands.set(Some(turn));
        self.turned.set(Some((now, self.resumed.get())));
    }

    /// Position of the program relative to `now`.
    pub fn position(&self, now: Time) -> Position {
        let resumed = self.resumed.get();
        Position {
            stands: self.stands.get().is_some(),
            resumed,
            turned: self.turned.get().map(|(at, before)| (now - at, resumed - before)),
            left: self.wake.get().map(|wake| wake.max(now) - now),
        }
    }

    /// Suspends the program, which would continue later than `now`, until it is [released](Task::release).
    pub fn hold(&self, now: Time) {
        self.held.set(self.wake.take().map(|wake| wake - now));
    }

    /// Continues a program that was held at `since` as if its iterations until `now`, which were skipped, had been executed.
    pub fn release(&self, since: Time, now: Time) {
        let Some(left) = self.held.take() else { return };
        self.turned.set(self.turned.get().map(|(at, resumed)| (at + (now - since), resumed)));
        self.wake_at(now + left);
    }

    /// Number of the polling iteration at whose end the program is.
    pub fn stands(&self) -> Option<u32> {
        self.stands.get()
    }

    /// Reason for which the program waits, and since when; a poll counts from its first read.
    pub fn waiting(&self) -> (Waiting, Time) {
        if self.wake.get().is_none() && self.stands.get().is_none() && self.held.get().is_none() {
            return match self.waiting.get() {
                (last @ (Waiting::PageFault(_) | Waiting::Signal(_)), since) => (last, since),
                (_, since) => (Waiting::Nothing, since),
            };
        }
        self.polling.get().unwrap_or(self.waiting.get())
    }
}

/// The processor of a program. Clones refer to the same processor.
#[derive(Clone)]
pub struct Cpu {
    shared: Rc<Shared>,
    pub(super) task: Rc<Task>,
}

impl Cpu {
    pub(crate) fn new(shared: Rc<Shared>, task: Rc<Task>) -> Self {
        Cpu { shared, task }
    }

    /// Present virtual time.
    pub fn now(&self) -> Time {
        self.shared.now.get()
    }

    /// Number of the node.
    pub fn node(&self) -> usize {
        self.shared.node
    }

    /// Records that the program has reached this point, if the node is observed, for [stages](crate::Stages).
    /// Takes no time.
    pub fn mark(&self, name: &'static str) {
        let place = Place::Node(self.node());
        self.shared.log.borrow_mut().observe(self.now(), place, Event::Mark(name));
    }

    /// Tells the observer of the node that the program calls a function of a library, until the result is dropped. Calls
    /// within calls are not told. Takes no time.
    pub fn call(&self, function: &'static str) -> Option<Call> {
        self.shared.calls.begin(function)
    }

    /// Whether identical polling iterations may be skipped.
    pub(super) fn may_leap(&self) -> bool {
        self.shared.leaping.get()
    }

    /// Computes for `duration`.
    pub async fn compute(&self, duration: Duration) {
        self.until(self.now() + duration, Waiting::Computing).await;
    }

    /// Waits until `time`; `waiting` is the reason in reports.
    pub async fn until(&self, time: Time, waiting: Waiting) {
        self.wait_for(waiting);
        Delay { cpu: self, time }.await;
    }

    /// Sets the reason that reports give from now on.
    pub fn wait_for(&self, waiting: Waiting) {
        self.task.waiting.set((waiting, self.now()));
    }

    /// Sets or clears the poll that reports give from now on.
    pub fn polls(&self, waiting: Option<Waiting>) {
        self.task.polling.set(waiting.map(|waiting| (waiting, self.now())));
    }

    /// Ends the program by a page fault at `address`: it never continues.
    pub async fn page_fault(&self, address: u32) {
        self.polls(None);
        self.wait_for(Waiting::PageFault(address));
        std::future::pending().await
    }
}

struct Delay<'a> {
    cpu: &'a Cpu,
    time: Time,
}

impl Future for Delay<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<()> {
        if self.cpu.now() >= self.time {
            return Poll::Ready(());
        }
        // A program that waits for several events continues with the first of them.
        self.cpu.task.wake_at(self.time);
        Poll::Pending
    }
}
