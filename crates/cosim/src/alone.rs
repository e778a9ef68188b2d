//! Adapter that makes one block a device of its own.

use hdl::{Bundle, Clock, Clocked, Edges, Nic, NicError, Probe, Quiet, Signal, Visitor};

use crate::{Lockstep, LockstepError, OpenError, Simulation};

/// The clock of a block on its own. Its edges are counted; its period is irrelevant.
static CLOCKS: [Clock; 1] =
    [Clock { name: "core", port: "clk_i", period_ps: 10_000, doc: "All of the block; our choice." }];

/// A block as a device with one clock; its pins are the device's pins.
#[derive(Clone, Debug)]
pub struct Alone<B: Clocked> {
    block: B,
    outputs: B::Out,
    signals: Vec<Signal>,
}

impl<B: Clocked + Probe> Alone<B> {
    /// Wraps the block in its present state.
    pub fn new(block: B) -> Self {
        Self { outputs: block.outputs(), signals: hdl::signals(&block), block }
    }

    /// The wrapped block.
    pub fn block(&self) -> &B {
        &self.block
    }

    /// A clock edge during reset.
    pub fn reset(&mut self) {
        self.block.reset();
        self.outputs = self.block.outputs();
    }
}

impl<B: Clocked + Probe> Nic for Alone<B> {
    type In = B::In;
    type Out = B::Out;

    fn clocks(&self) -> &'static [Clock] {
        &CLOCKS
    }

    fn outputs(&self) -> &B::Out {
        &self.outputs
    }

    #[inline]
    fn edge(&mut self, edges: Edges, pins: &B::In) -> Result<(), NicError> {
        if edges.meets(Edges::FIRST) {
            self.block.tick(pins);
            self.outputs = self.block.outputs();
        }
        Ok(())
    }

    fn quiescent(&self) -> Quiet {
        self.block.quiescent()
    }

    fn skip(&mut self, edges: &[u64]) {
        self.block.skip(edges[0]);
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

hdl::observed!(for<B: Clocked + Probe> Alone<B>, CLOCKS.len());

impl<B: Clocked + Probe> Probe for Alone<B> {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        self.block.probe(visitor);
    }
}

/// A block on its own and its RTL, in lockstep.
pub type BlockPair<B> = Lockstep<Alone<B>>;

impl<B> BlockPair<B>
where
    B: Clocked + Probe + Default,
    B::In: Bundle,
    B::Out: Bundle,
{
    /// Pairs a freshly reset block with its RTL.
    pub fn open_block(rtl: Box<dyn Simulation>) -> Result<Self, OpenError> {
        Self::open(Alone::new(B::default()), rtl)
    }

    /// One clock edge.
    #[inline]
    pub fn tick(&mut self, pins: &B::In) -> Result<(), LockstepError> {
        self.step(Edges::FIRST, pins)
    }

    /// A clock edge during reset.
    pub fn reset(&mut self) -> Result<(), OpenError> {
        self.model.reset();
        self.reset_rtl()
    }
}
