//! Tests of lockstep with a device of three clocks, and a second copy of it in place of the RTL.

use hdl::{Bits, Clock, Device, Edges, Instants, Model, Nic, Probe, Quiet, Role, Signal, Visitor, words_for};

use crate::*;

static CLOCKS: [Clock; 3] = [
    Clock { name: "core", port: "clk_i", period_ps: 10_000, doc: "" },
    Clock { name: "bus", port: "bus_clk_i", period_ps: 30_000, doc: "" },
    Clock { name: "link", port: "link_clk_i", period_ps: 8_000, doc: "" },
];

const BUS: Edges = Edges::of(1);
const LINK: Edges = Edges::of(2);

hdl::bundle! {
    /// Input that all sides count.
    struct In in junction_pkg {
        /// Added at every edge.
        add: u8,
    }
}

hdl::bundle! {
    /// Counts of all sides.
    struct Out in junction_pkg {
        /// Sum of the counts of all sides.
        sum: u32,
    }
}

/// Registers of one clock.
#[derive(Clone, Copy, Default)]
struct Side {
    /// Sum of the inputs at its edges.
    count: u32,
    /// Last count seen of the next side.
    heard: u32,
}

impl Probe for Side {
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.register("count", 32, self.count);
        visitor.register("heard", 32, self.heard);
    }
}

/// A side for each clock; each samples the count of the next.
#[derive(Clone, Default)]
struct Junction {
    sides: [Side; 3],
    /// Edges of the bus clock.
    age: u32,
}

impl Junction {
    fn heard(&self, clock: usize) -> bool {
        self.sides[clock].heard == self.sides[(clock + 1) % 3].count
    }
}

impl Device for Junction {
    type In = In;
    type Out = Out;

    const CLOCKS: &'static [Clock] = &CLOCKS;

    fn outputs(&self) -> Out {
        Out { sum: self.sides.iter().fold(0, |sum, side| sum.wrapping_add(side.count)) }
    }

    fn edge(&mut self, edges: Edges, pins: &In) {
        let before = self.sides.map(|side| side.count);
        for clock in edges.iter() {
            let count = before[clock].wrapping_add(pins.add.into());
            self.sides[clock] = Side { count, heard: before[(clock + 1) % 3] };
        }
        self.age += u32::from(edges.meets(BUS));
    }

    fn idle(&self, pins: &In) -> bool {
        pins.add == 0
    }

    fn quiescent(&self) -> Quiet {
        if (0..3).all(|clock| self.heard(clock)) { Quiet::For(1_000) } else { Quiet::Busy }
    }

    fn resting(&self) -> Edges {
        let rests = |clock| Edges::of(clock).when(self.heard(clock));
        rests(0).with(rests(2))
    }

    fn skip(&mut self, edges: &[u64]) {
        self.age += edges[1] as u32;
    }
}

hdl::observed!(Junction);

impl Probe for Junction {
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("core_side", &self.sides[0]);
        visitor.clocks(BUS);
        visitor.block("bus_side", &self.sides[1]);
        visitor.register("age", 32, self.age);
        visitor.clocks(LINK);
        visitor.block("link_side", &self.sides[2]);
        visitor.clocks(Edges::all(3));
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

/// The device in place of its RTL, with a fault.
struct Double {
    device: Model<Junction>,
    watches: Vec<(Edges, Vec<Watch>)>,
    expected: Vec<u64>,
    steps: u64,
    fault: fn(u64, &mut Junction),
}

impl Double {
    fn new(fault: fn(u64, &mut Junction)) -> Self {
        let device = Model::new(Junction::default());
        Self { device, watches: Vec::new(), expected: Vec::new(), steps: 0, fault }
    }
}

impl Simulation for Double {
    fn signals(&self) -> Vec<RtlSignal> {
        let scope = |block: &str| if block.is_empty() { String::new() } else { format!("u_{block}") };
        let signal =
            |s: &Signal| RtlSignal { scope: scope(&s.block), name: s.rtl_name(), width: s.width, depth: 0 };
        self.device.signals().iter().map(signal).collect()
    }

    fn watch(&mut self, clocks: Edges, watches: &[Watch]) {
        self.watches.push((clocks, watches.to_vec()));
    }

    fn reset(&mut self, _edges: u32, pins_o: &mut [u64]) -> Result<(), SimulationError> {
        self.device = Model::new(Junction::default());
        pins_o.fill(0);
        Ok(())
    }

    fn step(&mut self, edges: Edges, pins_i: &[u64], pins_o: &mut [u64]) -> Result<(), SimulationError> {
        let mut device = self.device.device().clone();
        device.edge(edges, &In::take(pins_i, 0, In::WIDTH));
        self.steps += 1;
        (self.fault)(self.steps, &mut device);
        device.outputs().put(pins_o, 0, Out::WIDTH);
        self.device = Model::new(device);
        Ok(())
    }

    fn expect(&mut self, sample: &[u64]) {
        self.expected = sample.to_vec();
    }

    fn expected(&self, sample: &mut [u64]) {
        sample.copy_from_slice(&self.expected[..sample.len()]);
    }

    fn follow(&mut self, log: &LogSlice) -> Result<Option<usize>, (usize, SimulationError)> {
        for instant in 0..log.len() {
            log.changes(instant).for_each(|(place, value)| self.expected[place] = value);
            let edges = Edges::from_bits(log.edges[instant]);
            let mut pins_o = vec![0; words_for(Out::WIDTH)];
            self.step(edges, log.pins_of(instant), &mut pins_o).map_err(|stop| (instant, stop))?;
            let mut rtl = self.expected.clone();
            self.gather(&mut rtl);
            let rise = self.watches.iter().filter(|(clocks, _)| clocks.meets(edges));
            let mut watched = rise.flat_map(|(_, watches)| watches);
            if watched.any(|watch| rtl[watch.word] != self.expected[watch.word]) {
                return Ok(Some(instant));
            }
        }
        Ok(None)
    }

    fn gather(&self, sample: &mut [u64]) {
        let mut words = Vec::new();
        self.device.sample(&mut words);
        for watch in self.watches.iter().flat_map(|(_, watches)| watches) {
            sample[watch.word] = words[watch.word];
        }
    }

    fn read(&self, _signal: usize, _words: &mut [u64]) {
        unreachable!("it has no memories");
    }

    fn overwrite(&mut self, _signal: usize, _words: &[u64]) -> Result<(), SimulationError> {
        unreachable!("faults are injected after an edge")
    }
}

fn pair(fault: fn(u64, &mut Junction)) -> Lockstep<Model<Junction>> {
    Lockstep::open(Model::new(Junction::default()), Box::new(Double::new(fault))).expect("they are the same")
}

fn sample(nic: &impl Nic) -> Vec<u64> {
    let mut words = Vec::new();
    nic.sample(&mut words);
    words
}

#[test]
fn three_clocks_rise_in_any_combination() {
    let mut pair = pair(|_, _| ());
    let mut stimulus = Stimulus::new(3);
    let mut cycles = 0;
    for _ in 0..1000 {
        let edges = Edges::from_bits(1 + stimulus.below(7) as u8);
        pair.step(edges, &stimulus.pins()).unwrap();
        cycles += u64::from(edges.meets(Edges::FIRST));
        assert_eq!(sample(&pair), sample(pair.model()), "the sample that is kept up to date");
        let mut rtl = Vec::new();
        pair.sample_rtl(&mut rtl);
        assert_eq!(rtl, sample(&pair));
    }
    assert_eq!(pair.cycle(), cycles);
    assert_eq!(pair.clocks().iter().map(|clock| clock.name).collect::<Vec<_>>(), ["core", "bus", "link"]);
}

#[test]
fn signals_have_the_clocks_that_change_them() {
    let model = Model::new(Junction::default());
    let of = |clocks: Edges| {
        let mine = model.signals().iter().filter(|signal| signal.clocks == clocks);
        mine.map(|signal| format!("{}.{}", signal.block, signal.name)).collect::<Vec<_>>()
    };
    assert_eq!(of(Edges::FIRST), ["core_side.count", "core_side.heard"]);
    assert_eq!(of(BUS), ["bus_side.count", "bus_side.heard", ".age"]);
    assert_eq!(of(LINK), ["link_side.count", "link_side.heard"]);
    assert_eq!(of(Edges::all(3)), [".pins_o"]);
}

#[test]
fn difference_is_reported_in_cycles_of_the_first_clock() {
    type Damage = fn(u64, &mut Junction);
    let faults: [(Damage, &str); 3] = [
        // The core clock rises at the seventh instant that includes it, at 70 ns; the difference is found
        // then.
        (|step, device| device.sides[0].heard ^= u32::from(step == 14), "core cycle 7: core_side.heard: "),
        // The same time, but the bus clock rises at 90 ns.
        (|step, device| device.age ^= u32::from(step == 14), "core cycle 9: age: "),
        // The link clock rises at 72 ns, before the next edge of the core clock.
        (|step, device| device.sides[2].heard |= u32::from(step >= 14), "core cycle 7: link_side.heard: "),
    ];
    for (fault, told) in faults {
        for lead in [1, 64] {
            let mut pair = pair(fault).lead(lead);
            let mut instants = Instants::new(&CLOCKS);
            let ran = (0..100).try_for_each(|_| pair.step(instants.next_edges(), &In::default()));
            let error = ran.and_then(|()| pair.catch_up()).unwrap_err().to_string();
            assert!(error.starts_with(told), "{error}");
        }
    }
}

#[test]
fn resting_clocks_change_nothing() {
    let mut model = Model::new(Junction::default());
    let mut stimulus = Stimulus::new(5);
    let mut rested = [0; 8];
    for _ in 0..2000 {
        let add = if stimulus.one_in(4) { 1 } else { 0 };
        model.edge(Edges::from_bits(1 + stimulus.below(7) as u8), &In { add }).unwrap();
        let resting = model.resting();
        rested[usize::from(resting.bits())] += 1;
        let mut walked = Model::new(model.device().clone());
        for _ in 0..4 {
            let edges = resting.bits() & stimulus.word() as u8;
            walked.edge(Edges::from_bits(edges), &In::default()).unwrap();
        }
        assert_eq!(sample(&walked), sample(&model), "{resting:?}");
    }
    assert!(
        rested[0b000] > 50 && rested[0b001] > 50 && rested[0b100] > 50 && rested[0b101] > 50,
        "{rested:?}"
    );
}

#[test]
fn skipped_edges_equal_executed_ones() {
    let mut walked = Model::new(Junction::default());
    walked.edge(Edges::all(3), &In { add: 9 }).unwrap();
    walked.edge(Edges::all(3), &In::default()).unwrap();
    assert_eq!(walked.quiescent(), Quiet::For(1_000));
    let mut skipped = Model::new(walked.device().clone());
    let (mut instants, mut edges) = (Instants::new(&CLOCKS), [0; 3]);
    for _ in 0..500 {
        let rise = instants.next_edges();
        rise.iter().for_each(|clock| edges[clock] += 1);
        walked.edge(rise, &In::default()).unwrap();
    }
    assert!(edges[2] > edges[0] && edges[0] > edges[1] && edges[1] > 0);
    skipped.skip(&edges);
    assert_eq!(sample(&skipped), sample(&walked));
}
