use std::collections::BTreeSet;

use hdl::{Clocked, Quiet, StateMachine, Stimulus};

use super::super::decapsulation::State::*;
use super::super::decapsulation::{Decapsulation, GAP_LIMIT, In, READY_LINES, START_LINES, State};
use super::{frame, marked};
use crate::line::{FIRST, LAST, Line, MIDDLE};

const OWN: u16 = 0x0102;
const SENDER: u16 = 0x0a0b;

/// A decapsulation with the lines that it has written into a FIFO with limited room.
struct Bench {
    decapsulation: Decapsulation,
    stored: Vec<Line>,
    free: u16,
    arcs: BTreeSet<(u64, u64)>,
}

impl Bench {
    fn new(free: u16) -> Self {
        Self { decapsulation: Decapsulation::default(), stored: vec![], free, arcs: BTreeSet::new() }
    }

    fn cycle(&mut self, line: Option<Line>) {
        let out = self.decapsulation.outputs();
        let before = self.decapsulation.state as u64;
        self.decapsulation.tick(&In {
            rx_line: line.unwrap_or(Line { data: 0xdead, id: FIRST }),
            rx_valid: line.is_some(),
            sma_lid: OWN,
            fifo_free: self.free,
        });
        let after = self.decapsulation.state as u64;
        if before != after {
            self.arcs.insert((before, after));
        }
        if out.line_enable {
            assert!(self.free > 0, "a line without room");
            self.stored.push(out.line);
            self.free -= 1;
        }
    }

    fn receive(&mut self, lines: &[Line]) {
        for &line in lines {
            self.cycle(Some(line));
        }
    }

    /// The stored lines after the last line has been written.
    fn finish(&mut self) -> Vec<Line> {
        self.cycle(None);
        std::mem::take(&mut self.stored)
    }

    fn counters(&self) -> (u16, u16, u16) {
        let q = &self.decapsulation;
        (q.foreign, q.overflows, q.malformed)
    }
}

/// A bench in `state`, with a frame addressed to it in progress.
fn decapsulation_in(state: State) -> Bench {
    let mut bench = Bench::new(1024);
    let lines = frame(SENDER, OWN, [1, 2, 3]);
    match state {
        Idle => (),
        Bth1 => bench.receive(&lines[..1]),
        Bth2 => bench.receive(&lines[..2]),
        First => bench.receive(&lines[..3]),
        Payload => bench.receive(&lines[..4]),
        Drop => bench.receive(&frame(SENDER, OWN + 1, [0])[..1]),
    }
    assert_eq!(bench.decapsulation.state, state);
    bench
}

#[test]
fn idle_frame_becomes_a_packet_with_its_senders_lid() {
    let mut bench = decapsulation_in(Idle);
    bench.receive(&frame(SENDER, OWN, [0x1111_2222_3333_4444, 5, 6]));
    assert_eq!(bench.finish(), marked([0x1111_0a0b_3333_4444, 5, 6]));
    assert_eq!(bench.counters(), (0, 0, 0));
}

#[test]
fn idle_frame_with_one_line_of_data_becomes_a_last_line() {
    let mut bench = decapsulation_in(Idle);
    bench.receive(&frame(SENDER, OWN, [0]));
    assert_eq!(bench.finish(), [Line { data: 0x0a0b_0000_0000, id: LAST }]);
}

#[test]
fn first_line_carries_all_bits_of_the_senders_lid() {
    for slid in (0..16).map(|bit| 1 << bit) {
        let mut bench = decapsulation_in(Idle);
        bench.receive(&frame(slid, OWN, [0, 1]));
        assert_eq!(bench.finish(), marked([u64::from(slid) << 32, 1]));
    }
}

#[test]
fn idle_lines_without_a_header_are_discarded() {
    let mut bench = decapsulation_in(Idle);
    bench.receive(&frame(SENDER, OWN, [1, 2, 3])[1..]);
    assert_eq!(bench.finish(), []);
    assert_eq!(bench.decapsulation.state, Idle);
}

#[test]
fn idle_frame_for_another_lid_is_dropped_and_counted() {
    let mut bench = decapsulation_in(Idle);
    bench.receive(&frame(SENDER, OWN + 1, [1, 2, 3]));
    assert_eq!(bench.finish(), []);
    assert_eq!(bench.counters(), (1, 0, 0));
    assert_eq!(bench.decapsulation.state, Idle);
}

#[test]
fn idle_lid_of_a_frame_is_compared_in_all_bits() {
    for bit in 0..16 {
        let mut bench = decapsulation_in(Idle);
        bench.receive(&frame(SENDER, OWN ^ 1 << bit, [1, 2, 3]));
        assert_eq!((bench.finish(), bench.counters()), (vec![], (1, 0, 0)), "bit {bit}");
    }
}

#[test]
fn idle_frame_without_room_is_dropped_whole() {
    let mut bench = Bench::new(START_LINES - 1);
    bench.receive(&frame(SENDER, OWN, [1, 2, 3]));
    assert_eq!(bench.finish(), []);
    assert_eq!(bench.counters(), (0, 1, 0));
    let mut bench = Bench::new(START_LINES);
    bench.receive(&frame(SENDER, OWN, 0..512));
    assert_eq!(bench.finish().len(), 512);
    assert_eq!(bench.counters(), (0, 0, 0));
}

#[test]
fn header_in_any_state_begins_a_frame() {
    for state in [Idle, Bth1, Bth2, First, Payload, Drop] {
        let mut bench = decapsulation_in(state);
        bench.receive(&frame(SENDER, OWN, [7, 8]));
        let stored = bench.finish();
        let packet = marked([0x0a0b_0000_0007, 8]);
        if state == Payload {
            // The first line of the cut packet stays; a first line within a packet follows.
            assert_eq!(stored[0], Line { data: 0x0a0b_0000_0001, id: FIRST });
            assert_eq!(stored[1..], packet);
        } else {
            assert_eq!(stored, packet);
        }
        let malformed = !matches!(state, Idle | Drop);
        assert_eq!(bench.decapsulation.malformed, malformed as u16);
    }
}

#[test]
fn frame_of_headers_only_stores_nothing() {
    for lines in 2..=3 {
        let mut bench = decapsulation_in(Idle);
        let mut cut = frame(SENDER, OWN, [1])[..lines].to_vec();
        cut[lines - 1].id = LAST;
        bench.receive(&cut);
        assert_eq!(bench.finish(), []);
        assert_eq!((bench.decapsulation.state, bench.counters()), (Idle, (0, 0, 1)));
    }
}

#[test]
fn payload_silence_closes_the_packet_as_malformed() {
    let mut bench = decapsulation_in(Payload);
    for _ in 0..GAP_LIMIT {
        bench.cycle(None);
    }
    assert_eq!((bench.decapsulation.state, bench.stored.len()), (Payload, 1));
    for _ in 0..3 {
        bench.cycle(None);
    }
    let ids: Vec<_> = bench.stored.iter().map(|line| line.id).collect();
    assert_eq!(ids, [FIRST, FIRST, LAST], "a first line inside the packet, then its end");
    assert_eq!((bench.decapsulation.state, bench.counters()), (Idle, (0, 0, 1)));
    // No more lines are stored, not even a late rest of the frame.
    bench.receive(&frame(SENDER, OWN, [1, 2, 3])[4..]);
    for _ in 0..600 {
        bench.cycle(None);
    }
    assert_eq!(bench.stored.len(), 3);
    assert_eq!(bench.decapsulation.quiescent(), Quiet::UntilInput);
}

#[test]
fn payload_silence_begins_anew_with_each_line() {
    for (silence, whole) in [(GAP_LIMIT / 2 + 1, true), (GAP_LIMIT, true), (GAP_LIMIT + 1, false)] {
        let mut bench = decapsulation_in(Idle);
        let lines = frame(SENDER, OWN, [1, 2, 3, 4]);
        bench.receive(&lines[..4]);
        for &line in &lines[4..] {
            for _ in 0..silence {
                bench.cycle(None);
            }
            bench.receive(&[line]);
        }
        let packet = marked([0x0a0b_0000_0001, 2, 3, 4]);
        assert_eq!(bench.finish() == packet, whole, "silence {silence}");
        assert_eq!(bench.counters(), (0, 0, u16::from(!whole)));
    }
}

#[test]
fn payload_frame_after_any_silence_is_received() {
    for silence in 240..270 {
        let mut bench = decapsulation_in(Payload);
        for _ in 0..silence {
            bench.cycle(None);
        }
        bench.receive(&frame(SENDER, OWN, [7, 8, 9]));
        let stored = bench.finish();
        assert_eq!(stored[stored.len() - 3..], marked([0x0a0b_0000_0007, 8, 9]), "silence {silence}");
        // Either two packets, of which the first is malformed, or one packet with first lines within it.
        let lasts = stored.iter().filter(|line| line.is_last()).count();
        let firsts = stored.iter().filter(|line| line.id == FIRST).count();
        assert!(firsts > lasts, "silence {silence}");
        assert_eq!(bench.decapsulation.malformed, 1, "silence {silence}");
    }
}

#[test]
fn payload_without_end_is_cut_before_the_fifo_fills() {
    let mut bench = Bench::new(START_LINES);
    let endless = frame(SENDER, OWN, 0..2000);
    bench.receive(&endless[..1500]);
    assert_eq!(bench.decapsulation.state, Drop);
    bench.receive(&endless[1500..]);
    let stored = bench.finish();
    assert!(stored.len() >= 512 && bench.free >= 1, "{} lines, {} free", stored.len(), bench.free);
    assert!(stored.last().unwrap().is_last());
    assert_eq!(stored.iter().filter(|line| line.is_last()).count(), 1);
    assert_eq!((bench.decapsulation.state, bench.counters()), (Idle, (0, 0, 1)));
}

#[test]
fn rx_ready_follows_the_free_lines_by_one_cycle() {
    let mut bench = Bench::new(READY_LINES);
    assert!(!bench.decapsulation.outputs().rx_ready);
    bench.cycle(None);
    assert!(bench.decapsulation.outputs().rx_ready);
    bench.free -= 1;
    bench.cycle(None);
    assert!(!bench.decapsulation.outputs().rx_ready);
}

#[test]
fn random_lines_never_overflow_and_take_every_arc() {
    let mut bench = Bench::new(1024);
    let mut random = Stimulus::new(5);
    for n in 0..400_000u64 {
        let sparse = n >> 12 & 3 == 0;
        let line = (random.below(if sparse { 100 } else { 2 }) == 0).then(|| {
            let dlid = if random.below(8) == 0 { OWN + 1 } else { OWN };
            let id = match random.below(if n >> 15 & 1 == 0 { 12 } else { 300 }) {
                0 => 0,
                1 => LAST,
                2 => FIRST,
                _ => MIDDLE,
            };
            Line { id, ..frame(SENDER, dlid, [0])[0] }
        });
        bench.cycle(line);
        // The reader takes lines up to the last packet's end, more slowly than they arrive.
        if random.below(4) == 0 && bench.stored.iter().any(|line| line.is_last()) {
            bench.stored.remove(0);
            bench.free += 1;
        }
        assert!(bench.stored.len() < 1024);
    }
    let (foreign, overflows, malformed) = bench.counters();
    assert!(foreign > 100 && overflows > 10 && malformed > 100, "{:?}", bench.counters());
    assert_eq!(bench.arcs, State::TABLE.arcs().collect());
}
