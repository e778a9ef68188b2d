//! A machine as commands know it.

use cluster::Machine;
use hdl::{Bundle, Device};

use crate::{Driven, Evaluated, Loaded, Messaging, Parallel, Traced, Working};

/// A machine that can be run, compared, recorded, explained, measured and driven by hand.
pub trait Subject:
    Machine<Device: Device<In: Bundle, Out: Bundle> + Default>
    + Traced
    + Working
    + Loaded
    + Evaluated
    + Messaging
    + Parallel
    + Driven
{
    /// As it is typed, and what its folders are called in rtl, testbench, waveforms and docs.
    const NAME: &'static str;
}
