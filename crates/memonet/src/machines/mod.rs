//! The machines of this build, generated from devices.toml. Commands select them by name and contain no list
//! of machines.

use clap::ValueEnum;
use machine_api::Subject;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

#[cfg(feature = "tap")]
mod gigae_pm;
#[cfg(feature = "programs")]
mod hca;

#[cfg(feature = "tap")]
pub use gigae_pm::tap;
#[cfg(feature = "programs")]
pub use hca::verbs;

include!(concat!(env!("OUT_DIR"), "/machines.rs"));

/// Declares [`Name`], [`Built`] for each machine, and [`KNOWN`].
macro_rules! declare {
    (() $({ $name:literal, $alias:literal, $rtl:ident, $machine:ident, $type:ident, $summary:literal })*) => {
        /// A machine of this build; names may be typed with `-` instead of `_`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
        #[cfg_attr(feature = "schema", derive(JsonSchema))]
        pub enum Name {
            $(
                #[doc = $summary]
                #[cfg(feature = $name)]
                #[value(name = $name, alias = $alias)]
                #[serde(rename = $name)]
                $type,
            )*
        }

        /// All machines of devices.toml; `true` for those of this build.
        pub const KNOWN: &[(&str, bool)] = &[$(($name, cfg!(feature = $name))),*];

        #[cfg(not(any($(feature = $name),*)))]
        compile_error!(concat!("memonet needs at least one machine: --features" $(, " ", $name)*));

        $(
            #[cfg(feature = $name)]
            impl Built for $machine::$type {
                const WHICH: Name = Name::$type;

                #[cfg(feature = "rtl")]
                fn rtl(visibility: hdl::Visibility) -> anyhow::Result<Box<dyn cosim::Simulation>> {
                    #[cfg(feature = "lean")]
                    if visibility == hdl::Visibility::Lean {
                        return Ok(Box::new(rtl::open_lean(Self::NAME)?));
                    }
                    debug_assert_eq!(visibility, hdl::Visibility::Full, "the only RTL of this build");
                    Ok(Box::new(rtl::$rtl::open(Self::NAME)?))
                }
            }
        )*
    };
}
each_device!([declare]);

/// Evaluates an expression for the machine with a name: `with_machine!(name, M => on::<M>(args))`.
macro_rules! with_machine {
    ($name:expr, $machine:ident => $do:expr) => {
        $crate::machines::each_device!([$crate::machines::select] $name, $machine, $do)
    };
}
pub(crate) use with_machine;

macro_rules! select {
    (
        ($chosen:expr, $M:ident, $do:expr)
        $({ $name:literal, $alias:literal, $rtl:ident, $machine:ident, $type:ident, $summary:literal })*
    ) => {
        match $chosen {
            $(
                #[cfg(feature = $name)]
                $crate::machines::Name::$type => {
                    type $M = $machine::$type;
                    $do
                }
            )*
        }
    };
}
pub(crate) use select;

/// The first machine of the build.
impl Default for Name {
    fn default() -> Self {
        Name::value_variants()[0]
    }
}

/// A machine of this build.
pub trait Built: Subject {
    /// Variant of [`Name`] for this machine.
    const WHICH: Name;

    /// Opens the RTL of its device after reset. Only builds with the feature `lean` have more than one.
    #[cfg(feature = "rtl")]
    fn rtl(visibility: hdl::Visibility) -> anyhow::Result<Box<dyn cosim::Simulation>>;
}

impl Name {
    /// Name of the machine's folders in rtl, testbench and docs, and value of `--machine`.
    pub fn folder(self) -> &'static str {
        with_machine!(self, M => <M as Subject>::NAME)
    }

    /// Title in text: `DIMMnet-2`.
    pub fn title(self) -> &'static str {
        with_machine!(self, M => <M as cluster::Machine>::TITLE)
    }

    /// Test programs that detect faults in its device, the fastest first.
    #[cfg(feature = "rtl_tools")]
    pub fn judges(self) -> impl Iterator<Item = Judge> {
        JUDGES.iter().filter(move |(name, _)| *name == self.folder()).map(|(_, judge)| *judge)
    }
}

/// A test program by its Cargo names.
#[cfg(feature = "rtl_tools")]
#[derive(Clone, Copy, Debug)]
pub struct Judge {
    /// Package of the program.
    pub package: &'static str,
    /// Name of the integration test; `None` for the tests of the library.
    pub test: Option<&'static str>,
    /// Words of test names: only tests whose names contain one of them run; empty for all tests.
    pub only: &'static [&'static str],
}

/// Command that prints the report of this kind; devices.toml has those that name a machine.
#[cfg(feature = "schema")]
pub fn report_example(report: &str) -> &'static str {
    REPORTS.iter().find(|(name, _)| *name == report).map_or("", |(_, command)| command)
}

/// Examples of a command on the machines of this build.
pub fn examples(command: &str) -> impl Iterator<Item = &'static str> {
    let built = EXAMPLES.iter().filter(|(name, _)| KNOWN.contains(&(name, true)));
    built.map(|(_, line)| *line).filter(move |line| line.split(' ').nth(1) == Some(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_select_their_machines() {
        for name in Name::value_variants() {
            with_machine!(*name, M => assert_eq!(<M as Built>::WHICH, *name));
            let typed = name.to_possible_value().expect("no machine is hidden");
            assert_eq!(typed.get_name(), name.folder());
        }
    }
}
