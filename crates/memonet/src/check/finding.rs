//! What goes wrong in a world, and the shortest way there.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// Something that goes wrong.
#[derive(JsonSchema, Serialize)]
pub struct Finding {
    /// What went wrong.
    pub says: String,
    /// The shortest way there.
    pub steps: Vec<String>,
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
