//! A processor as a program has it: time, marks, computing. What else a host can do, its machine adds.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use crate::look::{Event, Log, Place};
use crate::{Duration, Time};

/// What a program waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Nothing that virtual time could bring about.
    Nothing,
    /// The end of its own computing.
    Computing,
    /// A part of its host, in the words of a report.
    For(&'static str),
    /// An access of its host, in the words of a report, to this address.
    Access(&'static str, u32),
    /// Reads of this address to bring what the text says.
    Poll(&'static str, u32),
    /// A [signal](super::Signal) of this.
    Signal(&'static str),
    /// Nothing any more: the operating system ended it at its access to this address, which is on no page of its own.
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

/// What all programs of a host share.
pub(crate) struct Shared {
    pub node: usize,
    pub now: Cell<Time>,
    /// Turns of loops may be left out.
    pub leaping: Cell<bool>,
    pub log: RefCell<Log>,
}

impl Shared {
    pub fn new(node: usize) -> Self {
        Shared { node, now: Cell::default(), leaping: Cell::default(), log: RefCell::default() }
    }
}

/// What the executor keeps of a program.
pub(crate) struct Task {
    /// When the program goes on.
    wake: Cell<Option<Time>>,
    /// When the first program of the same executor goes on.
    first_wake: Rc<Cell<Option<Time>>>,
    waiting: Cell<(Waiting, Time)>,
    polling: Cell<Option<(Waiting, Time)>>,
    /// The program stands at the end of a turn of a loop, after so many of them.
    stands: Cell<Option<u32>>,
}

impl Task {
    pub fn starting_at(now: Time, first_wake: Rc<Cell<Option<Time>>>) -> Self {
        let task = Task {
            wake: Cell::new(None),
            first_wake,
            waiting: Cell::new((Waiting::Nothing, now)),
            polling: Cell::new(None),
            stands: Cell::new(None),
        };
        task.wake_at(now);
        task
    }

    /// When the program goes on.
    pub fn wake(&self) -> Option<Time> {
        self.wake.get()
    }

    /// The program goes on at `time`, or earlier if it does so anyway.
    pub fn wake_at(&self, time: Time) {
        for wake in [&self.wake, &self.first_wake] {
            wake.set(Some(wake.get().map_or(time, |earlier| earlier.min(time))));
        }
    }

    /// The program goes on now, or not at all.
    pub fn awake(&self) {
        self.wake.set(None);
        self.stands.set(None);
    }

    /// The program stands at the end of a turn of a loop until it is woken.
    pub fn stand(&self, turns: u32) {
        self.stands.set(Some(turns));
    }

    /// After how many turns of a loop the program stands at the end of one, if it does.
    pub fn stands(&self) -> Option<u32> {
        self.stands.get()
    }

    /// What the program waits for and since when; a poll counts from its first read.
    pub fn waiting(&self) -> (Waiting, Time) {
        if self.wake.get().is_none() && self.stands.get().is_none() {
            return match self.waiting.get() {
                (last @ (Waiting::PageFault(_) | Waiting::Signal(_)), since) => (last, since),
                (_, since) => (Waiting::Nothing, since),
            };
        }
        self.polling.get().unwrap_or(self.waiting.get())
    }
}

/// The processor that a program has for itself. Clones are the same processor.
#[derive(Clone)]
pub struct Cpu {
    shared: Rc<Shared>,
    pub(super) task: Rc<Task>,
}

impl Cpu {
    pub(crate) fn new(shared: Rc<Shared>, task: Rc<Task>) -> Self {
        Cpu { shared, task }
    }

    /// The present time.
    pub fn now(&self) -> Time {
        self.shared.now.get()
    }

    /// Number of the node.
    pub fn node(&self) -> usize {
        self.shared.node
    }

    /// Notes that the program has come here, if the node is observed, for [stages](crate::Stages). Takes no time.
    pub fn mark(&self, name: &'static str) {
        let place = Place::Node(self.node());
        self.shared.log.borrow_mut().observe(self.now(), place, Event::Mark(name));
    }

    /// Whether turns of loops that are alike may be left out.
    pub(super) fn may_leap(&self) -> bool {
        self.shared.leaping.get()
    }

    /// Computes for a while.
    pub async fn compute(&self, duration: Duration) {
        self.until(self.now() + duration, Waiting::Computing).await;
    }

    /// Waits until `time` for what the report will say.
    pub async fn until(&self, time: Time, waiting: Waiting) {
        self.wait_for(waiting);
        Delay { cpu: self, time }.await;
    }

    /// From now on, reports say that the program waits for this.
    pub fn wait_for(&self, waiting: Waiting) {
        self.task.waiting.set((waiting, self.now()));
    }

    /// Until told otherwise, reports say that the program polls for this, from now on.
    pub fn polls(&self, waiting: Option<Waiting>) {
        self.task.polling.set(waiting.map(|waiting| (waiting, self.now())));
    }

    /// The operating system ends the program at its access to `address`: it never goes on.
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
        // A program that waits for several things at once goes on with the first of them.
        self.cpu.task.wake_at(self.time);
        Poll::Pending
    }
}
