//! A finding with its shortest trace.

use std::fmt;

use checker::core::{self, Wrong};
use schemars::JsonSchema;
use serde::Serialize;

/// Something that goes wrong.
#[derive(JsonSchema, Serialize)]
pub struct Finding {
    /// The fact, as half a sentence.
    pub says: String,
    /// The shortest trace, an event each.
    pub steps: Vec<String>,
}

impl<W: Wrong> From<core::Finding<W>> for Finding {
    fn from(finding: core::Finding<W>) -> Self {
        let steps = finding.steps.into_iter().map(|step| step.happens).collect();
        Finding { says: finding.wrong.description().into(), steps }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.says)?;
        for (number, step) in self.steps.iter().enumerate() {
            write!(f, "\n{:5}  {step}", number + 1)?;
        }
        Ok(())
    }
}
