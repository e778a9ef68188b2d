//! Hardware cost of a device: assignment of blocks to published modules, and published sizes.

use cluster::Machine;

/// A machine with a synthesizable device.
pub trait Synthesized: Machine {
    /// Rows of the device's table.
    const SYNTHESIS: Synthesis;
}

/// Table of a device's hardware cost.
#[derive(Clone, Copy, Debug)]
pub struct Synthesis {
    /// Text above the table.
    pub about: &'static str,
    /// Rows in the order of the table.
    pub modules: &'static [Module],
}

/// A row of the table: a module of the publication or of this project.
#[derive(Clone, Copy, Debug)]
pub struct Module {
    /// Name in the table.
    pub name: &'static str,
    /// Our blocks with this function, with the number of instances.
    pub modules: &'static [(&'static str, u64)],
    /// Slices and block RAMs, if they are published.
    pub published: Option<(u64, u64)>,
    /// Clock rates in MHz, if they are published.
    pub published_mhz: &'static [f64],
    /// Cause of differences.
    pub remark: &'static str,
}
