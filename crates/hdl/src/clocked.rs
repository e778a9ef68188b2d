//! The contract of a block: outputs from registers, one call per clock edge.

/// A synchronous block with one clock.
///
/// Outputs are functions of registers only (Moore), and only `tick` changes registers. A parent reads the
/// outputs of all its children before it ticks them, so the order in which it ticks them does not matter. See
/// docs/decisions/0001-moore-boundaries.md.
pub trait Clocked {
    /// Pins driven from outside, stable until the edge.
    type In;
    /// Pins driven by the block.
    type Out;

    /// The output pins between the last edge and the next one.
    fn outputs(&self) -> Self::Out;

    /// One rising clock edge.
    fn tick(&mut self, pins: &Self::In);

    /// One rising clock edge, skipped if it changes nothing. `asked` says whether any pin requests or answers something
    /// of a block that [waits](Clocked::waits); all pins are computed only if the edge is executed.
    #[inline(always)]
    fn tick_if(&mut self, asked: bool, pins: impl FnOnce() -> Self::In) {
        if asked || !self.waits() {
            self.tick(&pins());
        }
    }

    /// Whether edges change nothing until a pin requests or answers something. A block may wait in the middle of its work,
    /// for instance for memory; it is not quiescent then, because its outputs keep others busy.
    #[inline(always)]
    fn waits(&self) -> bool {
        matches!(self.quiescent(), Quiet::UntilInput)
    }

    /// One rising clock edge with reset asserted: registers take their reset values, memories keep their
    /// contents.
    fn reset(&mut self);

    /// Time for which ticking with idle inputs changes nothing. `Busy` is always a conservative answer.
    fn quiescent(&self) -> Quiet {
        Quiet::Busy
    }

    /// Skips `cycles` edges at once; only called while the block is quiescent for at least that long.
    fn skip(&mut self, cycles: u64) {
        let _ = cycles;
    }
}

/// Time for which a block does not change if its inputs stay idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quiet {
    /// The next edge may change a register.
    Busy,
    /// Nothing changes for this many cycles, except counters that `skip` advances.
    For(u64),
    /// Nothing changes until an input changes.
    UntilInput,
}

impl Quiet {
    /// The shorter of two quiet times: a composite is as quiet as its busiest part.
    #[inline(always)]
    pub fn and(self, other: Quiet) -> Quiet {
        match (self, other) {
            (Quiet::Busy, _) | (_, Quiet::Busy) => Quiet::Busy,
            (Quiet::For(a), Quiet::For(b)) => Quiet::For(a.min(b)),
            (Quiet::For(n), Quiet::UntilInput) | (Quiet::UntilInput, Quiet::For(n)) => Quiet::For(n),
            (Quiet::UntilInput, Quiet::UntilInput) => Quiet::UntilInput,
        }
    }
}
