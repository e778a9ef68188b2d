//! Property-based lockstep: proptest drives the pins of a block or of a whole device, and shrinks what diverges to the
//! fewest cycles and pins.

use cosim::{BlockPair, Divergence, Lockstep, LockstepError, Simulation};
use hdl::{Bits, Bundle, BundleTable, Clocked, Device, Instants, Kind, Model, Nic, Probe, words_for};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};

/// Pins of a cycle that are not 0: name and value.
pub type Cycle = Vec<(String, u64)>;

/// The shortest input that was found for a divergence.
#[derive(Debug)]
pub struct Shrunk {
    /// Pins of each cycle.
    pub cycles: Vec<Cycle>,
    /// The divergence that they cause, with the path of its waves.
    pub divergence: Box<Divergence>,
}

/// An input pin: at most 64 bits of it.
struct Pin {
    name: String,
    low: u32,
    width: u32,
    /// Largest value.
    most: u64,
}

/// Looks for a divergence of a block with up to `cycles` cycles, in as many `cases`. The cases are the same each time.
///
/// # Panics
/// If registers or pins of block and RTL do not correspond.
pub fn of_block<B, S: Simulation + 'static>(open: impl Fn() -> S, cycles: usize, cases: u32) -> Option<Shrunk>
where
    B: Clocked + Probe + Default,
    B::In: Bundle,
    B::Out: Bundle,
{
    search::<B::In>(cycles, cases, |inputs| {
        let pair = BlockPair::<B>::open_block(Box::new(open())).unwrap_or_else(|error| panic!("{error}"));
        let mut pair = pair.replay(0, "the cycles above");
        inputs.iter().find_map(|pins| pair.tick(pins).err())
    })
}

/// Looks for a divergence of a whole device. A cycle is an instant at which one of its clocks rises.
///
/// # Panics
/// If registers or pins of model and RTL do not correspond.
pub fn of_device<D, S: Simulation + 'static>(
    open: impl Fn() -> S,
    cycles: usize,
    cases: u32,
) -> Option<Shrunk>
where
    D: Device + Default + 'static,
    D::In: Bundle,
    D::Out: Bundle,
{
    search::<D::In>(cycles, cases, |inputs| {
        let opened = Lockstep::open(Model::new(D::default()), Box::new(open()));
        let mut pair = opened.unwrap_or_else(|error| panic!("{error}")).replay(0, "the cycles above");
        let mut instants = Instants::new(D::CLOCKS);
        inputs.iter().find_map(|pins| {
            let error = pair.edge(instants.next_edges(), pins).and_then(|()| pair.check()).err()?;
            Some(*error.downcast::<LockstepError>().unwrap_or_else(|error| panic!("{error}")))
        })
    })
}

/// Assertions of the RTL state what neighbours never do. Random pins do it, so such a stop is no divergence.
fn search<I: Bundle>(
    cycles: usize,
    cases: u32,
    run: impl Fn(&[I]) -> Option<LockstepError>,
) -> Option<Shrunk> {
    let mut pins = Vec::new();
    collect(I::TABLE, "", 0, &mut pins);
    let diverges = |inputs: &[Vec<(usize, u64)>]| {
        let packed: Vec<I> = inputs.iter().map(|cycle| pack(&pins, cycle)).collect();
        match run(&packed) {
            Some(LockstepError::Divergence(divergence)) => Some(divergence),
            Some(LockstepError::Stopped(_)) | None => None,
        }
    };
    let pin = (0..pins.len(), prop_oneof![any::<u64>(), 0..16_u64]);
    let inputs = vec(vec(pin, 0..=6), 1..=cycles);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 10_000, ..Config::default() };
    let found = TestRunner::new_with_rng(config, rng()).run(&inputs, |inputs| match diverges(&inputs) {
        Some(_) => Err(TestCaseError::fail("model and RTL differ")),
        None => Ok(()),
    });
    match found {
        Ok(()) => None,
        Err(TestError::Abort(reason)) => panic!("{reason}"),
        Err(TestError::Fail(_, shortest)) => {
            let divergence = diverges(&shortest).expect("a run is the same each time");
            Some(Shrunk { cycles: shortest.iter().map(|cycle| named(&pins, cycle)).collect(), divergence })
        }
    }
}

fn rng() -> proptest::test_runner::TestRng {
    proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha)
}

fn collect(table: &'static BundleTable, before: &str, at: u32, pins: &mut Vec<Pin>) {
    for field in table.fields {
        let (name, low) = (format!("{before}{}", field.name), at + field.offset);
        if let Kind::Bundle(inner) = field.kind {
            collect(inner, &format!("{name}."), low, pins);
            continue;
        }
        for part in (0..field.width).step_by(64) {
            let width = (field.width - part).min(64);
            let most = match field.kind {
                Kind::StateMachine(machine) => machine.states.len() as u64 - 1,
                _ => u64::MAX >> (64 - width),
            };
            let name = if part == 0 { name.clone() } else { format!("{name}[{part}..]") };
            pins.push(Pin { name, low: low + part, width, most });
        }
    }
}

/// Later values of a pin replace earlier ones.
fn pack<I: Bits>(pins: &[Pin], cycle: &[(usize, u64)]) -> I {
    let mut words = vec![0; words_for(I::WIDTH).max(1)];
    for (pin, value) in cycle {
        let Pin { low, width, most, .. } = pins[*pin];
        fit(*value, most).put(&mut words, low, width);
    }
    I::take(&words, 0, I::WIDTH)
}

/// The value, within the pin.
fn fit(value: u64, most: u64) -> u64 {
    if most == u64::MAX { value } else { value % (most + 1) }
}

fn named(pins: &[Pin], cycle: &[(usize, u64)]) -> Cycle {
    cycle.iter().map(|(pin, value)| (pins[*pin].name.clone(), fit(*value, pins[*pin].most))).collect()
}
