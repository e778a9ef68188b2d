//! Shared parts of the lockstep tests of all devices: seeds, commands that repeat a failure, and assertions of the RTL.

pub mod assertions;
#[cfg(feature = "shrinking")]
pub mod shrinking;
pub mod twins;

use cosim::{BlockPair, Simulation, Stimulus};
use hdl::fresh::Unmet;
use hdl::{Bundle, Clocked, Nic, Probe};

/// Seeds of a test: those of the variable `SEED`, otherwise one. `make soak` sets many.
pub fn seeds() -> Vec<u64> {
    given_seeds().unwrap_or_else(|| vec![1])
}

/// Seeds of a test that reaches all its cases only with several: those of the variable `SEED`, otherwise three.
pub fn several_seeds() -> Vec<u64> {
    given_seeds().unwrap_or_else(|| vec![1, 2, 3])
}

fn given_seeds() -> Option<Vec<u64>> {
    let text = std::env::var("SEED").ok()?;
    Some(text.split(',').map(|seed| seed.trim().parse().expect("SEED holds numbers")).collect())
}

/// The command that repeats a test of the running package with one seed.
pub fn replay(seed: u64, test: &str) -> String {
    // Cargo sets the variable for tests.
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "testbench_DEVICE".into());
    format!("SEED={seed} cargo test -p {package} {test}")
}

/// Pairs the model of a block with its RTL.
///
/// # Panics
/// If registers or pins of the two do not correspond.
pub fn pair<B>(rtl: impl Simulation + 'static, seed: u64, test: &str) -> BlockPair<B>
where
    B: Clocked + Probe + Default,
    B::In: Bundle,
    B::Out: Bundle,
{
    let pair = BlockPair::open_block(Box::new(rtl)).unwrap_or_else(|error| panic!("{error}"));
    pair.replay(seed, replay(seed, test))
}

/// Runs a block in lockstep with its RTL under random pins: compares every register and pin on every cycle, and requires
/// every arc to be walked. Random resets occur in the first half only, so that counters reach high values in the second.
/// Each register holds a value other than its reset value at one reset at least.
///
/// # Panics
/// If block and RTL differ, if an undeclared arc is walked, or if a declared one is not.
pub fn walk<B, S: Simulation + 'static>(
    open: impl Fn() -> S,
    block: &str,
    cycles: u64,
    mut pins: impl FnMut(&mut Stimulus, &B::Out) -> B::In,
) where
    B: Clocked + Probe + Default,
    B::In: Bundle,
    B::Out: Bundle,
{
    for seed in seeds() {
        let mut pair: BlockPair<B> = pair(open(), seed, &format!("{block}_matches"));
        let mut stimulus = Stimulus::new(seed);
        let mut unmet = Unmet::of(&B::default());
        for cycle in 0..cycles {
            let pins = pins(&mut stimulus, pair.outputs());
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            let now_and_then = cycle < cycles / 2 && stimulus.one_in(10_000);
            if now_and_then || unmet.meets(pair.model().block()) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
    }
}
