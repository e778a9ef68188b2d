//! `memonet check --list`: hazards and repairs.

use std::fmt;

use checker::gigae_pm::{Hazard, Rules};
use schemars::JsonSchema;
use serde::Serialize;

use crate::document::Head;
use crate::machines::Built;

/// The values of `--hazard` and `--rules`.
#[derive(JsonSchema, Serialize)]
pub struct Catalogue {
    #[serde(flatten)]
    head: Head,
    /// Values of `--hazard`.
    hazards: Vec<HazardEntry>,
    /// Repairs of the printed rules, for `--rules`.
    repairs: Vec<Repair>,
}

/// A hazard as it is listed.
#[derive(JsonSchema, Serialize)]
pub struct HazardEntry {
    /// H and a number.
    name: &'static str,
    /// The failure, as a sentence.
    says: &'static str,
    /// Repairs that remove it.
    repaired_by: &'static str,
}

#[derive(JsonSchema, Serialize)]
struct Repair {
    /// F and a number.
    name: String,
    /// The change, as half a sentence.
    says: &'static str,
}

impl From<&Hazard> for HazardEntry {
    fn from(hazard: &Hazard) -> Self {
        Self { name: hazard.name, says: hazard.description, repaired_by: hazard.repair }
    }
}

impl Catalogue {
    pub fn new() -> Self {
        let repair = |number| Repair { name: format!("F{number}"), says: Rules::says(number) };
        Self {
            head: Head::on("check_list", gigae_pm_machine::GigaePm::WHICH),
            hazards: Hazard::all().iter().map(HazardEntry::from).collect(),
            repairs: (1..=Rules::COUNT).map(repair).collect(),
        }
    }
}

impl fmt::Display for HazardEntry {
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
