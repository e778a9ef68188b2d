//! Stimulus of a device that is not driven by a program.

use cluster::{In, Machine, Out};
use hdl::Edges;

/// Computes the input pins of a machine's device for the next instant from its output pins.
pub type NextPins<M> = dyn FnMut(Edges, &Out<M>) -> In<M>;

/// A load of a device in a benchmark.
pub struct Load<M: Machine> {
    /// Name in reports.
    pub name: &'static str,
    /// Description for readers of the results.
    pub doc: &'static str,
    /// Computes the input pins.
    pub pins: Box<NextPins<M>>,
    /// Whether the input pins are constant, so that a short measurement suffices.
    pub steady: bool,
}

impl<M: Machine> Load<M> {
    /// A load with changing pins.
    pub fn new(
        name: &'static str,
        doc: &'static str,
        pins: impl FnMut(Edges, &Out<M>) -> In<M> + 'static,
    ) -> Self {
        Self { name, doc, pins: Box::new(pins), steady: false }
    }

    /// A load of clocks only.
    pub fn idle(pins: In<M>) -> Self
    where
        In<M>: Copy + 'static,
    {
        Self { name: "idle", doc: "clocks and nothing else", pins: Box::new(move |_, _| pins), steady: true }
    }
}

/// A machine whose device can be driven without a host.
pub trait Loaded: Machine {
    /// State of random traffic: valid and malformed, with random stalls.
    type Traffic;

    /// RTL registers that are nonzero during reset: block and name.
    const RESETS: &'static [(&'static str, &'static str)];
    /// Description of random traffic for readers of `memonet lockstep`.
    const TRAFFIC: &'static str;

    /// Random traffic of this seed.
    fn traffic(seed: u64) -> Self::Traffic;

    /// Input pins of the device for the next instant.
    fn next_pins<'a>(traffic: &'a mut Self::Traffic, edges: Edges, out: &Out<Self>) -> &'a In<Self>;

    /// Loads of benchmarks, the busiest first.
    fn loads() -> Vec<Load<Self>>;

    /// Input pins of the following cycle without a request.
    fn idle_pins(pins: &In<Self>) -> In<Self>;
}
