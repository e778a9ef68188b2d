//! Random pins for one block: every register and pin compared on every cycle, every arc walked.

use cosim::{BlockPair, Stimulus};
use hdl::{Bundle, Clocked, Probe};

/// Runs a block under pins that `pins` draws, with a reset now and then.
///
/// # Panics
/// If block and RTL differ, if an undeclared arc is walked, or if a declared one is not.
pub fn walk<B>(block: &str, cycles: u64, mut pins: impl FnMut(&mut Stimulus, &B::Out) -> B::In)
where
    B: Clocked + Probe + Default,
    B::In: Bundle,
    B::Out: Bundle,
{
    for seed in testbench::seeds() {
        let rtl = hca_rtl::open(block).expect("the block is verilated");
        let mut pair: BlockPair<B> = testbench::pair(rtl, seed, &format!("{block}_matches"));
        let mut stimulus = Stimulus::new(seed);
        for _ in 0..cycles {
            let pins = pins(&mut stimulus, hdl::Nic::outputs(&pair));
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(10_000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
    }
}
