//! `memonet prove`: proofs about the RTL by k-induction.

mod assertions;
mod harness;
mod mutation;
mod report;
mod solver;
mod witness;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;

pub use self::report::Report;

use self::assertions::Assertion;
use self::harness::{Harness, harnesses};
use self::mutation::mutate;
use self::report::Proof;
use self::solver::{MUTATION_CYCLES, Solver};
use crate::document::Head;
use crate::machines::Name;
use crate::numbers;
use crate::output::{self, Outcome};
use crate::yosys::Sources;

/// Prove the properties of testbench/formal for all inputs.
///
/// A harness is proved by bounded model checking from reset and by induction, which covers all times. It also
/// lists mutations: small faults that it must refute, because a proof that survives its mutations proves
/// nothing. Named assertions in the RTL of its module are proved with it; each has a witness, a fault with
/// which it must fail. Needs Yosys and yices (or z3): `ci/install prove`. Exit code 1 if a proof fails, a
/// mutation is not refuted, or an assertion has no witness or does not fail with it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet prove
  memonet prove --only botf --keep target/traces
  memonet prove --mutations 1
  memonet prove --block my_timer")]
pub struct Args {
    /// Machine whose RTL is proved.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Folder of a block of your own, as `memonet new-block` writes it, instead of a machine.
    #[arg(long, value_name = "FOLDER", conflicts_with = "machine")]
    block: Option<PathBuf>,
    /// Prove this harness only.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Try only the first N mutations and the first N witnesses of each harness, to save time.
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    mutations: Option<usize>,
    /// Folder that keeps traces of failures in VCD.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Proves the harnesses and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let start = Instant::now();
    let sources = Sources::of(args.machine, args.block.as_deref())?;
    let harnesses = harnesses(&sources, args.only.as_deref())?;
    let assertions = assertions::of_rtl(sources.own_modules())?;
    let solver = Solver::find(&sources.root)?;
    let work = WorkFolder::new(args.keep.as_deref())?;

    let progress = machine_api::progress("prove", harnesses.len() as u64, "proofs");
    let proofs = machine_api::jobs::run(&harnesses, &|| progress.inc(1), |harness| {
        let most = args.mutations.unwrap_or(usize::MAX);
        prove(harness, most, &sources, &assertions, &solver, work.folder())
    })?;
    progress.finish_and_clear();

    let proved: Vec<_> = harnesses.iter().flat_map(|harness| &harness.machines).collect();
    let machines_without_proof = match args.only {
        Some(_) => Vec::new(),
        None => machines(&sources)?.into_iter().filter(|machine| !proved.contains(&machine)).collect(),
    };
    let assertions_without_proof = match args.only {
        Some(_) => Vec::new(),
        None => assertions
            .iter()
            .filter(|assertion| harnesses.iter().all(|harness| harness.name != assertion.module))
            .map(|assertion| format!("{}.{}", assertion.module, assertion.name))
            .collect(),
    };
    let report = Report {
        head: Head::on("prove", args.machine),
        solver: solver.name,
        proofs,
        machines_without_proof,
        assertions_without_proof,
        real_s: start.elapsed().as_secs_f64(),
    };
    output::print(&report, args.json)?;
    Ok(Outcome::from(report.good()))
}

/// Folder for problems and traces: one that the user keeps, or a temporary one.
enum WorkFolder {
    Kept(PathBuf),
    Temporary(tempfile::TempDir),
}

impl WorkFolder {
    fn new(keep: Option<&Path>) -> anyhow::Result<Self> {
        let Some(folder) = keep else {
            return Ok(WorkFolder::Temporary(tempfile::tempdir().context("creating a temporary folder")?));
        };
        fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
        Ok(WorkFolder::Kept(folder.to_path_buf()))
    }

    fn folder(&self) -> &Path {
        match self {
            WorkFolder::Kept(folder) => folder,
            WorkFolder::Temporary(folder) => folder.path(),
        }
    }
}

/// State machines of the RTL: those whose packages contain a transition table.
fn machines(sources: &Sources) -> anyhow::Result<Vec<String>> {
    let mut machines = Vec::new();
    for package in &sources.packages {
        if fs::read_to_string(package)?.contains(" StateArcs =") {
            let name = package.file_stem().and_then(OsStr::to_str).unwrap_or_default();
            machines.push(name.trim_end_matches("_pkg").to_string());
        }
    }
    Ok(machines)
}

fn prove(
    harness: &Harness,
    most_mutations: usize,
    sources: &Sources,
    assertions: &[Assertion],
    solver: &Solver,
    work: &Path,
) -> anyhow::Result<Proof> {
    let start = Instant::now();
    let file = work.join(format!("{}.smt2", harness.name));
    harness.problem(sources, &file, None).with_context(|| harness.name.clone())?;
    let mut failures = solver.prove(&file)?;
    failures.extend(assertions::unmatched(harness, assertions));
    let seconds = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let mutations = &harness.mutations[..most_mutations.min(harness.mutations.len())];
    let (mut refuted, mut survivors) = (0, Vec::new());
    let (shorter, failed) = with_shorter_constants(harness, sources, solver, work)?;
    failures.extend(failed);
    for (i, mutation) in mutations.iter().enumerate() {
        let mut mutant = shorter.clone();
        mutate(sources, &mut mutant, mutation, work, &format!("{}_{i}", harness.name))?;
        let file = work.join(format!("{}_{i}.smt2", harness.name));
        harness.problem(&mutant, &file, None).with_context(|| format!("{}: {mutation:?}", harness.name))?;
        match solver.check(&file, MUTATION_CYCLES, false)? {
            Some(_) => refuted += 1,
            None => survivors.push(format!("not refuted: `{}` instead of `{}`", mutation.to, mutation.from)),
        }
    }
    let witnesses = &harness.witnesses[..most_mutations.min(harness.witnesses.len())];
    let mut fired = 0;
    for witness in witnesses {
        match witness.survives(harness, sources, &shorter, solver, work)? {
            None => fired += 1,
            Some(survivor) => survivors.push(survivor),
        }
    }
    Ok(Proof {
        name: harness.name.clone(),
        says: harness.says.clone(),
        proved: failures.is_empty(),
        real_s: seconds,
        mutations: mutations.len(),
        mutations_left_out: harness.mutations.len() - mutations.len(),
        refuted,
        assertions: assertions.iter().filter(|assertion| assertion.module == harness.name).count(),
        assertions_tried: witnesses.len(),
        assertions_fired: fired,
        mutations_real_s: start.elapsed().as_secs_f64(),
        failures: [failures, survivors].concat(),
    })
}

/// Sources with the shorter constants of a harness, and the failures of its proof with them.
fn with_shorter_constants(
    harness: &Harness,
    sources: &Sources,
    solver: &Solver,
    work: &Path,
) -> anyhow::Result<(Sources, Vec<String>)> {
    let mut shorter = sources.clone();
    for (i, constant) in harness.shorter.iter().enumerate() {
        mutate(sources, &mut shorter, constant, work, &format!("{}_shorter_{i}", harness.name))?;
    }
    if harness.shorter.is_empty() {
        return Ok((shorter, Vec::new()));
    }
    let file = work.join(format!("{}_shorter.smt2", harness.name));
    harness.problem(&shorter, &file, None).with_context(|| format!("{}, shorter", harness.name))?;
    let failed = solver.prove(&file)?;
    let failures = failed.iter().map(|failure| format!("with shorter constants, {failure}")).collect();
    Ok((shorter, failures))
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn every_state_machine_of_the_rtl_has_a_harness() {
        for &device in Name::value_variants() {
            let sources = Sources::find(device).unwrap();
            let harnesses = harnesses(&sources, None).unwrap();
            let proved: Vec<_> = harnesses.iter().flat_map(|harness| harness.machines.clone()).collect();
            for machine in machines(&sources).unwrap() {
                assert!(proved.contains(&machine), "{machine}");
            }
        }
    }
}
