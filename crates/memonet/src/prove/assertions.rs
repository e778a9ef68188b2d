//! Assertions in the RTL itself: each must fail with the fault of its witness.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::harness::Harness;
use super::mutation::mutate;
use super::solver::{MUTATION_CYCLES, Solver};
use super::witness::Witness;
use crate::yosys::Sources;

/// An assertion of the RTL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// Name of the module that contains it.
    pub module: String,
    /// Name of the assertion.
    pub name: String,
}

impl Witness {
    /// Applies the fault to `shorter`, the sources with shorter constants, and checks the assertion. Returns
    /// the reason if it does not fail. All other assertions are removed, so that this one must fail.
    pub fn survives(
        &self,
        harness: &Harness,
        sources: &Sources,
        shorter: &Sources,
        solver: &Solver,
        work: &Path,
    ) -> anyhow::Result<Option<String>> {
        let name = format!("{}_{}", harness.name, self.assertion);
        let mut faulty = shorter.clone();
        mutate(sources, &mut faulty, &self.fault, work, &name)?;
        let file = work.join(format!("{name}.smt2"));
        harness.problem(&faulty, &file, Some(&self.assertion)).with_context(|| name.clone())?;
        Ok(match solver.check(&file, MUTATION_CYCLES, false)? {
            Some(_) => None,
            None => Some(format!(
                "{} does not fail with `{}` instead of `{}`",
                self.assertion, self.fault.to, self.fault.from
            )),
        })
    }
}

/// Named assertions of these modules, in the order of their files.
pub fn of_rtl<'a>(modules: impl IntoIterator<Item = &'a PathBuf>) -> anyhow::Result<Vec<Assertion>> {
    let mut all = Vec::new();
    for path in modules {
        let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        let module = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
        all.extend(named(&text).map(|name| Assertion { module: module.to_string(), name: name.to_string() }));
    }
    Ok(all)
}

/// Names in lines `Name : assert (...`.
fn named(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let (name, rest) = line.split_once(':')?;
        let name = name.trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        (is_name && rest.trim_start().starts_with("assert (")).then_some(name)
    })
}

/// Errors in the witnesses of a harness: assertions of its module without a witness, and witnesses without an
/// assertion.
pub fn unmatched(harness: &Harness, assertions: &[Assertion]) -> Vec<String> {
    let of_module = || assertions.iter().filter(|assertion| assertion.module == harness.name);
    let without = of_module()
        .filter(|assertion| harness.witnesses.iter().all(|witness| witness.assertion != assertion.name))
        .map(|assertion| format!("{} has no witness that shows that it can fail", assertion.name));
    let of_none = harness
        .witnesses
        .iter()
        .filter(|witness| of_module().all(|assertion| assertion.name != witness.assertion))
        .map(|witness| format!("a witness of {}, which the RTL does not have", witness.assertion));
    without.chain(of_none).collect()
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;
    use crate::machines::Name;
    use crate::prove::harness::harnesses;

    #[test]
    fn assertions_are_read_with_their_names() {
        let text =
            "  // OneOwner : assert\n      OneOwner : assert (a);\n Other: assert (b);\n  assert (c);\n";
        assert_eq!(named(text).collect::<Vec<_>>(), ["OneOwner", "Other"]);
    }

    #[test]
    fn every_assertion_has_a_witness_that_applies_once() {
        let mut witnesses = 0;
        for &device in Name::value_variants() {
            let sources = Sources::find(device).unwrap();
            let assertions = of_rtl(&sources.modules).unwrap();
            for harness in harnesses(&sources, None).unwrap() {
                assert_eq!(unmatched(&harness, &assertions), [""; 0], "{}", harness.name);
                for fault in harness.witnesses.iter().map(|witness| &witness.fault) {
                    let text = fs::read_to_string(sources.root.join(&fault.file)).unwrap();
                    assert_eq!(text.matches(&fault.from).count(), 1, "{fault:?}");
                }
                witnesses += harness.witnesses.len();
            }
        }
        assert!(witnesses > 0, "no assertion was found");
    }

    #[test]
    fn unmatched_assertions_and_witnesses_are_reported() {
        let sources = Sources::find(Name::GigaePm).unwrap();
        let dispatcher = &harnesses(&sources, Some("dispatcher")).unwrap()[0];
        let unknown = Assertion { module: "dispatcher".into(), name: "Unknown".into() };
        let told = unmatched(dispatcher, &[unknown]).join("; ");
        assert!(told.contains("Unknown has no witness"), "{told}");
        assert!(told.contains("a witness of OneWorkAtATime"), "{told}");
    }
}
