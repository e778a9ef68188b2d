//! The one list of machines: a command reaches them through it and names none of them.

use clap::ValueEnum;
use lab::Subject;
use schemars::JsonSchema;
use serde::Serialize;

use crate::check;

/// A machine by its name, in which `-` is as good as `_`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
#[clap(rename_all = "snake_case")]
pub enum Name {
    /// DIMMnet-2, in a memory slot.
    #[default]
    Dimmnet2,
    /// GigaE PM, messages on Gigabit Ethernet.
    #[value(alias = "gigae-pm")]
    GigaePm,
    /// Cenju-3, MPI/DE on a multistage network.
    Cenju3,
    /// An InfiniBand channel adapter, verbs on PCI-X.
    Hca,
}

/// Does something with the machine of a name: `with_machine!(name, M => on::<M>(args))`.
macro_rules! with_machine {
    ($name:expr, $machine:ident => $do:expr) => {
        match $name {
            $crate::machines::Name::Dimmnet2 => {
                type $machine = dimmnet2_machine::Dimmnet2;
                $do
            }
            $crate::machines::Name::GigaePm => {
                type $machine = gigae_pm_machine::GigaePm;
                $do
            }
            $crate::machines::Name::Cenju3 => {
                type $machine = cenju3_machine::Cenju3;
                $do
            }
            $crate::machines::Name::Hca => {
                type $machine = hca_machine::Hca;
                $do
            }
        }
    };
}
pub(crate) use with_machine;

/// A machine that is not the default one, for examples.
macro_rules! other {
    () => {
        "gigae_pm"
    };
}
pub(crate) use other;

/// The machine whose cables are Ethernet: `memonet tap` joins it to networks outside.
pub use gigae_pm_machine as ethernet;
pub use gigae_pm_machine::GigaePm as Ethernet;

/// A protocol that `memonet check` walks.
#[derive(clap::Subcommand)]
#[command(rename_all = "snake_case")]
pub enum Protocol {
    #[command(name = other!(), alias = "gigae-pm")]
    Firmware(check::FirmwareArgs),
    Mpi(check::ExchangeArgs),
    Fagus(check::FagusArgs),
    Suci(check::SuciArgs),
    Cenju3(check::Cenju3Args),
}

/// The machine whose protocol `memonet check` walks, and on which its traces are replayed.
pub use gigae_pm_machine::GigaePm as Checked;

/// The machine of MPI/DE, on whose NIFs traces of `memonet check cenju3` are replayed.
pub use cenju3_machine::Cenju3 as MpiDe;

/// A machine of this binary.
pub trait Built: Subject {
    /// Its place in the list.
    const WHICH: Name;

    /// The RTL of its device after reset.
    #[cfg(feature = "rtl")]
    fn rtl() -> anyhow::Result<Box<dyn cosim::Simulation>>;
}

impl Built for dimmnet2_machine::Dimmnet2 {
    const WHICH: Name = Name::Dimmnet2;

    #[cfg(feature = "rtl")]
    fn rtl() -> anyhow::Result<Box<dyn cosim::Simulation>> {
        Ok(Box::new(dimmnet2_rtl::open(Self::NAME)?))
    }
}

impl Built for gigae_pm_machine::GigaePm {
    const WHICH: Name = Name::GigaePm;

    #[cfg(feature = "rtl")]
    fn rtl() -> anyhow::Result<Box<dyn cosim::Simulation>> {
        Ok(Box::new(gigae_pm_rtl::open(Self::NAME)?))
    }
}

impl Built for cenju3_machine::Cenju3 {
    const WHICH: Name = Name::Cenju3;

    #[cfg(feature = "rtl")]
    fn rtl() -> anyhow::Result<Box<dyn cosim::Simulation>> {
        Ok(Box::new(cenju3_rtl::open(Self::NAME)?))
    }
}

impl Built for hca_machine::Hca {
    const WHICH: Name = Name::Hca;

    #[cfg(feature = "rtl")]
    fn rtl() -> anyhow::Result<Box<dyn cosim::Simulation>> {
        Ok(Box::new(hca_rtl::open(Self::NAME)?))
    }
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
