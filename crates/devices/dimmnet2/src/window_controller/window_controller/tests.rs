use std::collections::BTreeSet;

use hdl::StateMachine;

use super::request_acceptor::State as Acceptor;
use super::*;
use crate::command::{BotfLower, Lower};
use crate::host_interface::pins::Configuration;
use crate::line::{FIRST, LAST, Line, MIDDLE};
use crate::prefetch_unit::pins::StoreList;
use crate::primitive::Primitive;
use crate::receive_controller::pins::WriteRequest;
use crate::request::Request;
use crate::window_controller::botf::State as Botf;
use crate::window_controller::rvl::State as Rvl;
use crate::window_controller::rvs::State as Rvs;
use crate::window_controller::vs::State as Vs;
use crate::write_unit::{self, WriteUnit};

/// Observations of one cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cycle {
    acceptor: Acceptor,
    botf: Botf,
    transfer_counter: u8,
    line: Option<Line>,
}

/// A Window Controller, Write Windows in which line n of the whole area holds n, and a SWIF FIFO with room.
struct Bench {
    controller: WindowController,
    /// Stores into SO-DIMMs that grant the write right in the next cycle and are never busy.
    write_unit: WriteUnit,
    write_right: bool,
    /// Lines for packets that the Prefetch Unit has read, and those still to be read, one per cycle.
    packet_lines: u16,
    /// The Prefetch Unit is busy with another request.
    prefetch_unit_busy: bool,
    packet_coming: u32,
    /// A packet without data arrives at the Write Unit in this cycle.
    packet: bool,
    rdata: u128,
    swif_fifo_free: u16,
    /// One entry per cycle, from the first call of `cycle`.
    seen: Vec<Cycle>,
    done: Vec<bool>,
}

impl Bench {
    fn new() -> Self {
        let controller = WindowController::default();
        Self {
            controller,
            write_unit: WriteUnit::default(),
            write_right: false,
            packet_lines: 0,
            prefetch_unit_busy: false,
            packet_coming: 0,
            packet: false,
            rdata: 0,
            swif_fifo_free: 1024,
            seen: vec![],
            done: vec![],
        }
    }

    /// A bench with requests in the host FIFO; the Acceptor sees them in the next cycle.
    fn holding(requests: &[Request]) -> Self {
        let mut bench = Self::new();
        for &request in requests {
            // Written directly into the FIFO, so that all requests are there at once.
            bench.controller.host_request_fifo.tick(&request_fifo::In {
                request,
                write_enable: true,
                ..request_fifo::In::default()
            });
        }
        bench
    }

    fn cycle(&mut self, pins: In) {
        let out = self.controller.outputs();
        let executor = self.controller.request_executor.botf;
        self.seen.push(Cycle {
            acceptor: self.controller.request_acceptor.state,
            botf: executor.state,
            transfer_counter: executor.transfer_counter,
            line: out.line_enable.then_some(out.line),
        });
        if out.botf_done {
            self.done.push(out.botf_done_wid);
        }
        let swif_fifo_free = self.swif_fifo_free;
        let stored = self.write_unit.outputs();
        self.controller.tick(&In {
            write_window_rdata: self.rdata,
            swif_fifo_free,
            vector_store_status: stored.vector_store_status,
            prefetch_unit_busy: self.packet_coming != 0 || self.prefetch_unit_busy,
            packet_lines: self.packet_lines,
            ..pins
        });
        self.write_unit.tick(&write_unit::pins::In {
            write_request: WriteRequest { start: self.packet, ..WriteRequest::default() },
            line: Line { data: 0, id: LAST },
            write_right: self.write_right,
            sodimm_idle: true,
            vector_store: out.vector_store,
            write_window_rdata: self.rdata,
            // Every list is available at once and contains only zeros.
            store_list: StoreList { ready: stored.list_request.request, entries: 255, rdata: 0 },
            ..write_unit::pins::In::default()
        });
        self.write_right = stored.write_right_request;
        self.packet_lines -= (out.packet_next && self.packet_lines != 0) as u16;
        if self.packet_coming != 0 && self.packet_lines < 1024 {
            self.packet_coming -= 1;
            self.packet_lines += 1;
        }
        if out.vector_load_start && out.vector_load.to_packet {
            self.packet_coming = out.vector_load.total.div_ceil(8);
        }
        if out.write_window_read_enable {
            let row = out.write_window_address as u128;
            self.rdata = (2 * row + 1) << 64 | (2 * row);
        }
    }

    fn cycles(&mut self, count: usize) {
        (0..count).for_each(|_| self.cycle(In::default()));
    }

    /// Runs until the controller is quiescent.
    fn finish(mut self) -> Self {
        while self.controller.quiescent() == Quiet::Busy {
            self.cycle(In::default());
        }
        self
    }

    fn configure(&mut self, system_code: u8, value: u16) {
        let configuration = Configuration { value, system_code, ..Configuration::default() };
        self.cycle(In { configuration, ..In::default() });
    }

    fn lines(&self) -> Vec<Line> {
        self.seen.iter().filter_map(|cycle| cycle.line).collect()
    }

    /// Packet Size of every packet sent.
    fn sizes(&self) -> Vec<u64> {
        let lines = self.lines();
        let mut first = true;
        let firsts = lines.iter().filter(|line| std::mem::replace(&mut first, line.id == LAST));
        firsts.map(|line| line.data & 0xfff).collect()
    }

    /// Cycles, counted from 1, in which BOTF is in `state`.
    fn cycles_in(&self, state: Botf) -> Vec<usize> {
        (1..).zip(&self.seen).filter(|(_, cycle)| cycle.botf == state).map(|(number, _)| number).collect()
    }
}

fn botf(size: u16) -> Request {
    Request { lower: BotfLower::new(0, size).bits(), ..Request::default() }
}

/// Bytes that a remote node requests.
const RVL_BYTES: u64 = 64;

fn rvl() -> Request {
    Request { lower: Lower::new(Primitive::Rvl, RVL_BYTES as u32).bits(), ..Request::default() }
}

fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *seed >> 33
}

fn one_in(seed: &mut u64, n: u64) -> bool {
    random(seed).is_multiple_of(n)
}

fn registers(controller: &WindowController) -> Vec<u64> {
    let mut words = vec![];
    hdl::sample(controller, &mut words);
    words
}

#[test]
fn botf_of_24_bytes_takes_10_cycles() {
    let mut bench = Bench::holding(&[botf(24)]);
    bench.cycles(11);
    let line = |data, id| Some(Line { data, id });
    let expected = [
        (Acceptor::Nop, Botf::Prim, 0, None),
        (Acceptor::Req, Botf::Prim, 0, None),
        (Acceptor::ReqIn, Botf::Prim, 0, None),
        (Acceptor::Wait, Botf::Prim, 0, None),
        (Acceptor::Nop, Botf::Botf1, 4, None),
        (Acceptor::Nop, Botf::Botf2, 3, None),
        (Acceptor::Nop, Botf::Botf3, 2, line(24, FIRST)),
        (Acceptor::Nop, Botf::Botf4, 1, line(1, MIDDLE)),
        (Acceptor::Nop, Botf::BotfEnd1, 0, line(2, LAST)),
        (Acceptor::Nop, Botf::BotfEnd2, 0, None),
        (Acceptor::Nop, Botf::Prim, 0, None),
    ];
    for (number, ((acceptor, botf, transfer_counter, line), seen)) in
        (1..).zip(expected.iter().zip(&bench.seen))
    {
        let expected =
            Cycle { acceptor: *acceptor, botf: *botf, transfer_counter: *transfer_counter, line: *line };
        assert_eq!(*seen, expected, "cycle {number}");
    }
    assert_eq!(bench.done, [false]);
}

#[test]
fn botf_written_by_the_host_is_seen_one_cycle_later() {
    let mut bench = Bench::new();
    bench.cycle(In { host_request: botf(24), host_request_enable: true, ..In::default() });
    bench.cycles(10);
    assert_eq!(bench.cycles_in(Botf::BotfEnd2), [1 + 10]);
}

#[test]
fn botf_of_512_bytes_takes_66_cycles_from_botf1_to_end1() {
    let bench = Bench::holding(&[botf(512)]).finish();
    let (begin, end) = (bench.cycles_in(Botf::Botf1)[0], bench.cycles_in(Botf::BotfEnd1)[0]);
    assert_eq!(end - begin + 1, 66);
    let lines = bench.lines();
    let ids: Vec<_> = lines.iter().map(|line| line.id).collect();
    assert_eq!(ids, [&[FIRST][..], &[MIDDLE; 62], &[LAST]].concat());
    assert!((1..64).all(|n| lines[n].data == n as u64));
}

#[test]
fn next_request_is_fetched_while_the_first_is_executed() {
    let mut bench = Bench::holding(&[botf(24), botf(24)]);
    bench.cycles(12);
    use Acceptor::*;
    let states: Vec<_> = bench.seen.iter().map(|cycle| cycle.acceptor).collect();
    assert_eq!(states, [Nop, Req, ReqIn, Wait, Nop, Req, ReqIn, Wait, Wait, Wait, Wait, Nop]);
    assert_eq!(bench.seen[10].botf, Botf::Prim, "the second is taken in the only cycle in Prim");
    assert_eq!(bench.seen[11].botf, Botf::Botf1);
}

#[test]
fn consecutive_botfs_lose_no_cycle() {
    for size in 1..=512u16 {
        let lines = size.div_ceil(8) as usize;
        let bench = Bench::holding(&[botf(size); 3]).finish();
        let begins = bench.cycles_in(Botf::Botf1);
        assert_eq!(begins, [5, 5 + lines + 4, 5 + 2 * (lines + 4)], "{size} bytes");
    }
}

#[test]
fn consecutive_botfs_of_64_lines_take_68_cycles_each() {
    let bench = Bench::holding(&[botf(512); 4]).finish();
    assert_eq!(bench.cycles_in(Botf::Botf1), [5, 73, 141, 209]);
    // BotfEnd2, Prim, Botf1 and Botf2 send no line.
    let sending: Vec<_> = bench.seen.iter().map(|cycle| cycle.line.is_some()).collect();
    let gaps: Vec<_> = sending.split(|&line| line).map(<[bool]>::len).filter(|&gap| gap > 0).collect();
    assert_eq!(gaps[1..4], [4, 4, 4]);
    assert_eq!(bench.lines().len(), 4 * 64);
}

#[test]
fn size_zero_completes_and_the_next_request_follows() {
    let bench = Bench::holding(&[botf(0), botf(16)]).finish();
    assert_eq!(bench.sizes(), [16]);
    assert_eq!(bench.cycles_in(Botf::Botf1), [4 + 5]);
    assert_eq!(bench.done, [false]);
}

#[test]
fn size_above_512_is_cut() {
    for size in [513, 1023] {
        let bench = Bench::holding(&[botf(size), botf(16)]).finish();
        assert_eq!(bench.sizes(), [512, 16]);
        assert_eq!(bench.lines().len(), 64 + 2);
    }
}

#[test]
fn code_without_a_module_takes_four_cycles_and_sends_nothing() {
    let modules = [0b010, 0b100, 0b101, 0b110];
    for otype in (0..32u8).filter(|otype| !modules.contains(&(otype >> 2)) || otype & 3 == 3) {
        let odd = Request { lower: Lower { otype, ..Lower::from_bits(botf(16).lower) }.bits(), ..botf(16) };
        let bench = Bench::holding(&[odd, botf(24)]).finish();
        if otype == Primitive::Botf.code() {
            assert_eq!(bench.sizes(), [16, 24]);
        } else {
            assert_eq!(bench.sizes(), [24], "code {otype:#07b}");
            assert_eq!(bench.cycles_in(Botf::Botf1), [4 + 5], "code {otype:#07b}");
        }
    }
}

#[test]
fn almost_full_swif_fifo_queues_514_requests_without_loss() {
    let mut bench = Bench::new();
    // One line too few for the default MTU of 2048 bytes.
    bench.swif_fifo_free = 259;
    let mut issued = 0;
    while !bench.controller.outputs().host_fifo_full {
        issued += 1;
        bench.cycle(In { host_request: botf(issued), host_request_enable: true, ..In::default() });
        assert!(issued <= 600, "the host FIFO fills up");
    }
    // 512 in the FIFO, one in the Acceptor, one in BOTF's Wait.
    assert_eq!(issued, 514);
    assert!(bench.controller.outputs().host_fifo_almost_full);
    assert_eq!(bench.controller.request_executor.botf.state, Botf::Wait);
    for _ in 0..10 {
        bench.cycle(In { host_request: botf(1000), host_request_enable: true, ..In::default() });
    }
    assert!(bench.lines().is_empty());

    bench.swif_fifo_free = 260;
    let bench = bench.finish();
    assert_eq!(bench.sizes(), (1..=514).map(|size| size.min(512)).collect::<Vec<_>>());
}

#[test]
fn mtu_sets_the_room_that_a_packet_needs() {
    // 4096 is capped at 4088, which is 511 lines, and needs 4 more.
    for (mtu, room) in [(0b00001, 68), (0b00100, 132), (0b10100, 132), (0, 260), (0b10000, 515)] {
        for free in [room - 1, room] {
            let mut bench = Bench::holding(&[botf(16)]);
            bench.swif_fifo_free = free;
            bench.configure(configuration_register::MTU, mtu);
            bench.cycles(20);
            assert_eq!(bench.lines().len(), if free == room { 2 } else { 0 }, "MTU code {mtu:#07b}");
        }
    }
}

#[test]
fn remote_rvl_requests_are_answered_by_the_rvs_module() {
    let mut bench = Bench::new();
    for _ in 0..20 {
        bench.cycle(In { remote_request: rvl(), remote_request_enable: true, ..In::default() });
    }
    let bench = bench.finish();
    assert!(bench.controller.remote_request_fifo.outputs().empty);
    assert_eq!(bench.sizes(), [16 + RVL_BYTES; 20]);
    assert!(bench.lines().iter().step_by(10).all(|line| line.data >> 12 & 0x1f == 0x14));
}

#[test]
fn remote_botf_sends_nothing() {
    let mut bench = Bench::new();
    bench.cycle(In { remote_request: botf(16), remote_request_enable: true, ..In::default() });
    assert!(bench.finish().lines().is_empty());
}

#[test]
fn remote_requests_have_their_own_fifo() {
    let mut bench = Bench::holding(&[botf(16)]);
    bench.swif_fifo_free = 0;
    bench.cycles(10);
    let remote = In { remote_request: rvl(), remote_request_enable: true, ..In::default() };
    // One request goes to the Acceptor.
    for stored in 0..513 {
        assert!(!bench.controller.outputs().remote_fifo_full, "{stored} requests");
        bench.cycle(remote);
    }
    assert!(bench.controller.outputs().remote_fifo_full);
    assert!(!bench.controller.outputs().host_fifo_full);
}

#[test]
fn host_and_remote_requests_alternate() {
    let mut bench = Bench::holding(&[botf(16); 4]);
    for _ in 0..4 {
        bench.controller.remote_request_fifo.tick(&request_fifo::In {
            request: rvl(),
            write_enable: true,
            ..request_fifo::In::default()
        });
    }
    let mut order = String::new();
    while bench.controller.quiescent() == Quiet::Busy {
        bench.cycle(In::default());
        let acceptor = bench.controller.request_acceptor;
        if acceptor.state == Acceptor::Req {
            order.push(if acceptor.remote { 'r' } else { 'h' });
        }
    }
    assert_eq!(order, "rhrhrhrh");
    assert_eq!(bench.sizes(), [16 + RVL_BYTES, 16].repeat(4));
}

#[test]
fn packet_carries_the_pgid_of_its_process() {
    let mut bench = Bench::holding(&[botf(16), Request { wid: true, ..botf(16) }]);
    bench.configure(configuration_register::PGID0, 0xa5);
    bench.configure(configuration_register::PGID1, 0x5a);
    assert_eq!(bench.controller.outputs().configured.pgid1, 0x5a);
    let bench = bench.finish();
    let pgids: Vec<_> = bench.lines().iter().step_by(2).map(|line| line.data >> 20 & 0xff).collect();
    assert_eq!(pgids, [0xa5, 0x5a]);
    assert_eq!(bench.done, [false, true]);
}

#[test]
fn reset_clears_everything_except_memories() {
    let mut bench = Bench::holding(&[botf(512), botf(512)]);
    bench.configure(configuration_register::LID, 3);
    bench.cycles(30);
    bench.controller.reset();
    assert_eq!(registers(&bench.controller), registers(&WindowController::default()));
}

/// Random requests, configuration and room, with pauses long enough to become quiescent.
fn run_at_random(mut each: impl FnMut(&WindowController, &WindowController, bool)) {
    let mut seed = 42;
    let mut bench = Bench::new();
    let mut busy = true;
    for cycle in 0..200_000 {
        if cycle % 400 == 0 {
            busy = !busy;
        }
        let mut pins = In::default();
        if busy && one_in(&mut seed, 20) {
            let lower = BotfLower::new((random(&mut seed) & 3) as u8, (random(&mut seed) % 40) as u16);
            let codes = [1, 1, 1, 8, 9, 16, 20, 21, random(&mut seed) as u8 & 0x1f];
            let otype = codes[random(&mut seed) as usize % codes.len()];
            // Sometimes more than fits in a packet.
            let long = one_in(&mut seed, 16) && otype != 1;
            let iteration = random(&mut seed) % if long { 200 } else { 8 };
            let size = if long { 900 } else { lower.size };
            let lower = BotfLower { otype, size, ..lower }.bits() | iteration << 8;
            pins.host_request = Request { lower, ..Request::default() };
            pins.host_request_enable = true;
        }
        if busy && one_in(&mut seed, 32) {
            (pins.remote_request, pins.remote_request_enable) = (rvl(), true);
        }
        if busy && one_in(&mut seed, 64) {
            pins.configuration.system_code = (random(&mut seed) & 7) as u8;
            pins.configuration.value = random(&mut seed) as u16;
        }
        bench.swif_fifo_free = if one_in(&mut seed, 3) { 0 } else { 1024 };
        bench.prefetch_unit_busy = busy && one_in(&mut seed, 4);
        bench.packet = one_in(&mut seed, 8) && bench.write_unit.outputs().read_control_state == 0;
        let idle = pins == In::default() && bench.write_unit.quiescent() == Quiet::UntilInput;
        let before = bench.controller.clone();
        bench.cycle(pins);
        each(&before, &bench.controller, idle);
    }
}

#[test]
fn declared_arcs_are_exactly_those_taken() {
    let mut acceptor = BTreeSet::new();
    let mut botf = BTreeSet::new();
    let mut vs = BTreeSet::new();
    let mut rvs = BTreeSet::new();
    let mut rvl = BTreeSet::new();
    run_at_random(|before, after, _| {
        acceptor.insert((before.request_acceptor.state as u64, after.request_acceptor.state as u64));
        botf.insert((before.request_executor.botf.state as u64, after.request_executor.botf.state as u64));
        vs.insert((before.request_executor.vs.state as u64, after.request_executor.vs.state as u64));
        rvs.insert((before.request_executor.rvs.state as u64, after.request_executor.rvs.state as u64));
        rvl.insert((before.request_executor.rvl.state as u64, after.request_executor.rvl.state as u64));
    });
    let moves = |walked: BTreeSet<(u64, u64)>| -> BTreeSet<_> {
        walked.into_iter().filter(|(from, to)| from != to).collect()
    };
    assert_eq!(moves(acceptor), Acceptor::TABLE.arcs().collect());
    assert_eq!(moves(botf), Botf::TABLE.arcs().collect());
    assert_eq!(moves(vs), Vs::TABLE.arcs().collect());
    assert_eq!(moves(rvs), Rvs::TABLE.arcs().collect());
    assert_eq!(moves(rvl), Rvl::TABLE.arcs().collect());
}

#[test]
fn quiescent_controller_with_idle_pins_does_not_change() {
    let mut quiet = 0;
    run_at_random(|before, after, idle| {
        if idle && before.quiescent() == Quiet::UntilInput {
            quiet += 1;
            assert_eq!(registers(before), registers(after));
        }
    });
    assert!(quiet > 10_000, "quiet in {quiet} cycles");
}
