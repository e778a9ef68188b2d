//! Bench of the receive side, with simple models of SWIF, SO-DIMM interface, LLCM, Prefetch Windows and host.

use std::collections::{BTreeMap, VecDeque};

use hdl::Clocked;

use super::oracle::offset_at;
use crate::address::lid_to_clid;
use crate::host_interface::amt_address_table::index;
use crate::host_interface::lh_buffer::{self, LhBuffer};
use crate::host_interface::pins::{Configuration, UserCode};
use crate::line::Line;
use crate::packet::FirstLine;
use crate::prefetch_unit::pins::StoreList;
use crate::receive_controller::head_write::State as HeadState;
use crate::receive_controller::packet_control::State as Main;
use crate::receive_controller::packet_write::State as Writer;
use crate::receive_controller::{ReceiveController, pins};
use crate::request::Request;
use crate::request_separator::separate;
use crate::status_write_unit::{self, AREA_SIZE, INITIAL_ADDRESS, NEXT_READ_ADDRESS, StatusWriteUnit};
use crate::write_unit::pins::MemoryWord;
use crate::write_unit::read_control::State as Reader;
use crate::write_unit::ring::State as RingState;
use crate::write_unit::write_control::State as Storer;
use crate::write_unit::{self, WriteUnit};

/// Behaviour of the environment.
#[derive(Clone, Copy, Debug)]
pub struct Knobs {
    /// Capacity code of an SO-DIMM.
    pub capacity: u8,
    /// Words that the SO-DIMM interface can queue.
    pub depth: usize,
    /// The Request FIFO for remote requests is full.
    pub remote_fifo_full: bool,
    /// Seed of random stalls; 0 means no stalls.
    pub seed: u64,
}

impl Default for Knobs {
    fn default() -> Self {
        Self { capacity: 0, depth: 1024, remote_fifo_full: false, seed: 0 }
    }
}

/// Configuration of a status ring and of the host that reads it.
#[derive(Clone, Copy, Debug)]
pub struct Ring {
    pub wid: bool,
    pub initial: u16,
    pub size: u16,
    /// The host reads statuses as they arrive.
    pub reads: bool,
}

/// Signals of one cycle.
#[derive(Clone, Copy, Debug)]
pub struct Trace {
    pub main: Main,
    pub writer: Writer,
    pub reader: Reader,
    pub storer: Storer,
    pub ring: RingState,
    pub head: HeadState,
    pub vl_hold: u8,
    pub lh_write: u8,
    pub amt_read: bool,
    pub llcm_read: bool,
    pub tail_write: bool,
    pub status: status_write_unit::State,
    pub line: Line,
    pub packet_start: bool,
    pub line_next: bool,
    pub write_start: bool,
    pub write_right_request: bool,
    pub write_right: bool,
    pub word: bool,
    pub sodimm_idle: bool,
    pub write_done: bool,
    pub window_write: bool,
    pub llcm_write: bool,
    pub status_enable: bool,
}

#[derive(Default)]
struct Swif {
    packets: VecDeque<Vec<Line>>,
    rest: VecDeque<Line>,
    line: Line,
}

impl Swif {
    fn tick(&mut self, packet_start: bool, line_next: bool) {
        if packet_start {
            assert!(self.rest.is_empty(), "a packet is read to its end before the next one starts");
            self.rest = self.packets.pop_front().expect("packets start only while there are some").into();
        }
        if packet_start || line_next && !self.line.is_last() {
            self.line = self.rest.pop_front().expect("a packet ends with a last line");
        }
    }
}

/// One channel that takes four cycles for a word, and its queue.
struct Sodimm {
    queue: VecDeque<MemoryWord>,
    left: u8,
    right: bool,
    bytes: BTreeMap<u64, u8>,
}

/// A completed message head in the LH Buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub wid: bool,
    pub number: u8,
    pub lines: [u64; 8],
}

/// The receive side and its environment.
pub struct Bench {
    pub knobs: Knobs,
    controller: ReceiveController,
    write_unit: WriteUnit,
    status_write_unit: StatusWriteUnit,
    swif: Swif,
    sodimm: Sodimm,
    configurations: VecDeque<Configuration>,
    reads: [bool; 2],
    random: u64,
    lh_buffer: LhBuffer,
    turn: bool,
    /// The host moves the Heads of the LH Buffer to its Tails.
    pub reads_heads: bool,
    /// Message heads in the order of their completion.
    pub entries: Vec<Entry>,
    /// Entries of the AMT Address Table.
    amt: Vec<u16>,
    amt_entry: u16,
    llcm_rdata: u64,
    /// AMT entries whose Head the host moves to Tail at random: WID, word.
    pub consumes: Vec<(bool, u16)>,
    /// Tails written: WID, word, Tail.
    pub tails: Vec<(bool, u16, u32)>,
    pub windows: Vec<u8>,
    pub llcm: Vec<u8>,
    written: usize,
    /// WID, address, upper, lower.
    pub statuses: Vec<(bool, u16, u64, u64)>,
    upper: u64,
    /// The list that the Prefetch Unit has read, from the word in which it begins, and the row on the pins.
    list: Vec<u32>,
    store_list: StoreList,
    pub remotes: Vec<(Request, u64)>,
    pub received: [u64; 2],
    pub overruns: [u64; 2],
    pub conditions: Vec<(bool, u8)>,
    /// Bits of the Prefetch Window Flag that have ever been reported.
    pub flags: [u16; 2],
}

impl Bench {
    pub fn new(knobs: Knobs) -> Self {
        Self {
            knobs,
            controller: ReceiveController::default(),
            write_unit: WriteUnit::default(),
            status_write_unit: StatusWriteUnit::default(),
            swif: Swif::default(),
            sodimm: Sodimm { queue: VecDeque::new(), left: 0, right: false, bytes: BTreeMap::new() },
            configurations: VecDeque::new(),
            reads: [true; 2],
            random: knobs.seed,
            lh_buffer: LhBuffer::default(),
            turn: false,
            reads_heads: true,
            entries: vec![],
            amt: vec![0; 8192],
            amt_entry: 0,
            llcm_rdata: 0,
            consumes: vec![],
            tails: vec![],
            windows: vec![0; 0x1000],
            llcm: vec![0; 0x1_0000],
            written: 0,
            statuses: vec![],
            upper: 0,
            list: vec![],
            store_list: StoreList::default(),
            remotes: vec![],
            received: [0; 2],
            overruns: [0; 2],
            conditions: vec![],
            flags: [0; 2],
        }
    }

    pub fn send(&mut self, packet: Vec<Line>) {
        self.swif.packets.push_back(packet);
    }

    /// Configures a status ring; its start is written only if it changes.
    pub fn configure_ring(&mut self, ring: Ring) {
        let placed = self.reads[ring.wid as usize] != ring.reads && ring.reads;
        self.reads[ring.wid as usize] = ring.reads;
        if !placed {
            for (user_code, value) in [(INITIAL_ADDRESS, ring.initial), (AREA_SIZE, ring.size)] {
                let configuration = Configuration { value, wid: ring.wid, user_code, system_code: 0 };
                self.configurations.push_back(configuration);
            }
            while !self.configurations.is_empty() {
                let packets = std::mem::take(&mut self.swif.packets);
                self.cycle();
                self.swif.packets = packets;
            }
        }
    }

    /// Sets IPUSH Area Size.
    pub fn configure_area(&mut self, wid: bool, value: u16) {
        let user_code = UserCode::UserIpushAreaSize as u8;
        self.configurations.push_back(Configuration { value, wid, user_code, system_code: 0 });
        self.cycle();
    }

    /// Assigns an AMT entry to a sender.
    pub fn give_entry(&mut self, lid: u16, swid: bool, word: u16) {
        self.amt[usize::from(index(lid_to_clid(lid), swid))] = word;
    }

    /// Sets Head and Tail of an AMT entry.
    pub fn set_entry(&mut self, wid: bool, word: u16, head: u32, tail: u32) {
        let at = (wid as usize) << 15 | usize::from(word) << 3;
        self.llcm[at..at + 4].copy_from_slice(&tail.to_le_bytes());
        self.llcm[at + 4..at + 8].copy_from_slice(&head.to_le_bytes());
    }

    /// Head and Tail of an AMT entry.
    pub fn entry(&self, wid: bool, word: u16) -> (u32, u32) {
        let at = (wid as usize) << 15 | usize::from(word) << 3;
        let half = |at| u32::from_le_bytes(self.llcm[at..at + 4].try_into().expect("four bytes"));
        (half(at + 4), half(at))
    }

    /// The eight lines of an entry of the LH Buffer.
    pub fn lh_lines(&self, wid: bool, number: u8) -> [u64; 8] {
        let row = (wid as usize) << 8 | usize::from(number) << 2;
        std::array::from_fn(|line| {
            let bank = if line & 1 == 0 { &self.lh_buffer.even } else { &self.lh_buffer.odd };
            bank.words()[row + line / 2]
        })
    }

    /// Entries of the AMT Address Table.
    pub fn amt(&self) -> &[u16] {
        &self.amt
    }

    pub fn main(&self) -> Main {
        self.controller.packet_control.outputs().state
    }

    /// `count` bytes of the SO-DIMMs; unwritten bytes are 0.
    pub fn memory(&self, address: u64, count: usize) -> Vec<u8> {
        (address..address + count as u64).map(|at| *self.sodimm.bytes.get(&at).unwrap_or(&0)).collect()
    }

    /// All bytes of the SO-DIMMs that have ever been written.
    pub fn all_memory(&self) -> &BTreeMap<u64, u8> {
        &self.sodimm.bytes
    }

    /// Bytes written to SO-DIMM, Prefetch Windows and LLCM, except statuses.
    pub fn stored(&self) -> usize {
        self.written
    }

    /// Whether nothing was stored, counted or reported.
    pub fn untouched(&self) -> bool {
        self.written == 0
            && self.statuses.is_empty()
            && self.remotes.is_empty()
            && self.received == [0; 2]
            && self.overruns == [0; 2]
            && self.conditions.is_empty()
    }

    /// Whether the receive side and its environment are idle.
    pub fn at_rest(&self) -> bool {
        self.swif.packets.is_empty()
            && self.controller.quiescent() == hdl::Quiet::UntilInput
            && self.write_unit.quiescent() == hdl::Quiet::UntilInput
            && self.status_write_unit.quiescent() == hdl::Quiet::UntilInput
    }

    /// Runs until all is idle; returns the cycles.
    pub fn run(&mut self) -> usize {
        let mut cycles = 0;
        while !self.at_rest() {
            self.cycle();
            cycles += 1;
            assert!(cycles < 100_000, "stuck in {:?}", self.main());
        }
        cycles
    }

    pub fn cycles(&mut self, count: usize) {
        for _ in 0..count {
            self.cycle();
        }
    }

    /// True once in `of` calls on average if stalls are enabled.
    fn stall(&mut self, of: u64) -> bool {
        if self.knobs.seed == 0 {
            return false;
        }
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 20).is_multiple_of(of)
    }

    /// One cycle: all signals, then the edge.
    pub fn cycle(&mut self) -> Trace {
        let controller = self.controller.outputs();
        let write_unit = self.write_unit.outputs();
        let status = self.status_write_unit.outputs();
        let heads = self.lh_buffer.outputs();
        let separated = separate(&controller.result);
        let line = self.swif.line;
        let line_next = controller.line_next || write_unit.line_next;
        let status_writes = status.llcm_byte_enable != 0;
        let ring_wants = write_unit.llcm_read_enable || write_unit.llcm_byte_enable != 0;
        let remote_fifo_full = self.knobs.remote_fifo_full || self.stall(3);
        let almost_full = self.knobs.depth - self.sodimm.queue.len() < 4;
        let sodimm_idle = self.sodimm.queue.is_empty() && self.sodimm.left == 0;
        assert!(!status_writes || status.llcm_byte_enable == 0xff);
        let users = [status_writes, ring_wants, controller.llcm_byte_enable != 0];
        assert!(users.iter().filter(|&&user| user).count() <= 1, "LLCM has one port");

        let trace = Trace {
            main: self.main(),
            writer: self.controller.packet_write.outputs().state,
            reader: self.write_unit.read_control.outputs().state,
            storer: self.write_unit.write_control.outputs().state,
            ring: self.write_unit.ring.state,
            head: self.controller.head_write.state,
            vl_hold: controller.vl_hold,
            lh_write: controller.lh_write_enable,
            amt_read: controller.amt_read_enable,
            llcm_read: write_unit.llcm_read_enable,
            tail_write: write_unit.llcm_byte_enable != 0,
            status: self.status_write_unit.state,
            line,
            packet_start: controller.packet_start,
            line_next,
            write_start: controller.write_request.start,
            write_right_request: write_unit.write_right_request,
            write_right: self.sodimm.right,
            word: write_unit.word.byte_enable != 0,
            sodimm_idle,
            write_done: write_unit.done,
            window_write: controller.prefetch_window_byte_enable != 0,
            llcm_write: controller.llcm_byte_enable != 0,
            status_enable: separated.status_enable,
        };

        // Host memories.
        for n in 0..16 {
            if controller.prefetch_window_byte_enable >> n & 1 == 1 {
                let at = usize::from(controller.prefetch_window_address) * 16 + n;
                self.windows[at] = (controller.prefetch_window_wdata >> (8 * n)) as u8;
                self.written += 1;
            }
        }
        for n in 0..8 {
            if controller.llcm_byte_enable >> n & 1 == 1 {
                let at = usize::from(controller.llcm_address) * 8 + n;
                self.llcm[at] = (controller.llcm_wdata >> (8 * n)) as u8;
                self.written += 1;
            }
        }
        let entry = (controller.write_request.wid, self.amt_entry);
        let llcm_rdata = self.llcm_rdata;
        if write_unit.llcm_read_enable {
            let (head, tail) = self.entry(entry.0, entry.1);
            self.llcm_rdata = u64::from(head) << 32 | u64::from(tail);
        }
        if write_unit.llcm_byte_enable != 0 {
            assert_eq!(write_unit.llcm_byte_enable, 0x0f, "Head is the host's");
            let (head, tail) = (self.entry(entry.0, entry.1).0, write_unit.llcm_wdata as u32);
            self.set_entry(entry.0, entry.1, head, tail);
            self.tails.push((entry.0, entry.1, tail));
        }
        if controller.amt_read_enable {
            let first = FirstLine::from_bits(line.data);
            self.amt_entry = self.amt[usize::from(index(lid_to_clid(first.dlid), first.swid))];
        }
        if status_writes {
            let (wid, word) = (status.llcm_address >> 12 == 1, status.llcm_address & 0xfff);
            if word & 1 == 1 {
                self.upper = status.llcm_wdata;
            } else {
                self.statuses.push((wid, word * 8, self.upper, status.llcm_wdata));
            }
        }

        // Registers and Window Controller.
        self.received[controller.wid as usize] += controller.packet_received as u64;
        self.overruns[controller.wid as usize] += controller.overrun as u64;
        assert!(!controller.flag.opened, "only a request begins a transfer");
        let quarters = u16::from(controller.flag.quarters) << (4 * controller.flag.window);
        self.flags[controller.flag.wid as usize] |= quarters;
        if controller.condition != 0 {
            self.conditions.push((controller.wid, controller.condition));
        }
        if separated.remote_request_enable && !remote_fifo_full {
            self.remotes.push((separated.request, separated.ex));
        }
        let wid = controller.write_request.wid;
        let slow = self.stall(2);
        self.turn = !self.turn;
        let (head_enable, head) = match (self.reads_heads && !slow, self.turn) {
            (false, _) => (0, 0),
            (true, false) => (0b01, heads.tail0),
            (true, true) => (0b10, heads.tail1),
        };
        self.lh_buffer.tick(&lh_buffer::In {
            head_enable,
            head,
            wid,
            write_enable: controller.lh_write_enable,
            row: controller.lh_row,
            wdata: controller.lh_wdata,
            advance: controller.lh_advance,
            ..lh_buffer::In::default()
        });
        if controller.lh_advance {
            let number = (if wid { heads.tail1 } else { heads.tail0 } >> 6) as u8;
            self.entries.push(Entry { wid, number, lines: self.lh_lines(wid, number) });
        }
        if !self.consumes.is_empty() && self.stall(64) {
            let (wid, word) = self.consumes[self.statuses.len() % self.consumes.len()];
            let tail = self.entry(wid, word).1;
            self.set_entry(wid, word, tail, tail);
            self.consumes.rotate_left(1);
        }
        let configuration = self.configurations.pop_front().unwrap_or_else(|| {
            let wid = self.stall(2);
            let slow = self.stall(2);
            let next = if wid { status.next_write_address1 } else { status.next_write_address0 };
            let reads = self.reads[wid as usize] && !slow;
            let user_code = if reads { NEXT_READ_ADDRESS } else { 0 };
            Configuration { value: next, wid, user_code, system_code: 0 }
        });

        // The edge.
        self.controller.tick(&pins::In {
            line,
            packet_available: !self.swif.packets.is_empty(),
            pgid0: super::PGIDS[0],
            pgid1: super::PGIDS[1],
            write_unit_done: write_unit.done,
            write_unit_overrun: write_unit.overrun,
            write_unit_broken: write_unit.broken,
            write_unit_bytes: write_unit.bytes,
            configuration,
            write_unit_refused: write_unit.refused,
            write_unit_first_address: write_unit.first_address,
            ring_room: write_unit.ring_room,
            lh_full: heads.full,
            lh_polarity: heads.polarity,
            status_busy: status.status_busy,
            remote_fifo_full,
        });
        self.write_unit.tick(&write_unit::pins::In {
            write_request: controller.write_request,
            ring_request: controller.ring_request,
            llcm_rdata,
            head_done: controller.head_done,
            head_broken: controller.head_broken,
            line,
            capacity: self.knobs.capacity,
            write_right: self.sodimm.right,
            sodimm_almost_full: almost_full,
            sodimm_idle,
            store_list: self.store_list,
            // Only packets are stored.
            ..write_unit::pins::In::default()
        });
        self.status_write_unit.tick(&status_write_unit::In {
            status: separated.request,
            status_enable: separated.status_enable,
            configuration,
        });
        self.prefetch_unit(write_unit);
        self.swif.tick(controller.packet_start, line_next);
        self.sodimm_tick(write_unit.write_right_request, write_unit.word);
        trace
    }

    /// Reads the requested list and delivers its rows.
    fn prefetch_unit(&mut self, write: write_unit::pins::Out) {
        let (request, was_ready) = (write.list_request, self.store_list.ready);
        self.store_list.ready = false;
        if request.request && !was_ready && !self.stall(2) {
            assert!(!write.write_right_request, "the right would keep the Prefetch Unit from reading");
            let region = 0x1000_0000u64 << self.knobs.capacity;
            let room = region.min(1 << 32).saturating_sub(u64::from(request.offset & !3)) / 4;
            let first = request.wid as u64 * region + u64::from(request.offset & !7);
            self.store_list.entries = room.min(request.entries.into()) as u8;
            self.store_list.ready = true;
            self.list = (0..256).map(|n| offset_at(&self.sodimm.bytes, first + 4 * n)).collect();
        }
        if write.list_read_enable {
            let half = 2 * usize::from(write.list_row);
            self.store_list.rdata = u64::from(self.list[half]) | u64::from(self.list[half + 1]) << 32;
        }
    }

    fn sodimm_tick(&mut self, write_right_request: bool, word: MemoryWord) {
        let late = self.stall(3);
        self.sodimm.right = write_right_request && (self.sodimm.right || !late);
        if word.byte_enable != 0 {
            assert!(write_right_request, "words come only with the write right");
            self.sodimm.queue.push_back(word);
            assert!(self.sodimm.queue.len() <= self.knobs.depth, "the queue never overflows");
        }
        let slow = self.stall(2);
        if self.sodimm.left > 0 && !slow {
            self.sodimm.left -= 1;
            if self.sodimm.left == 0 {
                let word = self.sodimm.queue.pop_front().expect("the word at work stays in the queue");
                for n in 0..8 {
                    if word.byte_enable >> n & 1 == 1 {
                        let at = u64::from(word.address) * 8 + n;
                        self.sodimm.bytes.insert(at, (word.data >> (8 * n)) as u8);
                        self.written += 1;
                    }
                }
            }
        }
        if self.sodimm.left == 0 && !self.sodimm.queue.is_empty() {
            self.sodimm.left = 4;
        }
    }
}
