use std::collections::{BTreeMap, BTreeSet};

use hdl::{Clocked, Quiet, StateMachine, Stimulus};

use super::pins::{In, Out};
use super::sodimm::State::{self, *};
use super::{SodimmInterface, sodimm_arbiter};
use crate::pins::{MemoryIn, MemoryOut};
use crate::prefetch_unit::pins::MemoryRead;
use crate::write_unit::pins::MemoryWord;

const READY: MemoryIn = MemoryIn { ready: true, rdata: 0 };

/// An interface whose write right is granted, and the bytes of both modules.
struct Bench {
    interface: SodimmInterface,
    /// Bytes written, by module and byte address within it.
    bytes: BTreeMap<(usize, u64), u8>,
    /// Bytes expected.
    expected: BTreeMap<(usize, u64), u8>,
    arcs: BTreeSet<(u64, u64)>,
    /// Write commands accepted.
    writes: usize,
}

impl Bench {
    /// The write right is granted from the next cycle on.
    fn new() -> Self {
        let mut bench = Self {
            interface: SodimmInterface::default(),
            bytes: BTreeMap::new(),
            expected: BTreeMap::new(),
            arcs: BTreeSet::new(),
            writes: 0,
        };
        let out = bench.cycle(None, [true; 2]);
        assert!(!out.write_right && bench.interface.outputs().write_right);
        bench
    }

    /// One cycle with the write right requested; `word` must reach its module.
    fn cycle(&mut self, word: Option<MemoryWord>, ready: [bool; 2]) -> Out {
        if let Some(word) = word {
            let module = word.address as usize & 1;
            for byte in (0..8).filter(|byte| word.byte_enable >> byte & 1 == 1) {
                let address = (word.address as u64 >> 1) * 8 + byte;
                self.expected.insert((module, address), (word.data >> (8 * byte)) as u8);
            }
        }
        self.tick(In {
            write_right_request: true,
            word: word.unwrap_or_default(),
            sodimm_enabled: true,
            memory0: MemoryIn { ready: ready[0], ..MemoryIn::default() },
            memory1: MemoryIn { ready: ready[1], ..MemoryIn::default() },
            ..In::default()
        })
    }

    fn tick(&mut self, pins: In) -> Out {
        let out = self.interface.outputs();
        let modules = [(out.memory0, pins.memory0), (out.memory1, pins.memory1)];
        for (module, (memory, MemoryIn { ready, .. })) in modules.into_iter().enumerate() {
            if memory.write && ready {
                self.store(module, memory);
            }
        }
        let before = self.states();
        self.interface.tick(&pins);
        for (from, to) in before.into_iter().zip(self.states()) {
            if from != to {
                self.arcs.insert((from as u64, to as u64));
            }
        }
        out
    }

    fn store(&mut self, module: usize, memory: MemoryOut) {
        self.writes += 1;
        for byte in (0..16).filter(|byte| memory.byte_enable >> byte & 1 == 1) {
            let address = memory.address as u64 * 16 + byte;
            self.bytes.insert((module, address), (memory.wdata >> (8 * byte)) as u8);
        }
    }

    fn states(&self) -> [State; 2] {
        [self.interface.sodimm0.q.state, self.interface.sodimm1.q.state]
    }

    /// Runs until both rows are closed; all words sent must be in the modules.
    fn finish(&mut self) {
        for _ in 0..300 {
            let out = self.cycle(None, [true; 2]);
            if out.idle {
                assert_eq!(self.bytes, self.expected);
            }
        }
        assert_eq!(self.states(), [Idle; 2]);
    }
}

fn word(address: u32, data: u64) -> Option<MemoryWord> {
    Some(MemoryWord { data, address, byte_enable: 0xff })
}

#[test]
fn idle_single_word_is_written_in_the_fifth_cycle() {
    let mut bench = Bench::new();
    // Cycle 11 of table 7.4: the word is on the pins.
    assert!(bench.cycle(word(0x1234_5676, 0x1122_3344_5566_7788), [true; 2]).idle);
    let mut seen = vec![];
    for cycle in 12..=23 {
        let state = bench.states()[0];
        let out = bench.cycle(None, [true; 2]);
        assert_eq!(out.memory0.write, cycle == 15, "cycle {cycle}");
        if out.memory0.write {
            assert_eq!(out.memory0.address, 0x1234_5676 >> 2);
            assert_eq!(out.memory0.byte_enable, 0xff00, "bit 1 of the address is the upper half");
            assert_eq!((out.memory0.wdata >> 64) as u64, 0x1122_3344_5566_7788);
        }
        assert!(!out.memory1.write);
        seen.push((cycle, state, out.idle));
    }
    let expected = [
        (12, Idle, false),
        (13, Activate, false),
        (14, ActivateWait, false),
        (15, Burst, false),
        (16, Recover, true),
        (17, Recover, true),
        (18, Recover, true),
        (19, Precharge1, true),
        (20, Precharge2, true),
        (21, Idle, true),
        (22, Idle, true),
        (23, Idle, true),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn write_row_crossing_takes_eight_cycles() {
    let mut bench = Bench::new();
    // The last word of one row of SO-DIMM1 and the first of the next.
    bench.cycle(word(0x7fe, 1), [true; 2]);
    bench.cycle(word(0x800, 2), [true; 2]);
    let mut walk = vec![];
    let mut writes = vec![];
    for cycle in 0..12 {
        walk.push(bench.states()[0]);
        if bench.cycle(None, [true; 2]).memory0.write {
            writes.push(cycle);
        }
    }
    assert_eq!(
        walk,
        [
            Activate,
            ActivateWait,
            Burst,
            Burst,
            Recover,
            Recover,
            Precharge1,
            Precharge2,
            Activate,
            ActivateWait,
            Burst,
            Recover
        ]
    );
    assert_eq!(writes, [2, 10]);
    bench.finish();
}

#[test]
fn recover_word_of_the_open_row_is_written_in_the_next_cycle() {
    // After any gap, a word is neither lost nor written with its row closed.
    for gap in 0..16 {
        let mut bench = Bench::new();
        bench.cycle(word(0x400, 1), [true; 2]);
        for _ in 0..gap {
            bench.cycle(None, [true; 2]);
        }
        bench.cycle(word(0x402, 2), [true; 2]);
        let mut cycles = 0;
        while bench.writes < 2 {
            bench.cycle(None, [true; 2]);
            cycles += 1;
        }
        // The word is seen in the first cycle. It is written after the first word; in the next cycle while
        // the row is open (up to gap 5); otherwise after the rest of Precharge and a new Activate.
        let expected = match gap {
            0 => 4,
            1 => 3,
            2..=5 => 2,
            6 => 5,
            _ => 4,
        };
        assert_eq!(cycles, expected, "gap {gap}");
        bench.finish();
    }
}

#[test]
fn write_streams_one_word_per_core_cycle_over_both_modules() {
    let mut bench = Bench::new();
    // 1,024 consecutive words, half a row of each module; there are no other waits.
    for n in 0..1024 {
        let out = bench.cycle(word(n, 0x0101_0101 * n as u64), [true; 2]);
        assert!(!out.almost_full, "word {n}");
    }
    let mut cycles = 0;
    while bench.writes < 1024 {
        bench.cycle(None, [true; 2]);
        cycles += 1;
    }
    assert!(cycles <= 5, "{cycles} cycles after the last word");
    bench.finish();
}

#[test]
fn write_holds_the_command_until_the_module_is_ready() {
    let mut bench = Bench::new();
    bench.cycle(word(1, 9), [true; 2]);
    for _ in 0..3 {
        bench.cycle(None, [false; 2]);
    }
    for _ in 0..20 {
        let out = bench.cycle(None, [true, false]);
        assert!(out.memory1.write && !out.idle);
    }
    bench.cycle(None, [false, true]);
    let out = bench.cycle(None, [false; 2]);
    assert!(!out.memory1.write && out.idle);
    bench.finish();
}

#[test]
fn disabled_interface_accepts_words_and_writes_none() {
    let mut bench = Bench::new();
    let pins = In { write_right_request: true, ..In::default() };
    for n in 0..64 {
        let word = MemoryWord { data: n as u64, address: 2 * n, byte_enable: 0xff };
        let out = bench.tick(In { word: if n % 4 == 0 { word } else { MemoryWord::default() }, ..pins });
        assert!(!out.memory0.write && out.memory0.byte_enable == 0 && !out.almost_full);
    }
    for _ in 0..20 {
        bench.tick(pins);
    }
    assert!(bench.interface.outputs().idle && bench.bytes.is_empty());
    assert_eq!(bench.states(), [Idle; 2]);
}

#[test]
fn words_without_the_write_right_are_not_accepted() {
    let mut bench = Bench::new();
    let pins = In { sodimm_enabled: true, memory0: READY, memory1: READY, ..In::default() };
    bench.tick(pins);
    bench.tick(In { word: word(0, 5).unwrap(), ..pins });
    for _ in 0..20 {
        assert!(bench.tick(pins).idle);
    }
    assert_eq!(bench.writes, 0);
}

#[test]
fn almost_full_leaves_room_for_four_more_words() {
    let mut bench = Bench::new();
    // All words go to one module, which is never ready: one is loaded, the others wait.
    let mut n = 0;
    while !bench.interface.outputs().almost_full {
        bench.cycle(word(2 * n, n as u64), [false; 2]);
        n += 1;
    }
    // The word on the pins when almost_full rose, and four more.
    for _ in 0..4 {
        bench.cycle(word(2 * n, n as u64), [false; 2]);
        n += 1;
    }
    assert_eq!(bench.interface.sodimm0.fifo.outputs().count, 16);
    bench.finish();
    assert_eq!(bench.writes, n as usize);
}

#[test]
fn random_words_reach_the_modules_despite_stalls() {
    let mut bench = Bench::new();
    let mut random = Stimulus::new(11);
    for n in 0..40_000u64 {
        let r = random.word();
        // Busy, slow and stalled stretches alternate.
        let (word_mask, ready_mask) = [(0, 0), (7, 0), (0, 3), (3, 1)][(n / 500 % 4) as usize];
        let wanted = r & word_mask == 0 && !bench.interface.outputs().almost_full;
        // Few rows, so that words both hit and miss.
        let address = (r >> 8) as u32 & 0x70 << (7 * (r >> 60 & 1)) | (r >> 20) as u32 & 0xf;
        let byte_enable = if r >> 40 & 1 == 0 { 0xff } else { (r >> 48) as u8 };
        let word = MemoryWord { data: random.word(), address, byte_enable };
        let ready = [r >> 4 & ready_mask == 0, r >> 6 & ready_mask == 0];
        bench.cycle(wanted.then_some(word), ready);
    }
    bench.finish();
    assert!(bench.writes > 5_000, "{} writes", bench.writes);
    assert_eq!(bench.arcs, State::TABLE.arcs().collect(), "walked and declared arcs of the channel");
}

#[test]
fn row_commands_respect_the_times_of_ddr200() {
    let mut bench = Bench::new();
    let mut random = Stimulus::new(3);
    // Cycles of the last Activate, write and Precharge of SO-DIMM1.
    let (mut activate, mut write, mut precharge) = (-100i64, -100, -100);
    let mut rows = 0;
    for cycle in 0..20_000 {
        let before = bench.states()[0];
        let r = random.word();
        let wanted = r & 3 == 0 && !bench.interface.outputs().almost_full;
        let out =
            bench.cycle(wanted.then(|| word((r >> 8) as u32 & 0x1806, r).unwrap()), [r >> 40 & 3 != 0; 2]);
        match before {
            Activate => {
                assert!(cycle - precharge >= 2, "tRP 20 ns");
                assert!(cycle - activate >= 7, "tRC 70 ns");
                activate = cycle;
                rows += 1;
            }
            Precharge1 => {
                // Write command, one cycle to the data, one cycle of data, 15 ns.
                assert!(cycle - write >= 4, "tWR 15 ns");
                assert!(cycle - activate >= 5, "tRAS 50 ns");
                precharge = cycle;
            }
            _ => (),
        }
        if out.memory0.write {
            assert!(cycle - activate >= 2, "tRCD 20 ns");
            write = cycle;
        }
    }
    assert!(rows > 500);
}

#[test]
fn arbiter_takes_every_arc() {
    let arcs: Vec<_> = sodimm_arbiter::State::TABLE.arcs().collect();
    let mut arbiter = sodimm_arbiter::SodimmArbiter::default();
    let mut walked = vec![];
    for (write_right_request, read_right_request) in
        [(true, false), (true, false), (false, false), (false, true), (false, true), (false, false)]
    {
        let from = arbiter.state as u64;
        arbiter.tick(&sodimm_arbiter::In { write_right_request, read_right_request });
        if arbiter.state as u64 != from {
            walked.push((from, arbiter.state as u64));
        }
    }
    walked.sort();
    assert_eq!(walked, {
        let mut arcs = arcs;
        arcs.sort();
        arcs
    });
}

#[test]
fn quiescent_unit_is_not_changed_by_ticks() {
    let mut bench = Bench::new();
    let pins = In { sodimm_enabled: true, memory0: READY, memory1: READY, ..In::default() };
    bench.cycle(word(2, 1), [true; 2]);
    let mut quiet = 0;
    for _ in 0..40 {
        let before = (bench.interface.sodimm0.q, bench.interface.outputs());
        let quiescent = bench.interface.quiescent();
        bench.tick(pins);
        if quiescent == Quiet::UntilInput {
            assert_eq!(before, (bench.interface.sodimm0.q, bench.interface.outputs()));
            quiet += 1;
        }
    }
    assert!(quiet > 20);
}

/// An interface whose Prefetch Unit has the right, and pins to continue with.
fn reading(sodimm_enabled: bool) -> (SodimmInterface, In) {
    let pins =
        In { read_right_request: true, sodimm_enabled, memory0: READY, memory1: READY, ..In::default() };
    let mut interface = SodimmInterface::default();
    interface.tick(&pins);
    assert!(interface.outputs().read_right && !interface.outputs().write_right);
    (interface, pins)
}

fn read(address: u32) -> MemoryRead {
    MemoryRead { address, enable: true, pair: false }
}

#[test]
fn idle_single_word_is_read_three_cycles_after_its_command() {
    let (mut interface, pins) = reading(true);
    interface.tick(&In { read: read(0x1234_5677), ..pins });
    let mut seen = vec![];
    for cycle in 12..=18 {
        let out = interface.outputs();
        assert!(!out.memory0.read && !out.memory0.write && !out.memory1.write && out.data.empty0);
        seen.push((cycle, out.memory1.read, out.idle, out.data.empty1));
        if out.memory1.read {
            assert_eq!((out.memory1.address, out.memory1.byte_enable), (0x1234_5677 >> 2, 0));
        }
        let rdata = if cycle == 17 { 0xaaaa << 64 | 0x5555 } else { u128::MAX };
        interface.tick(&In { memory1: MemoryIn { rdata, ..READY }, ..pins });
    }
    let expected = [
        (12, false, false, true),
        (13, false, false, true),
        (14, false, false, true),
        (15, true, false, true),
        (16, false, true, true),
        (17, false, true, true),
        (18, false, true, false),
    ];
    assert_eq!(seen, expected);
    interface.tick(&In { data_next1: true, ..pins });
    let data = interface.outputs().data;
    assert_eq!((data.data1, data.empty1), (0xaaaa, true), "bit 1 of the address is the upper half");
}

#[test]
fn burst_not_ready_holds_one_read_command() {
    let (mut interface, pins) = reading(true);
    interface.tick(&In { read: read(0), ..pins });
    let stalled = In { memory0: MemoryIn::default(), ..pins };
    for cycle in 0..10 {
        assert_eq!(interface.outputs().memory0.read, cycle >= 3);
        interface.tick(&stalled);
    }
    interface.tick(&pins);
    for _ in 0..20 {
        assert!(!interface.outputs().memory0.read);
        interface.tick(&pins);
    }
    assert_eq!(interface.sodimm0.data.outputs().count, 1);
}

#[test]
fn burst_streams_one_word_read_per_core_cycle_over_both_modules() {
    let (mut interface, pins) = reading(true);
    let mut taken = 0;
    for n in 0..512 {
        let out = interface.outputs();
        assert!(!out.almost_full, "word {n}");
        let next = [!out.data.empty0, !out.data.empty1];
        taken += next[0] as u32 + next[1] as u32;
        interface.tick(&In { read: read(n), data_next0: next[0], data_next1: next[1], ..pins });
    }
    assert_eq!(taken, 512 - 5, "all but those of the last five cycles");
}

#[test]
fn burst_streams_two_words_read_per_core_cycle() {
    let (mut interface, pins) = reading(true);
    let mut taken = 0;
    for n in 0..256 {
        let out = interface.outputs();
        assert!(!out.almost_full, "pair {n}");
        taken += u32::from(!out.data.empty0 && !out.data.empty1);
        let read = MemoryRead { pair: true, ..read(2 * n) };
        interface.tick(&In { read, data_next0: true, data_next1: true, ..pins });
    }
    assert_eq!(
        taken,
        256 - 7,
        "all but those of the last seven cycles: they are as late as the first, whose row was closed"
    );
}

#[test]
fn two_words_are_taken_together_or_not_at_all() {
    let (mut interface, pins) = reading(true);
    interface.tick(&In { read: MemoryRead { pair: true, ..read(6) }, ..pins });
    // SO-DIMM2 is busy for longer than SO-DIMM1.
    for cycle in 0..30 {
        let memory1 = if cycle < 20 { MemoryIn::default() } else { READY };
        let before = interface.outputs().data;
        interface.tick(&In { data_next0: true, data_next1: true, memory1, ..pins });
        let after = interface.outputs().data;
        if !before.empty0 {
            assert_eq!(after.empty0, !before.empty1, "SO-DIMM1 waits for SO-DIMM2");
        }
    }
    let data = interface.outputs().data;
    assert!(data.empty0 && data.empty1);
}

#[test]
fn disabled_interface_reads_zero_without_a_command() {
    let (mut interface, pins) = reading(false);
    let pins = In { memory0: MemoryIn { rdata: u128::MAX, ..READY }, ..pins };
    interface.tick(&In { read: read(4), ..pins });
    for _ in 0..10 {
        assert!(!interface.outputs().memory0.read);
        interface.tick(&pins);
    }
    assert!(!interface.outputs().data.empty0);
    interface.tick(&In { data_next0: true, ..pins });
    assert_eq!(interface.outputs().data.data0, 0);
}

#[test]
fn words_of_a_master_without_the_right_are_not_accepted() {
    let (mut interface, pins) = reading(true);
    interface.tick(&In { word: word(0, 5).unwrap(), ..pins });
    for _ in 0..10 {
        let out = interface.outputs();
        assert!(out.idle && !out.memory0.write && !out.memory0.read);
        interface.tick(&pins);
    }
    let mut bench = Bench::new();
    let pins = In { write_right_request: true, sodimm_enabled: true, read: read(0), ..In::default() };
    for _ in 0..10 {
        assert!(!bench.tick(pins).memory0.read);
    }
    assert!(bench.interface.outputs().idle);
}
