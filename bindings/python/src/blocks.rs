//! The blocks of the machines of this build, generated from the sources of the devices.

use cosim::Simulation;

use crate::block::{AnyBlock, open as open_as};
use crate::failure::Failure;

/// Declares [`names`] and [`open`].
macro_rules! blocks {
    ($($machine:literal { $($name:literal $type:path;)* })*) => {
        /// Machine and name of every block.
        pub fn names() -> Vec<(&'static str, &'static str)> {
            let mut all = Vec::new();
            $(
                #[cfg(feature = $machine)]
                all.extend([$(($machine, $name)),*]);
            )*
            all
        }

        /// Opens a block; `memonet.Block` has checked the names. `rtl` is the block of the RTL, which may have a
        /// deliberate fault.
        pub fn open(machine: &str, name: &str, nic: &str, rtl: &str) -> Result<Box<dyn AnyBlock>, Failure> {
            let rtl = if nic == "model" { None } else { Some(simulation(machine, rtl)?) };
            let lockstep = nic == "lockstep";
            match (machine, name) {
                $($(
                    #[cfg(feature = $machine)]
                    ($machine, $name) => open_as::<$type>(lockstep, rtl),
                )*)*
                _ => Err(Failure::Value(format!("{machine} has no block `{name}`"))),
            }
        }
    };
}

/// Declares [`simulation`] and [`all_rtl`].
macro_rules! testbenches {
    ($($machine:literal $testbench:ident;)*) => {
        /// The RTL of a block.
        #[cfg_attr(not(feature = "rtl"), expect(unused_variables, reason = "there are models alone"))]
        fn simulation(machine: &str, rtl: &str) -> Result<Box<dyn Simulation>, Failure> {
            match machine {
                $(
                    #[cfg(all(feature = "rtl", feature = $machine))]
                    $machine => {
                        let opened = $testbench::open(rtl);
                        Ok(Box::new(opened.map_err(|error| Failure::Failed(error.to_string()))?))
                    }
                )*
                _ => Err(Failure::Value(format!("the package has no RTL of single blocks of {machine}"))),
            }
        }

        /// Machine and name of the RTL of every block.
        fn all_rtl() -> Vec<(&'static str, &'static str)> {
            #[cfg_attr(not(feature = "rtl"), expect(unused_mut, reason = "there are models alone"))]
            let mut all = Vec::new();
            $(
                #[cfg(all(feature = "rtl", feature = $machine))]
                all.extend($testbench::blocks().map(|name| ($machine, name)));
            )*
            all
        }
    };
}
include!(concat!(env!("OUT_DIR"), "/blocks.rs"));

/// Machine and name of every RTL of a block that has a deliberate fault.
pub fn faults() -> Vec<(&'static str, &'static str)> {
    all_rtl().into_iter().filter(|(_, name)| !MODULES.contains(name)).collect()
}
