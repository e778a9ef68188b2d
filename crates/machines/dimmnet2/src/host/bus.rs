//! Chipset and memory bus: accesses in the order of issue, each in whole core cycles.
//!
//! The chipset takes a write over the front-side bus, and the processor goes on; the write reaches the memory bus
//! later. Reads do not pass writes. Main memory and the board share the memory bus.

use std::collections::VecDeque;

use dimmnet2::pins::HostIn;

use super::cost::{self, Costs};
use cluster::{ClockDomain, Duration, Time};

/// Bytes of a beat.
const BEAT: u32 = 16;

/// Beats of a line.
const LINE_BEATS: usize = 4;

/// A read whose data its program has not taken.
pub(crate) type Ticket = u64;

#[derive(Clone, Debug)]
struct Beat {
    /// Beginning of the cycle in which the beat is on the pins.
    cycle: Time,
    pins: HostIn,
    /// Read that the beat belongs to, and its place in it.
    read: Option<(Ticket, usize)>,
}

/// Memory bus of one node, and the chipset before it.
#[derive(Debug)]
pub(crate) struct Bus {
    clock: ClockDomain,
    costs: Costs,
    /// Instant at which the front-side bus is free for the next write.
    taken_at: Time,
    /// Instants at which the writes in the chipset leave it, earliest first.
    posted: VecDeque<Time>,
    /// Beginning of the first free cycle of the memory bus.
    free_at: Time,
    beats: VecDeque<Beat>,
    /// Read on the pins in the present cycle.
    on_pins: Option<(Ticket, usize)>,
    /// At most one read for each program: a processor waits for its read.
    reads: Vec<(Ticket, [u8; 64])>,
    next_ticket: Ticket,
    /// Time for which the memory bus was taken.
    busy: Duration,
}

impl Bus {
    pub fn new(clock: ClockDomain, costs: Costs) -> Self {
        Bus {
            clock,
            costs,
            taken_at: Time::ZERO,
            posted: VecDeque::new(),
            free_at: Time::ZERO,
            beats: VecDeque::new(),
            on_pins: None,
            reads: Vec::new(),
            next_ticket: 0,
            busy: Duration::ZERO,
        }
    }

    /// Time for which the memory bus was taken so far.
    pub fn busy(&self) -> Duration {
        self.busy
    }

    /// Whether the memory bus is free for all accesses that programs begin at `now` or later: a read is the first to reach it.
    pub fn is_free(&self, now: Time) -> bool {
        self.free_at <= now + self.costs.request_path
    }

    /// Adds time for which the bus was taken by accesses that were not simulated.
    pub fn add_busy(&mut self, busy: Duration) {
        self.busy = self.busy + busy;
    }

    /// Writes a line that leaves the processor at `issue`; returns when the processor goes on.
    pub fn write_line(&mut self, issue: Time, address: u32, line: &[u8; 64]) -> Time {
        let (taken, start) = self.post(issue, self.costs.fsb_line, self.costs.bus_line);
        for (i, beat) in line.chunks_exact(16).enumerate() {
            let wdata = u128::from_le_bytes(beat.try_into().expect("a chunk has 16 bytes"));
            let pins = HostIn {
                wdata,
                byte_enable: 0xffff,
                address: address + i as u32 * BEAT,
                enable: true,
                write: true,
            };
            self.present(start, i, pins, None);
        }
        taken
    }

    /// Writes the bytes in `mask` of the 8 bytes at `address`; returns when the processor goes on.
    pub fn write_word(&mut self, issue: Time, address: u32, word: u64, mask: u8) -> Time {
        let (taken, start) = self.post(issue, self.costs.fsb_word, self.costs.bus_word);
        let odd = address & 8 != 0;
        let pins = HostIn {
            wdata: if odd { u128::from(word) << 64 } else { u128::from(word) },
            byte_enable: if odd { u16::from(mask) << 8 } else { u16::from(mask) },
            address: address & !(BEAT - 1),
            enable: true,
            write: true,
        };
        self.present(start, 0, pins, None);
        taken
    }

    /// Reads the 16 bytes around `address`; returns when they are at the pins.
    pub fn read_word(&mut self, issue: Time, address: u32) -> (Ticket, Time) {
        let start = self.occupy(issue + self.costs.request_path, self.costs.bus_word);
        self.read(start, address & !(BEAT - 1), 1)
    }

    /// Reads a line; returns when its last bytes are at the pins.
    pub fn read_line(&mut self, issue: Time, address: u32) -> (Ticket, Time) {
        let start = self.occupy(issue + self.costs.request_path, self.costs.bus_line);
        self.read(start, address, LINE_BEATS)
    }

    /// Reads a line of main memory; returns when its last bytes are on the bus.
    pub fn read_main(&mut self, issue: Time) -> Time {
        let start = self.occupy(issue + self.costs.request_path, self.costs.bus_line);
        start + cost::BEAT * (LINE_BEATS as u64 + 1)
    }

    /// Writes a line back to main memory.
    pub fn write_main(&mut self, issue: Time) {
        self.post(issue, self.costs.fsb_line, self.costs.bus_line);
    }

    /// The data of a completed read; a word is in the first 16 bytes.
    pub fn take(&mut self, ticket: Ticket) -> [u8; 64] {
        let place = self.reads.iter().position(|(read, _)| *read == ticket);
        self.reads.swap_remove(place.expect("a read is taken once, after its data has come")).1
    }

    /// Beginning of the next cycle with a beat.
    #[inline]
    pub fn next_beat(&self) -> Option<Time> {
        self.beats.front().map(|beat| beat.cycle)
    }

    /// The pins in the cycle that begins at `cycle`.
    #[inline]
    pub fn pins(&mut self, cycle: Time) -> HostIn {
        self.on_pins = None;
        if self.next_beat() != Some(cycle) {
            debug_assert!(self.next_beat().is_none_or(|next| next > cycle), "no beat is left behind");
            return HostIn::default();
        }
        let beat = self.beats.pop_front().expect("there is a beat");
        self.on_pins = beat.read;
        beat.pins
    }

    /// Takes the data of the beat whose cycle has just ended, if it was a read.
    #[inline]
    pub fn capture(&mut self, rdata: u128) {
        if let Some((ticket, i)) = self.on_pins.take() {
            let read = self.reads.iter_mut().find(|(read, _)| *read == ticket);
            let (_, data) = read.expect("a read exists until its data is taken");
            data[i * 16..][..16].copy_from_slice(&rdata.to_le_bytes());
        }
    }

    /// Reserves whole cycles of the memory bus for an access that arrives there, after all accesses issued before.
    fn occupy(&mut self, arrival: Time, length: Duration) -> Time {
        let cycle = if arrival == Time::ZERO { arrival } else { self.clock.at_or_after(arrival) };
        let start = cycle.max(self.free_at);
        self.free_at = start + length;
        self.busy = self.busy + length;
        start
    }

    /// Hands a write to the chipset; returns when the chipset has taken it, and when it is on the memory bus.
    fn post(&mut self, issue: Time, on_fsb: Duration, on_bus: Duration) -> (Time, Time) {
        let mut begin = issue.max(self.taken_at);
        if self.posted.len() == cost::POSTED_WRITES {
            begin = begin.max(self.posted.pop_front().expect("the chipset holds writes"));
        }
        let start = self.occupy(begin + self.costs.posted_path, on_bus);
        self.posted.push_back(start);
        self.taken_at = begin + on_fsb;
        (self.taken_at, start)
    }

    fn present(&mut self, start: Time, i: usize, pins: HostIn, read: Option<(Ticket, usize)>) {
        self.beats.push_back(Beat { cycle: start + cost::BEAT * i as u64, pins, read });
    }

    fn read(&mut self, start: Time, address: u32, beats: usize) -> (Ticket, Time) {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.reads.push((ticket, [0; 64]));
        for i in 0..beats {
            let pins = HostIn { address: address + i as u32 * BEAT, enable: true, ..Default::default() };
            self.present(start, i, pins, Some((ticket, i)));
        }
        // The data of a beat is on the pins in the cycle after it.
        (ticket, start + cost::BEAT * (beats as u64 + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CLOCKS, CORE};

    fn bus() -> Bus {
        Bus::new(CLOCKS.domain(CORE), Costs::PUBLISHED)
    }

    fn ns(ns: u64) -> Time {
        Time::from_ps(ns * 1_000)
    }

    /// All cycles with a beat, in ns, with their pins.
    fn beats(bus: &mut Bus) -> Vec<(u64, HostIn)> {
        let next = |bus: &mut Bus| bus.next_beat().map(|cycle| (cycle.ps() / 1_000, bus.pins(cycle)));
        std::iter::from_fn(|| next(bus)).collect()
    }

    #[test]
    fn full_line_is_a_burst_of_four_beats() {
        let mut bus = bus();
        let line: [u8; 64] = std::array::from_fn(|i| i as u8);
        assert_eq!(bus.write_line(ns(1), 0x40, &line), ns(1 + 40), "the processor goes on");
        let beats = beats(&mut bus);
        let cycles: Vec<_> = beats.iter().map(|(cycle, pins)| (*cycle, pins.address)).collect();
        assert_eq!(cycles, [(210, 0x40), (220, 0x50), (230, 0x60), (240, 0x70)]);
        assert!(beats.iter().all(|(_, pins)| pins.enable && pins.write && pins.byte_enable == 0xffff));
        assert_eq!(beats[2].1.wdata.to_le_bytes()[..], line[32..48]);
    }

    #[test]
    fn words_go_to_the_bank_of_their_address() {
        let mut bus = bus();
        bus.write_word(ns(0), 0x100, 0x11, 0xff);
        bus.write_word(ns(0), 0x108, 0x22, 0x0f);
        let beats = beats(&mut bus);
        assert_eq!((beats[0].0, beats[1].0), (210, 240), "a word takes three cycles");
        assert_eq!((beats[0].1.wdata, beats[0].1.byte_enable, beats[0].1.address), (0x11, 0x00ff, 0x100));
        assert_eq!(
            (beats[1].1.wdata, beats[1].1.byte_enable, beats[1].1.address),
            (0x22 << 64, 0x0f00, 0x100)
        );
    }

    #[test]
    fn read_takes_the_data_of_the_cycle_after_its_beat() {
        let mut bus = bus();
        let (ticket, at_pins) = bus.read_word(ns(0), 0x4_0208);
        assert_eq!(at_pins, ns(100));
        let pins = bus.pins(ns(80));
        assert_eq!((pins.address, pins.enable, pins.write), (0x4_0200, true, false));
        bus.capture(0xabcd << 64);
        bus.capture(5);
        assert_eq!(bus.take(ticket)[8..10], [0xcd, 0xab]);
    }

    #[test]
    fn reads_of_lines_follow_each_other_in_their_time_on_the_bus() {
        let mut bus = bus();
        let (_, first) = bus.read_line(ns(0), 0x1_0000);
        let (_, second) = bus.read_line(ns(0), 0x1_0040);
        assert_eq!((first, second), (ns(130), ns(200)));
        assert_eq!(beats(&mut bus).len(), 8);
    }

    #[test]
    fn read_does_not_pass_a_write() {
        let mut bus = bus();
        bus.write_word(ns(0), 0x100, 1, 0xff);
        let (_, at_pins) = bus.read_word(ns(20), 0x100);
        assert_eq!(at_pins, ns(210 + 30 + 20), "behind the write, not 79 ns after its issue");
        assert_eq!(beats(&mut bus).iter().map(|(cycle, _)| *cycle).collect::<Vec<_>>(), [210, 240]);
    }

    #[test]
    fn chipset_holds_so_many_writes_and_no_more() {
        let mut bus = bus();
        let mut taken = ns(0);
        for i in 0..3 * cost::POSTED_WRITES as u32 {
            taken = bus.write_word(taken, 8 * i, 1, 0xff);
        }
        let words = 3 * cost::POSTED_WRITES as u64;
        assert!(taken > ns(20 * words), "in the long run the memory bus sets the pace");
        assert!(taken < ns(30 * words), "by some writes the processor is ahead");
    }

    #[test]
    fn main_memory_shares_the_bus_and_leaves_the_pins_alone() {
        let mut bus = bus();
        assert_eq!(bus.read_main(ns(0)), ns(130));
        bus.write_main(ns(0));
        bus.read_line(ns(0), 0);
        assert_eq!(bus.next_beat(), Some(ns(210 + 70)));
    }
}
