//! A board in lockstep between a host and a link: host beats and network lines only.

use std::collections::{BTreeMap, VecDeque};

use cosim::Lockstep;
use dimmnet2::address::{Area, cell};
use dimmnet2::clocks;
use dimmnet2::line::{FIRST, LAST, Line, MIDDLE};
use dimmnet2::pins::{HostIn, In, MemoryOut};
use dimmnet2::registers::{
    AmtAddressTableInterface, ControllerStatus, PrimitiveCounter, SystemRegister, UserRegister,
    UserRegister::*,
};
use dimmnet2::swif::infiniband::LocalRouteHeader;
use dimmnet2::{BotfLower, Dimmnet2, FirstLine, Primitive, RESETS, SecondLine};
use hdl::{Edges, Instants, Model, Nic, Quiet};

/// LID of the board.
pub const LID: u16 = 3;
/// LID of the sender.
pub const PEER: u16 = 7;
/// Process groups of its two processes.
pub const PGID: [u8; 2] = [0xa5, 0x5a];

/// A board with its host, link and SO-DIMMs.
pub struct Bench {
    lockstep: Lockstep<Model<Dimmnet2>>,
    instants: Instants,
    pins: In,
    arriving: VecDeque<Line>,
    /// Frames sent, as the link took them; the last one may be incomplete.
    pub sent: Vec<Vec<Line>>,
    /// Bytes in the SO-DIMMs, by address in both together.
    memory: BTreeMap<u64, u8>,
    /// Read bursts in flight, by module: those requested one and two cycles ago.
    reads: [[u128; 2]; 2],
}

impl Bench {
    /// A board after reset.
    pub fn new() -> Self {
        let rtl = dimmnet2_rtl::open("dimmnet2").expect("the board is verilated");
        let model = Model::new(Dimmnet2::default());
        let lockstep = Lockstep::open(model, Box::new(rtl)).unwrap_or_else(|e| panic!("{e}"));
        let mut pins = In::default();
        (pins.memory0.ready, pins.memory1.ready) = (true, true);
        pins.network.tx_ready = true;
        pins.network.sma_lid = LID;
        pins.network.link_status = 0b11;
        Self {
            lockstep: lockstep.resets(RESETS).replay(0, "cargo test -p testbench_dimmnet2 --test device"),
            instants: Instants::new(&clocks::CLOCKS),
            pins,
            arriving: VecDeque::new(),
            sent: Vec::new(),
            memory: BTreeMap::new(),
            reads: [[0; 2]; 2],
        }
    }

    /// A board with SO-DIMM access, its LID and two process groups.
    pub fn configured() -> Self {
        let mut bench = Self::new();
        bench.configure();
        bench
    }

    /// Writes the registers that a privileged process sets up.
    pub fn configure(&mut self) {
        self.write(system(SystemRegister::SdimmInit), 1);
        self.write(system(SystemRegister::Lid), LID.into());
        self.write(system(SystemRegister::Pgid0), PGID[0].into());
        self.write(system(SystemRegister::Pgid1), PGID[1].into());
        self.run(4);
    }

    /// The model, which lockstep keeps equal to the RTL.
    pub fn board(&self) -> &Dimmnet2 {
        self.lockstep.model().device()
    }

    /// One core cycle with `host` on the host port.
    pub fn cycle(&mut self, host: HostIn) {
        self.pins.host = host;
        while !self.instant().meets(clocks::CORE) {}
        self.pins.host = HostIn::default();
    }

    /// Core cycles without a beat.
    pub fn run(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.cycle(HostIn::default());
        }
    }

    /// Sets whether the link takes lines.
    pub fn link_takes(&mut self, ready: bool) {
        self.pins.network.tx_ready = ready;
    }

    /// Assigns a LID to the board, and waits until the core clock sees it.
    pub fn join(&mut self, lid: u16) {
        self.pins.network.sma_lid = lid;
        self.run(8);
    }

    /// Runs until all lines have arrived and the board is idle.
    pub fn settle(&mut self) {
        for _ in 0..100_000 {
            let rest = self.lockstep.model().quiescent() == Quiet::UntilInput;
            if self.arriving.is_empty() && rest && !self.lockstep.outputs().network.tx_valid {
                return self.lockstep.compare_memories().unwrap_or_else(|e| panic!("{e}"));
            }
            self.run(1);
        }
        panic!("the board does not come to rest");
    }

    fn instant(&mut self) -> Edges {
        let edges = self.instants.next_edges();
        let out = *self.lockstep.outputs();
        if edges.meets(clocks::NETWORK) {
            let begins = self.arriving.front().is_some_and(|line| line.id == FIRST);
            let line = if begins && !out.network.rx_ready { None } else { self.arriving.pop_front() };
            self.pins.network.rx_valid = line.is_some();
            self.pins.network.rx_line = line.unwrap_or_default();
            if out.network.tx_valid && self.pins.network.tx_ready {
                self.take(out.network.tx_line);
            }
        }
        if edges.meets(clocks::CORE) {
            self.store(0, out.memory0);
            self.store(1, out.memory1);
            self.pins.memory0.rdata = self.fetch(0, out.memory0);
            self.pins.memory1.rdata = self.fetch(1, out.memory1);
        }
        self.lockstep.step(edges, &self.pins).unwrap_or_else(|error| panic!("{error}"));
        edges
    }

    fn take(&mut self, line: Line) {
        if line.id == FIRST {
            self.sent.push(Vec::new());
        }
        self.sent.last_mut().expect("a frame begins with a first line").push(line);
    }

    fn store(&mut self, module: u64, out: MemoryOut) {
        for byte in (0..16).filter(|byte| out.write && out.byte_enable >> byte & 1 == 1) {
            let address = u64::from(out.address) * 32 + byte / 8 * 16 + module * 8 + byte % 8;
            assert_eq!(u64::from(cell(address).module), module);
            self.memory.insert(address, (out.wdata >> (8 * byte)) as u8);
        }
    }

    /// Read data of a module, two cycles after the command; bytes never written are 0.
    fn fetch(&mut self, module: u64, out: MemoryOut) -> u128 {
        let byte = |i: u64| {
            let address = u64::from(out.address) * 32 + i / 8 * 16 + module * 8 + i % 8;
            u128::from(self.memory.get(&address).copied().unwrap_or(0)) << (8 * i)
        };
        let burst = if out.read { (0..16).map(byte).sum() } else { 0 };
        let [newer, older] = &mut self.reads[module as usize];
        std::mem::replace(older, std::mem::replace(newer, burst))
    }

    /// Stores bytes in SO-DIMM.
    pub fn fill(&mut self, address: u64, bytes: impl IntoIterator<Item = u8>) {
        self.memory.extend((address..).zip(bytes));
    }

    /// Issues a command from Command0.
    pub fn command(&mut self, wid: bool, lower: u64, upper: u64) {
        self.write(user(wid, Command0Upper), upper);
        self.write(user(wid, Command0Lower), lower);
    }

    /// A word in SO-DIMM, if it was written.
    pub fn memory(&self, address: u64) -> Option<u64> {
        let bytes: Option<Vec<u8>> = (0..8).map(|i| self.memory.get(&(address + i)).copied()).collect();
        bytes.map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
    }

    /// Number of bytes of SO-DIMM that were written.
    pub fn memory_bytes(&self) -> usize {
        self.memory.len()
    }

    /// Writes a 64-bit word in the Even bank.
    pub fn write(&mut self, address: u32, word: u64) {
        self.write_part(address, word, 0x00ff);
    }

    /// Writes some bytes of a row.
    pub fn write_part(&mut self, address: u32, word: u64, byte_enable: u16) {
        self.cycle(HostIn { wdata: word.into(), byte_enable, address, enable: true, write: true });
    }

    /// Reads a row.
    pub fn read(&mut self, address: u32) -> u128 {
        self.cycle(HostIn { address, enable: true, ..HostIn::default() });
        self.lockstep.outputs().host.rdata
    }

    /// Writes a packet image into a Write Window.
    pub fn image(&mut self, wid: bool, window: u8, words: &[u64]) {
        let base = Area::WriteWindow.window(wid, window);
        for (row, pair) in (0..).zip(words.chunks(2)) {
            let odd = u128::from(pair.get(1).copied().unwrap_or(0)) << 64;
            let wdata = u128::from(pair[0]) | odd;
            let address = base + 16 * row;
            self.cycle(HostIn { wdata, byte_enable: 0xffff, address, enable: true, write: true });
        }
    }

    /// Sets up an empty ring of 64 KB of process `wid` for process 0 of node `lid`: the word of its
    /// AMT entry, and its address.
    pub fn ring(&mut self, wid: bool, lid: u16, word: u16, at: u32) {
        self.write(user(wid, IpushAreaSize), 1);
        let entry = AmtAddressTableInterface { value: word, wid: false, lid };
        self.write(system(SystemRegister::AmtAddressTableInterface), entry.bits());
        self.set_entry(wid, word, at, at);
    }

    /// Writes an AMT entry.
    pub fn set_entry(&mut self, wid: bool, word: u16, head: u32, tail: u32) {
        let address = Area::Llcm.part(wid) + 8 * u32::from(word);
        let wdata = u128::from(u64::from(head) << 32 | u64::from(tail));
        let (wdata, byte_enable) = if word & 1 == 0 { (wdata, 0x00ff) } else { (wdata << 64, 0xff00) };
        self.cycle(HostIn { wdata, byte_enable, address: address & !0xf, enable: true, write: true });
    }

    /// Head and Tail of an AMT entry.
    pub fn entry(&mut self, wid: bool, word: u16) -> (u32, u32) {
        let address = Area::Llcm.part(wid) + 8 * u32::from(word);
        let row = self.read(address & !0xf) >> (64 * (word & 1));
        ((row >> 32) as u32, row as u32)
    }

    /// Issues a BOTF.
    pub fn botf(&mut self, wid: bool, window: u8, size: u16) {
        self.write(user(wid, Command0Lower), BotfLower::new(window, size).bits());
    }

    /// Sends lines to the board over the link.
    pub fn arrive(&mut self, lines: impl IntoIterator<Item = Line>) {
        self.arriving.extend(lines);
    }

    /// Reads Controller Status of a process.
    pub fn status(&mut self, wid: bool) -> ControllerStatus {
        ControllerStatus::from_bits(self.read(user(wid, ControllerStatus)) as u64)
    }

    /// Condition of the Receive Controller, as in Controller Status.
    pub fn condition(&mut self, wid: bool) -> u8 {
        self.status(wid).receive_condition
    }

    /// BOTFs counted by Primitive Counter.
    pub fn botfs(&mut self, wid: bool) -> u16 {
        PrimitiveCounter::from_bits(self.read(user(wid, PrimitiveCounter)) as u64).botf
    }

    /// Packet Counter.
    pub fn packets(&mut self, wid: bool) -> u64 {
        self.read(user(wid, PacketCounter)) as u64
    }

    /// Status Next Write Address.
    pub fn next_write_address(&mut self, wid: bool) -> u64 {
        self.read(user(wid, StatusNextWriteAddress)) as u64
    }
}

/// Address of a register on a User Register page.
pub fn user(wid: bool, register: UserRegister) -> u32 {
    Area::UserRegister.part(wid) + u32::from(register.info().offset)
}

/// Address of a register on the System Register page.
pub fn system(register: SystemRegister) -> u32 {
    Area::SystemRegister.base() + u32::from(register.info().offset)
}

/// A frame for the board around a packet.
pub fn frame(words: &[u64]) -> Vec<Line> {
    let header = LocalRouteHeader { dlid: LID, slid: PEER, ..LocalRouteHeader::default() };
    let mut lines = vec![Line { data: header.bits().swap_bytes(), id: FIRST }];
    lines.extend([0, 0].iter().chain(words).map(|&data| Line { data, id: MIDDLE }));
    lines.last_mut().expect("a frame has a header").id = LAST;
    lines
}

/// The first line of an RVS packet to WID 0, with a status.
pub fn rvs(packet_size: u16) -> FirstLine {
    FirstLine {
        packet_size,
        otype: Primitive::Rvs as u8,
        pgid: PGID[0],
        dlid: LID,
        eflag: true,
        ..FirstLine::default()
    }
}

/// The first line of an IPUSH packet to WID 0, with a status.
pub fn ipush(packet_size: u16) -> FirstLine {
    FirstLine { otype: Primitive::Ipush as u8, ..rvs(packet_size) }
}

/// A packet of two header lines and data.
pub fn packet(first: FirstLine, offset: u32, data: &[u64]) -> Vec<u64> {
    let header = [first.bits(), SecondLine::writing(offset, offset).bits()];
    header.iter().chain(data).copied().collect()
}
