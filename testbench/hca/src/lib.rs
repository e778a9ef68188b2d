//! The blocks of the channel adapter, each verilated on its own, for lockstep tests of one block at a time.
//!
//! A test has the path of its block; `tests/device` tests the whole device, `tests/faults` deliberate faults.

pub mod stimulus;

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
