//! What a device costs in hardware: whose work is whose, and what the original cost.

use cluster::Machine;

/// A machine whose device is hardware that can be made.
pub trait Synthesized: Machine {
    /// What it costs.
    const SYNTHESIS: Synthesis;
}

/// The rows of a device's table.
#[derive(Clone, Copy, Debug)]
pub struct Synthesis {
    /// What is said above the table.
    pub about: &'static str,
    /// Its rows.
    pub modules: &'static [Module],
}

/// A row of the table: a module of the publication, or of ours.
#[derive(Clone, Copy, Debug)]
pub struct Module {
    /// Its name.
    pub name: &'static str,
    /// The blocks of ours that do its work, each as often as it is there.
    pub modules: &'static [(&'static str, u64)],
    /// Slices and block RAMs, where they are published.
    pub published: Option<(u64, u64)>,
    /// MHz of its clocks, where they are published.
    pub published_mhz: &'static [f64],
    /// Why ours differs.
    pub remark: &'static str,
}
