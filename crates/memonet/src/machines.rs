//! The one list of machines: a command reaches them through it and names none of them.

use clap::ValueEnum;
use lab::Subject;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

#[cfg(feature = "check")]
use crate::check;

/// A machine of this build by its name, in which `-` is as good as `_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
#[clap(rename_all = "snake_case")]
pub enum Name {
    /// DIMMnet-2, in a memory slot.
    #[cfg(feature = "dimmnet2")]
    Dimmnet2,
    /// GigaE PM, messages on Gigabit Ethernet.
    #[cfg(feature = "gigae_pm")]
    #[value(alias = "gigae-pm")]
    GigaePm,
    /// Cenju-3, MPI/DE on a multistage network.
    #[cfg(feature = "cenju3")]
    Cenju3,
    /// An InfiniBand channel adapter, verbs on PCI-X.
    #[cfg(feature = "hca")]
    Hca,
}

#[cfg(not(any(feature = "dimmnet2", feature = "gigae_pm", feature = "cenju3", feature = "hca")))]
compile_error!("memonet needs at least one machine: --features dimmnet2, gigae_pm, cenju3 or hca");

/// Does something with the machine of a name: `with_machine!(name, M => on::<M>(args))`.
macro_rules! with_machine {
    ($name:expr, $machine:ident => $do:expr) => {
        match $name {
            #[cfg(feature = "dimmnet2")]
            $crate::machines::Name::Dimmnet2 => {
                type $machine = dimmnet2_machine::Dimmnet2;
                $do
            }
            #[cfg(feature = "gigae_pm")]
            $crate::machines::Name::GigaePm => {
                type $machine = gigae_pm_machine::GigaePm;
                $do
            }
            #[cfg(feature = "cenju3")]
            $crate::machines::Name::Cenju3 => {
                type $machine = cenju3_machine::Cenju3;
                $do
            }
            #[cfg(feature = "hca")]
            $crate::machines::Name::Hca => {
                type $machine = hca_machine::Hca;
                $do
            }
        }
    };
}
pub(crate) use with_machine;

/// The first machine of the build: DIMMnet-2, where it is in it.
impl Default for Name {
    fn default() -> Self {
        Name::value_variants()[0]
    }
}

/// A machine that is not the default one, for examples.
macro_rules! other {
    () => {
        "gigae_pm"
    };
}
pub(crate) use other;

/// The machine whose cables are Ethernet: `memonet tap` joins it to networks outside.
#[cfg(feature = "gigae_pm")]
pub use gigae_pm_machine as ethernet;
#[cfg(feature = "tap")]
pub use gigae_pm_machine::GigaePm as Ethernet;

/// A protocol that `memonet check` walks.
#[cfg(feature = "check")]
#[derive(clap::Subcommand)]
#[command(rename_all = "snake_case")]
pub enum Protocol {
    #[command(name = other!(), alias = "gigae-pm")]
    Firmware(check::FirmwareArgs),
    Mpi(check::ExchangeArgs),
    Fagus(check::FagusArgs),
    Suci(check::SuciArgs),
    Cenju3(check::Cenju3Args),
    Hca(check::HcaArgs),
}

/// The machine whose protocol `memonet check` walks, and on which its traces are replayed.
#[cfg(feature = "check")]
pub use gigae_pm_machine::GigaePm as Checked;

/// The machine of MPI/DE, on whose NIFs traces of `memonet check cenju3` are replayed.
#[cfg(feature = "check")]
pub use cenju3_machine::Cenju3 as MpiDe;

/// A machine of this binary.
pub trait Built: Subject {
    /// Its place in the list.
    const WHICH: Name;

    /// The RTL of its device after reset.
    #[cfg(feature = "rtl")]
    fn rtl() -> anyhow::Result<Box<dyn cosim::Simulation>>;
}

/// A machine, by its crate, its type, its variant of `Name` and its RTL.
macro_rules! built {
    ($($feature:literal, $machine:ty, $name:ident, $rtl:ident;)*) => {
        $(
            #[cfg(feature = $feature)]
            impl Built for $machine {
                const WHICH: Name = Name::$name;

                #[cfg(feature = "rtl")]
                fn rtl() -> anyhow::Result<Box<dyn cosim::Simulation>> {
                    Ok(Box::new(rtl::$rtl::open(Self::NAME)?))
                }
            }
        )*
    };
}

built! {
    "dimmnet2", dimmnet2_machine::Dimmnet2, Dimmnet2, dimmnet2;
    "gigae_pm", gigae_pm_machine::GigaePm, GigaePm, gigae_pm;
    "cenju3", cenju3_machine::Cenju3, Cenju3, cenju3;
    "hca", hca_machine::Hca, Hca, hca;
}

impl Name {
    /// As it is typed, and what its folders are called, in rtl, testbench and docs.
    pub fn folder(self) -> &'static str {
        with_machine!(self, M => <M as Subject>::NAME)
    }

    /// What it is called.
    pub fn title(self) -> &'static str {
        with_machine!(self, M => <M as cluster::Machine>::TITLE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_is_found_under_its_own_name() {
        for name in Name::value_variants() {
            with_machine!(*name, M => assert_eq!(<M as Built>::WHICH, *name));
            let typed = name.to_possible_value().expect("no machine is hidden");
            assert_eq!(typed.get_name(), name.folder());
        }
    }
}
