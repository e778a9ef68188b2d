//! A minimal board for these tests: memory on the host bus, BOTF, and reception of contiguous RVS.
//!
//! It models behaviour alone and has no timing of DIMMnet-2.

use std::collections::VecDeque;

use dimmnet2::address::{Area, Place, lid_to_clid};
use dimmnet2::clocks;
use dimmnet2::line::{FIRST, LAST, Line, MIDDLE};
use dimmnet2::pins::{self, HostIn, MemoryOut};
use dimmnet2::registers::{ControllerStatus, PrimitiveCounter, SmaLid, SystemRegister, UserRegister};
use dimmnet2::{BotfLower, FirstLine, Primitive, SecondLine, StatusLower, StatusUpper};
use dimmnet2_machine::{AnyNic, Cluster, Settings};
use hdl::{Clock, Edges, Kind, Nic, NicError, Quiet, Signal, SignalRole};

/// Core cycles from a command to its lines.
pub const COMMAND_CYCLES: u64 = 60;

/// Bytes of the ring of receive statuses.
const STATUS_AREA: u16 = 1024;

#[derive(Default)]
pub struct StandIn {
    out: pins::Out,
    host: Vec<u8>,
    lid: u16,
    sma: SmaLid,
    pgid: u8,
    sodimm_initialized: bool,
    botfs: u16,
    status_tail: u16,
    status_head: u16,
    commands: VecDeque<BotfLower>,
    /// Core cycles until the first command is carried out; 0 without a command.
    countdown: u64,
    transmit: VecDeque<Line>,
    receive: Vec<Line>,
    stores: VecDeque<(usize, MemoryOut)>,
    /// Ready inputs at the last edge.
    ready: [bool; 3],
    fails: bool,
    always_busy: bool,
}

impl StandIn {
    pub fn new() -> Self {
        let mut board = StandIn { host: vec![0; 0x60000], ..Default::default() };
        board.out.network.rx_ready = true;
        board
    }

    /// Reports every edge as significant, as RTL does.
    pub fn always_busy(self) -> Self {
        StandIn { always_busy: true, ..self }
    }

    /// Stops at the first beat, as a lockstep pair does after a mismatch.
    pub fn failing(self) -> Self {
        StandIn { fails: true, ..self }
    }

    fn host_beat(&mut self, beat: HostIn) {
        let address = beat.address as usize;
        let place = Area::locate(beat.address);
        if !beat.write {
            let word = match place {
                Some(Place { area: Area::UserRegister, offset, .. }) => self.user_read(offset as u16).into(),
                Some(Place { area: Area::SystemRegister, offset, .. }) => {
                    self.system_read(offset as u16).into()
                }
                _ => u128::from_le_bytes(self.host[address..address + 16].try_into().unwrap()),
            };
            self.out.host.rdata = word;
            return;
        }
        let low = beat.wdata as u64;
        match place {
            Some(Place { area: Area::UserRegister, offset, .. }) if beat.byte_enable == 0xff => {
                self.user_write(offset as u16, low)
            }
            Some(Place { area: Area::SystemRegister, offset, .. }) if beat.byte_enable == 0xff => {
                self.system_write(offset as u16, low)
            }
            _ => {
                for (i, byte) in beat.wdata.to_le_bytes().into_iter().enumerate() {
                    if beat.byte_enable >> i & 1 == 1 {
                        self.host[address + i] = byte;
                    }
                }
            }
        }
    }

    fn user_read(&self, offset: u16) -> u64 {
        match UserRegister::read(offset) {
            Some(UserRegister::ControllerStatus) => {
                let status_area_empty = self.status_head == self.status_tail;
                let sdimm_initialized = self.sodimm_initialized;
                ControllerStatus { sdimm_initialized, status_area_empty, ..Default::default() }.bits()
            }
            Some(UserRegister::PrimitiveCounter) => {
                PrimitiveCounter { botf: self.botfs % 1024, ..Default::default() }.bits()
            }
            Some(UserRegister::StatusNextWriteAddress) => self.status_tail.into(),
            _ => 0,
        }
    }

    fn user_write(&mut self, offset: u16, value: u64) {
        match UserRegister::write(offset) {
            Some(UserRegister::Command0Lower) => {
                self.commands.push_back(BotfLower::from_bits(value));
                assert!(self.commands.len() <= 4, "the host waits for its windows");
                if self.countdown == 0 {
                    self.countdown = COMMAND_CYCLES;
                }
            }
            Some(UserRegister::PrimitiveCounterReset) => self.botfs = 0,
            Some(UserRegister::StatusNextReadAddress) => self.status_head = value as u16,
            _ => {}
        }
    }

    fn system_read(&self, offset: u16) -> u64 {
        match SystemRegister::read(offset) {
            Some(SystemRegister::SmaLid) => self.sma.bits(),
            _ => 0,
        }
    }

    fn system_write(&mut self, offset: u16, value: u64) {
        match SystemRegister::write(offset) {
            Some(SystemRegister::SdimmInit) => self.sodimm_initialized = value & 1 == 1,
            Some(SystemRegister::Lid) => self.lid = value as u16,
            Some(SystemRegister::Pgid0) => self.pgid = value as u8,
            _ => {}
        }
    }

    /// Turns a packet image into a frame: a local route header and the packet, with PGID and size replaced.
    fn send(&mut self, command: BotfLower) {
        let window = Area::WriteWindow.window(false, command.window) as usize;
        let lines = usize::from(command.size).div_ceil(8);
        let word = |i: usize| u64::from_le_bytes(self.host[window + 8 * i..][..8].try_into().unwrap());
        let first = FirstLine { pgid: self.pgid, packet_size: command.size, ..FirstLine::from_bits(word(0)) };
        let route = u64::from(first.dlid.swap_bytes()) << 16 | u64::from(self.lid.swap_bytes()) << 48;
        self.transmit.push_back(Line { data: route, id: FIRST });
        self.transmit.push_back(Line { data: first.bits(), id: MIDDLE });
        for i in 1..lines {
            self.transmit.push_back(Line { data: word(i), id: if i + 1 == lines { LAST } else { MIDDLE } });
        }
        self.botfs += 1;
    }

    fn accept(&mut self, frame: Vec<Line>) {
        let sender = ((frame[0].data >> 48) as u16).swap_bytes();
        let first = FirstLine::from_bits(frame[1].data);
        let offset = SecondLine::from_bits(frame[2].data).dstoff;
        if first.pgid != self.pgid {
            return;
        }
        let bytes: Vec<u8> = frame[3..].iter().flat_map(|line| line.data.to_le_bytes()).collect();
        let size = usize::from(first.packet_size) - 16;
        if first.lflag || first.rflag {
            let area = if first.lflag { Area::Llcm } else { Area::PrefetchWindow };
            let start = (area.part(false) + offset) as usize;
            self.host[start..start + size].copy_from_slice(&bytes[..size]);
        } else {
            for (i, line) in frame[3..].iter().enumerate() {
                let word = u64::from(offset) / 8 + i as u64;
                let high = word >> 1 & 1;
                let store = MemoryOut {
                    wdata: u128::from(line.data) << (64 * high),
                    address: (word >> 2) as u32,
                    byte_enable: 0xff << (8 * high),
                    write: true,
                    read: false,
                };
                self.stores.push_back((word as usize & 1, store));
            }
        }
        if first.eflag {
            let status = StatusLower {
                otype: Primitive::Rvs.code(),
                iteration: first.iteration,
                swid: first.swid,
                sclid: lid_to_clid(sender),
                eflag: true,
                size_list_stride: size as u32,
                ..Default::default()
            };
            let at = (Area::Llcm.part(false) + u32::from(self.status_tail)) as usize;
            self.host[at..at + 8].copy_from_slice(&status.bits().to_le_bytes());
            let upper = StatusUpper { first_address: offset };
            self.host[at + 8..at + 16].copy_from_slice(&upper.bits().to_le_bytes());
            self.status_tail = (self.status_tail + 16) % STATUS_AREA;
            assert_ne!(self.status_tail, self.status_head, "the host reads its statuses");
        }
    }

    fn core_edge(&mut self, pins: &pins::In) {
        if pins.host.enable {
            self.host_beat(pins.host);
        }
        if self.countdown > 0 {
            self.countdown -= 1;
            if self.countdown == 0 {
                let command = self.commands.pop_front().expect("a command is being carried out");
                self.send(command);
                self.countdown = if self.commands.is_empty() { 0 } else { COMMAND_CYCLES };
            }
        }
        let taken = match self.stores.front() {
            Some((0, _)) => pins.memory0.ready,
            Some(_) => pins.memory1.ready,
            None => false,
        };
        if taken && (self.out.memory0.write || self.out.memory1.write) {
            self.stores.pop_front();
        }
        (self.out.memory0, self.out.memory1) = match self.stores.front() {
            Some((0, store)) => (*store, MemoryOut::default()),
            Some((_, store)) => (MemoryOut::default(), *store),
            None => Default::default(),
        };
    }

    fn network_edge(&mut self, pins: &pins::In) {
        self.sma = SmaLid { lid: pins.network.sma_lid, swif_status: pins.network.link_status };
        if self.out.network.tx_valid && pins.network.tx_ready {
            self.transmit.pop_front();
        }
        if pins.network.rx_valid {
            self.receive.push(pins.network.rx_line);
            if pins.network.rx_line.is_last() {
                let frame = std::mem::take(&mut self.receive);
                self.accept(frame);
            }
        }
        self.out.network.tx_valid = !self.transmit.is_empty();
        self.out.network.tx_line = self.transmit.front().copied().unwrap_or_default();
        self.out.network.rx_ready = self.stores.len() < 64;
    }
}

impl Nic for StandIn {
    type In = pins::In;
    type Out = pins::Out;

    fn clocks(&self) -> &'static [Clock] {
        &clocks::CLOCKS
    }

    fn outputs(&self) -> &pins::Out {
        &self.out
    }

    fn edge(&mut self, edges: Edges, pins: &pins::In) -> Result<(), NicError> {
        if self.fails && edges.meets(clocks::CORE) && pins.host.enable {
            return Err("model and RTL differ".into());
        }
        self.ready = [pins.memory0.ready, pins.memory1.ready, pins.network.tx_ready];
        if edges.meets(clocks::CORE) {
            self.core_edge(pins);
        }
        if edges.meets(clocks::NETWORK) {
            self.network_edge(pins);
        }
        Ok(())
    }

    fn quiescent(&self) -> Quiet {
        // Requests on the pins change only when they are taken, which is an input.
        let storing = self.out.memory0.write || self.out.memory1.write;
        let transmitting = self.out.network.tx_valid;
        let busy = !(transmitting || self.transmit.is_empty()) || !(storing || self.stores.is_empty());
        let settling = self.sma.swif_status == 0 || !self.out.network.rx_ready;
        match self.countdown {
            _ if busy || settling || self.always_busy => Quiet::Busy,
            0 => Quiet::UntilInput,
            // The last edge of a countdown does something.
            n => Quiet::For(n - 1),
        }
    }

    fn skip(&mut self, edges: &[u64]) {
        let core_edges = edges[0];
        if self.countdown > 0 {
            assert!(core_edges < self.countdown, "the end of a countdown is not skipped");
            self.countdown -= core_edges;
        }
    }

    fn signals(&self) -> &[Signal] {
        static SIGNALS: std::sync::LazyLock<Vec<Signal>> = std::sync::LazyLock::new(|| {
            let names = ["countdown", "botfs", "status_tail", "transmit", "stores", "rdata", "ready"];
            let role = SignalRole::Register(Kind::Vector);
            let signal = |(word, name)| Signal {
                block: "core".to_string(),
                name,
                width: 64,
                word,
                role,
                clocks: clocks::CORE,
            };
            names.into_iter().enumerate().map(signal).collect()
        });
        &SIGNALS
    }

    fn sample(&self, words: &mut Vec<u64>) {
        words.extend([self.countdown, self.botfs.into(), self.status_tail.into()]);
        let ready = self.ready.iter().fold(0, |bits, bit| bits << 1 | u64::from(*bit));
        words.extend([
            self.transmit.len() as u64,
            self.stores.len() as u64,
            self.out.host.rdata as u64,
            ready,
        ]);
    }

    fn memories(&self, words: &mut Vec<u64>) {
        words.extend(self.host.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())));
    }
}

pub fn board() -> Box<AnyNic> {
    Box::new(StandIn::new())
}

/// Nodes on a switch.
pub fn cluster(nodes: usize) -> Cluster {
    Cluster::with_switch((0..nodes).map(|_| board()).collect(), &Settings::default())
}
