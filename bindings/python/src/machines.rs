//! The machines of this build, generated from devices.toml.

#[cfg(feature = "rtl")]
use machine_api::Subject;

use crate::any::{AnyCluster, Opening};
use crate::built::Built;
use crate::failure::Failure;

mod generated {
    #![allow(dead_code, unexpected_cfgs, reason = "memonet uses all of the tables")]
    include!(concat!(env!("OUT_DIR"), "/machines.rs"));
}
use generated::each_device;

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

        /// Selects the machine by its name; `memonet.Cluster` has checked the name.
        pub fn start(machine: &str, opening: &Opening) -> Result<Box<dyn AnyCluster>, Failure> {
            match machine {
                $(
                    #[cfg(feature = $name)]
                    $name => crate::driven::start::<$machine::$type>(opening),
                )*
                _ => Err(Failure::Value(format!("there is no machine `{machine}`"))),
            }
        }
    };
}
each_device!([declare]);
