//! The machines of this build, generated from devices.toml.

use machine_api::Subject;

use crate::driven::AnyCluster;
use crate::failure::Failure;

mod generated {
    #![allow(dead_code, unexpected_cfgs, reason = "memonet uses all of the tables")]
    include!(concat!(env!("OUT_DIR"), "/machines.rs"));
}
use generated::each_device;

/// A machine of this build.
pub trait Built: Subject {
    /// Opens the RTL of its device after reset.
    #[cfg(feature = "rtl")]
    fn rtl() -> Result<Box<dyn cosim::Simulation>, String>;
}

/// Declares [`Built`] for each machine, [`names`] and [`start`].
macro_rules! declare {
    (() $({ $name:literal, $alias:literal, $rtl:ident, $machine:ident, $type:ident, $summary:literal })*) => {
        $(
            #[cfg(feature = $name)]
            impl Built for $machine::$type {
                #[cfg(feature = "rtl")]
                fn rtl() -> Result<Box<dyn cosim::Simulation>, String> {
                    let opened = rtl::$rtl::open(Self::NAME);
                    Ok(Box::new(opened.map_err(|error| error.to_string())?))
                }
            }
        )*

        /// Names and summaries of the machines.
        pub fn names() -> Vec<(&'static str, &'static str)> {
            vec![$(#[cfg(feature = $name)] ($name, $summary)),*]
        }

        /// Starts a cluster of a machine.
        pub fn start(machine: &str, nodes: usize, nic: &str) -> Result<Box<dyn AnyCluster>, Failure> {
            match machine {
                $(
                    #[cfg(feature = $name)]
                    $name => crate::driven::start::<$machine::$type>(nodes, nic),
                )*
                _ => Err(Failure::Value(format!("there is no machine `{machine}`"))),
            }
        }
    };
}
each_device!([declare]);
