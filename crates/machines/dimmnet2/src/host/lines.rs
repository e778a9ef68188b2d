//! Write Back memory as a program sees it: lines of the board, and buffers in main memory (thesis section 4.2.1).

use std::collections::VecDeque;

use super::cache::{Cache, LINE, MAIN_MEMORY};
use super::{Bus, Host, bus, cost, line as waits_for};
use cluster::Time;

/// Bytes of a page of main memory.
const PAGE: u64 = 4096;

/// A cache line fill in flight.
#[derive(Debug)]
struct Fill {
    address: u64,
    /// Instant at which the line arrives.
    ready: Time,
    /// The read of its data, if it is a line of the board.
    ticket: Option<bus::Ticket>,
    /// A store has hit the line in flight.
    dirty: bool,
}

/// The second-level cache of a program's processor, and its line fills in flight, earliest first.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    cache: Cache,
    fills: VecDeque<Fill>,
}

impl Lines {
    /// Puts the lines that have arrived by `now` into the cache.
    fn settle(&mut self, now: Time, bus: &mut Bus) {
        while self.fills.front().is_some_and(|fill| fill.ready <= now) {
            let Fill { address, ticket, dirty, .. } = self.fills.pop_front().expect("a line is on its way");
            let data = ticket.map(|ticket| Box::new(bus.take(ticket)));
            if self.cache.fill(address, dirty, data) {
                bus.write_main(now);
            }
        }
    }

    /// Instant at which a line in flight arrives.
    fn ready(&self, address: u64) -> Option<Time> {
        self.fills.iter().find(|fill| fill.address == address).map(|fill| fill.ready)
    }
}

/// Bytes of a program in main memory. Stores take the time that the caches need.
#[derive(Debug)]
pub struct Buffer {
    address: u64,
    bytes: Vec<u8>,
}

impl Buffer {
    /// Contents of the buffer.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Host {
    /// Flushes a line from the caches, so that the next read brings the contents of the board.
    pub async fn flush_line(&self, address: u32) {
        self.enter(address).await;
        self.settle();
        while let Some(ready) = self.lines(|lines| lines.ready(line(address))) {
            self.until(ready, waits_for(address)).await;
            self.settle();
        }
        self.lines(|lines| lines.cache.flush(line(address)));
        self.until(self.now() + self.costs().clflush, waits_for(address)).await;
    }

    /// Begins to fill a line of the board, unless it is in the cache, and goes on. Waits while [`cost::LINE_FILLS`]
    /// fills are in flight.
    pub async fn prefetch_line(&self, address: u32) {
        self.enter(address).await;
        self.until(self.now() + self.costs().prefetch, waits_for(address)).await;
        self.fill(line(address), false).await;
    }

    /// Reads a line of a Write Back area, from the cache if it is there.
    pub async fn load_cached_line(&self, address: u32) -> [u8; LINE as usize] {
        self.enter(address).await;
        self.fill(line(address), false).await;
        while let Some(ready) = self.lines(|lines| lines.ready(line(address))) {
            self.until(ready, waits_for(address)).await;
            self.settle();
        }
        let data = self.lines(|lines| lines.cache.line(line(address)).copied());
        self.until(self.now() + self.costs().line_copy, waits_for(address)).await;
        data.expect("a line that was filled is there")
    }

    /// Flushes a line of a Write Back area and reads it from the board.
    pub async fn load_line(&self, address: u32) -> [u8; 64] {
        self.flush_line(address).await;
        self.load_cached_line(address).await
    }

    /// Flushes consecutive lines and reads them from the board.
    pub async fn load_lines(&self, address: u32, lines: u32) -> Vec<u8> {
        self.flush_lines(address, lines).await;
        self.load_cached_lines(address, lines).await
    }

    /// Flushes consecutive lines from the caches.
    pub async fn flush_lines(&self, address: u32, lines: u32) {
        for i in 0..lines {
            self.flush_line(address + i * LINE as u32).await;
        }
    }

    /// Reads consecutive lines; those that are not in the cache are prefetched, at most [`cost::LINE_FILLS`] at a time.
    pub async fn load_cached_lines(&self, address: u32, lines: u32) -> Vec<u8> {
        assert!(u64::from(address).is_multiple_of(LINE), "a line starts at a multiple of 64 bytes");
        let line = |i: u32| address + i * LINE as u32;
        let mut data = Vec::with_capacity(lines as usize * LINE as usize);
        let ahead = cost::LINE_FILLS as u32;
        for i in 0..ahead.min(lines) {
            self.prefetch_line(line(i)).await;
        }
        for i in 0..lines {
            data.extend_from_slice(&self.load_cached_line(line(i)).await);
            if i + ahead < lines {
                self.prefetch_line(line(i + ahead)).await;
            }
        }
        data
    }

    /// Allocates a buffer in main memory, on pages of its own.
    pub fn allocate(&self, bytes: usize) -> Buffer {
        let main = &self.memory.allocated;
        let address = MAIN_MEMORY + main.get();
        main.set(main.get() + (bytes as u64).next_multiple_of(PAGE));
        Buffer { address, bytes: vec![0; bytes] }
    }

    /// Writes bytes to a buffer in main memory. A line that is not in the cache is filled, while the program goes on.
    pub async fn store_main(&self, buffer: &mut Buffer, offset: usize, bytes: &[u8]) {
        buffer.bytes[offset..][..bytes.len()].copy_from_slice(bytes);
        let begin = buffer.address + offset as u64;
        let (first, last) = (begin / LINE, (begin + bytes.len() as u64).div_ceil(LINE));
        for address in (first..last).map(|line| line * LINE) {
            self.fill(address, true).await;
            self.until(self.now() + self.costs().line_copy, super::MAIN_MEMORY).await;
        }
    }

    /// Begins to fill a line, unless it is in the cache or in flight.
    async fn fill(&self, address: u64, write: bool) {
        self.settle();
        if self.lines(|lines| lines.cache.touch(address, write)) {
            return;
        }
        let on_its_way = |fill: &&mut Fill| fill.address == address;
        let mark = |fill: &mut Fill| fill.dirty |= write;
        if self.lines(|lines| lines.fills.iter_mut().find(on_its_way).map(mark).is_some()) {
            return;
        }
        while let Some(ready) = self.lines(|lines| {
            (lines.fills.len() == cost::LINE_FILLS)
                .then(|| lines.fills.front().map(|fill| fill.ready))
                .flatten()
        }) {
            self.until(ready, super::MAIN_MEMORY).await;
            self.settle();
        }
        let now = self.now();
        let mut bus = self.memory.bus.borrow_mut();
        let (ticket, on_bus) = if address < MAIN_MEMORY {
            let (ticket, on_bus) = bus.read_line(now, address as u32);
            (Some(ticket), on_bus)
        } else {
            (None, bus.read_main(now))
        };
        let ready = on_bus + self.costs().response_path;
        self.lines(|lines| lines.fills.push_back(Fill { address, ready, ticket, dirty: write }));
    }

    fn settle(&self) {
        self.lines(|lines| lines.settle(self.now(), &mut self.memory.bus.borrow_mut()));
    }

    fn lines<T>(&self, with: impl FnOnce(&mut Lines) -> T) -> T {
        with(&mut self.caches.lines.borrow_mut())
    }
}

/// The cache line of an address of the board.
fn line(address: u32) -> u64 {
    u64::from(address) / LINE * LINE
}
