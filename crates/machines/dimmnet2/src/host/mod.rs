//! A host as a program sees it: its processor, the memory bus, and the board in a memory slot. Every call takes virtual
//! time.
//!
//! The board's pages have the memory types of thesis table 4.1: Uncachable accesses and write combining are in this
//! module and `write_combining`; Write Back lines and buffers of main memory are in `lines` and `cache`. `pages` holds
//! the access rights of processes. `bus` is the chipset and the memory bus that main memory and the board share.

mod bus;
mod cache;
pub mod cost;
mod lines;
mod pages;
mod write_combining;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use cluster::{ClockDomain, Cpu, Duration, Looking, Time, Waiting};

pub(crate) use bus::Bus;
use cost::Costs;
pub use lines::Buffer;
use lines::Lines;
use pages::Pages;
use write_combining::WriteCombining;

const WRITE_COMBINING: Waiting = Waiting::For("its write-combining buffers");
const MAIN_MEMORY: Waiting = Waiting::For("main memory");

const fn store(address: u32) -> Waiting {
    Waiting::Access("a write to", address)
}

const fn load(address: u32) -> Waiting {
    Waiting::Access("a read of", address)
}

const fn line(address: u32) -> Waiting {
    Waiting::Access("the line at", address)
}

/// Memory that all programs of a host share.
pub(crate) struct Memory {
    pub bus: RefCell<Bus>,
    costs: Costs,
    /// Bytes of main memory that programs have allocated.
    allocated: Cell<u64>,
    /// Bytes that the simulator places in the SO-DIMMs before the board's next cycle, by address.
    shown: RefCell<Vec<(u64, Vec<u8>)>>,
}

impl Memory {
    pub fn new(clock: ClockDomain, costs: Costs) -> Self {
        let bus = RefCell::new(Bus::new(clock, costs));
        Memory { bus, costs, allocated: Cell::new(0), shown: RefCell::default() }
    }

    /// Places bytes in the SO-DIMMs, both of which one address covers. Takes no virtual time.
    pub fn show(&self, address: u64, bytes: &[u8]) {
        self.shown.borrow_mut().push((address, bytes.to_vec()));
    }

    /// Whether bytes were placed since [`take_shown`](Self::take_shown).
    #[inline]
    pub fn has_shown(&self) -> bool {
        !self.shown.borrow().is_empty()
    }

    /// The bytes that were placed since the last call.
    pub fn take_shown(&self) -> Vec<(u64, Vec<u8>)> {
        self.shown.take()
    }
}

/// Caches and buffers of one processor.
#[derive(Default)]
struct Caches {
    write_combining: RefCell<WriteCombining>,
    lines: RefCell<Lines>,
}

/// A host as a program sees it. Addresses are offsets from the base of the board.
///
/// Each program has a processor of its own; all programs of a host share the memory bus.
#[derive(Clone)]
pub struct Host {
    cpu: Cpu,
    memory: Rc<Memory>,
    caches: Rc<Caches>,
    pages: Pages,
}

impl Host {
    pub(crate) fn new(cpu: Cpu, memory: Rc<Memory>) -> Self {
        Host { cpu, memory, caches: Rc::default(), pages: Pages::All }
    }

    /// The processor alone.
    pub fn cpu(&self) -> &Cpu {
        &self.cpu
    }

    /// The processor, for time and marks.
    pub fn processor(&self) -> &Cpu {
        &self.cpu
    }

    /// Costs of accesses.
    pub fn costs(&self) -> &Costs {
        &self.memory.costs
    }

    /// The host of a process that has the pages of its own slot alone, as the operating system maps them for users
    /// (thesis section 4.4). An access to any other page, the System Register page included, ends the program.
    pub fn user(&self, wid: bool) -> Host {
        Host { pages: Pages::User { wid }, ..self.clone() }
    }

    /// Virtual time at this point of the program.
    pub fn now(&self) -> Time {
        self.cpu.now()
    }

    /// Number of the node.
    pub fn node(&self) -> usize {
        self.cpu.node()
    }

    /// Records a mark for [stages](cluster::Stages), if the node is observed. Takes no virtual time.
    pub fn mark(&self, name: &'static str) {
        self.cpu.mark(name);
    }

    /// Computes for `duration`.
    pub async fn compute(&self, duration: Duration) {
        self.cpu.compute(duration).await;
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
                self.until(free, WRITE_COMBINING).await;
            }
            self.until(self.now() + self.costs().wc_store, Waiting::Computing).await;
            let mut bus = self.memory.bus.borrow_mut();
            self.caches.write_combining.borrow_mut().store(self.now(), at, piece, &mut bus);
            at += piece.len() as u32;
            rest = after;
        }
    }

    /// Waits until all stores have left the write-combining buffers.
    pub async fn sfence(&self) {
        self.flush().await;
        self.until(self.now() + self.costs().sfence, WRITE_COMBINING).await;
    }

    /// Writes 8 bytes to an Uncachable area, after all bytes in the write-combining buffers.
    pub async fn store_uc(&self, address: u32, value: u64) {
        assert!(address.is_multiple_of(8), "an uncachable write does not cross an 8-byte boundary");
        self.enter(address).await;
        self.flush().await;
        let now = self.now();
        let gone = self.memory.bus.borrow_mut().write_word(now, address, value, 0xff);
        self.until(gone.max(now + self.costs().uc_store), store(address)).await;
    }

    /// Writes 4 bytes to an Uncachable area, after all bytes in the write-combining buffers; the other half of their 8
    /// bytes stays unchanged.
    pub async fn store_uc32(&self, address: u32, value: u32) {
        assert!(address.is_multiple_of(4), "an uncachable write of 4 bytes does not cross a 4-byte boundary");
        self.enter(address).await;
        self.flush().await;
        let (now, shift) = (self.now(), address & 4);
        let (word, mask) = (u64::from(value) << (8 * shift), 0x0f << shift);
        let gone = self.memory.bus.borrow_mut().write_word(now, address & !7, word, mask);
        self.until(gone.max(now + self.costs().uc_store), store(address)).await;
    }

    /// Reads 8 bytes of an Uncachable area.
    pub async fn load_uc(&self, address: u32) -> u64 {
        self.load_uc_and(address, Duration::ZERO).await
    }

    /// Reads 8 bytes and computes with them for `compute`; the program is resumed once.
    async fn load_uc_and(&self, address: u32, compute: Duration) -> u64 {
        assert!(address.is_multiple_of(8), "an uncachable read does not cross an 8-byte boundary");
        self.enter(address).await;
        self.flush().await;
        let now = self.now();
        let (ticket, at_pins) = self.memory.bus.borrow_mut().read_word(now, address);
        let done = (now + self.costs().uc_load).max(at_pins + self.costs().response_path);
        self.until(done + compute, load(address)).await;
        let data = self.memory.bus.borrow_mut().take(ticket);
        let start = (address & 8) as usize;
        u64::from_le_bytes(data[start..start + 8].try_into().expect("the range has 8 bytes"))
    }

    /// Reads an Uncachable address until `accept` returns true. `what` names the awaited event in reports.
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
        self.cpu.polls(Some(Waiting::Poll(what, address)));
        let mut looking = Looking::begin(&self.cpu);
        let mut found = None;
        for _ in 0..times {
            let value = self.load_uc_and(address, self.costs().poll_loop).await;
            if accept(value) {
                found = Some(value);
                break;
            }
            // Turns of a loop with a limit are counted, so that none may be skipped.
            if times == u64::MAX {
                looking.again().await;
            }
        }
        self.cpu.polls(None);
        found
    }

    /// Flushes all write-combining buffers and waits until they are empty.
    async fn flush(&self) {
        let now = self.now();
        let free = self.caches.write_combining.borrow_mut().flush(now, &mut self.memory.bus.borrow_mut());
        self.until(free, WRITE_COMBINING).await;
    }

    fn claim(&self, address: u32) -> Result<(), Time> {
        let mut bus = self.memory.bus.borrow_mut();
        self.caches.write_combining.borrow_mut().claim(self.now(), address, &mut bus)
    }

    /// Returns if the program has the page of `address`; otherwise it stops the program for good.
    async fn enter(&self, address: u32) {
        if !self.pages.hold(address) {
            self.cpu.page_fault(address).await;
        }
    }

    async fn until(&self, time: Time, waiting: Waiting) {
        self.cpu.until(time, waiting).await;
    }
}
