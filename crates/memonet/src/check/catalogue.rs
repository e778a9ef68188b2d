//! `memonet check --list`: hazards and repairs.

use std::fmt;

use checker::{Hazard, Rules, hazard};
use serde::Serialize;

/// What can be asked for.
#[derive(Serialize)]
pub struct Catalogue {
    hazards: Vec<Known>,
    repairs: Vec<Repair>,
}

/// A hazard as it is listed.
#[derive(Serialize)]
pub struct Known {
    name: &'static str,
    says: &'static str,
    repaired_by: &'static str,
}

#[derive(Serialize)]
struct Repair {
    name: String,
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
            hazards: hazard::all().iter().map(Known::from).collect(),
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
