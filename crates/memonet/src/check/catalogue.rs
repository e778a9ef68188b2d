//! `memonet check --list`: hazards and repairs.

use std::fmt;

use checker::core::{Hazard, Protocol};
use schemars::JsonSchema;
use serde::Serialize;

use crate::document::Head;
use crate::machines::Name;

/// The values of `--hazard` and `--rules`.
#[derive(JsonSchema, Serialize)]
pub struct Catalogue {
    #[serde(flatten)]
    head: Head,
    /// Values of `--hazard`.
    hazards: Vec<HazardEntry>,
    /// Repairs of the printed rules, for `--rules`; none where each hazard leaves out a rule of its own.
    repairs: Vec<Repair>,
    /// The words before the repair of a hazard.
    #[serde(skip)]
    repaired: &'static str,
}

/// A hazard as it is listed.
#[derive(JsonSchema, Serialize)]
pub struct HazardEntry {
    /// H and a number.
    name: &'static str,
    /// The failure, as a sentence.
    says: &'static str,
    /// Repairs that remove it, or the rule that it leaves out.
    repaired_by: &'static str,
    /// The part of link, hosts or adapters in a replay, where their rules differ from those of the world.
    replay: Option<&'static str>,
}

/// A repair as it is listed.
#[derive(JsonSchema, Serialize)]
pub struct Repair {
    /// F and a number.
    pub name: String,
    /// The change, as half a sentence.
    pub says: &'static str,
}

impl<P: Protocol> From<&Hazard<P>> for HazardEntry {
    fn from(hazard: &Hazard<P>) -> Self {
        Self { name: hazard.name, says: hazard.description, repaired_by: hazard.repair, replay: None }
    }
}

impl Catalogue {
    /// Hazards and repairs of a machine's protocol; `repaired` are the words before the repair of a hazard.
    pub fn new(
        machine: Name,
        hazards: Vec<HazardEntry>,
        repairs: Vec<Repair>,
        repaired: &'static str,
    ) -> Self {
        Self::of(Head::on("check_list", machine), hazards, repairs, repaired)
    }

    /// Hazards and repairs of a protocol of this head.
    pub fn of(head: Head, hazards: Vec<HazardEntry>, repairs: Vec<Repair>, repaired: &'static str) -> Self {
        Self { head, hazards, repairs, repaired }
    }
}

impl HazardEntry {
    /// With the part of link, hosts or adapters in a replay.
    pub fn in_replay(self, replay: Option<&'static str>) -> Self {
        Self { replay, ..self }
    }

    /// Name, failure and repair, which follows the word for it.
    fn write(&self, f: &mut fmt::Formatter<'_>, repaired: &str) -> fmt::Result {
        write!(f, "{:10} {}\n{:10} {repaired}{}.", self.name, self.says, "", self.repaired_by)?;
        self.replay.map_or(Ok(()), |replay| write!(f, "\n{:10} {replay}", ""))
    }
}

impl fmt::Display for HazardEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, "Repaired by ")
    }
}

impl fmt::Display for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, hazard) in self.hazards.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            hazard.write(f, self.repaired)?;
        }
        for (number, repair) in self.repairs.iter().enumerate() {
            let line = if number == 0 { "\n\n" } else { "\n" };
            write!(f, "{line}{:10} {}", repair.name, repair.says)?;
        }
        Ok(())
    }
}
