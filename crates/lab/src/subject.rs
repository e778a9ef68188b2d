//! A machine as commands know it.

use cluster::Machine;
use hdl::{Bundle, Device, Package};

use crate::{Driven, Evaluated, Loaded, Messaging, Parallel, Shared, Synthesized, Traced, Working};

/// A machine that can be run, compared, recorded, explained, measured and driven by hand.
pub trait Subject:
    Machine<Device: Device<In: Bundle, Out: Bundle> + Default>
    + Traced
    + Working
    + Loaded
    + Evaluated
    + Synthesized
    + Messaging
    + Parallel
    + Shared
    + Driven
{
    /// As it is typed, and what its folders are called in rtl, testbench, waveforms and docs.
    const NAME: &'static str;
    /// The tables of its device.
    const PACKAGES: &'static [&'static Package];
}
