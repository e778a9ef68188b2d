//! Random pins for one block of the device.

use cosim::Stimulus;
use hdl::{Bundle, Clocked, Probe};

/// Runs a block beside its RTL: [`testbench::walk`].
pub fn walk<B>(block: &str, cycles: u64, pins: impl FnMut(&mut Stimulus, &B::Out) -> B::In)
where
    B: Clocked + Probe + Default,
    B::In: Bundle,
    B::Out: Bundle,
{
    testbench::walk::<B, _>(
        || gigae_pm_rtl::open(block).expect("the block is verilated"),
        block,
        cycles,
        pins,
    );
}

/// The number of a session: one that is the same half of the time, and otherwise differs from it in one bit, any of them.
pub fn epoch(stimulus: &mut Stimulus) -> u16 {
    const EPOCH: u16 = 0xa5c3;
    if stimulus.one_in(2) { EPOCH } else { EPOCH ^ 1 << stimulus.below(16) }
}
