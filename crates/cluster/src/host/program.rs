//! What a host program can do. Every call takes virtual time.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use super::lines::Lines;
use super::pages::Pages;
use super::write_combining::WriteCombining;
use super::{Bus, cost};
use crate::stages::{Event, Log, Place};
use crate::{ClockDomain, Duration, Time};

/// What a program waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Nothing that virtual time could bring about.
    Nothing,
    /// The end of its own computing.
    Computing,
    /// Room in the write-combining buffers, or their way to the bus.
    WriteCombining,
    /// An uncachable write to this address.
    Store(u32),
    /// An uncachable read of this address.
    Load(u32),
    /// A line at this address.
    Line(u32),
    /// Lines on their way from main memory.
    MainMemory,
    /// An uncachable read of this address to bring what the text says.
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
            Waiting::WriteCombining => write!(f, "its write-combining buffers"),
            Waiting::Store(address) => write!(f, "a write to {address:#07x}"),
            Waiting::Load(address) => write!(f, "a read of {address:#07x}"),
            Waiting::Line(address) => write!(f, "the line at {address:#07x}"),
            Waiting::MainMemory => write!(f, "main memory"),
            Waiting::Signal(what) => write!(f, "{what}"),
            Waiting::PageFault(address) => {
                write!(f, "nothing any more, after a page fault at {address:#07x}")
            }
            Waiting::Poll(what, address) => write!(f, "{what}, polling {address:#07x}"),
        }
    }
}

/// What all programs of a host share.
pub(crate) struct Shared {
    pub node: usize,
    pub now: Cell<Time>,
    pub bus: RefCell<Bus>,
    pub log: RefCell<Log>,
    /// Bytes of main memory that programs have.
    pub main_memory: Cell<u64>,
}

impl Shared {
    pub fn new(node: usize, core: ClockDomain) -> Self {
        Shared {
            node,
            now: Cell::new(Time::ZERO),
            bus: RefCell::new(Bus::new(core)),
            log: RefCell::new(Log::default()),
            main_memory: Cell::new(0),
        }
    }
}

/// What a program has for itself.
pub(crate) struct Cpu {
    /// When the program goes on.
    wake: Cell<Option<Time>>,
    /// When the first program of the same executor goes on.
    first_wake: Rc<Cell<Option<Time>>>,
    write_combining: RefCell<WriteCombining>,
    pub(super) lines: RefCell<Lines>,
    waiting: Cell<(Waiting, Time)>,
    polling: Cell<Option<(Waiting, Time)>>,
}

impl Cpu {
    pub fn starting_at(now: Time, first_wake: Rc<Cell<Option<Time>>>) -> Self {
        let cpu = Cpu {
            wake: Cell::new(None),
            first_wake,
            write_combining: RefCell::default(),
            lines: RefCell::default(),
            waiting: Cell::new((Waiting::Nothing, now)),
            polling: Cell::new(None),
        };
        cpu.wake_at(now);
        cpu
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
    }

    /// What the program waits for and since when; a poll counts from its first read.
    pub fn waiting(&self) -> (Waiting, Time) {
        if self.wake.get().is_none() {
            return match self.waiting.get() {
                (last @ (Waiting::PageFault(_) | Waiting::Signal(_)), since) => (last, since),
                (_, since) => (Waiting::Nothing, since),
            };
        }
        self.polling.get().unwrap_or(self.waiting.get())
    }
}

/// The host as a program sees it. Addresses are offsets from the base of the board.
///
/// Each program has a processor of its own; all programs of a host share the memory bus.
#[derive(Clone)]
pub struct Host {
    pub(super) shared: Rc<Shared>,
    pub(super) cpu: Rc<Cpu>,
    pages: Pages,
}

impl Host {
    pub(crate) fn new(shared: Rc<Shared>, cpu: Rc<Cpu>) -> Self {
        Host { shared, cpu, pages: Pages::All }
    }

    /// The host as a process sees it that has only the pages of its own parts of the board, as the operating system gives
    /// them to users (thesis section 4.4). An access to another page, the System Register page among them, ends the program.
    pub fn user(&self, wid: bool) -> Host {
        Host { pages: Pages::User { wid }, ..self.clone() }
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

    /// Computes for a while.
    pub async fn compute(&self, duration: Duration) {
        self.until(self.now() + duration, Waiting::Computing).await;
    }

    /// Stores bytes into a Write Combining area. They reach the board when their line is full, or at the
    /// next fence or uncachable access.
    pub async fn store_wc(&self, address: u32, bytes: &[u8]) {
        let mut at = address;
        let mut rest = bytes;
        self.enter(address).await;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.len().min(8 - (at & 7) as usize));
            while let Err(free) = self.claim(at) {
                self.until(free, Waiting::WriteCombining).await;
            }
            self.until(self.now() + cost::WC_STORE.duration, Waiting::Computing).await;
            let mut bus = self.shared.bus.borrow_mut();
            self.cpu.write_combining.borrow_mut().store(self.now(), at, piece, &mut bus);
            at += piece.len() as u32;
            rest = after;
        }
    }

    /// Waits until all stores have left the write-combining buffers.
    pub async fn sfence(&self) {
        self.flush().await;
        self.until(self.now() + cost::SFENCE.duration, Waiting::WriteCombining).await;
    }

    /// Writes 8 bytes to an Uncachable area, after everything in the write-combining buffers.
    pub async fn store_uc(&self, address: u32, value: u64) {
        assert!(address.is_multiple_of(8), "an uncachable write does not cross an 8-byte boundary");
        self.enter(address).await;
        self.flush().await;
        let now = self.now();
        let gone = self.shared.bus.borrow_mut().write_word(now, address, value, 0xff);
        self.until(gone.max(now + cost::UC_STORE.duration), Waiting::Store(address)).await;
    }

    /// Writes 4 bytes to an Uncachable area, after everything in the write-combining buffers; the other half of their 8
    /// bytes stays as it is.
    pub async fn store_uc32(&self, address: u32, value: u32) {
        assert!(address.is_multiple_of(4), "an uncachable write of 4 bytes does not cross a 4-byte boundary");
        self.enter(address).await;
        self.flush().await;
        let (now, shift) = (self.now(), address & 4);
        let (word, mask) = (u64::from(value) << (8 * shift), 0x0f << shift);
        let gone = self.shared.bus.borrow_mut().write_word(now, address & !7, word, mask);
        self.until(gone.max(now + cost::UC_STORE.duration), Waiting::Store(address)).await;
    }

    /// Reads 8 bytes of an Uncachable area.
    pub async fn load_uc(&self, address: u32) -> u64 {
        assert!(address.is_multiple_of(8), "an uncachable read does not cross an 8-byte boundary");
        self.enter(address).await;
        self.flush().await;
        let now = self.now();
        let (ticket, at_pins) = self.shared.bus.borrow_mut().read_word(now, address);
        let done = (now + cost::UC_LOAD.duration).max(at_pins + cost::RESPONSE_PATH.duration);
        self.until(done, Waiting::Load(address)).await;
        let data = self.shared.bus.borrow_mut().take(ticket);
        let start = (address & 8) as usize;
        u64::from_le_bytes(data[start..start + 8].try_into().expect("the range has 8 bytes"))
    }

    /// Reads an Uncachable address again and again until `accept` likes the value. `what` is what the program
    /// waits for, in the words of a report.
    pub async fn poll(&self, what: &'static str, address: u32, accept: impl Fn(u64) -> bool) -> u64 {
        self.poll_times(what, address, u64::MAX, accept).await.expect("the end of time does not come")
    }

    /// Like [`Host::poll`], but gives up after `times` reads.
    pub async fn poll_times(
        &self,
        what: &'static str,
        address: u32,
        times: u64,
        accept: impl Fn(u64) -> bool,
    ) -> Option<u64> {
        self.cpu.polling.set(Some((Waiting::Poll(what, address), self.now())));
        let mut found = None;
        for _ in 0..times {
            let value = self.load_uc(address).await;
            self.compute(cost::POLL_LOOP.duration).await;
            if accept(value) {
                found = Some(value);
                break;
            }
        }
        self.cpu.polling.set(None);
        found
    }

    /// Lets all write-combining buffers leave and waits until they have.
    async fn flush(&self) {
        let now = self.now();
        let free = self.cpu.write_combining.borrow_mut().flush(now, &mut self.shared.bus.borrow_mut());
        self.until(free, Waiting::WriteCombining).await;
    }

    fn claim(&self, address: u32) -> Result<(), Time> {
        let mut bus = self.shared.bus.borrow_mut();
        self.cpu.write_combining.borrow_mut().claim(self.now(), address, &mut bus)
    }

    /// Goes on if the program has the page of `address`; otherwise it never does.
    pub(super) async fn enter(&self, address: u32) {
        if !self.pages.hold(address) {
            self.cpu.polling.set(None);
            self.wait_for(Waiting::PageFault(address));
            std::future::pending().await
        }
    }

    /// From now on, reports say that the program waits for this.
    pub(super) fn wait_for(&self, waiting: Waiting) {
        self.cpu.waiting.set((waiting, self.now()));
    }

    pub(super) async fn until(&self, time: Time, waiting: Waiting) {
        self.wait_for(waiting);
        Delay { host: self, time }.await;
    }
}

struct Delay<'a> {
    host: &'a Host,
    time: Time,
}

impl Future for Delay<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<()> {
        if self.host.now() >= self.time {
            return Poll::Ready(());
        }
        // A program that waits for several things at once goes on with the first of them.
        self.host.cpu.wake_at(self.time);
        Poll::Pending
    }
}
