//! Local stores through VS module, Write Unit and SO-DIMM interface, compared with an untimed oracle.

use std::collections::{BTreeMap, BTreeSet};

use hdl::{Clocked, Quiet, StateMachine, Stimulus};

use super::pins::{In, Out};
use super::{WriteUnit, list_read, stride, write_arbiter, write_control};
use crate::host_interface::pins::VsResult;
use crate::line::{LAST, Line, MIDDLE};
use crate::pins::MemoryIn;
use crate::prefetch_unit::pins::StoreList;
use crate::receive_controller::pins::WriteRequest;
use crate::region::region;
use crate::sodimm_interface::{self, SodimmInterface};
use crate::window_controller::vs::{self, Vs};

/// Contents of both SO-DIMMs together, by byte address.
type Memory = BTreeMap<u64, u8>;

/// A packet that arrives: process, offset, data, and the layout of its elements.
#[derive(Clone, Debug)]
struct Packet {
    wid: bool,
    offset: u32,
    data: Vec<u64>,
    dtype: u8,
    /// 0: contiguous, 1: strided, 2: by list.
    variant: u8,
    stride_list: u32,
}

impl Packet {
    fn elements(&self) -> usize {
        (8 * self.data.len()).div_ceil(4 << self.dtype.saturating_sub(2))
    }
}

/// VS module, Write Unit, Write Windows and SO-DIMMs; packets are fed as SWIF does it.
struct Bench {
    vs: Vs,
    write_unit: WriteUnit,
    sodimm: SodimmInterface,
    /// Both processes' Write Windows, 2 KB each.
    windows: Vec<u8>,
    rdata: u128,
    capacity: u8,
    /// Mean cycles between those in which a module is not ready; 0 for never.
    stalls: u64,
    random: Stimulus,
    memory: Memory,
    /// The packet in progress, and the index of the line on the output; 0 is the header.
    packet: Option<(Packet, usize)>,
    /// The list that the Prefetch Unit reads from SO-DIMM, the time it takes, and the row that it delivers.
    list: Vec<u32>,
    list_odd: bool,
    store_list: StoreList,
    arcs: BTreeSet<(&'static str, u64, u64)>,
}

impl Bench {
    fn new(seed: u64) -> Self {
        let mut random = Stimulus::new(seed);
        let mut sodimm = SodimmInterface::default();
        sodimm.tick(&sodimm_interface::pins::In { sodimm_enabled: true, ..Default::default() });
        Self {
            vs: Vs::default(),
            write_unit: WriteUnit::default(),
            sodimm,
            windows: (0..4096).map(|_| random.word() as u8).collect(),
            rdata: 0,
            capacity: 0,
            stalls: 0,
            random,
            memory: Memory::new(),
            packet: None,
            list: vec![],
            list_odd: false,
            store_list: StoreList::default(),
            arcs: BTreeSet::new(),
        }
    }

    /// One cycle, in which a command may be dispatched and a packet may start. Returns whether a packet was
    /// stored.
    fn cycle(&mut self, command: vs::In, arrives: Option<Packet>) -> bool {
        let (vs, write, sodimm) = (self.vs.outputs(), self.write_unit.outputs(), self.sodimm.outputs());
        let before = self.states();
        let start = arrives.is_some();
        if let Some(packet) = arrives {
            assert!(self.packet.is_none(), "the Receive Controller has one packet at a time");
            self.packet = Some((packet, 0));
        }
        let line = match &self.packet {
            None => Line { data: 0, id: LAST },
            Some((packet, at)) => Line {
                data: if *at == 0 { 0 } else { packet.data[*at - 1] },
                id: if *at == packet.data.len() { LAST } else { MIDDLE },
            },
        };
        let write_request =
            self.packet.as_ref().map_or(WriteRequest::default(), |(packet, _)| WriteRequest {
                start,
                wid: packet.wid,
                offset: packet.offset,
                bytes: 8 * packet.data.len() as u16,
                variant: packet.variant,
                dtype: packet.dtype,
                iteration: packet.elements() as u8,
                stride_list: packet.stride_list,
            });

        let ready = [(); 2].map(|_| self.stalls == 0 || !self.random.one_in(self.stalls));
        for (module, memory) in [sodimm.memory0, sodimm.memory1].into_iter().enumerate() {
            for byte in
                (0..16).filter(|byte| memory.write && ready[module] && memory.byte_enable >> byte & 1 == 1)
            {
                let place =
                    u64::from(memory.address) << 5 | (byte & 8) << 1 | (module as u64) << 3 | byte & 7;
                self.memory.insert(place, (memory.wdata >> (8 * byte)) as u8);
            }
        }

        let prefetch_unit_busy = self.stalls != 0 && self.random.one_in(self.stalls);
        self.vs.tick(&vs::In { status: write.vector_store_status, prefetch_unit_busy, ..command });
        self.write_unit.tick(&In {
            amt_entry: 0,
            write_request,
            line,
            capacity: self.capacity,
            write_right: sodimm.write_right,
            sodimm_almost_full: sodimm.almost_full,
            sodimm_idle: sodimm.idle,
            vector_store: vs.vector_store,
            write_window_rdata: self.rdata,
            store_list: self.store_list,
            copy_rdata: 0,
            // Packets for a ring are not tested here.
            ring_request: Default::default(),
            llcm_rdata: 0,
            head_done: false,
            head_broken: false,
        });
        self.prefetch_unit(write);
        self.sodimm.tick(&sodimm_interface::pins::In {
            write_right_request: write.write_right_request,
            word: write.word,
            sodimm_enabled: true,
            memory0: MemoryIn { ready: ready[0], ..MemoryIn::default() },
            memory1: MemoryIn { ready: ready[1], ..MemoryIn::default() },
            ..Default::default()
        });
        if vs.write_window_read_enable {
            let row = 16 * usize::from(vs.write_window_address);
            self.rdata = u128::from_le_bytes(self.windows[row..row + 16].try_into().unwrap());
        }
        if let Some((packet, at)) = &mut self.packet
            && write.line_next
            && *at < packet.data.len()
        {
            *at += 1;
        }
        if write.done {
            self.packet = None;
        }
        let after = self.states();
        self.arcs.extend(before.into_iter().zip(after).map(|((name, from), (_, to))| (name, from, to)));
        write.done
    }

    /// Reads the requested list and delivers its rows.
    fn prefetch_unit(&mut self, write: Out) {
        let (request, was_ready) = (write.list_request, self.store_list.ready);
        self.store_list.ready = false;
        if request.request && !was_ready {
            assert!(!write.write_right_request, "the right would keep the Prefetch Unit from reading");
            self.list_odd = request.offset >> 2 & 1 == 1;
            if self.stalls == 0 || self.random.one_in(self.stalls) {
                self.store_list.entries = request.entries.min(list_entries(request.offset, self.capacity));
                self.store_list.ready = true;
            }
        }
        if write.list_read_enable {
            let skipped = usize::from(self.list_odd);
            let offset = |half: usize| half.checked_sub(skipped).and_then(|k| self.list.get(k));
            let offset = |half| u64::from(offset(half).copied().unwrap_or(0xffff_ffff));
            let half = 2 * usize::from(write.list_row);
            self.store_list.rdata = offset(half) | offset(half + 1) << 32;
        }
    }

    fn states(&self) -> [(&'static str, u64); 5] {
        let mut states = [("vs", 0), ("arbiter", 0), ("stride", 0), ("write_control", 0), ("list_read", 0)];
        let mut words = vec![];
        hdl::sample(&self.write_unit, &mut words);
        for signal in hdl::signals(&self.write_unit).iter().filter(|signal| signal.name == "state") {
            let value = signal.words(&words)[0];
            match signal.block.as_str() {
                "write_arbiter" => states[1].1 = value,
                "stride" => states[2].1 = value,
                "write_control" => states[3].1 = value,
                "list_read" => states[4].1 = value,
                _ => {}
            }
        }
        states[0].1 = self.vs.state as u64;
        states
    }

    /// Runs a command to its end. Returns its result, and the cycles from dispatch up to the one that
    /// reports.
    fn run(&mut self, command: vs::In) -> (VsResult, u64) {
        let mut cycles = 1;
        self.cycle(vs::In { start: true, ..command }, None);
        while !self.vs.outputs().result.done {
            self.cycle(vs::In::default(), None);
            cycles += 1;
            assert!(cycles < 20_000, "{command:?}");
        }
        let result = self.vs.outputs().result;
        self.cycle(vs::In::default(), None);
        (result, cycles + 1)
    }
}

/// Number of offsets of a list that are within the region.
fn list_entries(list: u32, capacity: u8) -> u8 {
    (region(capacity).limit.saturating_sub(u64::from(list & !3)) / 4).min(255) as u8
}

/// Untimed effect of a command.
fn oracle(command: &vs::In, windows: &[u8], list: &[u32], capacity: u8, memory: &mut Memory) -> (bool, bool) {
    let (source, region) = (u64::from(command.source & !3), region(capacity).limit);
    let offset = u64::from(command.offset & !3);
    let room = 512 - source % 512;
    let element = if command.strided { (1u64 << command.dtype).max(4) } else { u64::MAX };
    let total = match command.strided {
        true => u64::from(command.iteration) << command.dtype,
        false => u64::from(command.size_list_stride),
    };
    let bytes = match command.strided {
        true => total.min(room >> command.dtype << command.dtype),
        false => total.min(room),
    };
    let fits = if command.listed { bytes } else { bytes.min(region.saturating_sub(offset)) };
    let entries = list_entries(command.size_list_stride, capacity);
    let mut destination_clamped = fits < bytes;
    for byte in 0..bytes {
        let (number, within) = (byte / element, byte % element);
        let begin = match (command.strided, command.listed) {
            (true, true) => u64::from(command.offset.wrapping_add(list[number as usize]) & !3),
            (true, false) => (offset + number * u64::from(command.size_list_stride & !3)) & 0xffff_ffff,
            _ => offset,
        };
        let list_ended = command.listed && number >= u64::from(entries);
        if command.strided && (list_ended || begin + element > region) {
            destination_clamped = true;
            break;
        }
        if byte < fits {
            let from = (u64::from(command.wid) << 11) + source + byte;
            let base = u64::from(command.wid) * ((256 << 20) << capacity);
            memory.insert(base + begin + within, windows[from as usize]);
        }
    }
    (total > bytes, destination_clamped)
}

/// Offsets that mostly stay in the region when added to the command's own.
fn random_list(random: &mut Stimulus, offset: u32, capacity: u8) -> Vec<u32> {
    let far = |random: &mut Stimulus| random.below(region(capacity).limit) as u32;
    let near = |random: &mut Stimulus| random.below(2000) as u32;
    let mut one = |_| match random.below(40) {
        0 => random.word() as u32,
        1..20 => near(random),
        _ => far(random).wrapping_sub(offset),
    };
    (0..128).map(&mut one).collect()
}

/// A valid command, often at the end of a window or of the region.
fn random_command(random: &mut Stimulus, capacity: u8) -> vs::In {
    let end = region(capacity).limit;
    let offset = match random.below(4) {
        0 => end - random.below(700),
        1 => end - 4 * random.below(40),
        _ => random.below(1 << 14),
    };
    let listed = random.one_in(3);
    let strided = listed || random.one_in(2);
    let stride = match random.below(8) {
        0 => 0u32.wrapping_sub(random.below(64) as u32),
        1 => random.word() as u32,
        2 => 0,
        _ => random.below(300) as u32,
    };
    // A list that mostly begins within the region.
    let list = if random.one_in(4) { end - random.below(300) } else { random.below(end) } as u32;
    vs::In {
        strided,
        listed,
        wid: random.one_in(2),
        source: random.below(2048) as u16,
        offset: offset as u32,
        size_list_stride: match (strided, listed) {
            (_, true) => list,
            (true, _) => stride,
            _ => random.below(560) as u32,
        },
        dtype: random.below(8) as u8,
        iteration: if random.one_in(4) { random.word() as u8 } else { random.below(20) as u8 },
        ..vs::In::default()
    }
    .in_window()
}

#[test]
fn stores_match_the_oracle() {
    let mut bench = Bench::new(7);
    let (mut source_clamped, mut destination_clamped) = (0, 0);
    for number in 0..4000u64 {
        bench.capacity = (number % 6) as u8;
        bench.stalls = [0, 2, 7][number as usize % 3];
        bench.memory.clear();
        let command = random_command(&mut bench.random, bench.capacity);
        bench.list = random_list(&mut bench.random, command.offset, bench.capacity);
        let (result, _) = bench.run(command);
        let mut expected = Memory::new();
        let clamped = oracle(&command, &bench.windows, &bench.list, bench.capacity, &mut expected);
        assert_eq!(bench.memory, expected, "{command:?}");
        assert_eq!((result.source_clamped, result.destination_clamped), clamped, "{command:?}");
        assert_eq!((result.wid, u16::from(result.window)), (command.wid, command.source >> 9));
        assert_eq!(bench.write_unit.quiescent(), Quiet::UntilInput);
        source_clamped += clamped.0 as u32;
        destination_clamped += clamped.1 as u32;
    }
    assert!(source_clamped > 500 && destination_clamped > 500, "{source_clamped}, {destination_clamped}");
}

#[test]
fn stores_and_packets_in_any_order_are_independent() {
    let mut bench = Bench::new(11);
    bench.stalls = 5;
    let mut together = 0;
    for number in 0..3000u64 {
        bench.memory.clear();
        let command = vs::In { wid: false, ..random_command(&mut bench.random, 0) };
        bench.list = random_list(&mut bench.random, command.offset, 0);
        let data: Vec<_> = (0..bench.random.below(20)).map(|_| bench.random.word()).collect();
        let offset = 4 * bench.random.below(64) as u32;
        let variant = bench.random.below(3) as u8;
        let stride_list =
            if bench.random.one_in(8) { (256 << 20) - 20 } else { bench.random.below(200) as u32 };
        let dtype = bench.random.below(8) as u8;
        let packet = Packet { wid: true, offset, data, dtype, variant, stride_list };
        let mut expected = Memory::new();
        oracle(&command, &bench.windows, &bench.list, 0, &mut expected);
        let bytes = packet.data.iter().flat_map(|line| line.to_le_bytes());
        for (n, byte) in (0u64..).zip(bytes) {
            let element = (1u64 << dtype).max(4);
            let number = n / element;
            if variant == 2 && number >= u64::from(list_entries(stride_list, 0)) {
                break;
            }
            let first = match variant {
                0 => u64::from(offset),
                1 => (u64::from(offset) + number * u64::from(stride_list & !3)) & 0xffff_ffff,
                _ => u64::from(offset.wrapping_add(bench.list[number as usize]) & !3),
            };
            let place = if variant == 0 { first + n } else { first + n % element };
            // Only misplaced elements can be far away.
            if variant != 0 && first + element > 256 << 20 {
                break;
            }
            expected.insert((256 << 20) + place, byte);
        }

        // The packet arrives before the command, with it, while it runs or after it.
        let (dispatch, arrival) = (10, bench.random.below(60));
        let (mut stored, mut reported, mut cycle) = (false, false, 0);
        while !(stored && reported) {
            let command = vs::In { start: cycle == dispatch, ..command };
            let arrives = (cycle == arrival).then(|| packet.clone());
            together += (cycle == arrival && !bench.vs.outputs().idle) as u32;
            stored |= bench.cycle(command, arrives);
            reported |= bench.vs.outputs().result.done;
            cycle += 1;
            assert!(cycle < 20_000, "{command:?} {packet:?}");
        }
        while bench.write_unit.quiescent() == Quiet::Busy || !bench.vs.outputs().idle {
            bench.cycle(vs::In::default(), None);
        }
        assert_eq!(bench.memory, expected, "{number}: {command:?} {packet:?}");
    }
    assert!(together > 1000, "{together} packets came during a store");

    let declared = [
        ("vs", vs::State::TABLE),
        ("arbiter", write_arbiter::State::TABLE),
        ("stride", stride::State::TABLE),
        ("write_control", write_control::State::TABLE),
        ("list_read", list_read::State::TABLE),
    ];
    let declared: BTreeSet<_> =
        declared.iter().flat_map(|(name, table)| table.arcs().map(|(from, to)| (*name, from, to))).collect();
    let walked: BTreeSet<_> = bench.arcs.into_iter().filter(|(_, from, to)| from != to).collect();
    assert_eq!(walked, declared);
}

fn vs_of(bytes: u32) -> vs::In {
    vs::In { size_list_stride: bytes, ..vs::In::default() }.in_window()
}

#[test]
fn vs_of_8_bytes_takes_17_cycles_and_of_512_bytes_78() {
    let cycles = |command| Bench::new(1).run(command).1;
    assert_eq!((cycles(vs_of(8)), cycles(vs_of(512))), (17, 78), "from Prim to VsEnd");
    let vss = |dtype, iteration| vs::In { strided: true, dtype, iteration, ..vs_of(8) };
    assert_eq!((cycles(vss(2, 1)), cycles(vss(2, 128))), (18, 143), "4 bytes a cycle");
}

#[test]
fn store_without_data_completes_and_writes_nothing() {
    for command in [vs_of(0), vs::In { strided: true, dtype: 3, ..vs_of(8) }] {
        let mut bench = Bench::new(1);
        let (result, cycles) = bench.run(vs::In { offset: 0xffff_ffff, ..command });
        assert!(!result.source_clamped && !result.destination_clamped);
        assert!(bench.memory.is_empty());
        assert!(cycles < 8, "{cycles}");
    }
}

#[test]
fn strided_packet_is_stored_at_4_bytes_per_cycle() {
    let stored_after = |lines, variant| {
        let mut bench = Bench::new(1);
        let mut arrives =
            Some(Packet { wid: true, offset: 0, data: vec![5; lines], dtype: 3, variant, stride_list: 8 });
        (1..).find(|_| bench.cycle(vs::In::default(), arrives.take())).unwrap()
    };
    assert_eq!(stored_after(60, 1) - stored_after(20, 1), 80);
    assert_eq!(stored_after(60, 0) - stored_after(20, 0), 40);
    assert_eq!(stored_after(1, 1), stored_after(1, 0) + 1);
}

#[test]
fn packet_is_not_delayed_by_a_simultaneous_store() {
    let packet = Packet { wid: true, offset: 0, data: vec![5], dtype: 0, variant: 0, stride_list: 0 };
    let stored_after = |with_store: bool| {
        let mut bench = Bench::new(1);
        bench.cycle(vs::In { start: with_store, ..vs_of(8) }, None);
        let mut arrives = Some(packet.clone());
        (1..).find(|_| bench.cycle(vs::In::default(), arrives.take())).unwrap()
    };
    assert_eq!(stored_after(true), stored_after(false));
}
