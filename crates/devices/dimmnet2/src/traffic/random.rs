//! Random traffic for one board, from hosts, links and memories that also violate the rules of use.
//!
//! For lockstep runs and their benches. The traffic covers valid commands and packets, malformed ones,
//! accesses to holes, and stalls on every ready. Activity levels change from time to time, so that full
//! FIFOs, full status rings and long idle stretches all occur. Most frames that the board sends are looped
//! back to it. The same seed gives the same traffic on a model, on RTL and on both.

use std::collections::VecDeque;

use hdl::{Edges, Stimulus};

use super::{LID, PGID, beat, configuration, system, user};
use crate::address::Area;
use crate::clocks;
use crate::command::SODIMM_COPY;
use crate::line::{FIRST, LAST, Line, MIDDLE};
use crate::packet::{FirstLine, SecondLine};
use crate::pins::{HostIn, In, NetworkIn, Out};
use crate::registers::{AmtAddressTableInterface, SystemRegister, UserRegister};
use crate::swif::infiniband::LocalRouteHeader;
use crate::{BotfLower, Lower, Primitive, Upper};

/// First AMT entry, as a word address in LLCM.
const AMT: u16 = 0x780;

/// Activity of each side, in 1/256; drawn anew whenever the mood changes.
#[derive(Clone, Copy, Debug, Default)]
struct Mood {
    host: u64,
    link_in: u64,
    link_ready: u64,
    memory_ready: u64,
    /// The host empties the rings of statuses and of message heads.
    consume: bool,
    /// Core cycles until the next change of mood.
    left: u64,
}

/// A random stream of pins.
#[derive(Clone, Debug)]
pub struct Traffic {
    random: Stimulus,
    mood: Mood,
    beats: VecDeque<HostIn>,
    /// The process whose Tail was read in the cycle before, and the Head register that receives it.
    asked: Option<(bool, UserRegister)>,
    arriving: VecDeque<Line>,
    departing: Vec<Line>,
    pins: In,
}

impl Traffic {
    /// The stream of `seed`; it begins with the configuration of the board.
    pub fn new(seed: u64) -> Self {
        let mut traffic = Self {
            random: Stimulus::new(seed),
            mood: Mood::default(),
            beats: VecDeque::new(),
            asked: None,
            arriving: VecDeque::new(),
            departing: Vec::new(),
            pins: In::default(),
        };
        traffic.pins.network = NetworkIn { sma_lid: LID, link_status: 3, ..NetworkIn::default() };
        traffic.configure();
        traffic
    }

    /// The pins for the next instant, at which the clocks in `edges` rise; `out` are the board's pins now.
    pub fn pins(&mut self, edges: Edges, out: &Out) -> &In {
        if edges.meets(clocks::CORE) {
            self.core(out);
        }
        if edges.meets(clocks::NETWORK) {
            self.network(out);
        }
        &self.pins
    }

    fn core(&mut self, out: &Out) {
        if self.mood.left == 0 {
            self.change_mood();
        }
        self.mood.left -= 1;
        if let Some((wid, head)) = self.asked.take() {
            let tail = out.host.rdata as u64;
            self.user(wid, head, tail);
        }
        self.pins.memory0.ready = self.chance(self.mood.memory_ready);
        self.pins.memory1.ready = self.chance(self.mood.memory_ready);
        self.pins.memory0.rdata = self.burst();
        self.pins.memory1.rdata = self.burst();
        self.pins.host = HostIn::default();
        if self.chance(self.mood.host) {
            if self.beats.is_empty() {
                self.act();
            }
            self.pins.host = self.beats.pop_front().unwrap_or_default();
            let read = self.pins.host.enable && !self.pins.host.write;
            let rings = [
                (UserRegister::StatusNextWriteAddress, UserRegister::StatusNextReadAddress),
                (UserRegister::LhBufferNextWriteAddress, UserRegister::LhBufferNextReadAddress),
            ];
            self.asked = [false, true]
                .into_iter()
                .flat_map(|wid| rings.map(|(tail, head)| (user(wid, tail), (wid, head))))
                .find(|&(tail, _)| read && self.mood.consume && self.pins.host.address == tail)
                .map(|(_, head)| head);
        }
    }

    fn network(&mut self, out: &Out) {
        let network = &out.network;
        if self.pins.network.tx_ready && network.tx_valid {
            self.departing.push(network.tx_line);
            if network.tx_line.is_last() {
                self.sent();
            }
        }
        self.pins.network.tx_ready = self.chance(self.mood.link_ready);
        self.pins.network.rx_valid = false;
        if self.arriving.is_empty() && self.chance(self.mood.link_in / 8) {
            self.arrive();
        }
        let begins = self.arriving.front().is_some_and(|line| line.id == FIRST);
        // A frame normally waits for room; rarely the link ignores `rx_ready`.
        let may = !begins || network.rx_ready || self.random.one_in(500);
        if may
            && self.chance(self.mood.link_in)
            && let Some(line) = self.arriving.pop_front()
        {
            self.pins.network.rx_line = line;
            self.pins.network.rx_valid = true;
        }
    }

    fn chance(&mut self, in_256: u64) -> bool {
        self.random.below(256) < in_256
    }

    fn change_mood(&mut self) {
        let random = &mut self.random;
        let mut level = |levels: [u64; 4]| levels[random.below(4) as usize];
        self.mood = Mood {
            host: level([0, 16, 128, 256]),
            link_in: level([0, 40, 256, 256]),
            link_ready: level([4, 128, 256, 256]),
            memory_ready: level([24, 200, 256, 256]),
            consume: level([0, 1, 1, 1]) == 1,
            left: level([300, 1_000, 3_000, 6_000]),
        };
    }

    /// Queues the next action of the host.
    fn act(&mut self) {
        let wid = self.random.one_in(2);
        match self.random.below(64) {
            0..12 => self.botf(wid),
            12..15 => self.rvs(wid),
            15..17 => self.ipush(wid),
            17..20 => self.rvl(wid),
            20..24 => self.vector_store(wid),
            24..30 => self.vl(wid),
            30..34 => self.beat(false, user(wid, UserRegister::StatusNextWriteAddress), 0),
            34..36 => self.beat(false, user(wid, UserRegister::LhBufferNextWriteAddress), 0),
            36..44 => self.random_access(),
            44..50 => self.random_register(wid),
            50..53 => self.llcm(wid),
            53..55 => self.other_primitive(wid),
            55..58 => self.ring(wid),
            58..60 => self.user(wid, UserRegister::PrimitiveCounterReset, 0),
            60..63 => self.status_ring(wid),
            _ if self.random.one_in(24) => {
                // Any access resets the controller; the board must then be configured again.
                let write = self.random.one_in(2);
                self.beat(write, system(SystemRegister::ControllerReset), 1);
                self.configure();
            }
            _ => {}
        }
    }

    fn beat(&mut self, write: bool, address: u32, word: u64) {
        self.beats.push_back(beat(write, address, word));
    }

    fn user(&mut self, wid: bool, register: UserRegister, value: u64) {
        self.beat(true, user(wid, register), value);
    }

    fn system(&mut self, register: SystemRegister, value: u64) {
        self.beat(true, system(register), value);
    }

    fn configure(&mut self) {
        // The reset lasts eight cycles, in which writes to the configuration are lost.
        for _ in 0..12 {
            self.beats.push_back(HostIn::default());
        }
        self.beats.extend(configuration());
        for wid in [false, true] {
            self.user(wid, UserRegister::StatusInitialAddress, 0x1000);
            let size = 1 << self.random.below(7);
            self.user(wid, UserRegister::StatusAreaSize, size);
            self.user(wid, UserRegister::IpushAreaSize, 1);
        }
        for sender in 0..10 {
            self.sender(sender, sender % 2 == 1);
        }
        for wid in [false, true] {
            for entry in 0..4 {
                self.amt_entry(wid, entry);
            }
        }
    }

    /// Assigns one of four AMT entries to a sender.
    fn sender(&mut self, lid: u16, wid: bool) {
        let value = AMT + self.random.below(4) as u16;
        self.system(
            SystemRegister::AmtAddressTableInterface,
            AmtAddressTableInterface { value, wid, lid }.bits(),
        );
    }

    /// Writes an AMT entry: a ring that is empty, nearly full, or outside the SO-DIMM region.
    fn amt_entry(&mut self, wid: bool, entry: u16) {
        let random = &mut self.random;
        let tail = match random.below(8) {
            0 => random.word() as u32,
            // Near the end of a ring.
            _ => (u32::from(entry) << 17 | 0x1_ff00) + 8 * random.below(32) as u32,
        };
        let free = if random.one_in(4) { 8 * random.below(64) as u32 } else { 0 };
        let head = tail & !0xffff | tail.wrapping_add(free) & 0xffff;
        let word = u64::from(head) << 32 | u64::from(tail);
        let address = Area::Llcm.part(wid) + 8 * u32::from(AMT + entry);
        // Often only Head, as written by a host that has consumed data.
        let byte_enable = if random.one_in(2) { 0xf0 } else { 0xff };
        self.beats.push_back(HostIn {
            wdata: u128::from(word) << 64 | u128::from(word),
            byte_enable: if address & 8 == 0 { byte_enable } else { byte_enable << 8 },
            address: address & !0xf,
            enable: true,
            write: true,
        });
    }

    /// A change to one of the rings, to its size or to an AMT Address Table entry.
    fn ring(&mut self, wid: bool) {
        match self.random.below(16) {
            0 => {
                let size = [0, 1, 2, 3, 0x1000, 0x8000, self.random.below(1 << 16)];
                let size = size[self.random.below(7) as usize];
                self.user(wid, UserRegister::IpushAreaSize, size);
            }
            1 => {
                let lid = [self.random.below(10), self.random.word()][self.random.below(2) as usize] as u16;
                self.sender(lid, wid);
            }
            2 => {
                let head = 64 * self.random.below(64);
                self.user(wid, UserRegister::LhBufferNextReadAddress, head);
            }
            _ => {
                let entry = self.random.below(4) as u16;
                self.amt_entry(wid, entry);
            }
        }
    }

    fn status_ring(&mut self, wid: bool) {
        match self.random.below(8) {
            0 => {
                let size = self.random.below(128);
                self.user(wid, UserRegister::StatusAreaSize, size);
            }
            1 => {
                let options = self.random.below(4);
                self.system(SystemRegister::ReadOptions, options);
            }
            _ => {
                let mtu = [1 << self.random.below(5), self.random.below(32)][self.random.below(2) as usize];
                self.system(SystemRegister::Mtu, mtu);
            }
        }
    }

    /// A packet image in a Write Window and a BOTF of it.
    fn botf(&mut self, wid: bool) {
        let window = self.random.below(4) as u8;
        let data_bytes = match self.random.below(4) {
            0 => 8,
            1 => self.random.below(64),
            2 => 496,
            _ => self.random.below(496),
        } as u16;
        let image = self.packet(wid, data_bytes);
        let base = Area::WriteWindow.window(wid, window);
        for (row, pair) in image.chunks(2).take(32).enumerate() {
            let odd = pair.get(1).copied().unwrap_or(0);
            let wdata = pair[0] as u128 | (odd as u128) << 64;
            let byte_enable = if self.random.one_in(50) { self.random.word() as u16 } else { 0xffff };
            let address = base + 16 * row as u32;
            self.beats.push_back(HostIn { wdata, byte_enable, address, enable: true, write: true });
        }
        let size = match self.random.below(32) {
            0 => 0,
            1 => self.random.below(1024) as u16,
            2 => self.random.below(17) as u16,
            _ => 8 * image.len() as u16,
        };
        self.user(wid, UserRegister::Command0Lower, BotfLower::new(window, size).bits());
    }

    /// A primitive of the VS family, mostly at a limit, sometimes preceded by new data in its window.
    fn vector_store(&mut self, wid: bool) {
        let random = &mut self.random;
        let primitive = match random.below(16) {
            0..4 => Primitive::Vsi,
            4..9 => Primitive::Vs,
            _ => Primitive::Vss,
        };
        let srcoff = match random.below(16) {
            0..3 => SODIMM_COPY,
            3 => random.word() as u32,
            _ => 4 * random.below(512) as u32,
        };
        let dstoff = match random.below(4) {
            0 => (256 << 20) - random.below(1024) as u32,
            1 => random.word() as u32,
            _ => random.below(1 << 14) as u32,
        };
        let size_list_stride = match random.below(8) {
            0 => random.word(),
            1 => 0,
            // The last bytes of a region: a list that ends early.
            2 => (256 << 20) - random.below(64),
            3 => random.below(3000),
            _ => random.below(600),
        } as u32;
        let dtype = random.below(8) as u8;
        let iteration = if random.one_in(4) { random.word() as u8 } else { random.below(16) as u8 };
        let lower = Lower { dtype, iteration, ..Lower::new(primitive, size_list_stride) };
        if random.one_in(2) {
            let (low, high) = (random.word() as u128, random.word() as u128);
            let address = Area::WriteWindow.part(wid) + (srcoff & 0x7f0);
            let wdata = high << 64 | low;
            self.beats.push_back(HostIn { wdata, byte_enable: 0xffff, address, enable: true, write: true });
        }
        self.user(wid, UserRegister::Command0Upper, Upper { srcoff, dstoff }.bits());
        self.user(wid, UserRegister::Command0Lower, lower.bits());
    }

    /// Data read from an SO-DIMM; many words are valid list offsets within the region.
    fn burst(&mut self) -> u128 {
        let word = self.random.word();
        let mask = [u64::MAX, 0x0fff_ffff_0fff_ffff, 0x0000_0fff_0000_0fff][(word >> 62).min(2) as usize];
        u128::from(word & mask) << 64 | u128::from(word.rotate_left(32) & mask)
    }

    /// A valid VL, VLS or VLI.
    fn vl(&mut self, wid: bool) {
        let random = &mut self.random;
        let primitive = [Primitive::Vl, Primitive::Vls, Primitive::Vli][random.below(3) as usize];
        let mut offset = || match random.below(4) {
            0 => random.below(1 << 14) as u32,
            1 => 8 * random.below(1 << 9) as u32,
            // The last bytes of a region.
            2 => (256 << 20) - random.below(1024) as u32,
            _ => random.word() as u32,
        };
        let (srcoff, list) = (offset(), offset());
        let size_list_stride = match primitive {
            Primitive::Vl if random.one_in(4) => random.below(3000) as u32,
            Primitive::Vl => random.below(600) as u32,
            Primitive::Vls => [4, 8, random.below(1 << 15) as u32, list][random.below(4) as usize],
            _ => list,
        };
        let lower = Lower {
            dtype: random.below(8) as u8,
            iteration: if random.one_in(4) { random.word() as u8 } else { random.below(20) as u8 },
            ..Lower::new(primitive, size_list_stride)
        };
        let dstoff = if random.one_in(4) { SODIMM_COPY } else { random.below(1 << 11) as u32 };
        let upper = Upper { srcoff, dstoff };
        if random.one_in(4) {
            self.user(wid, UserRegister::Command1Upper, upper.bits());
            self.user(wid, UserRegister::Command1Lower, lower.bits());
        } else {
            self.user(wid, UserRegister::Command0Upper, upper.bits());
            self.user(wid, UserRegister::Command0Lower, lower.bits());
        }
        self.beat(false, user(wid, UserRegister::PrefetchWindowFlag), 0);
    }

    /// A primitive of the RVS family, mostly to this board, sometimes with a gather of the local side.
    fn rvs(&mut self, wid: bool) {
        let random = &mut self.random;
        // Lists occupy the Prefetch Unit of the receiver, which is this board.
        let variants = [Primitive::Rvs, Primitive::Rvss, Primitive::Rvsi, Primitive::Rvsi];
        let primitive = variants[random.below(4) as usize];
        let size_list_stride = match (primitive, random.below(8)) {
            (Primitive::Rvs, 0) => random.below(9_000) as u32,
            (Primitive::Rvs, 1) => [0, 232, 240, 2024, 2032, 2033][random.below(6) as usize],
            (Primitive::Rvs, _) => random.below(600) as u32,
            (_, 0..2) => random.word() as u32,
            _ => random.below(600) as u32,
        };
        let elements = self.elements();
        let lower = Lower { otype: primitive.code(), size_list_stride, ..elements };
        let lower = self.addressed(lower);
        self.transfer(wid, lower);
    }

    /// An IPUSH, mostly to this board, sometimes with a gather or with an envelope from a Write Window.
    fn ipush(&mut self, wid: bool) {
        let random = &mut self.random;
        let variants = [Primitive::Ipush, Primitive::LhsV1, Primitive::LhsV2];
        let size = match random.below(8) {
            0 => random.below(9_000) as u32,
            1 => [0, 56, 57, 232, 240, 2024, 2032, 2033][random.below(8) as usize],
            _ => random.below(600) as u32,
        };
        let lower = self.addressed(Lower::new(Primitive::Nop, size));
        let primitive = variants[self.random.below(3) as usize];
        self.transfer(wid, Lower { otype: primitive.code(), ..lower });
    }

    /// A primitive of the RVL family, mostly to this board, which answers it.
    fn rvl(&mut self, wid: bool) {
        let random = &mut self.random;
        let variants = [Primitive::Rvl, Primitive::Rvls, Primitive::Rvli];
        let primitive = variants[random.below(3) as usize];
        let size_list_stride = match (primitive, random.below(8)) {
            (Primitive::Rvl, 0) => random.below(3_000) as u32,
            (Primitive::Rvl, _) => random.below(600) as u32,
            (_, 0) => random.word() as u32,
            _ => random.below(600) as u32,
        };
        let elements = self.elements();
        let lower = Lower { otype: primitive.code(), size_list_stride, ..elements };
        let lower = self.addressed(lower);
        self.transfer(wid, lower);
    }

    /// `lower` with a destination, mostly a process of this board.
    fn addressed(&mut self, lower: Lower) -> Lower {
        let random = &mut self.random;
        Lower {
            dwid: random.one_in(2),
            dclid: if random.one_in(12) { random.below(0x1000) as u16 } else { LID },
            eflag: !random.one_in(4),
            ..lower
        }
    }

    /// Random size and number of elements, in the fields that commands and Command Ex share.
    fn elements(&mut self) -> Lower {
        let random = &mut self.random;
        let iteration = if random.one_in(8) { random.word() as u8 } else { random.below(16) as u8 };
        Lower { dtype: random.below(8) as u8, iteration, ..Lower::new(Primitive::Nop, 0) }
    }

    /// Issues a transfer between nodes through either command register, sometimes with Command Ex, with
    /// offsets near limits.
    fn transfer(&mut self, wid: bool, lower: Lower) {
        if self.random.one_in(4) {
            let size_list_stride = self.random.below(1 << 14) as u32;
            let otype = self.random.below(4) as u8;
            let ex = Lower { otype, size_list_stride, ..self.elements() };
            self.user(wid, UserRegister::CommandEx, ex.bits());
        }
        if self.random.one_in(3) {
            let enabled = self.random.below(2);
            self.user(wid, UserRegister::CommandExFlag, enabled);
        }
        let random = &mut self.random;
        let mut offset = || match random.below(4) {
            0 => (256 << 20) - random.below(1024) as u32,
            1 => random.word() as u32,
            _ => random.below(1 << 12) as u32,
        };
        let upper = Upper { srcoff: offset(), dstoff: offset() };
        let (upper_of, lower_of) = if random.one_in(3) {
            (UserRegister::Command1Upper, UserRegister::Command1Lower)
        } else {
            (UserRegister::Command0Upper, UserRegister::Command0Lower)
        };
        self.user(wid, upper_of, upper.bits());
        self.user(wid, lower_of, lower.bits());
    }

    /// Words of a packet: mostly a valid RVS or IPUSH.
    fn packet(&mut self, swid: bool, data_bytes: u16) -> Vec<u64> {
        let random = &mut self.random;
        let odd = random.one_in(6);
        let otype = match random.below(16) {
            0 => random.below(32) as u8,
            1 => Primitive::Rvl as u8,
            2 => Primitive::Rvli as u8,
            3 => Primitive::Rvss as u8,
            // A list request that arrives while the Prefetch Unit reads another list has to wait.
            4..8 => Primitive::Rvsi as u8,
            8..10 => Primitive::Ipush as u8 + random.below(3) as u8,
            _ => Primitive::Rvs as u8,
        };
        let hflag = random.one_in(4);
        let remote_read = otype >> 2 == Primitive::Rvl as u8 >> 2;
        let dwid = random.one_in(2);
        let lines = match (hflag || otype != Primitive::Rvs as u8, remote_read) {
            (true, true) => 3 + random.below(2),
            (true, false) => 3,
            _ => 2,
        };
        let data_bytes = if remote_read && !odd { 0 } else { data_bytes };
        // Packet Size has 12 bits.
        let bytes = (8 * lines as u16 + data_bytes).min(0xfff);
        // Some sizes are smaller than a header, or slightly larger.
        let wrong = [32, 4096][random.below(2) as usize];
        let first = FirstLine {
            packet_size: if odd { random.below(wrong) as u16 } else { bytes },
            otype,
            pgid: if random.one_in(12) { random.word() as u8 } else { PGID[dwid as usize] },
            dwid,
            swid,
            dlid: if random.one_in(12) { random.below(8) as u16 } else { LID },
            dtype: random.below(8) as u8,
            iteration: random.word() as u8,
            rflag: random.one_in(3),
            eflag: !random.one_in(4),
            hflag: hflag || otype != Primitive::Rvs as u8 && !random.one_in(8),
            lflag: random.one_in(3),
        };
        let offset = match random.below(4) {
            0 => 8 * random.below(64) as u32,
            1 => random.below(1 << 12) as u32,
            // The last bytes of a window, of LLCM or of a region: the excess is cut.
            2 => (256 << 20) - random.below(1024) as u32,
            _ => random.word() as u32,
        };
        let initial = if random.one_in(4) { random.word() as u32 } else { offset };
        let mut words = vec![first.bits(), SecondLine::writing(offset, initial).bits()];
        while words.len() < (bytes as usize).div_ceil(8) {
            // A remote read of gigabytes would outlast the run.
            let short = remote_read && words.len() == 2;
            words.push(if short { random.word() & 0xffff_ffff_0000_0fff } else { random.word() });
        }
        words
    }

    /// Words of the first packet of an LHS message.
    fn message(&mut self, swid: bool) -> Vec<u64> {
        let random = &mut self.random;
        let (dwid, lines) = (random.one_in(2), 2 + random.below(16) as usize);
        let first = FirstLine {
            packet_size: (8 * lines as u64 - random.below(8)) as u16,
            otype: Primitive::LhsV1 as u8,
            pgid: PGID[dwid as usize],
            dwid,
            swid,
            dlid: LID,
            eflag: !random.one_in(4),
            lflag: true,
            ..FirstLine::default()
        };
        let mut words = vec![first.bits(), SecondLine::writing(0, 0).bits()];
        words.resize_with(lines, || random.word());
        words
    }

    fn random_access(&mut self) {
        let random = &mut self.random;
        // Mostly inside the areas; system registers have their own function, because some of them reset the
        // board.
        let area = [0, 0, 1, 1, 2, 3, 6, 7, 10, 15][random.below(10) as usize];
        let address = area << 16 | (random.below(1 << 16) as u32 & !0xf);
        let beat = HostIn {
            wdata: random.word() as u128 | (random.word() as u128) << 64,
            byte_enable: random.word() as u16,
            address,
            enable: true,
            write: random.one_in(2),
        };
        self.beats.push_back(beat);
    }

    fn random_register(&mut self, wid: bool) {
        let offset = (self.random.below(256) << 4) as u32;
        let page =
            if self.random.one_in(4) { Area::SystemRegister.base() } else { Area::UserRegister.part(wid) };
        let reset = page + offset == system(SystemRegister::ControllerReset);
        // Only Controller Reset has read side effects; writes go to holes and to registers that stall
        // nothing.
        if !reset {
            self.beat(false, page + offset, 0);
        }
        let hole = self.random.below(16) as u32 * 0x100 + 0x80;
        let word = self.random.word();
        self.beat(true, Area::UserRegister.part(wid) + hole, word);
        self.user(wid, UserRegister::CommandExFlag, word & 1);
        self.user(wid, UserRegister::CommandEx, word);
    }

    fn llcm(&mut self, wid: bool) {
        let address = Area::Llcm.part(wid) + 16 * self.random.below(2048) as u32;
        let word = self.random.word();
        self.beat(true, address, word);
        self.beat(false, address, 0);
    }

    fn other_primitive(&mut self, wid: bool) {
        let otype = self.random.below(32);
        let mut word = self.random.word() & !0x1f | otype;
        if otype >> 3 == 0b10 {
            // A transfer of gigabytes would outlast the run.
            word &= 0x0000_1fff_ffff_ffff;
        }
        let upper = self.random.word();
        if otype == Primitive::Botf as u64 {
            return;
        }
        if self.random.one_in(2) {
            self.user(wid, UserRegister::Command0Upper, upper);
            self.user(wid, UserRegister::Command0Lower, word);
        } else {
            self.user(wid, UserRegister::Command1Upper, upper);
            self.user(wid, UserRegister::Command1Lower, word);
        }
    }

    /// A frame has left the board: most frames come back, some of them damaged.
    fn sent(&mut self) {
        let mut frame = std::mem::take(&mut self.departing);
        match self.random.below(16) {
            0 | 1 => return,
            2 => frame.truncate(1 + self.random.below(frame.len() as u64) as usize),
            3 => {
                let at = self.random.below(frame.len() as u64) as usize;
                frame[at].data ^= 1 << self.random.below(64);
            }
            _ => {}
        }
        if self.arriving.len() < 4096 {
            self.arriving.extend(frame);
        }
    }

    /// A frame from another node.
    fn arrive(&mut self) {
        let data_bytes = match self.random.below(8) {
            0 => 2032,
            1 => self.random.below(4080) as u16,
            2 => 0,
            _ => self.random.below(128) as u16,
        };
        let swid = self.random.one_in(2);
        let head = self.random.one_in(10);
        let mut words = if head { self.message(swid) } else { self.packet(swid, data_bytes) };
        words.truncate(511);
        if self.random.one_in(16) {
            words.truncate(1 + self.random.below(4) as usize);
        }
        let dlid = if self.random.one_in(16) { self.random.word() as u16 } else { LID };
        let slid = 1 + self.random.below(9) as u16;
        let header = LocalRouteHeader { dlid, slid, ..LocalRouteHeader::default() };
        let mut frame = vec![Line { data: header.bits().swap_bytes(), id: FIRST }];
        frame.extend([0, 0].map(|data| Line { data, id: MIDDLE }));
        frame.extend(words.into_iter().map(|data| Line { data, id: MIDDLE }));
        frame.last_mut().expect("a frame has a header").id = LAST;
        let mishap = if head && self.random.one_in(3) { 0 } else { self.random.below(32) };
        match mishap {
            // Cut short: the next frame begins in the middle of this one.
            0 => {
                let longest = if self.random.one_in(4) { 4 } else { frame.len() };
                frame.truncate(1 + self.random.below(longest as u64) as usize);
            }
            1 => {
                let at = self.random.below(frame.len() as u64) as usize;
                frame[at].id = self.random.below(4) as u8;
            }
            // Ends inside its headers.
            2 => {
                frame.truncate(2 + self.random.below(2) as usize);
                frame.last_mut().expect("it has a header").id = LAST;
            }
            _ => {}
        }
        self.arriving.extend(frame);
    }
}
