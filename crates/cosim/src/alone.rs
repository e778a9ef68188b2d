//! One block as a device of its own.

use hdl::{Bundle, Clocked, Edges, Nic, NicError, Probe, Quiet, Signal, Visitor};

use crate::{Lockstep, LockstepError, OpenError, Simulation};

/// A block whose pins are the pins of a device with one clock.
#[derive(Clone, Debug)]
pub struct Alone<B: Clocked> {
    block: B,
    outputs: B::Out,
    signals: Vec<Signal>,
}

impl<B: Clocked + Probe> Alone<B> {
    /// The block as it is.
    pub fn new(block: B) -> Self {
        Self { outputs: block.outputs(), signals: hdl::signals(&block), block }
    }

    /// The block.
    pub fn block(&self) -> &B {
        &self.block
    }

    /// One clock edge under reset.
    pub fn reset(&mut self) {
        self.block.reset();
        self.outputs = self.block.outputs();
    }
}

impl<B: Clocked + Probe> Nic for Alone<B> {
    type In = B::In;
    type Out = B::Out;

    fn outputs(&self) -> &B::Out {
        &self.outputs
    }

    #[inline]
    fn edge(&mut self, edges: Edges, pins: &B::In) -> Result<(), NicError> {
        if edges.core {
            self.block.tick(pins);
            self.outputs = self.block.outputs();
        }
        Ok(())
    }

    fn quiescent(&self) -> Quiet {
        self.block.quiescent()
    }

    fn skip(&mut self, core_edges: u64, _network_edges: u64) {
        self.block.skip(core_edges);
        self.outputs = self.block.outputs();
    }

    fn signals(&self) -> &[Signal] {
        &self.signals
    }

    #[inline]
    fn sample(&self, words: &mut Vec<u64>) {
        hdl::sample(&self.block, words);
    }

    fn memories(&self, words: &mut Vec<u64>) {
        hdl::memories(&self.block, words);
    }
}

impl<B: Clocked + Probe> Probe for Alone<B> {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        self.block.probe(visitor);
    }
}

/// A block and its RTL alone, in lockstep.
pub type BlockPair<B> = Lockstep<Alone<B>>;

impl<B> BlockPair<B>
where
    B: Clocked + Probe + Default,
    B::In: Bundle,
    B::Out: Bundle,
{
    /// The block after reset beside its RTL.
    pub fn open_block(rtl: Box<dyn Simulation>) -> Result<Self, OpenError> {
        Self::open(Alone::new(B::default()), rtl)
    }

    /// One clock edge.
    #[inline]
    pub fn tick(&mut self, pins: &B::In) -> Result<(), LockstepError> {
        self.step(Edges { core: true, network: false }, pins)
    }

    /// One clock edge under reset.
    pub fn reset(&mut self) -> Result<(), OpenError> {
        self.model.reset();
        self.reset_rtl()
    }
}
