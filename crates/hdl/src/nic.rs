//! A network interface as its surroundings see it: pins and clock edges.
//!
//! A device has three implementations: the Rust model, the Verilated RTL, and the two in lockstep.
//! Whatever drives a device takes any of them.

use crate::{Quiet, Signal};

/// Which clocks of the device rise at this instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edges {
    /// The clock of the core and of the host side, `clk_i`.
    pub core: bool,
    /// The clock of the network side, `network_clk_i`.
    pub network: bool,
}

impl Edges {
    /// The core clock alone.
    pub const CORE: Self = Self { core: true, network: false };
    /// The network clock alone.
    pub const NETWORK: Self = Self { core: false, network: true };
    /// Both clocks.
    pub const BOTH: Self = Self { core: true, network: true };

    /// Bit 0 the core clock, bit 1 the network clock.
    #[inline(always)]
    pub const fn bits(self) -> u8 {
        self.core as u8 | (self.network as u8) << 1
    }

    /// Whether a clock of `self` rises with `edges`.
    #[inline(always)]
    pub const fn meets(self, edges: Edges) -> bool {
        self.core && edges.core || self.network && edges.network
    }
}

/// Why a device cannot go on. A model never fails; a lockstep pair fails when the two differ.
pub type NicError = Box<dyn std::error::Error + Send + Sync>;

/// A device behind its pins.
///
/// Outputs depend on registers only and stay the same from one edge to the next.
pub trait Nic {
    /// Input pins.
    type In;
    /// Output pins.
    type Out;

    /// The output pins between the last edge and the next one.
    fn outputs(&self) -> &Self::Out;

    /// The clocks in `edges` rise at the same instant, with `pins` stable around it.
    fn edge(&mut self, edges: Edges, pins: &Self::In) -> Result<(), NicError>;

    /// Whether edges with idle inputs can change anything. RTL always answers `Busy`.
    fn quiescent(&self) -> Quiet {
        Quiet::Busy
    }

    /// Whether edges of the network clock alone, with idle inputs, change nothing until the core clock rises. RTL always
    /// answers `false`.
    fn network_quiescent(&self) -> bool {
        false
    }

    /// Lets time pass at once; only called while quiescent for at least that long.
    fn skip(&mut self, core_edges: u64, network_edges: u64) {
        let _ = (core_edges, network_edges);
    }

    /// Every register and all pins, in the order of [`Nic::sample`].
    fn signals(&self) -> &[Signal];

    /// Appends the present values of all signals.
    fn sample(&self, words: &mut Vec<u64>);

    /// Appends the contents of all memories.
    fn memories(&self, words: &mut Vec<u64>);

    /// What is not checked on every edge, for the end of a run: a lockstep pair lets its RTL catch up, and compares
    /// the memories.
    fn check(&mut self) -> Result<(), NicError> {
        Ok(())
    }
}
