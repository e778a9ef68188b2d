//! The result of `memonet figures` as text, document and files, so that a later run can deliver it again.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::output::{self, Outcome};

/// Report and files of a run.
#[derive(Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Product {
    text: String,
    json: String,
    /// The command achieved its purpose.
    succeeded: bool,
    /// Contents of the files of `--output`, by their paths in its folder.
    files: BTreeMap<String, String>,
}

impl Product {
    /// A report, and whether the command achieved its purpose.
    pub fn new<R: Serialize + Display>(report: &R, succeeded: bool) -> anyhow::Result<Self> {
        let json = serde_json::to_string_pretty(report)?;
        Ok(Product { text: report.to_string(), json, succeeded, files: BTreeMap::new() })
    }

    /// Adds a file, by its path in the folder of `--output`.
    pub fn add(&mut self, path: String, contents: String) {
        self.files.insert(path, contents);
    }

    /// Writes the files into the folder of `--output` and prints the report.
    pub fn deliver(&self, folder: Option<&Path>, json: bool) -> anyhow::Result<Outcome> {
        if let Some(folder) = folder {
            for (path, contents) in &self.files {
                output::write(&folder.join(path), contents.as_bytes())?;
            }
        }
        output::line(if json { &self.json } else { &self.text })?;
        Ok(Outcome::from(self.succeeded))
    }
}
