//! The blocks of GigaE PM, each verilated on its own, for lockstep tests of one block at a time.
//!
//! A test has the path of its block; `tests/device` has the device as a whole, `tests/faults`
//! deliberate faults.

use cosim::Stimulus;
use hdl::{Bundle, Clocked, Probe};

verilator::device!();

/// Runs a block in lockstep with its RTL: [`testbench::walk`].
pub fn walk<B>(block: &str, cycles: u64, pins: impl FnMut(&mut Stimulus, &B::Out) -> B::In)
where
    B: Clocked + Probe + Default,
    B::In: Bundle,
    B::Out: Bundle,
{
    testbench::walk::<B, _>(|| crate::open(block).expect("the block is verilated"), block, cycles, pins);
}

/// The number of a session: half of the time one value, otherwise that value with one arbitrary bit
/// inverted.
pub fn epoch(stimulus: &mut Stimulus) -> u16 {
    const EPOCH: u16 = 0xa5c3;
    if stimulus.one_in(2) { EPOCH } else { EPOCH ^ 1 << stimulus.below(16) }
}
