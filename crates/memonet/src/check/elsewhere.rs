//! Hazards that no walk of states shows.

use checker::core::Elsewhere;
use schemars::JsonSchema;
use serde::Serialize;

/// A hazard that no walk shows.
#[derive(JsonSchema, Serialize)]
pub struct Known {
    /// Its name.
    pub name: &'static str,
    /// What goes wrong.
    pub says: &'static str,
    /// Why no world shows it, and what does.
    pub why: &'static str,
}

impl From<&Elsewhere> for Known {
    fn from(Elsewhere { name, says, why }: &Elsewhere) -> Self {
        Known { name, says, why }
    }
}

/// An error that says why, if somebody asks for one of these.
pub fn refuse(name: &str, all: &[Elsewhere]) -> Result<(), String> {
    match all.iter().find(|elsewhere| elsewhere.name.eq_ignore_ascii_case(name)) {
        Some(elsewhere) => Err(format!("no walk of states shows it: {}", elsewhere.why)),
        None => Ok(()),
    }
}
