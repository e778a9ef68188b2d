//! Results of proofs as text and as JSON.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::document::Head;

/// Report of `memonet prove`.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub head: Head,
    /// SMT solver that was used.
    pub solver: &'static str,
    /// Real time in seconds.
    pub real_s: f64,
    /// Results of each harness.
    pub proofs: Vec<Proof>,
    /// State machines with a transition table that no harness uses.
    pub machines_without_proof: Vec<String>,
    /// Named assertions in modules without a harness; only lockstep checks them.
    pub assertions_without_proof: Vec<String>,
}

#[derive(JsonSchema, Serialize)]
pub struct Proof {
    /// Name of the harness.
    pub name: String,
    /// Property that it proves.
    pub says: String,
    /// The property holds for all inputs and all times.
    pub proved: bool,
    /// Real time of the proof in seconds.
    pub real_s: f64,
    /// Mutations that were tried.
    pub mutations: usize,
    /// Mutations that were not tried because of `--mutations`.
    pub mutations_left_out: usize,
    /// Mutations that were refuted.
    pub refuted: usize,
    /// Named assertions in the RTL of its module.
    pub assertions: usize,
    /// Assertions with a witness that was tried.
    pub assertions_tried: usize,
    /// Assertions that failed with their witness, as required.
    pub assertions_fired: usize,
    /// Real time of mutations and witnesses in seconds.
    pub mutations_real_s: f64,
    /// Failed assertions, mutations that were not refuted, and assertions without an effective witness.
    pub failures: Vec<String>,
}

impl Report {
    /// All proofs hold, and all mutations and witnesses fail.
    pub fn good(&self) -> bool {
        self.machines_without_proof.is_empty()
            && self.proofs.iter().all(|proof| {
                proof.proved
                    && proof.refuted == proof.mutations
                    && proof.assertions_fired == proof.assertions_tried
            })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (harness, mutations, in_rtl) = ("harness", "mutations", "in RTL");
        writeln!(f, "{harness:18} {:8} {:>6}  {mutations:10} {in_rtl:7} {:>6}", "", "s", "s")?;
        for proof in &self.proofs {
            let result = if proof.proved { "proved" } else { "FAILED" };
            let refuted = format!("{} of {}", proof.refuted, proof.mutations);
            let fired = match proof.assertions_tried {
                0 => String::new(),
                tried => format!("{} of {tried}", proof.assertions_fired),
            };
            writeln!(
                f,
                "{:18} {result:8} {:6.2}  {refuted:10} {fired:7} {:6.2}  {}",
                proof.name, proof.real_s, proof.mutations_real_s, proof.says
            )?;
            for failure in &proof.failures {
                writeln!(f, "{:18} {failure}", "")?;
            }
        }
        for machine in &self.machines_without_proof {
            writeln!(f, "NOT PROVED: no harness uses the arcs of {machine}")?;
        }
        for assertion in &self.assertions_without_proof {
            writeln!(f, "in lockstep only: {assertion} stands in a module without a harness")?;
        }
        let count = machine_api::counted(self.proofs.len(), "proof");
        write!(f, "{count} with {} in {:.1} s", self.solver, self.real_s)?;
        match self.proofs.iter().map(|proof| proof.mutations_left_out).sum() {
            0usize => Ok(()),
            left_out => write!(f, "; {left_out} mutations not tried"),
        }
    }
}
