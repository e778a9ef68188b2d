//! What the lockstep tests of all devices share: seeds, how a failure says to repeat itself, and assertions of the RTL.

pub mod assertions;

use cosim::{BlockPair, Simulation};
use hdl::{Bundle, Clocked, Probe};

/// Seeds of a test: those of the variable `SEED`, else three fixed ones.
pub fn seeds() -> Vec<u64> {
    match std::env::var("SEED") {
        Ok(text) => text.split(',').map(|seed| seed.trim().parse().expect("SEED holds numbers")).collect(),
        Err(_) => vec![1, 2, 3],
    }
}

/// A block beside its RTL, or the reason why not, as a panic.
pub fn pair<B>(rtl: impl Simulation + 'static, seed: u64, test: &str) -> BlockPair<B>
where
    B: Clocked + Probe + Default,
    B::In: Bundle,
    B::Out: Bundle,
{
    let pair = BlockPair::open_block(Box::new(rtl)).unwrap_or_else(|error| panic!("{error}"));
    pair.replay(seed, format!("SEED={seed} cargo test -p testbench {test}"))
}
