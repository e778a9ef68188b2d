//! A machine as the commands see it.

use cluster::Machine;
use hdl::{Bundle, Device, Package};

use crate::{Driven, Evaluated, Loaded, Messaging, Parallel, Shared, Synthesized, Traced, Working};

/// A machine that can be run, compared, recorded, explained, measured and driven interactively.
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
    /// Name on the command line, and of its folders in rtl, testbench, waveforms and docs.
    const NAME: &'static str;
    /// Tables of its device.
    const PACKAGES: &'static [&'static Package];
}
