//! Fuzz targets: functions of arbitrary bytes that panic if a board misbehaves.
//!
//! Inputs become frames with arbitrary packets, arbitrary lines and host accesses to arbitrary addresses. A
//! board must neither panic nor run for ever, and its defined results must match the oracle. `testbench/fuzz`
//! drives the targets with libFuzzer, `tests/fuzz.rs` with bytes from seeds.

use cluster::Time;
use dimmnet2::Dimmnet2;
use dimmnet2::address::{Area, cell};
use dimmnet2::clocks;
use dimmnet2::command::SODIMM_COPY;
use dimmnet2::line::{FIRST, LAST, Line, MIDDLE};
use dimmnet2::pins::{HostIn, In};
use dimmnet2::registers::{
    AmtAddressTableInterface, ControllerStatus, ModuleState, PrimitiveCounter, SystemRegister, UserRegister,
};
use dimmnet2::swif::infiniband::LocalRouteHeader;
use dimmnet2::{FirstLine, Lower, Primitive, ThirdLine};
use dimmnet2_machine::{AnyNic, SoDimm};
use hdl::{Model, Nic, Quiet};

use crate::access::Who;
use crate::compare::{Registers, STATUS_AREA, STATUS_INITIAL, Seen};
use crate::contents::Contents;
use crate::node::{ENTRIES, Node};
use crate::oracle::Oracle;

/// LID of the board.
const LID: u16 = 1;
/// LID of the node that sends to it.
const SENDER: u16 = 2;

/// Words of LLCM with the AMT entries of the sender's processes.
const AMT: u16 = 0x5000 / 8;

/// Most packets of an input: their statuses fit into the ring.
const PACKETS: usize = 60;

/// Most accesses and lines of an input.
const EVENTS: usize = 2000;

/// Bound of the cycles until a board rests: the longest reply takes a tenth of them, each line or access of
/// an input a few.
const REST: u64 = 2_000_000;

/// Cycles that a host or a link waits before it gives up.
const PATIENCE: u64 = 4_000;

/// wu_ipush of the Write Unit in Module State: a packet waits for room in its ring.
const LOOKS_FOR_ROOM: u16 = 1;

/// The rest of an input.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn byte(&mut self) -> u8 {
        self.word(1) as u8
    }

    /// A number of up to 8 bytes, little-endian; missing bytes are 0.
    fn word(&mut self, bytes: usize) -> u64 {
        let (taken, rest) = self.0.split_at(self.0.len().min(bytes));
        self.0 = rest;
        taken.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
    }
}

/// Packets with arbitrary content in whole frames, one after another: the result must match the oracle.
///
/// Two bytes per packet determine its length and the fields that make it likely to be accepted; its lines
/// follow.
pub fn packets(input: &[u8]) {
    let mut bytes = Bytes(input);
    let mut oracle = Oracle::new(1);
    prepare(&mut oracle.nodes[0]);
    let mut board = Bench::new();
    board.configure(&oracle.nodes[0]);
    heads(&mut bytes, &mut oracle, &mut board);
    for _ in 0..PACKETS {
        if bytes.is_empty() {
            break;
        }
        let lines = packet(&mut bytes);
        let mut after = oracle.clone();
        after.arrive(0, SENDER, &lines);
        let who = Who { node: 0, wid: FirstLine::from_bits(lines[0]).dwid };
        if after.waiting && oracle.process(who).unread() == ENTRIES - 1 {
            // The packet waits until the host has read a head.
            oracle.read_head(who);
            after = oracle.clone();
            after.arrive(0, SENDER, &lines);
            board.read_heads(&oracle.nodes[0], who.wid, if after.waiting { &[] } else { &lines });
            oracle = if after.waiting { oracle } else { after };
            continue;
        }
        // Packets that would wait for room that the host must make are left out.
        if after.waiting {
            continue;
        }
        oracle = after;
        board.receive(&lines);
    }
    board.rest();
    let registers = [false, true].map(|wid| board.registers(wid));
    let seen = Seen { registers, contents: Contents::of(&board.nic as &AnyNic), sodimms: &board.memories };
    if let Err(difference) = seen.compare(0, &oracle.nodes[0]) {
        panic!("{difference}");
    }
}

/// Messages to one process; the host reads most of their heads. The Tail of the LH Buffer can then be
/// anywhere, with less room or none.
fn heads(bytes: &mut Bytes, oracle: &mut Oracle, board: &mut Bench) {
    let (count, unread) = (u64::from(bytes.byte().saturating_sub(0x60)), u64::from(bytes.byte()) % ENTRIES);
    let who = Who { node: 0, wid: count & 1 == 1 };
    for n in 0..count {
        let first = FirstLine {
            packet_size: 24,
            otype: Primitive::LhsV1.code(),
            dwid: who.wid,
            lflag: true,
            ..FirstLine::default()
        };
        let lines = [first.bits(), 0, n];
        oracle.arrive(0, SENDER, &lines);
        board.receive(&lines);
        board.rest();
        if oracle.process(who).unread() > unread.min(ENTRIES - 2) {
            oracle.read_head(who);
            board.read_heads(&oracle.nodes[0], who.wid, &[]);
        }
    }
}

/// Arbitrary lines and host accesses at any time: the board must come to rest after them.
pub fn noise(input: &[u8]) {
    let mut bytes = Bytes(input);
    let mut board = Bench::new();
    let mut node = Oracle::new(1).nodes.remove(0);
    prepare(&mut node);
    board.configure(&node);
    for _ in 0..EVENTS {
        if bytes.is_empty() {
            break;
        }
        match bytes.byte() {
            kind @ 0..96 => {
                let host = host(kind, &mut bytes);
                board.host(host);
            }
            96..144 => {
                packet(&mut bytes).iter().for_each(|data| board.line(Line { data: *data, id: MIDDLE }))
            }
            144..192 => {
                let lines = packet(&mut bytes);
                board.receive(&lines);
            }
            kind @ 192..240 => {
                let line = Line { data: bytes.word(8), id: kind & 3 };
                board.line(line);
            }
            _ => (0..bytes.byte()).for_each(|_| board.idle()),
        }
        board.stalls = bytes.byte();
    }
    board.stalls = 0;
    board.rest_with_host();
}

/// Prepares a node: one process group, rings for the sender's processes, and some data.
fn prepare(node: &mut Node) {
    for wid in [false, true] {
        for at in 0..0x1000 {
            let address = node.address(wid, at);
            // Usable as offsets of a list, near each other.
            node.sodimm.set(address, if at % 4 < 2 { at as u8 & 0x7c } else { 0 });
        }
        for sender in 0..2u16 {
            node.amt[usize::from(2 * SENDER + sender)] = AMT + sender;
            let tail = 0x1_ff00 + 0x1_0000 * u64::from(sender);
            let entry = 8 * usize::from(AMT + sender);
            let process = &mut node.processes[usize::from(wid)];
            process.ipush_area = 1;
            process.llcm[entry..entry + 8].copy_from_slice(&(tail << 32 | tail).to_le_bytes());
        }
    }
}

/// The lines of a packet.
fn packet(bytes: &mut Bytes) -> Vec<u64> {
    let (length, kind) = (usize::from(bytes.byte()), bytes.byte());
    let mut lines: Vec<u64> = (0..1 + length % 80).map(|_| bytes.word(8)).collect();
    let mut first = FirstLine::from_bits(lines[0]);
    // Process group of the board, a size that fits, an accepted type.
    if kind & 1 == 0 {
        first.pgid = 0;
    }
    if kind & 2 == 0 {
        first.packet_size = (8 * lines.len()) as u16 - u16::from(kind >> 5);
    }
    if kind & 4 == 0 {
        first.otype = 0b1_0000 | first.otype & 0b1011;
    }
    // Small offsets.
    if kind & 8 == 0 {
        lines.iter_mut().skip(1).take(1).for_each(|line| *line &= 0x0000_3fff_0000_3fff);
    }
    // A reply of gigabytes would take too long.
    if first.hflag && lines.len() > 2 {
        let third = ThirdLine::from_bits(lines[2]);
        lines[2] = ThirdLine { total_transfer_size: third.total_transfer_size & 0xffff, ..third }.bits();
    }
    let unused = lines[0] & !FirstLine::TABLE.mask();
    lines[0] = first.bits() | unused;
    // Nothing may be stored over statuses and AMT entries, which the oracle expects there.
    if first.lflag && lines.len() > 1 {
        lines[1] &= !(0x0000_c000 << 32);
    }
    lines
}

/// A host access: of any kind, or part of a command.
fn host(kind: u8, bytes: &mut Bytes) -> HostIn {
    let wid = kind & 1 == 1;
    let register = [UserRegister::Command0Upper, UserRegister::Command1Upper][usize::from(kind >> 1 & 1)];
    let page = Area::UserRegister.part(wid);
    let address = match kind {
        0..32 => bytes.word(3) as u32 & 0xf_fff0,
        32..48 => page + u32::from(register.info().offset),
        48..72 => page + u32::from(register.info().offset) - 0x10,
        72..84 => page + 16 * u32::from(bytes.byte()),
        _ => Area::SystemRegister.base() + 16 * u32::from(bytes.byte()),
    };
    let (even, odd) = (bytes.word(8), if kind < 32 { bytes.word(8) } else { 0 });
    // A transfer of gigabytes would take too long.
    let lower =
        [UserRegister::Command0Lower, UserRegister::Command1Lower].map(|register| register.info().offset);
    let user = [false, true]
        .iter()
        .any(|wid| lower.iter().any(|offset| address == Area::UserRegister.part(*wid) + u32::from(*offset)));
    let fields = Lower::from_bits(even);
    let even = if user {
        Lower { size_list_stride: fields.size_list_stride & 0x3fff, ..fields }.bits()
    } else {
        even
    };
    let even =
        if kind & 4 == 4 && (32..48).contains(&kind) { even | u64::from(SODIMM_COPY) << 32 } else { even };
    let byte_enable = if kind < 8 { bytes.word(2) as u16 } else { 0xffff };
    let wdata = u128::from(odd) << 64 | u128::from(even);
    HostIn { wdata, byte_enable, address, enable: true, write: kind % 8 != 7 }
}

/// A board with its SO-DIMMs; both clocks tick together.
struct Bench {
    nic: Model<Dimmnet2>,
    pins: In,
    memories: [SoDimm; 2],
    cycles: u64,
    /// Bit mask over eight cycles in which SO-DIMMs and link stall.
    stalls: u8,
}

impl Bench {
    fn new() -> Self {
        let mut pins = In::default();
        pins.network.sma_lid = LID;
        pins.network.link_status = 3;
        let nic = Model::new(Dimmnet2::default());
        Self { nic, pins, memories: Default::default(), cycles: 0, stalls: 0 }
    }

    fn configure(&mut self, node: &Node) {
        for (address, byte) in node.sodimm.iter() {
            let cell = cell(address);
            self.memories[usize::from(cell.module)].poke(cell.address, byte);
        }
        self.write(system(SystemRegister::SdimmInit), 1);
        for sender in 0..2 {
            let value = AMT + sender;
            let entry = AmtAddressTableInterface { value, wid: sender == 1, lid: SENDER };
            self.write(system(SystemRegister::AmtAddressTableInterface), entry.bits());
            for wid in [false, true] {
                let offset = 8 * usize::from(value);
                let entry = &node.processes[usize::from(wid)].llcm[offset..offset + 8];
                let entry = u64::from_le_bytes(entry.try_into().expect("8 bytes"));
                self.write(Area::Llcm.part(wid) + offset as u32, entry);
            }
        }
        for wid in [false, true] {
            self.write(user(wid, UserRegister::StatusInitialAddress), STATUS_INITIAL.into());
            self.write(user(wid, UserRegister::StatusAreaSize), STATUS_AREA.into());
            self.write(user(wid, UserRegister::IpushAreaSize), 1);
        }
    }

    /// One cycle of both clocks.
    fn cycle(&mut self) {
        let time = Time::from_ps(10_000 * self.cycles);
        let stalled = self.stalls >> (self.cycles % 8) & 1 == 1;
        self.cycles += 1;
        let out = *self.nic.outputs();
        let [first, second] = &mut self.memories;
        self.pins.memory0.ready = first.ready(time) && !stalled;
        self.pins.memory1.ready = second.ready(time) && !stalled;
        self.pins.memory0.rdata = first.rdata();
        self.pins.memory1.rdata = second.rdata();
        self.pins.network.tx_ready = !stalled;
        first.tick(&out.memory0, self.pins.memory0.ready);
        second.tick(&out.memory1, self.pins.memory1.ready);
        self.nic.edge(clocks::BOTH, &self.pins).expect("a model never fails");
    }

    fn idle(&mut self) {
        self.pins.host.enable = false;
        self.pins.network.rx_valid = false;
        self.cycle();
    }

    fn host(&mut self, host: HostIn) {
        self.pins.host = host;
        self.pins.network.rx_valid = false;
        self.cycle();
        self.pins.host.enable = false;
    }

    fn line(&mut self, line: Line) {
        self.pins.host.enable = false;
        self.pins.network.rx_line = line;
        self.pins.network.rx_valid = true;
        self.cycle();
        self.pins.network.rx_valid = false;
    }

    fn write(&mut self, address: u32, word: u64) {
        let odd = address & 8 == 8;
        let (wdata, byte_enable) =
            if odd { (u128::from(word) << 64, 0xff00) } else { (u128::from(word), 0x00ff) };
        self.host(HostIn { wdata, byte_enable, address: address & !0xf, enable: true, write: true });
        self.idle();
    }

    fn read(&mut self, address: u32) -> u64 {
        self.host(HostIn { address, enable: true, ..HostIn::default() });
        self.nic.outputs().host.rdata as u64
    }

    /// Sends a whole frame once `rx_ready` is high; gives up after `PATIENCE` cycles.
    fn receive(&mut self, lines: &[u64]) {
        let start = self.cycles;
        while !self.nic.outputs().network.rx_ready {
            if self.cycles - start > PATIENCE {
                return;
            }
            self.idle();
        }
        let header = LocalRouteHeader { slid: SENDER, dlid: LID, ..LocalRouteHeader::default() };
        self.line(Line { data: header.bits().swap_bytes(), id: FIRST });
        let words = [0, 0].iter().chain(lines);
        let count = lines.len() + 2;
        for (n, data) in words.enumerate() {
            let id = if n + 1 == count { LAST } else { MIDDLE };
            self.line(Line { data: *data, id });
        }
    }

    /// The host moves a Head, some time after the packet has arrived.
    fn read_heads(&mut self, node: &Node, wid: bool, lines: &[u64]) {
        if !lines.is_empty() {
            self.receive(lines);
            (0..PATIENCE / 8).for_each(|_| self.idle());
        }
        let head = node.processes[usize::from(wid)].lh_head;
        self.write(user(wid, UserRegister::LhBufferNextReadAddress), head.into());
    }

    /// Waits until the board is quiescent.
    fn rest(&mut self) {
        let start = self.cycles;
        while self.nic.quiescent() != Quiet::UntilInput {
            assert!(self.cycles - start < REST, "the board does not come to rest");
            self.idle();
        }
    }

    /// Waits until the board is quiescent, with a host that reads its statuses and heads, and that resets the
    /// board if a packet waits for room in a ring that is not emptied.
    fn rest_with_host(&mut self) {
        let start = self.cycles;
        while self.nic.quiescent() != Quiet::UntilInput {
            assert!(self.cycles - start < REST, "the board does not come to rest");
            (0..PATIENCE).for_each(|_| self.idle());
            for wid in [false, true] {
                let tail = self.read(user(wid, UserRegister::StatusNextWriteAddress));
                self.write(user(wid, UserRegister::StatusNextReadAddress), tail);
                let tail = self.read(user(wid, UserRegister::LhBufferNextWriteAddress));
                self.write(user(wid, UserRegister::LhBufferNextReadAddress), tail);
            }
            let state = ModuleState::from_bits(self.read(user(false, UserRegister::ModuleState)));
            if state.write_unit >> 12 == LOOKS_FOR_ROOM {
                self.write(system(SystemRegister::ControllerReset), 0);
            }
        }
    }

    fn registers(&mut self, wid: bool) -> Registers {
        Registers {
            status: ControllerStatus::from_bits(self.read(user(wid, UserRegister::ControllerStatus))),
            counter: PrimitiveCounter::from_bits(self.read(user(wid, UserRegister::PrimitiveCounter))),
            packets: self.read(user(wid, UserRegister::PacketCounter)),
            flag: self.read(user(wid, UserRegister::PrefetchWindowFlag)),
            next_write_address: self.read(user(wid, UserRegister::StatusNextWriteAddress)),
            lh_tail: self.read(user(wid, UserRegister::LhBufferNextWriteAddress)),
            module_state: self.read(user(wid, UserRegister::ModuleState)),
        }
    }
}

fn user(wid: bool, register: UserRegister) -> u32 {
    Area::UserRegister.part(wid) + u32::from(register.info().offset)
}

fn system(register: SystemRegister) -> u32 {
    Area::SystemRegister.base() + u32::from(register.info().offset)
}
