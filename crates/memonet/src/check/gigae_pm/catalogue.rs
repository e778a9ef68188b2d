//! `memonet check --list`: hazards and repairs.

use std::fmt;

use checker::gigae_pm::{Hazard, Rules};
use schemars::JsonSchema;
use serde::Serialize;

use crate::document::Head;
use crate::machines::{Built, Checked};

/// What can be asked for.
#[derive(JsonSchema, Serialize)]
pub struct Catalogue {
    #[serde(flatten)]
    head: Head,
    /// What can go wrong.
    hazards: Vec<Known>,
    /// Rules that repair the printed ones.
    repairs: Vec<Repair>,
}

/// A hazard as it is listed.
#[derive(JsonSchema, Serialize)]
pub struct Known {
    /// Its name.
    name: &'static str,
    /// What goes wrong.
    says: &'static str,
    /// Rules that it takes.
    repaired_by: &'static str,
}

#[derive(JsonSchema, Serialize)]
struct Repair {
    /// Its name.
    name: String,
    /// What it changes.
    says: &'static str,
}

impl From<&Hazard> for Known {
    fn from(hazard: &Hazard) -> Self {
        Self { name: hazard.name, says: hazard.says, repaired_by: hazard.repair }
    }
}

impl Catalogue {
    /// All of them.
    pub fn new() -> Self {
        let repair = |number| Repair { name: format!("F{number}"), says: Rules::says(number) };
        Self {
            head: Head::on("check_list", Checked::WHICH),
            hazards: Hazard::all().iter().map(Known::from).collect(),
            repairs: (1..=Rules::COUNT).map(repair).collect(),
        }
    }
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:10} {}\n{:10} Repaired by {}.", self.name, self.says, "", self.repaired_by)
    }
}

impl fmt::Display for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for hazard in &self.hazards {
            writeln!(f, "{hazard}")?;
        }
        for repair in &self.repairs {
            write!(f, "\n{:10} {}", repair.name, repair.says)?;
        }
        Ok(())
    }
}
