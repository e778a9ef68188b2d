//! A device in Rust behind the pins of a [`Nic`].

use crate::{Edges, Nic, NicError, Probe, Quiet, Signal, Visitor, memories, sample, signals};

/// A device written in Rust: its blocks and the wires between them.
pub trait Device: Probe {
    /// Input pins.
    type In;
    /// Output pins.
    type Out;

    /// The output pins between the last edge and the next one.
    fn outputs(&self) -> Self::Out;

    /// The clocks in `edges` rise at the same instant.
    fn edge(&mut self, edges: Edges, pins: &Self::In);

    /// Whether input pins ask for nothing: a quiescent device with idle pins does not change.
    fn idle(&self, pins: &Self::In) -> bool;

    /// Whether ticking with idle pins can change anything, other than what [`Device::skip`] makes up for.
    fn quiescent(&self) -> Quiet;

    /// Whether edges of the network clock alone, with idle pins, change nothing until the core clock rises. `false` is always a
    /// safe answer.
    fn network_quiescent(&self) -> bool {
        false
    }

    /// Lets so many edges pass at once; only called while quiescent for at least that long.
    fn skip(&mut self, core_edges: u64, network_edges: u64) {
        let _ = (core_edges, network_edges);
    }
}

/// Edges that are walked, though perhaps for nothing, before a busy device is asked again whether it is at rest.
const PATIENCE: u8 = 15;

/// A [`Device`] as a [`Nic`].
///
/// While the device is quiescent and its pins are idle, edges cost a comparison; lockstep runs with the
/// RTL show that nothing is missed.
#[derive(Clone, Debug)]
pub struct Model<D: Device> {
    device: D,
    outputs: D::Out,
    /// The device is known to be quiescent until an input changes; it is asked only when its pins are idle.
    at_rest: bool,
    /// Edges until it is asked again: the answer of a busy device takes time and rarely changes soon.
    patience: u8,
    signals: Vec<Signal>,
}

impl<D: Device> Model<D> {
    /// A device out of reset.
    pub fn new(device: D) -> Self {
        Self { outputs: device.outputs(), at_rest: false, patience: 0, signals: signals(&device), device }
    }

    /// The device, to look into it.
    pub fn device(&self) -> &D {
        &self.device
    }
}

impl<D: Device> Nic for Model<D> {
    type In = D::In;
    type Out = D::Out;

    #[inline]
    fn outputs(&self) -> &D::Out {
        &self.outputs
    }

    #[inline]
    fn edge(&mut self, edges: Edges, pins: &D::In) -> Result<(), NicError> {
        if self.patience > 0 {
            self.patience -= 1;
        } else if self.device.idle(pins) {
            if self.at_rest || self.device.quiescent() == Quiet::UntilInput {
                self.at_rest = true;
                return Ok(());
            }
            self.patience = PATIENCE;
        }
        self.at_rest = false;
        self.device.edge(edges, pins);
        self.outputs = self.device.outputs();
        Ok(())
    }

    fn quiescent(&self) -> Quiet {
        if self.at_rest { Quiet::UntilInput } else { self.device.quiescent() }
    }

    fn network_quiescent(&self) -> bool {
        self.at_rest || self.device.network_quiescent()
    }

    fn skip(&mut self, core_edges: u64, network_edges: u64) {
        if !self.at_rest {
            self.device.skip(core_edges, network_edges);
            self.outputs = self.device.outputs();
        }
    }

    fn signals(&self) -> &[Signal] {
        &self.signals
    }

    fn sample(&self, words: &mut Vec<u64>) {
        sample(&self.device, words);
    }

    fn memories(&self, words: &mut Vec<u64>) {
        memories(&self.device, words);
    }
}

impl<D: Device> Probe for Model<D> {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        self.device.probe(visitor);
    }
}
