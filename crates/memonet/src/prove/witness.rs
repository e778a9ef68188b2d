//! Witnesses: faults with which named assertions must fail.

use anyhow::Context;

use super::mutation::{Mutation, mutation};

/// A fault that makes an assertion fail.
pub struct Witness {
    /// Name of the assertion, in the module that has the name of the harness.
    pub assertion: String,
    /// Mutation of the RTL with which the assertion must fail.
    pub fault: Mutation,
}

impl Witness {
    /// `NAME | FILE | FROM | TO`; `\|` is a bar.
    pub fn parse(line: &str) -> anyhow::Result<Self> {
        let (name, fault) = line.split_once(" | ").context("a witness is NAME | FILE | FROM | TO")?;
        Ok(Self { assertion: name.trim().to_string(), fault: mutation(fault)? })
    }
}
