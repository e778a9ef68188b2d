//! Faults in the RTL that lockstep finds with both visibilities.

use std::fmt;

use clap::ValueEnum;
use cosim::{LogSlice, RtlSignal, Simulation, SimulationError, Watch};
use hdl::{Device, Edges, Instants, Model, Nic, SignalRole, Visibility};

use crate::machines::{Built, Name, with_machine};

/// RTL in which a bit of a register flips after a number of instants.
struct Flipped {
    rtl: Box<dyn Simulation>,
    signal: usize,
    bit: u32,
    left: usize,
}

impl Flipped {
    fn flip(&mut self) -> Result<(), SimulationError> {
        self.rtl.flip(self.signal, self.bit)
    }
}

impl Simulation for Flipped {
    fn signals(&self) -> Vec<RtlSignal> {
        self.rtl.signals()
    }

    fn visibility(&self) -> Visibility {
        self.rtl.visibility()
    }

    fn watch(&mut self, clocks: Edges, watches: &[Watch]) {
        self.rtl.watch(clocks, watches);
    }

    fn reset(&mut self, edges: u32, pins_o: &mut [u64]) -> Result<(), SimulationError> {
        self.rtl.reset(edges, pins_o)
    }

    fn step(&mut self, edges: Edges, pins_i: &[u64], pins_o: &mut [u64]) -> Result<(), SimulationError> {
        self.rtl.step(edges, pins_i, pins_o)
    }

    fn expect(&mut self, sample: &[u64]) {
        self.rtl.expect(sample);
    }

    fn expected(&self, sample: &mut [u64]) {
        self.rtl.expected(sample);
    }

    /// Each call has one instant, because the pair has no lead.
    fn follow(&mut self, instants: &LogSlice) -> Result<Option<usize>, (usize, SimulationError)> {
        assert_eq!(instants.len(), 1);
        if self.left == 0 {
            self.flip().map_err(|stop| (0, stop))?;
        }
        self.left = self.left.wrapping_sub(1);
        self.rtl.follow(instants)
    }

    fn gather(&self, sample: &mut [u64]) {
        self.rtl.gather(sample);
    }

    fn read(&self, signal: usize, words: &mut [u64]) {
        self.rtl.read(signal, words);
    }

    fn overwrite(&mut self, signal: usize, words: &[u64]) -> Result<(), SimulationError> {
        self.rtl.overwrite(signal, words)
    }
}

/// Instants after the flip in which the fault may show.
const WATCHED: usize = 300;

/// The cycle of the first difference after a bit of a register flips, or `None`.
fn found<M: Built>(visibility: Visibility, register: &str, flip: usize) -> Option<u64> {
    let rtl = M::rtl(visibility).expect("the test has RTL");
    let name = |signal: &RtlSignal| format!("{}.{}", signal.scope, signal.name);
    let signals = rtl.signals();
    let signal = signals.iter().position(|signal| name(signal) == register).expect("both have all registers");
    let bit = flip as u32 % signals[signal].width;
    let rtl = Flipped { rtl, signal, bit, left: flip };
    let mut pair =
        cosim::Lockstep::open(Model::new(M::Device::default()), Box::new(rtl)).expect("it is reset");
    let (mut instants, mut traffic) = (Instants::new(M::Device::CLOCKS), M::traffic(1));
    for _ in 0..flip + WATCHED {
        let edges = instants.next_edges();
        let pins = M::next_pins(&mut traffic, edges, &pair.outputs().clone());
        if pair.step(edges, pins).is_err() {
            return Some(pair.cycle());
        }
    }
    None
}

/// Faults of a device, by visibility.
#[derive(Default)]
struct Tally {
    flips: usize,
    /// Found with both, with full alone, and with lean alone.
    found: [usize; 3],
    /// Found with lean, but in a later cycle.
    later: usize,
    /// Registers whose flip one visibility alone found.
    alone: Vec<String>,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { flips, found: [both, full, lean], later, alone } = self;
        write!(
            f,
            "{flips} flips: {both} found by both, {full} by full alone, {lean} by lean alone, {later} later by lean"
        )?;
        if alone.is_empty() { Ok(()) } else { write!(f, " ({})", alone.join(", ")) }
    }
}

/// Flips a bit of each `FLIPS`-th register: all with `FLIPS=1`.
fn flips<M: Built>() -> Tally {
    let stride = std::env::var("FLIPS").ok().and_then(|stride| stride.parse().ok()).unwrap_or(24);
    let model = Model::new(M::Device::default());
    let registers = model.signals().iter().filter(|signal| matches!(signal.role, SignalRole::Register(_)));
    let count = registers.count();
    let signals = M::rtl(Visibility::Lean).expect("the test has RTL").signals();
    let registers = signals.iter().filter(|signal| signal.depth == 0 && signal.name.ends_with("_q"));
    let mut tally = Tally::default();
    for (number, register) in registers.enumerate().step_by(stride) {
        assert!(number < count, "the RTL has the registers of the model");
        let (name, flip) = (format!("{}.{}", register.scope, register.name), 100 + 7 * number % 200);
        let [full, lean] = [Visibility::Full, Visibility::Lean].map(|seen| found::<M>(seen, &name, flip));
        tally.flips += 1;
        match (full, lean) {
            (Some(full), Some(lean)) => {
                tally.found[0] += 1;
                tally.later += usize::from(lean > full);
            }
            (Some(_), None) => {
                tally.found[1] += 1;
                tally.alone.push(name);
            }
            (None, Some(_)) => {
                tally.found[2] += 1;
                tally.alone.push(name);
            }
            (None, None) => {}
        }
    }
    tally
}

#[test]
fn flipped_registers_are_found_without_the_pins_of_blocks() {
    for name in Name::value_variants() {
        let tally = with_machine!(*name, M => flips::<M>());
        println!("{}: {tally}", name.title());
        assert!(tally.found[0] > 0);
        // Of all registers, a few hold a wrong bit until the next edge of their clock and show it at pins of a block alone.
        if std::env::var_os("FLIPS").is_none() {
            assert_eq!((tally.found[1], tally.later), (0, 0), "{}: {tally}", name.title());
        }
    }
}

/// Each flip inverts the lowest bit of its register in the RTL, and changes no other register.
fn flips_alone<M: Built>(visibility: Visibility) {
    let rtl = M::rtl(visibility).expect("the test has RTL");
    let mut pair = cosim::Lockstep::open(Model::new(M::Device::default()), rtl).expect("it is reset");
    let signals = pair.signals().to_vec();
    let registers = || signals.iter().filter(|signal| matches!(signal.role, SignalRole::Register(_)));
    let values = |pair: &cosim::Lockstep<_>| {
        let mut words = Vec::new();
        pair.sample_rtl(&mut words);
        registers().flat_map(|register| register.words(&words).to_vec()).collect::<Vec<_>>()
    };
    let mut at = 0;
    for (number, register) in registers().enumerate() {
        if number % 5 == 0 {
            let mut expected = values(&pair);
            expected[at] ^= 1;
            let index =
                signals.iter().position(|signal| signal.word == register.word).expect("it is one of them");
            pair.flip(index, 0).expect("the RTL has the register");
            assert!(values(&pair) == expected, "{}.{} of {visibility:?}", register.block, register.name);
        }
        at += hdl::words_for(register.width);
    }
}

#[test]
fn flip_inverts_the_named_register_in_both_visibilities() {
    for name in Name::value_variants() {
        with_machine!(*name, M => flips_alone::<M>(Visibility::Full));
        with_machine!(*name, M => flips_alone::<M>(Visibility::Lean));
    }
}
