//! What a device is given when nobody drives it by a program.

use cluster::{In, Machine, Out};
use hdl::Edges;

/// The pins of a machine's device for the next instant, by what it put out.
pub type NextPins<M> = dyn FnMut(Edges, &Out<M>) -> In<M>;

/// What a device does in a bench.
pub struct Load<M: Machine> {
    /// Name.
    pub name: &'static str,
    /// What it is, for a reader of the numbers.
    pub doc: &'static str,
    /// Its pins.
    pub pins: Box<NextPins<M>>,
    /// They are the same all the time, so that a short piece says all.
    pub steady: bool,
}

impl<M: Machine> Load<M> {
    /// A load that changes all the time.
    pub fn new(
        name: &'static str,
        doc: &'static str,
        pins: impl FnMut(Edges, &Out<M>) -> In<M> + 'static,
    ) -> Self {
        Self { name, doc, pins: Box::new(pins), steady: false }
    }

    /// Clocks and nothing else.
    pub fn idle(pins: In<M>) -> Self
    where
        In<M>: Copy + 'static,
    {
        Self { name: "idle", doc: "clocks and nothing else", pins: Box::new(move |_, _| pins), steady: true }
    }
}

/// A machine whose device can be loaded without a host.
pub trait Loaded: Machine {
    /// Random traffic, sensible and malformed, with random stalls.
    type Traffic;

    /// Registers of the RTL that are not 0 while it resets its machines: block and name.
    const RESETS: &'static [(&'static str, &'static str)];
    /// What random traffic is, for a reader of `memonet lockstep`.
    const TRAFFIC: &'static str;

    /// The traffic of that seed.
    fn traffic(seed: u64) -> Self::Traffic;

    /// The device's pins for the next instant.
    fn next_pins<'a>(traffic: &'a mut Self::Traffic, edges: Edges, out: &Out<Self>) -> &'a In<Self>;

    /// What a bench lets it do, the busiest first.
    fn loads() -> Vec<Load<Self>>;

    /// The pins of a cycle later, if nothing is asked then.
    fn idle_pins(pins: &In<Self>) -> In<Self>;
}
