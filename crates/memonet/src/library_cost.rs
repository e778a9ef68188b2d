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
    /// Cost of the own steps of the host's libraries that the run used: `looks`, `counted` or `off`; `null` if its
    /// programs call no library.
    #[serde(rename = "library-cost")]
    library_cost: Option<&'static str>,
    #[serde(skip)]
    is_given: bool,
}

impl Chosen {
    /// The cost that was given, or the default one if programs of the run call a library.
    pub fn of(given: Option<LibraryCost>, has_library: bool) -> Self {
        let used = given.or_else(|| has_library.then(LibraryCost::default));
        Chosen { library_cost: used.map(LibraryCost::name), is_given: given.is_some() }
    }

    /// The option was given.
    pub fn is_given(self) -> bool {
        self.is_given
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

    /// The choice as a part of a report on programs that call a library, or none.
    pub fn chosen(self, has_library: bool) -> Chosen {
        Chosen::of(self.library_cost, has_library)
    }

    /// The option as typed, preceded by a space.
    pub fn typed(self) -> String {
        self.library_cost.map_or(String::new(), |cost| format!(" --{LIBRARY_COST} {}", cost.name()))
    }

    /// The settings of a machine for workloads, with the cost of the library that they call.
    pub fn settings_of_workload<M: Built>(self) -> anyhow::Result<M::Settings> {
        match self.library_cost {
            Some(cost) if !is_in_workloads::<M>() => Err(without_library::<M>(cost, of_workloads)),
            _ => self.settings::<M>(),
        }
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

/// Whether workloads of a machine call its library.
pub fn is_in_workloads<M: Built>() -> bool {
    M::LIBRARY.is_some_and(|library| library.spent.is_some())
}

/// Chooses the cost of the library that programs of a machine call in its main job and in workloads.
pub fn choose<M: Built>(settings: &mut M::Settings, cost: LibraryCost) -> anyhow::Result<()> {
    let Some(library) = M::LIBRARY else {
        return Err(without_library::<M>(cost, |name| with_machine!(name, M => M::LIBRARY.is_some())));
    };
    (library.set)(settings, cost);
    Ok(())
}

fn of_workloads(name: Name) -> bool {
    with_machine!(name, M => is_in_workloads::<M>())
}

/// The error for programs that call no library; it names the machines on which they do.
fn without_library<M: Built>(cost: LibraryCost, others: fn(Name) -> bool) -> anyhow::Error {
    let others = Name::value_variants().iter().filter(|name| others(**name));
    let others = others.map(|name| format!("--machine {}", name.folder())).collect::<Vec<_>>().join(" or ");
    let reason = format!("programs here use {} without a library; {others} has one", M::TITLE);
    usage::invalid(OPTION, cost.name(), reason)
}
