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
    /// Tests that know what its device should do, the quickest first; lockstep is not among them.
    const JUDGES: &'static [Judge];
}

/// A test program, by the names that Cargo knows.
#[derive(Clone, Copy, Debug)]
pub struct Judge {
    /// Whose it is.
    pub package: &'static str,
    /// Its name; none for the tests within the library.
    pub test: Option<&'static str>,
    /// Words of the names of those of its tests that count; all of them count if there are none.
    pub only: &'static [&'static str],
}
