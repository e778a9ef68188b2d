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
    /// Tests of the device's behaviour, fastest first, without lockstep.
    const JUDGES: &'static [Judge];
}

/// A test program by its Cargo names.
#[derive(Clone, Copy, Debug)]
pub struct Judge {
    /// Package with the tests.
    pub package: &'static str,
    /// Name of the test target; `None` for the unit tests of the library.
    pub test: Option<&'static str>,
    /// Filters of test names; empty for all tests.
    pub only: &'static [&'static str],
}
