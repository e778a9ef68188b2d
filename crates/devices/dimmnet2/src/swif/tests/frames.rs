use std::collections::{BTreeMap, VecDeque};

use hdl::{Device, Quiet, Stimulus};

use super::super::Swif;
use super::super::pins::{In, Out};
use super::{packet, received};
use crate::clocks;
use crate::line::{FIRST, Line};
use crate::pins::NetworkIn;

pub const LID: [u16; 2] = [0x0102, 0x0a0b];
pub const CORE_PERIOD: u64 = 10_000;
pub const NETWORK_PERIOD: u64 = 8_000;

/// Two SWIFs with the same clocks, a link from the first to the second, and observations of its traffic.
pub struct Bench {
    pub swifs: [Swif; 2],
    /// Time of the next edge in picoseconds.
    pub time: u64,
    core_phase: u64,
    network_phase: u64,
    /// Delay of the link in network cycles, in each direction; `rx_ready` takes the way back.
    delay: usize,
    pub controller_reset: [bool; 2],
    /// Lines that the sender's core has yet to write.
    pub to_send: VecDeque<Line>,
    flying: VecDeque<Option<Line>>,
    ready: VecDeque<bool>,
    /// Mean cycles between lines written, lines accepted by the link, and reads.
    pub odds: [u64; 3],
    random: Stimulus,
    reading: bool,
    expect_line: bool,
    /// Packets read by the receiver's core.
    pub packets: Vec<Vec<Line>>,
    /// Times of four edges: the last line was written, the first line was on the link, the last line was
    /// taken from the link, the packet became available.
    pub written: u64,
    pub sent: u64,
    pub arrived: u64,
    pub available: u64,
}

impl Bench {
    pub fn new(core_phase: u64, network_phase: u64, delay: usize, odds: [u64; 3]) -> Self {
        let mut bench = Self {
            swifs: Default::default(),
            time: 0,
            core_phase,
            network_phase,
            delay,
            controller_reset: [false; 2],
            to_send: VecDeque::new(),
            flying: vec![None; delay].into(),
            ready: vec![false; delay].into(),
            odds,
            random: Stimulus::new(core_phase ^ network_phase << 20),
            reading: false,
            expect_line: false,
            packets: vec![],
            written: 0,
            sent: 0,
            arrived: 0,
            available: 0,
        };
        // The LID and `rx_ready` settle.
        bench.run_until(core_phase + 400_000);
        bench
    }

    pub fn run_until(&mut self, time: u64) {
        while self.time < time {
            self.step();
        }
    }

    /// Runs until `count` packets have been read, for at most `microseconds`.
    pub fn run_packets(&mut self, count: usize, microseconds: u64) {
        let end = self.time + microseconds * 1_000_000;
        while self.packets.len() < count || self.reading {
            self.step();
            assert!(self.time < end, "{} of {count} packets", self.packets.len());
        }
    }

    /// All edges of the next instant.
    pub fn step(&mut self) {
        let next =
            |period: u64, phase: u64| phase + self.time.saturating_sub(phase).div_ceil(period) * period;
        let (core, network) = (next(CORE_PERIOD, self.core_phase), next(NETWORK_PERIOD, self.network_phase));
        let now = core.min(network);
        let edges = clocks::CORE.when(core == now).with(clocks::NETWORK.when(network == now));
        let outs = [self.swifs[0].outputs(), self.swifs[1].outputs()];
        let mut pins = [In::default(); 2];
        for (side, pins) in pins.iter_mut().enumerate() {
            pins.network = NetworkIn { sma_lid: LID[side], link_status: 3, ..NetworkIn::default() };
            pins.controller_reset = self.controller_reset[side];
        }
        if edges.meets(clocks::CORE) {
            self.send_side(&outs[0], &mut pins[0], now);
            self.receive_side(&outs[1], &mut pins[1]);
        }
        if edges.meets(clocks::NETWORK) {
            self.link(&outs, &mut pins, now);
        }
        for (swif, pins) in self.swifs.iter_mut().zip(&pins) {
            swif.edge(edges, pins);
        }
        if self.swifs[0].outputs().network.tx_valid && !outs[0].network.tx_valid {
            self.sent = now;
        }
        if self.swifs[1].outputs().packet_available && !outs[1].packet_available {
            self.available = now;
        }
        self.time = now + 1;
    }

    fn send_side(&mut self, out: &Out, pins: &mut In, now: u64) {
        if out.fifo_free == 0 || self.random.below(self.odds[0]) != 0 {
            return;
        }
        if let Some(line) = self.to_send.pop_front() {
            (pins.line, pins.line_enable) = (line, true);
            self.written = now;
        }
    }

    fn receive_side(&mut self, out: &Out, pins: &mut In) {
        if self.controller_reset[1] {
            (self.reading, self.expect_line) = (false, false);
            return;
        }
        if self.expect_line {
            self.expect_line = false;
            self.packets.last_mut().unwrap().push(out.line);
            self.reading = !out.line.is_last();
        }
        let go = self.random.below(self.odds[2]) == 0;
        if self.reading {
            // A request for the next packet must not disturb this one.
            pins.packet_start = self.random.below(2) == 0;
            pins.line_next = go;
            self.expect_line = go;
        } else if go {
            pins.packet_start = out.packet_available;
            // A request for a line between packets must not disturb the next one.
            pins.line_next = self.random.below(2) == 0;
            self.reading = out.packet_available;
            self.expect_line = out.packet_available;
            if out.packet_available {
                self.packets.push(vec![]);
            }
        }
    }

    fn link(&mut self, outs: &[Out; 2], pins: &mut [In; 2], now: u64) {
        self.ready.push_back(outs[1].network.rx_ready);
        let ready = self.ready.pop_front().unwrap();
        let tx = outs[0].network;
        let may_go = tx.tx_line.id != FIRST || ready;
        pins[0].network.tx_ready = may_go && self.random.below(self.odds[1]) == 0;
        let taken = tx.tx_valid && pins[0].network.tx_ready;
        self.flying.push_back(taken.then_some(tx.tx_line));
        if let Some(line) = self.flying.pop_front().unwrap() {
            (pins[1].network.rx_line, pins[1].network.rx_valid) = (line, true);
            if line.is_last() {
                self.arrived = now;
            }
        }
        assert_eq!(self.flying.len(), self.delay);
    }
}

#[test]
fn packet_reaches_the_link_after_four_network_edges() {
    // From the edge that writes the last line to the edge after which the LRH is on the link, for each of the
    // four phases in 40 ns.
    let mut seen = BTreeMap::new();
    for lines in 2..12 {
        let mut bench = Bench::new(0, 0, 0, [1; 3]);
        bench.to_send = packet(LID[1], lines, &mut Stimulus::new(1)).into();
        bench.run_packets(1, 1);
        seen.insert(bench.written % 40_000, bench.sent - bench.written);
    }
    let expected = [(0, 32_000), (10_000, 30_000), (20_000, 28_000), (30_000, 26_000)];
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn packet_is_available_after_one_network_and_two_core_edges() {
    // From the edge that takes the last line from the link, for each of the five phases in 40 ns.
    let mut seen = BTreeMap::new();
    for lines in 2..12 {
        let mut bench = Bench::new(0, 0, 0, [1; 3]);
        bench.to_send = packet(LID[1], lines, &mut Stimulus::new(1)).into();
        bench.run_packets(1, 1);
        seen.insert(bench.arrived % 40_000, bench.available - bench.arrived);
    }
    let expected = [(0, 20_000), (8_000, 22_000), (16_000, 24_000), (24_000, 26_000), (32_000, 28_000)];
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn packets_of_all_lengths_pass_in_every_clock_phase() {
    let mut random = Stimulus::new(2);
    // Periods of 10 and 8 ns have five and four phases in 40 ns; edges never coincide in odd phases.
    for phase in [0, 1, 1_000, 2_000, 3_000, 4_001, 5_000, 6_000, 7_000, 7_999] {
        for odds in [[1, 1, 1], [2, 1, 3], [1, 3, 1], [4, 2, 2]] {
            let mut bench = Bench::new(0, phase, random.below(128) as usize, odds);
            let mut expected = vec![];
            for n in 0..40 {
                let lines = if n % 8 == 0 { 512 } else { 2 + random.below(70) as usize };
                let packet = packet(LID[1], lines, &mut random);
                bench.to_send.extend(&packet);
                expected.push(received(packet, LID[0]));
            }
            bench.run_packets(40, 2_000);
            assert!(bench.packets == expected, "phase {phase} odds {odds:?}");
            let decapsulation = &bench.swifs[1].decapsulation;
            assert_eq!((decapsulation.overflows, decapsulation.malformed), (0, 0));
        }
    }
}

#[test]
fn stalled_reader_stalls_the_link_without_loss() {
    let mut random = Stimulus::new(3);
    // The longest round trip that the margin of `rx_ready` allows.
    for lines in [512, 509, 30, 3] {
        let mut bench = Bench::new(3_000, 0, 126, [1, 1, 1_000_000_000]);
        let mut expected = vec![];
        for _ in 0..4_000 / lines {
            let packet = packet(LID[1], lines, &mut random);
            bench.to_send.extend(&packet);
            expected.push(received(packet, LID[0]));
        }
        bench.run_until(60_000_000);
        assert!(!bench.to_send.is_empty() && bench.packets.len() <= 1);
        assert!(!bench.swifs[1].outputs().network.rx_ready);
        bench.odds[2] = 1;
        bench.run_packets(4_000 / lines, 200);
        assert!(bench.packets == expected);
        assert_eq!(bench.swifs[1].decapsulation.overflows, 0);
    }
}

#[test]
fn frame_on_the_link_has_no_gaps_between_lines() {
    let mut bench = Bench::new(0, 3_000, 0, [5, 1, 1]);
    bench.to_send = packet(LID[1], 200, &mut Stimulus::new(4)).into();
    // The core writes slowly; from the LRH on, the link has a line in each cycle.
    while !bench.swifs[0].outputs().network.tx_valid {
        bench.step();
    }
    let start = bench.time;
    while bench.swifs[0].outputs().network.tx_valid {
        bench.step();
    }
    assert_eq!((bench.time - start) / NETWORK_PERIOD, 3 + 200);
}

#[test]
fn lid_and_link_status_cross_with_the_second_core_edge() {
    let mut swif = Swif::default();
    let network = NetworkIn { sma_lid: 0x1234, link_status: 3, ..NetworkIn::default() };
    let pins = In { network, ..In::default() };
    swif.edge(clocks::CORE, &pins);
    assert_eq!((swif.outputs().sma_lid, swif.outputs().link_status), (0, 0));
    swif.edge(clocks::CORE, &pins);
    assert_eq!((swif.outputs().sma_lid, swif.outputs().link_status), (0x1234, 3));
    // Controller Reset does not affect them.
    for _ in 0..8 {
        swif.edge(clocks::BOTH, &In { controller_reset: true, ..pins });
    }
    assert_eq!((swif.outputs().sma_lid, swif.outputs().link_status), (0x1234, 3));
}

#[test]
fn quiescent_swif_is_not_changed_by_edges() {
    let mut bench = Bench::new(0, 0, 0, [1; 3]);
    bench.to_send = packet(LID[1], 20, &mut Stimulus::new(4)).into();
    let mut quiet = 0;
    for _ in 0..400 {
        let quiescent = [bench.swifs[0].quiescent(), bench.swifs[1].quiescent()];
        let mut before = vec![];
        bench.swifs.iter().for_each(|swif| hdl::sample(swif, &mut before));
        let idle = bench.to_send.is_empty();
        let reads = bench.packets.len();
        bench.step();
        let mut after = vec![];
        bench.swifs.iter().for_each(|swif| hdl::sample(swif, &mut after));
        if quiescent == [Quiet::UntilInput; 2] && idle && reads == 1 && bench.packets[0].len() == 20 {
            assert_eq!(before, after);
            quiet += 1;
        }
    }
    assert!(quiet > 100);
}
