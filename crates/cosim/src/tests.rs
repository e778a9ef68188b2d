//! Tests of lockstep with a second copy of the model in place of the RTL.

use hdl::{Clocked, Edges, Fifo, FifoIn, Nic, Probe, Quiet, Role, StateMachine, Visibility, Visitor};

use crate::*;

mod clocks;

hdl::fsm! {
    /// A door, as a state machine.
    enum State in door_pkg {
        /// Locked.
        Closed => [Open],
        /// A visitor passes.
        Open => [Closed, Jammed],
        /// Blocked until it is repaired.
        Jammed => [Closed],
    }
}

hdl::bundle! {
    /// Input pins of the door.
    struct In in door_pkg {
        /// Opens the door; high for one cycle.
        push: bool,
        /// Weight of the visitor.
        weight: u128 : 70,
    }
}

hdl::bundle! {
    /// Output pins of the door.
    struct Out in door_pkg {
        /// State of the door.
        state: State,
        /// Weight of all visitors.
        weight: u128 : 70,
    }
}

hdl::bundle! {
    /// Registers of the lock.
    struct Lock in door_pkg {
        /// State of the door.
        state: State,
        /// Weight of all visitors.
        weight: u128 : 70,
    }
}

#[derive(Clone, Default)]
struct Door {
    lock: Lock,
    visitors: Fifo<u16, 4>,
}

impl Clocked for Door {
    type In = In;
    type Out = Out;

    fn outputs(&self) -> Out {
        Out { state: self.lock.state, weight: self.lock.weight }
    }

    fn tick(&mut self, pins: &In) {
        let (count, mask) = (self.visitors.outputs().count, (1 << 70) - 1);
        self.visitors.tick(&FifoIn {
            write_enable: pins.push,
            wdata: pins.weight as u16,
            read_enable: self.lock.state == State::Jammed,
        });
        self.lock.weight = (self.lock.weight + pins.weight) & mask;
        self.lock.state = match self.lock.state {
            State::Closed if pins.push => State::Open,
            State::Open if pins.push && count > 2 => State::Jammed,
            State::Open if !pins.push => State::Closed,
            State::Jammed if !pins.push => State::Closed,
            state => state,
        };
    }

    fn reset(&mut self) {
        self.lock = Lock::default();
        self.visitors.reset();
    }

    fn quiescent(&self) -> Quiet {
        if self.lock.state == State::Closed { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Probe for Door {
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.enter("lock");
        visitor.registers(&self.lock);
        visitor.leave();
        visitor.block("visitors", &self.visitors);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

/// A model in place of the RTL, with a fault.
struct Double {
    door: Alone<Door>,
    signals: Vec<RtlSignal>,
    watches: Vec<Watch>,
    expected: Vec<u64>,
    visibility: Visibility,
    steps: u64,
    fault: fn(u64, &mut Door) -> Result<(), SimulationError>,
}

impl Double {
    fn new(fault: fn(u64, &mut Door) -> Result<(), SimulationError>) -> Self {
        let door = Alone::new(Door::default());
        let scope = |block: &str| {
            let parts: Vec<_> =
                block.split('.').filter(|part| !part.is_empty()).map(|p| format!("u_{p}")).collect();
            parts.join(".")
        };
        let mut signals: Vec<_> = door
            .signals()
            .iter()
            .map(|s| RtlSignal { scope: scope(&s.block), name: s.rtl_name(), width: s.width, depth: 0 })
            .collect();
        signals.push(RtlSignal { scope: "u_visitors.u_ram".into(), name: "mem".into(), width: 16, depth: 4 });
        let visibility = Visibility::Full;
        Self { door, signals, watches: Vec::new(), expected: Vec::new(), visibility, steps: 0, fault }
    }

    /// Hides the pins of the blocks in the door.
    fn lean(mut self) -> Self {
        self.signals.retain(|signal| signal.scope.is_empty() || signal.name != "pins_o");
        self.visibility = Visibility::Lean;
        self
    }

    fn sound() -> Self {
        Self::new(|_, _| Ok(()))
    }

    fn outputs(&self, pins_o: &mut [u64]) {
        pins_o.fill(0);
        hdl::Bits::put(*self.door.outputs(), pins_o, 0, pins_o.len() as u32 * 64);
    }

    fn values(&self, watch: &Watch) -> Vec<u64> {
        let mut sample = Vec::new();
        self.door.sample(&mut sample);
        let words = hdl::words_for(self.signals[watch.signal].width);
        sample[watch.word..watch.word + words].to_vec()
    }
}

impl Simulation for Double {
    fn signals(&self) -> Vec<RtlSignal> {
        self.signals.clone()
    }

    fn watch(&mut self, clocks: Edges, watches: &[Watch]) {
        if clocks == Edges::FIRST {
            self.watches = watches.to_vec();
        }
    }

    fn reset(&mut self, _edges: u32, pins_o: &mut [u64]) -> Result<(), SimulationError> {
        self.door.reset();
        self.outputs(pins_o);
        Ok(())
    }

    fn step(&mut self, edges: Edges, pins_i: &[u64], pins_o: &mut [u64]) -> Result<(), SimulationError> {
        self.door.edge(edges, &hdl::Bits::take(pins_i, 0, 71)).expect("a model never fails");
        self.steps += 1;
        let mut door = self.door.block().clone();
        (self.fault)(self.steps, &mut door)?;
        self.door = Alone::new(door);
        self.outputs(pins_o);
        Ok(())
    }

    fn expect(&mut self, sample: &[u64]) {
        self.expected = vec![0; sample.len()];
        for watch in &self.watches {
            let words = watch.word..watch.word + hdl::words_for(self.signals[watch.signal].width);
            self.expected[words.clone()].copy_from_slice(&sample[words]);
        }
    }

    fn expected(&self, sample: &mut [u64]) {
        sample.copy_from_slice(&self.expected[..sample.len()]);
    }

    fn follow(&mut self, log: &LogSlice) -> Result<Option<usize>, (usize, SimulationError)> {
        for instant in 0..log.len() {
            log.changes(instant).for_each(|(place, value)| self.expected[place] = value);
            let mut pins_o = vec![0; hdl::words_for(<Out as hdl::Bits>::WIDTH)];
            self.step(Edges::FIRST, log.pins_of(instant), &mut pins_o).map_err(|stop| (instant, stop))?;
            let mut rtl = vec![0; self.expected.len()];
            self.gather(&mut rtl);
            if rtl != self.expected {
                return Ok(Some(instant));
            }
        }
        Ok(None)
    }

    fn gather(&self, sample: &mut [u64]) {
        for watch in &self.watches {
            for (i, value) in self.values(watch).into_iter().enumerate() {
                sample[watch.word + i] = value;
            }
        }
    }

    fn visibility(&self) -> Visibility {
        self.visibility
    }

    fn overwrite(&mut self, _signal: usize, _words: &[u64]) -> Result<(), SimulationError> {
        unreachable!("faults are injected after an edge")
    }

    fn read(&self, _signal: usize, words: &mut [u64]) {
        let mut memories = Vec::new();
        self.door.memories(&mut memories);
        words.copy_from_slice(&memories);
    }
}

fn pair(double: Double) -> BlockPair<Door> {
    BlockPair::open_block(Box::new(double)).expect("the double has the registers of the model")
}

fn run(pair: &mut BlockPair<Door>, edges: u64) -> Result<(), LockstepError> {
    let mut stimulus = Stimulus::new(7);
    (0..edges).try_for_each(|_| pair.tick(&stimulus.pins()))
}

#[test]
fn equal_sides_take_every_arc() {
    let mut pair = pair(Double::sound());
    run(&mut pair, 1000).unwrap();
    pair.compare_memories().unwrap();
    pair.coverage().check().unwrap();
    assert_eq!(pair.coverage().missing(), [""; 0]);
    assert_eq!(pair.cycle(), 1000);
    pair.reset().unwrap();
    run(&mut pair, 10).unwrap();
}

#[test]
fn wrong_register_is_reported_with_the_states_before() {
    let double = Double::new(|step, door| {
        if step == 500 {
            door.lock.weight ^= 1 << 69;
        }
        Ok(())
    });
    let mut pair = pair(double).replay(7, "memonet lockstep --cycles {cycle} --from {from}");
    let LockstepError::Divergence(divergence) = run(&mut pair, 1000).unwrap_err() else { panic!() };
    assert_eq!(divergence.cycle, 500);
    let first = &divergence.differences[0];
    assert_eq!((first.block.as_str(), first.name.as_str()), ("lock", "weight"));
    assert_eq!(first.model.len().max(first.rtl.len()), "0x".len() + 18);
    assert_eq!(divergence.differences.len(), 2, "{divergence}");
    assert_eq!(divergence.differences[1].name, "pins_o.weight");
    assert_eq!(divergence.states[0].0, "lock.state");
    let text = divergence.to_string();
    assert!(text.starts_with("core cycle 500: lock.weight: model 0x"), "{text}");
    assert!(text.contains("\n    state   Open                  Jammed                Jammed\n"), "{text}");
    let Some(Ok(waves)) = &divergence.waves else { panic!("{text}") };
    assert!(text.contains(&format!("\n    gtkwave {0} {0}.gtkw\n", waves.display())), "{text}");
    assert!(text.ends_with("seed 7; replay: memonet lockstep --cycles 500 --from 300"), "{text}");
}

/// A wrong weight after 500 edges.
fn wrong_weight_at_500(step: u64, door: &mut Door) -> Result<(), SimulationError> {
    door.lock.weight ^= (step == 500) as u128;
    Ok(())
}

#[test]
fn rtl_behind_its_model_reports_the_same_divergence() {
    let report = |lead| {
        let mut pair = pair(Double::new(wrong_weight_at_500)).lead(lead).replay(7, "at {cycle}");
        let ran = run(&mut pair, 2000).and_then(|()| pair.catch_up());
        ran.unwrap_err().to_string()
    };
    let at_once = report(1);
    assert!(at_once.starts_with("core cycle 500: lock.weight: model 0x"), "{at_once}");
    for lead in [2, 7, 499, 500, 501, 5000] {
        assert_eq!(report(lead), at_once, "lead {lead}");
    }
}

#[test]
fn lean_pair_finds_the_same_register_and_has_the_same_signals() {
    let open = |double: Double| pair(double).lead(7).replay(7, "at {cycle}");
    let [mut full, mut lean] = [open(Double::sound()), open(Double::sound().lean())];
    for pair in [&mut full, &mut lean] {
        run(pair, 1000).unwrap();
        pair.check().unwrap();
    }
    let sample = |pair: &BlockPair<Door>| {
        let mut words = Vec::new();
        pair.sample(&mut words);
        words
    };
    assert_eq!(sample(&full), sample(&lean), "with the pins of blocks");
    let report = |double: Double| run(&mut open(double), 2000).unwrap_err().to_string();
    let [full, lean] =
        [report(Double::new(wrong_weight_at_500)), report(Double::new(wrong_weight_at_500).lean())];
    assert_eq!(full.lines().next(), lean.lines().next());
    assert!(lean.contains("pins of blocks were not compared"), "{lean}");
}

#[test]
fn check_finds_a_fault_after_the_last_followed_instant() {
    let mut pair = pair(Double::new(wrong_weight_at_500)).lead(64);
    run(&mut pair, 510).unwrap();
    let error = pair.check().unwrap_err();
    assert!(error.to_string().starts_with("core cycle 500: lock.weight"), "{error}");
}

#[test]
fn stopped_rtl_behind_its_model_ends_the_run() {
    let stop = |step, _: &mut Door| if step == 5 { Err(SimulationError("Jam".into())) } else { Ok(()) };
    let mut pair = pair(Double::new(stop)).lead(100);
    let error = run(&mut pair, 1000).and_then(|()| pair.catch_up()).unwrap_err();
    assert!(error.to_string().starts_with("core cycle 5: the RTL stopped: Jam"), "{error}");
}

#[test]
fn reset_of_a_model_with_a_lead_resets_the_rtl_too() {
    let mut pair = pair(Double::sound()).lead(64);
    run(&mut pair, 1000).unwrap();
    pair.reset().unwrap();
    run(&mut pair, 1000).unwrap();
    pair.check().unwrap();
}

#[test]
fn wrong_state_is_shown_by_name() {
    let double = Double::new(|_, door| {
        if door.lock.state == State::Jammed {
            door.lock.state = State::Open;
        }
        Ok(())
    });
    let LockstepError::Divergence(divergence) = run(&mut pair(double), 1000).unwrap_err() else { panic!() };
    let first = &divergence.differences[0];
    assert_eq!((first.model.as_str(), first.rtl.as_str()), ("Jammed", "Open"));
    assert_eq!(divergence.states, [("lock.state".to_string(), "Open".to_string())]);
}

#[test]
fn wrong_memory_word_is_reported_with_its_address() {
    let mut pair = pair(Double::new(|step, door| {
        if step == 3 {
            door.visitors = Fifo::default();
        }
        Ok(())
    }));
    pair.tick(&In { push: true, weight: 5 }).unwrap();
    pair.tick(&In::default()).unwrap();
    let LockstepError::Divergence(first) = pair.tick(&In::default()).unwrap_err() else { panic!() };
    let again = pair.compare_memories().unwrap_err();
    assert_eq!(again.to_string(), first.to_string(), "the first failure explains the memories");
    pair.failure = None;
    let LockstepError::Divergence(divergence) = pair.compare_memories().unwrap_err() else { panic!() };
    assert_eq!(divergence.differences[0].to_string(), "visitors.ram.mem[0]: model 0x5, RTL 0x0");
}

#[test]
fn stopped_rtl_ends_the_run() {
    let double =
        Double::new(
            |step, _| {
                if step == 5 { Err(SimulationError("CountNeverUnderflows".into())) } else { Ok(()) }
            },
        );
    let error = run(&mut pair(double), 1000).unwrap_err();
    assert!(error.to_string().starts_with("core cycle 5: the RTL stopped: CountNeverUnderflows"), "{error}");
}

#[test]
fn registers_without_a_twin_are_all_listed() {
    let mut double = Double::sound();
    double.signals[0].width = 3;
    double.signals[1].name = "mass_q".into();
    double.signals.push(RtlSignal { scope: "u_lock".into(), name: "mass".into(), width: 1, depth: 0 });
    double.signals.push(RtlSignal { scope: "u_lock".into(), name: "mem".into(), width: 8, depth: 4 });
    let Err(OpenError::Unmatched(problems)) = BlockPair::<Door>::open_block(Box::new(double)) else {
        panic!()
    };
    assert_eq!(
        problems,
        [
            "lock.state_q: 2 bits in the model, 3 bits in the RTL",
            "lock.weight_q: only in the model (70 bits)",
            "lock.mass_q: only in the RTL (70 bits)",
            "lock.mem: only in the RTL (4 x 8 bits)",
        ]
    );
}

#[test]
fn undeclared_arc_is_an_error() {
    let signals = hdl::signals(&Door::default());
    let mut coverage = Coverage::new(&signals, &[0; 10]);
    let word = signals[0].word;
    let mut sample = vec![vec![0; 10]; 3];
    sample[1][word] = State::TABLE.code("Jammed").unwrap();
    sample[2][word] = 3;
    let news: Vec<_> = sample.iter().map(|sample| coverage.record(sample)).collect();
    assert_eq!(news, [false, true, true]);
    let illegal = coverage.check().unwrap_err().0;
    assert_eq!(illegal, ["lock.state: Closed -> Jammed", "lock.state: Jammed -> 3"]);
    assert_eq!(coverage.missing().len(), 4);
}

#[test]
fn undeclared_arc_has_its_cycle_pins_and_replay() {
    let mut pair = pair(Double::sound()).lead(64).replay(7, "at {cycle}");
    pair.tick(&In::default()).unwrap();
    let lock = Lock { state: State::Jammed, weight: 0x77 };
    pair.model = Alone::new(Door { lock, ..Door::default() });
    pair.tick(&In { push: true, weight: 0 }).unwrap();
    let report = pair.coverage().check().unwrap_err().to_string();
    assert!(report.contains("lock.state: Closed -> Jammed, first in core cycle 2\n"), "{report}");
    assert!(report.contains("before the edge: state = Closed, weight = 0x0\n"), "{report}");
    assert!(report.contains("input pins, without zeros: push = 0x1\n"), "{report}");
    assert!(report.ends_with("seed 7; replay: at 2"), "{report}");
}

#[test]
fn output_pin_with_equal_registers_is_the_wrong_wire() {
    let wires = |fault| {
        let mut pair = pair(Double::new(fault));
        let LockstepError::Divergence(divergence) = run(&mut pair, 1000).unwrap_err() else { panic!() };
        divergence.wires
    };
    let register = wires(wrong_weight_at_500);
    assert!(register[0].starts_with("no wire was wrong before"), "{register:?}");
    // A register of the FIFO has no path to the pins of the door in the same cycle.
    let fifo = wires(|step, door| {
        if step == 500 {
            door.visitors = Fifo::default();
        }
        Ok(())
    });
    assert!(fifo.iter().all(|line| !line.starts_with("wrong wire")), "{fifo:?}");
}

/// Cycles at which `signal` of the waveform is high.
fn high(path: &std::path::Path, signal: &str) -> Vec<u64> {
    let mut wave = wellen::simple::read(path).unwrap();
    let hierarchy = wave.hierarchy();
    let found = hierarchy.all_vars().find(|var| hierarchy[*var].full_name(hierarchy) == signal);
    let found = hierarchy[found.unwrap_or_else(|| panic!("{signal} is in the file"))].signal_ref();
    wave.load_signals(&[found]);
    let changes = wave.get_signal(found).unwrap().iter_changes();
    let high = changes.filter(|(_, value)| value.to_bit_string().as_deref() == Some("1"));
    high.map(|(at, _)| wave.time_table()[at as usize] / 10_000).collect()
}

#[test]
fn waves_begin_200_cycles_earlier_and_differ_at_the_end() {
    for lead in [1, 7, 256] {
        let folder = tempfile::tempdir().unwrap();
        let mut pair = pair(Double::new(wrong_weight_at_500)).lead(lead).waves(folder.path());
        let error = run(&mut pair, 2000).and_then(|()| pair.catch_up()).unwrap_err();
        let LockstepError::Divergence(divergence) = error else { panic!() };
        let path = divergence.waves.unwrap().unwrap();
        assert!(path.starts_with(folder.path()));
        assert_eq!(high(&path, "dut.differs.lock.differs"), [500], "lead {lead}");
        let wave = wellen::simple::read(&path).unwrap();
        // Values are unknown from time 0 to the first sample.
        assert_eq!(wave.time_table()[1] / 10_000, 301, "lead {lead}");
        let layout = std::fs::read_to_string(path.with_extension("fst.gtkw")).unwrap();
        let rows: Vec<_> = layout.lines().filter_map(|line| line.strip_prefix("+{")).collect();
        let labels: Vec<_> = rows.iter().map(|row| row.split('}').next().unwrap()).collect();
        let block =
            ["lock/state/model", "lock/state/rtl", "lock/weight/model", "lock/weight/rtl", "lock/differs"];
        assert_eq!(labels[..5], block, "lead {lead}");
    }
}

#[test]
fn assertion_has_the_report_of_a_divergence() {
    let stop = |step, _: &mut Door| match step {
        5 => Err(SimulationError("rtl/lock.sv:7: assertion failed in door.u_lock".into())),
        _ => Ok(()),
    };
    let LockstepError::Stopped(report) = run(&mut pair(Double::new(stop)), 1000).unwrap_err() else {
        panic!()
    };
    assert_eq!((report.cycle, report.block.as_str()), (5, ""), "the type of `lock` is not a block");
    assert!(report.to_string().contains(": the RTL stopped: rtl/lock.sv:7"), "{report}");
    assert!(report.waves.is_some());
}

#[test]
fn rtl_alone_has_the_samples_of_its_model() {
    let mut rtl = Rtl::open(&Alone::new(Door::default()), Box::new(Double::sound())).unwrap();
    let mut model = Alone::new(Door::default());
    let mut stimulus = Stimulus::new(1);
    for _ in 0..100 {
        let (pins, edges) = (stimulus.pins::<In>(), Edges::FIRST);
        rtl.edge(edges, &pins).unwrap();
        model.edge(edges, &pins).unwrap();
        let (mut a, mut b) = (Vec::new(), Vec::new());
        rtl.sample(&mut a);
        model.sample(&mut b);
        assert_eq!(a, b);
        assert_eq!(rtl.outputs(), model.outputs());
    }
}

#[test]
fn stimulus_is_the_same_for_the_same_seed() {
    let mut stimulus = Stimulus::new(0);
    assert_eq!(stimulus.word(), 0xe220_a839_7b1d_cdaf);
    let pins: In = stimulus.pins();
    let again: In = {
        let mut stimulus = Stimulus::new(0);
        stimulus.word();
        stimulus.pins()
    };
    assert_eq!(pins, again);
    assert!(pins.weight >> 70 == 0);
}

#[test]
fn pair_is_quiet_after_an_edge_that_both_sides_keep() {
    let mut pair = pair(Double::sound());
    assert_eq!(pair.quiescent(), Quiet::Busy, "the RTL has not shown that it rests");
    pair.tick(&In::default()).unwrap();
    assert_eq!(pair.quiescent(), Quiet::UntilInput);
    pair.tick(&In { push: true, weight: 1 }).unwrap();
    assert_eq!(pair.quiescent(), Quiet::Busy);
    while pair.model().quiescent() == Quiet::Busy {
        pair.tick(&In::default()).unwrap();
    }
    assert_eq!(pair.quiescent(), Quiet::Busy, "the last edge changed a signal");
    pair.tick(&In::default()).unwrap();
    assert_eq!(pair.quiescent(), Quiet::UntilInput);
}

#[test]
fn skipped_cycles_count_in_the_cycle_of_a_divergence() {
    for lead in [1, 8] {
        let mut pair = pair(Double::new(wrong_weight_at_500)).lead(lead);
        run(&mut pair, 400).unwrap();
        pair.skip(&[1_000]);
        assert_eq!((pair.cycle(), pair.skipped()), (1_400, 1_000));
        let error = run(&mut pair, 200).and_then(|()| pair.catch_up()).unwrap_err();
        assert!(error.to_string().contains("cycle 1500"), "{error}");
    }
}
