//! `--library-cost` of commands whose programs call the library of a host themselves.

use clap::ValueEnum;
use cluster::host::LibraryCost;
use machine_api::{LIBRARY_COST, Working};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::machines::{Built, Name, with_machine};
use crate::usage;

/// The option in errors.
pub const OPTION: &str = "--library-cost <looks|counted|off>";

/// The cost of a host library that the command line asks for.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
// Other commands flatten this struct into their own `Args`, and clap's groups need different names.
#[group(skip)]
pub struct Args {
    /// Cost of the own steps of the host's library: `looks`, the few that the machine charges anyway; `counted`, the
    /// instructions of its code, one in each clock of the processor; `off`, none. Default: looks.
    #[arg(long = LIBRARY_COST, value_name = "looks|counted|off", value_parser = parse)]
    library_cost: Option<LibraryCost>,
}

/// A choice in a report.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Chosen {
    /// Cost of the own steps of the host's library: `looks`, `counted` or `off`; `null` if it was not given, which is
    /// `looks`.
    #[serde(rename = "library-cost")]
    library_cost: Option<&'static str>,
}

impl Chosen {
    /// The option was given.
    pub fn is_given(self) -> bool {
        self.library_cost.is_some()
    }
}

fn parse(text: &str) -> Result<LibraryCost, String> {
    LibraryCost::named(text).ok_or_else(|| format!("there are {}", LibraryCost::NAMES.join(", ")))
}

impl Args {
    /// `looks` if the option was not given.
    pub fn cost(self) -> LibraryCost {
        self.library_cost.unwrap_or_default()
    }

    /// The choice as a part of a report.
    pub fn chosen(self) -> Chosen {
        Chosen { library_cost: self.library_cost.map(LibraryCost::name) }
    }

    /// The option as typed, preceded by a space.
    pub fn typed(self) -> String {
        self.library_cost.map_or(String::new(), |cost| format!(" --{LIBRARY_COST} {}", cost.name()))
    }

    /// The settings of a machine, with the cost for the library of its main job.
    pub fn settings<M: Built>(self) -> anyhow::Result<M::Settings> {
        let mut settings = M::Settings::default();
        if let Some(cost) = self.library_cost {
            choose::<M>(&mut settings, cost)?;
        }
        Ok(settings)
    }
}

/// Chooses the cost of the library that programs of a machine call in its main job and in workloads.
pub fn choose<M: Built>(settings: &mut M::Settings, cost: LibraryCost) -> anyhow::Result<()> {
    let Some(library) = M::LIBRARY else {
        let reason = format!("programs here use {} without a library; {} has one", M::TITLE, machines());
        return Err(usage::invalid(OPTION, cost.name(), reason));
    };
    (library.set)(settings, cost);
    Ok(())
}

/// The machines whose main job calls a library.
fn machines() -> String {
    let machines = Name::value_variants().iter().copied();
    let machines = machines.filter(|name| with_machine!(*name, M => <M as Working>::LIBRARY.is_some()));
    machines.map(|name| format!("--machine {}", name.folder())).collect::<Vec<_>>().join(" or ")
}
