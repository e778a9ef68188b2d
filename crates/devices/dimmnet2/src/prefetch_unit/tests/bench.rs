//! Bench of VL module, Prefetch Unit, SO-DIMM interface and two modules, with an interfering Write Unit and
//! Receive Controller.

use std::collections::{BTreeMap, BTreeSet};

use hdl::{Clocked, StateMachine, Stimulus};

use super::oracle;
use crate::pins::MemoryIn;
use crate::prefetch_unit::pins::{CopyRequest, ListRequest, VectorLoad};
use crate::prefetch_unit::{self, PrefetchUnit, pu_ctl, pu_list, pu_read, pu_write};
use crate::sodimm_interface::{self, SodimmInterface};
use crate::window_controller::vl::{self, Vl};
use crate::write_unit::pins::MemoryWord;

/// Initial content of a byte of SO-DIMM.
pub fn untouched(address: u64) -> u8 {
    Stimulus::new(address).word() as u8
}

/// Initial content of a byte of a Prefetch Window.
pub const UNTOUCHED: u8 = 0xee;

pub struct Bench {
    pub vl: Vl,
    pub unit: PrefetchUnit,
    pub interface: SodimmInterface,
    pub capacity: u8,
    /// Data for packets is read from both modules at once.
    pub together: bool,
    /// Bytes written, by address over both modules.
    pub memory: BTreeMap<u64, u8>,
    /// Prefetch Windows of both processes.
    pub windows: [[u8; 2048]; 2],
    /// Prefetch Window Flags of both processes.
    pub flags: [u16; 2],
    /// Cycles in 256 in which each module is ready.
    pub ready: u64,
    /// Cycles in 256 in which the port of the Prefetch Window is free.
    pub free: u64,
    /// Cycles in 256 in which a line for packets is taken.
    pub network: u64,
    /// Lines taken from the packet buffer.
    pub packet: Vec<u64>,
    packet_taken: bool,
    /// A request for packets, made by a module other than VL.
    direct: Option<VectorLoad>,
    /// The Write Unit stores packets at random, 4 MB into the region of WID 1.
    pub writes: bool,
    /// The Write Unit requests lists at random.
    pub lists: bool,
    /// The list of the Write Unit: the request, the rows read of it, and whether a row arrives.
    list: ListRequest,
    list_rows: Option<(u16, Vec<u64>)>,
    list_row_comes: bool,
    /// Lists that were read completely.
    pub lists_read: u32,
    /// Longest stretch of consecutive cycles in which a word was stored in a window.
    pub streak: usize,
    streak_now: usize,
    /// Words that the Write Unit has left, and whether it holds or requests the right.
    write_words: u32,
    write_asks: bool,
    written: u64,
    /// Reads in flight, by module.
    reads: [[u128; 2]; 2],
    /// Cycles since the last read and the last write, by module.
    since: [[u64; 2]; 2],
    pub cycle: u64,
    /// First cycle with all bits of window 0 of WID 0 set.
    pub complete: Option<u64>,
    random: Stimulus,
    pub arcs: BTreeSet<(&'static str, u64, u64)>,
}

impl Bench {
    pub fn new(seed: u64) -> Self {
        let mut bench = Self {
            vl: Vl::default(),
            unit: PrefetchUnit::default(),
            interface: SodimmInterface::default(),
            capacity: 0,
            together: false,
            memory: BTreeMap::new(),
            windows: [[UNTOUCHED; 2048]; 2],
            flags: [0; 2],
            ready: 256,
            free: 256,
            network: 256,
            packet: vec![],
            packet_taken: false,
            direct: None,
            writes: false,
            lists: false,
            list: ListRequest::default(),
            list_rows: None,
            list_row_comes: false,
            lists_read: 0,
            streak: 0,
            streak_now: 0,
            write_words: 0,
            write_asks: false,
            written: 0,
            reads: [[0; 2]; 2],
            since: [[100; 2]; 2],
            cycle: 0,
            complete: None,
            random: Stimulus::new(seed),
            arcs: BTreeSet::new(),
        };
        // The interface samples that access is enabled.
        bench.tick(None);
        bench.cycle = 0;
        bench
    }

    /// First byte of the region of a process.
    pub fn base(&self, wid: bool) -> u64 {
        if wid { 256 << 20 << self.capacity } else { 0 }
    }

    pub fn byte(&self, address: u64) -> u8 {
        self.memory.get(&address).copied().unwrap_or_else(|| untouched(address))
    }

    /// Writes the offsets of a list.
    pub fn list(&mut self, wid: bool, at: u32, offsets: &[u32]) {
        let base = self.base(wid) + u64::from(at);
        for (i, byte) in offsets.iter().flat_map(|offset| offset.to_le_bytes()).enumerate() {
            self.memory.insert(base + i as u64, byte);
        }
    }

    /// Runs a primitive until it completes; returns the cycles from its dispatch to the end of `VlEnd`.
    pub fn run(&mut self, load: VectorLoad) -> u64 {
        let start = self.cycle;
        self.complete = None;
        // The kick.
        if load.dstoff != crate::command::SODIMM_COPY {
            self.flags[load.wid as usize] &= !(0xf << (4 * (load.dstoff >> 9 & 3)));
        }
        self.tick(Some(load));
        while !self.vl.outputs().idle {
            self.tick(None);
            assert!(self.cycle - start < 100_000, "hangs: {load:?}");
        }
        self.cycle - start
    }

    /// Runs a request for packets until its last line is taken; returns the lines.
    pub fn run_packet(&mut self, load: VectorLoad) -> Vec<u64> {
        self.packet.clear();
        self.direct = Some(load);
        self.tick(None);
        let start = self.cycle;
        while self.unit.outputs().busy || self.unit.outputs().packet_lines != 0 || self.packet_taken {
            self.tick(None);
            assert!(self.cycle - start < 500_000, "hangs: {load:?}");
        }
        std::mem::take(&mut self.packet)
    }

    /// Runs a request for packets without taking a line; returns for each cycle the number of lines added to
    /// the buffer.
    pub fn fill_packet(&mut self, load: VectorLoad) -> Vec<u16> {
        (self.network, self.direct) = (0, Some(load));
        let mut grew = vec![];
        while grew.is_empty() || self.unit.outputs().busy {
            let lines = self.unit.outputs().packet_lines;
            self.tick(None);
            grew.push(self.unit.outputs().packet_lines - lines);
        }
        grew
    }

    /// Starts a request for packets without taking a line, and runs for a fixed time; returns the words
    /// written meanwhile.
    pub fn stall_packet(&mut self, load: VectorLoad) -> u64 {
        self.direct = Some(load);
        (0..3000).for_each(|_| self.tick(None));
        let written = self.written;
        (0..10_000).for_each(|_| self.tick(None));
        self.written - written
    }

    fn chance(&mut self, in_256: u64) -> bool {
        self.random.below(256) < in_256
    }

    pub fn tick(&mut self, start: Option<VectorLoad>) {
        let (vl, unit, interface) = (self.vl.outputs(), self.unit.outputs(), self.interface.outputs());
        let before = self.states();
        let asked = self.list;

        // The port of the Prefetch Window, and its flag.
        let free = self.chance(self.free);
        let window = &mut self.windows[unit.prefetch_window_address as usize >> 7];
        let stored = free && unit.prefetch_window_byte_enable != 0;
        for i in (0..16).filter(|i| stored && unit.prefetch_window_byte_enable >> i & 1 == 1) {
            let at = (unit.prefetch_window_address as usize & 0x7f) * 16 + i;
            window[at] = (unit.prefetch_window_wdata >> (8 * i)) as u8;
        }
        self.streak_now = if stored { self.streak_now + 1 } else { 0 };
        self.streak = self.streak.max(self.streak_now);
        if self.flags[0] & 0xf == 0xf && self.complete.is_none() {
            self.complete = Some(self.cycle);
        }
        let flags = &mut self.flags[unit.flag.wid as usize];
        let shift = 4 * unit.flag.window;
        if unit.flag.opened {
            *flags &= !(0xf << shift);
        }
        *flags |= u16::from(unit.flag.quarters) << shift;

        // The Write Unit: requests the right, sends words, waits until they are stored.
        let mut word = MemoryWord::default();
        let asks = self.write_asks;
        if asks && interface.write_right && self.write_words > 0 && !interface.almost_full {
            self.write_words -= 1;
            let address = ((self.base(true) + (4 << 20)) >> 3) as u32 + self.write_words;
            word = MemoryWord { data: self.random.word(), address, byte_enable: 0xff };
            self.written += 1;
            for (i, byte) in word.data.to_le_bytes().into_iter().enumerate() {
                self.memory.insert(u64::from(address) * 8 + i as u64, byte);
            }
        } else if asks && interface.write_right && self.write_words == 0 && interface.idle {
            self.write_asks = false;
        }
        if self.writes && !self.write_asks && self.random.one_in(64) {
            self.write_asks = true;
            self.write_words = 1 + self.random.below(64) as u32;
        }

        // The modules.
        let mut pins = [MemoryIn::default(); 2];
        for (module, memory) in [interface.memory0, interface.memory1].into_iter().enumerate() {
            pins[module] = MemoryIn { ready: self.chance(self.ready), rdata: self.reads[module][1] };
            self.reads[module][1] = self.reads[module][0];
            self.reads[module][0] = 0;
            self.since[module].iter_mut().for_each(|cycles| *cycles += 1);
            assert!(!(memory.read && memory.write));
            if memory.read && pins[module].ready {
                // Write data follows its command by one cycle, then tWTR.
                assert!(self.since[module][1] >= 3, "the data bus turns around");
                self.since[module][0] = 0;
                let byte = |i| {
                    let at = u64::from(memory.address) * 16 + i;
                    u128::from(self.byte(at >> 3 << 4 | (module as u64) << 3 | at & 7)) << (8 * i)
                };
                self.reads[module][0] = (0..16).map(byte).sum();
            }
            if memory.write && pins[module].ready {
                // Read data follows its command by two cycles, write data by one.
                assert!(self.since[module][0] >= 3, "the data bus turns around");
                self.since[module][1] = 0;
            }
        }

        let (list_read_enable, list_row) = self.write_unit_list(&unit);

        // Lines for packets: the line taken in the cycle before is on the pins.
        if std::mem::take(&mut self.packet_taken) {
            self.packet.push(unit.packet_data);
        }
        let packet_next = unit.packet_lines != 0 && self.chance(self.network);
        self.packet_taken = packet_next;

        self.vl.tick(&vl::In {
            start: start.is_some(),
            vector_load: start.unwrap_or_default().measured(self.capacity),
            prefetch_unit_busy: unit.busy,
            hold: 0,
        });
        self.unit.tick(&prefetch_unit::pins::In {
            vector_load: self.direct.unwrap_or(vl.vector_load),
            vector_load_start: vl.vector_load_start || self.direct.is_some(),
            capacity: self.capacity,
            read_together: self.together,
            read_right: interface.read_right,
            sodimm_almost_full: interface.almost_full,
            sodimm_idle: interface.idle,
            data: interface.data,
            prefetch_window_free: free,
            list_request: asked,
            list_read_enable,
            list_row,
            copy_request: CopyRequest::default(),
            packet_next,
        });
        self.interface.tick(&sodimm_interface::pins::In {
            write_right_request: asks,
            word,
            read_right_request: unit.read_right_request,
            read: unit.read,
            data_next0: unit.data_next0,
            data_next1: unit.data_next1,
            sodimm_enabled: true,
            memory0: pins[0],
            memory1: pins[1],
        });
        self.cycle += 1;
        self.direct = None;
        for ((name, from), (_, to)) in before.into_iter().zip(self.states()) {
            if from != to {
                self.arcs.insert((name, from, to));
            }
        }
    }

    /// Requests a list and reads it row by row; returns whether a row is read, and its number.
    fn write_unit_list(&mut self, unit: &prefetch_unit::pins::Out) -> (bool, u8) {
        if self.list.request && unit.store_list.ready {
            self.list.request = false;
            let list = u64::from(self.list.offset & !3);
            let room = oracle::region(self.capacity).saturating_sub(list) / 4;
            assert_eq!(u64::from(unit.store_list.entries), room.min(self.list.entries.into()));
            let halves = u16::from(unit.store_list.entries) + (list >> 2 & 1) as u16;
            self.list_rows = Some((halves.div_ceil(2), vec![]));
            return (false, 0);
        }
        let Some((rows, mut read)) = self.list_rows.take() else {
            if self.lists && !self.list.request && self.random.one_in(100) {
                let end = oracle::region(self.capacity);
                let near = self.random.one_in(4);
                let offset =
                    if near { end - self.random.below(100) } else { 0x80_0000 + self.random.below(0x1000) };
                let entries = 1 + self.random.below(255) as u8;
                let wid = self.random.one_in(2);
                self.list = ListRequest { request: true, wid, offset: offset as u32, entries };
            }
            return (false, 0);
        };
        if std::mem::take(&mut self.list_row_comes) {
            read.push(unit.store_list.rdata);
        }
        if read.len() < usize::from(rows) {
            let (ask, row) = (self.random.one_in(2), read.len() as u8);
            self.list_row_comes = ask;
            self.list_rows = Some((rows, read));
            return (ask, row);
        }
        let at = self.base(self.list.wid) + u64::from(self.list.offset & !7);
        let expected = |row: u64| (0..8).map(|i| u64::from(self.byte(at + 8 * row + i)) << (8 * i)).sum();
        let expected: Vec<u64> = (0..u64::from(rows)).map(expected).collect();
        assert_eq!(read, expected, "{:?}", self.list);
        self.lists_read += 1;
        (false, 0)
    }

    /// Words that the Write Unit has sent.
    pub fn written(&self) -> u64 {
        self.written
    }

    fn states(&self) -> [(&'static str, u64); 4] {
        [
            ("list", self.unit.pu_list.state as u64),
            ("ctl", self.unit.pu_ctl.state as u64),
            ("read", self.unit.pu_read.state as u64),
            ("write", self.unit.pu_write.q.state as u64),
        ]
    }
}

/// Declared arcs of the three state machines.
pub fn declared() -> BTreeSet<(&'static str, u64, u64)> {
    let named = |name, table: &'static hdl::StateMachineTable| table.arcs().map(move |(a, b)| (name, a, b));
    named("list", pu_list::State::TABLE)
        .chain(named("ctl", pu_ctl::State::TABLE))
        .chain(named("read", pu_read::State::TABLE))
        .chain(named("write", pu_write::State::TABLE))
        .collect()
}
