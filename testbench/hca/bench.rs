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
    testbench::walk::<B, _>(|| hca_rtl::open(block).expect("the block is verilated"), block, cycles, pins);
}
