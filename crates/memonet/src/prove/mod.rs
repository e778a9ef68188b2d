//! `memonet prove`: theorems about the RTL, by k-induction.

mod assertions;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use std::{env, fmt, fs};

use anyhow::{Context, bail, ensure};
use schemars::JsonSchema;
use serde::Serialize;

use self::assertions::{Assertion, Witness};
use crate::document::Head;
use crate::machines::{Name, other};
use crate::numbers;
use crate::output::{self, Outcome};
use crate::usage;
use crate::yosys::{self, Sources};

/// Prove what testbench/formal says of the RTL, for all inputs and all times.
///
/// A harness is proved by bounded checking from reset and by induction. It also lists mutations: small faults
/// which, put into the RTL, it must refute; a proof that survives its mutations proves nothing. Named assertions
/// in the RTL of its module are proved with it, and each has a witness: a fault with which it must fail. Needs
/// Yosys and yices (or z3): `ci/install prove`. Exit code 1 if a proof fails, a mutation is not refuted, or an
/// assertion has no witness or does not fail with it.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  memonet prove
  memonet prove --only botf --keep target/traces
  memonet prove --mutations 1
  memonet prove --block my_timer
  memonet prove --machine ", other!(), ""))]
pub struct Args {
    /// The machine.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// A block in a folder of its own, as `memonet new-block` writes it, in place of a machine.
    #[arg(long, value_name = "FOLDER", conflicts_with = "machine")]
    block: Option<PathBuf>,
    /// Prove this harness only.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Put only the first N mutations and the first N witnesses of each harness into the RTL, for a quick look.
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    mutations: Option<usize>,
    /// Leave traces of what failed in this folder, as VCD.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Cycles from reset that are checked exhaustively; must not be fewer than those of the induction.
const BASE_CYCLES: u32 = 8;
/// Cycles that the induction may look back.
const INDUCTION_CYCLES: u32 = 3;
/// Cycles from reset within which a mutation must be refuted.
const MUTATION_CYCLES: u32 = 24;

/// Modules that all harnesses share, in testbench/formal/common.
const COMMON: [&str; 2] = ["machine.sv", "diagram.sv"];

/// A change of the RTL: a fault to put into it, or a constant that makes it faster.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mutation {
    file: String,
    from: String,
    to: String,
}

/// A file of the device's folder in testbench/formal.
struct Harness {
    name: String,
    path: PathBuf,
    says: String,
    mutations: Vec<Mutation>,
    /// Faults that make the assertions in the RTL of its module fail.
    witnesses: Vec<Witness>,
    /// Constants of packages that are shorter in mutants, where a fault would show too late otherwise. The harness says what
    /// holds for any such constant, and the RTL without a fault must bear it out.
    shorter: Vec<Mutation>,
    /// The machines whose arc tables it uses.
    machines: Vec<String>,
    /// Memories become registers that the harness can look at.
    opens_memories: bool,
}

impl Harness {
    fn parse(path: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path)?;
        let name = path.file_stem().and_then(OsStr::to_str).context("a harness without a name")?.to_string();
        let changes = |marked: &str| {
            text.lines()
                .filter_map(|line| line.strip_prefix(marked))
                .map(|line| mutation(line).with_context(|| format!("{}: {line}", path.display())))
                .collect::<anyhow::Result<Vec<_>>>()
        };
        let (mutations, shorter) = (changes("// Mutation: ")?, changes("// Shorter: ")?);
        ensure!(!mutations.is_empty(), "{}: no mutation, so nothing shows that it can fail", path.display());
        let witnesses = text
            .lines()
            .filter_map(|line| line.strip_prefix("// Witness: "))
            .map(|line| Witness::parse(line).with_context(|| format!("{}: {line}", path.display())))
            .collect::<anyhow::Result<_>>()?;
        let machines = text
            .split("_pkg::StateArcs")
            .map(|before| {
                before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
            })
            .map(str::to_string);
        let count = text.matches("_pkg::StateArcs").count();
        Ok(Self {
            name,
            path: path.to_path_buf(),
            says: text.lines().next().unwrap_or_default().trim_start_matches("/// ").to_string(),
            machines: machines.take(count).collect(),
            opens_memories: text.contains(".mem[0]"),
            mutations,
            witnesses,
            shorter,
        })
    }

    /// The SMT problem of the harness over this RTL; with all assertions, or with this one of the RTL of its module.
    fn problem(&self, sources: &Sources, file: &Path, only: Option<&str>) -> anyhow::Result<()> {
        let mut modules = sources.modules.clone();
        modules.extend(COMMON.map(|module| sources.shared.join(module)));
        modules.push(self.path.clone());
        let memories = if self.opens_memories { "memory_map; " } else { "" };
        let others = match only {
            Some(name) => format!("delete t:$assert c:u_{}.{name} %d; ", self.name),
            None => String::new(),
        };
        yosys::run(&format!(
            "{}; hierarchy -check -top {}_proof; proc; {memories}flatten; {others}opt -fast; memory_nordff; \
             async2sync; dffunmap; check -assert; write_smt2 -wires \"{}\"",
            sources.read(&modules),
            self.name,
            file.display(),
        ))?;
        Ok(())
    }
}

/// `FILE | FROM | TO`; `\|` is a bar.
fn mutation(line: &str) -> anyhow::Result<Mutation> {
    let line = line.replace("\\|", "\0");
    let parts: Vec<_> = line.split(" | ").map(|part| part.replace('\0', "|").trim().to_string()).collect();
    match &parts[..] {
        [file, from, to] => Ok(Mutation { file: file.clone(), from: from.clone(), to: to.clone() }),
        _ => bail!("a mutation is FILE | FROM | TO"),
    }
}

/// What the command tells.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// The SMT solver.
    solver: &'static str,
    /// Real time.
    real_s: f64,
    /// Each harness.
    proofs: Vec<Proof>,
    /// Machines with an arc table that no harness uses.
    machines_without_proof: Vec<String>,
    /// Named assertions in modules that have no harness: checked in lockstep only.
    assertions_without_proof: Vec<String>,
}

#[derive(JsonSchema, Serialize)]
struct Proof {
    /// Its name.
    name: String,
    /// What it says.
    says: String,
    /// It holds, for all inputs and all times.
    proved: bool,
    /// Real time of the proof.
    real_s: f64,
    /// Small faults that it had to refute.
    mutations: usize,
    /// Small faults that were not tried, because of `--mutations`.
    mutations_left_out: usize,
    /// Those that it did.
    refuted: usize,
    /// Named assertions in the RTL of its module.
    assertions: usize,
    /// Those with a witness that was tried.
    assertions_tried: usize,
    /// Those that failed with their witness, as they must.
    assertions_fired: usize,
    /// Real time of mutations and witnesses.
    mutations_real_s: f64,
    /// Assertions that failed, mutations that were not refuted, assertions without a witness or not refuted by it.
    failures: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let start = Instant::now();
    let sources = Sources::of(args.machine, args.block.as_deref())?;
    let harnesses = harnesses(&sources, args.only.as_deref())?;
    let assertions = assertions::of_rtl(&sources.modules)?;
    let solver = Solver::find(&sources.root)?;
    let work = Work::new(args.keep.as_deref())?;

    let progress = lab::progress("prove", harnesses.len() as u64, "proofs");
    let proofs = lab::jobs::run(&harnesses, &|| progress.inc(1), |harness| {
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

/// Where problems and traces are written: a folder that is kept, or one that goes away with this.
enum Work {
    Kept(PathBuf),
    Passing(tempfile::TempDir),
}

impl Work {
    fn new(keep: Option<&Path>) -> anyhow::Result<Self> {
        let Some(folder) = keep else {
            return Ok(Work::Passing(tempfile::tempdir().context("making a folder for problems")?));
        };
        fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
        Ok(Work::Kept(folder.to_path_buf()))
    }

    fn folder(&self) -> &Path {
        match self {
            Work::Kept(folder) => folder,
            Work::Passing(folder) => folder.path(),
        }
    }
}

fn harnesses(sources: &Sources, only: Option<&str>) -> anyhow::Result<Vec<Harness>> {
    let folder = &sources.formal;
    let mut paths: Vec<_> = fs::read_dir(folder)
        .with_context(|| format!("reading {}", folder.display()))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.retain(|path| path.extension() == Some(OsStr::new("sv")));
    if let Some(name) = only {
        paths.retain(|path| path.file_stem() == Some(OsStr::new(name)));
        if paths.is_empty() {
            let reason = format!("there is no {}", folder.join(name).with_extension("sv").display());
            return Err(usage::invalid("--only <NAME>", name, reason));
        }
    }
    paths.sort();
    paths.iter().map(|path| Harness::parse(path)).collect()
}

/// Machines of the RTL: their packages hold an arc table.
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
    let mut shorter = sources.clone();
    for (i, constant) in harness.shorter.iter().enumerate() {
        mutate(sources, &mut shorter, constant, work, &format!("{}_shorter_{i}", harness.name))?;
    }
    if !harness.shorter.is_empty() {
        let file = work.join(format!("{}_shorter.smt2", harness.name));
        harness.problem(&shorter, &file, None).with_context(|| format!("{}, shorter", harness.name))?;
        let failed = solver.prove(&file)?;
        failures.extend(failed.iter().map(|failure| format!("with shorter constants, {failure}")));
    }
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

/// Puts a changed copy of a file of these sources into its place in the mutant.
fn mutate(
    sources: &Sources,
    mutant: &mut Sources,
    mutation: &Mutation,
    work: &Path,
    name: &str,
) -> anyhow::Result<()> {
    let original = sources.root.join(&mutation.file);
    let packages = sources.packages.iter().zip(&mut mutant.packages);
    let mut files = packages.chain(sources.modules.iter().zip(&mut mutant.modules));
    let (_, file) = files
        .find(|(path, _)| **path == original)
        .with_context(|| format!("{} is not read", mutation.file))?;
    let text = fs::read_to_string(&*file).with_context(|| format!("reading {}", file.display()))?;
    let found = text.matches(&mutation.from).count();
    ensure!(found == 1, "`{}` is {found} times in {}, not once", mutation.from, mutation.file);
    *file = work.join(format!("{name}.sv"));
    fs::write(file, text.replace(&mutation.from, &mutation.to))?;
    Ok(())
}

/// An SMT solver that yosys-smtbmc can call.
struct Solver {
    name: &'static str,
    /// Search path for programs, with the solver's folder in front.
    path: std::ffi::OsString,
}

impl Solver {
    /// yices or z3, where `ci/install prove` puts them, here or in the clone of Memonet, or in the search path.
    fn find(root: &Path) -> anyhow::Result<Self> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders: Vec<_> = [root, &yosys::built()]
            .map(|root| root.join("target/prove/bin"))
            .into_iter()
            .chain(env::split_paths(&path))
            .collect();
        for (name, program) in [("yices", "yices-smt2"), ("z3", "z3")] {
            if folders.iter().any(|folder| folder.join(program).is_file()) {
                return Ok(Self { name, path: env::join_paths(folders)? });
            }
        }
        bail!("neither yices nor z3 is installed; `ci/install prove` gets one")
    }

    /// Proves a problem, from reset and by induction: the assertions that failed.
    fn prove(&self, file: &Path) -> anyhow::Result<Vec<String>> {
        let mut failures = self.check(file, BASE_CYCLES, false)?.unwrap_or_default();
        failures.extend(self.check(file, INDUCTION_CYCLES, true)?.unwrap_or_default());
        Ok(failures)
    }

    /// Checks a problem: nothing if it holds, else the assertions that failed.
    fn check(&self, file: &Path, cycles: u32, induction: bool) -> anyhow::Result<Option<Vec<String>>> {
        let trace = file.with_extension(if induction { "induction.vcd" } else { "vcd" });
        let mut command = Command::new("yosys-smtbmc");
        command.env("PATH", &self.path).args(["-s", self.name, "-t", &cycles.to_string(), "--dump-vcd"]);
        command.arg(trace);
        if induction {
            command.arg("-i");
        }
        let output =
            command.arg(file).output().context("yosys-smtbmc, a part of Yosys, cannot be started")?;
        let text = String::from_utf8_lossy(&output.stdout);
        if text.contains("Status: PASSED") {
            return Ok(None);
        }
        ensure!(
            text.contains("Status: FAILED"),
            "yosys-smtbmc: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let kind = if induction { "induction" } else { "from reset" };
        let failed = text.lines().filter_map(|line| line.split("Assert failed in ").nth(1));
        Ok(Some(failed.map(|line| format!("{kind}: {line}")).collect()))
    }
}

impl Report {
    fn good(&self) -> bool {
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
        let count = lab::counted(self.proofs.len(), "proof");
        write!(f, "{count} with {} in {:.1} s", self.solver, self.real_s)?;
        match self.proofs.iter().map(|proof| proof.mutations_left_out).sum() {
            0usize => Ok(()),
            left_out => write!(f, "; {left_out} mutations not tried"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutation_line_has_three_parts_and_escaped_bars() {
        let parsed = mutation("rtl/a.sv | x \\|\\| y | 1'b1").unwrap();
        assert_eq!((&*parsed.file, &*parsed.from, &*parsed.to), ("rtl/a.sv", "x || y", "1'b1"));
        assert!(mutation("rtl/a.sv | x").is_err());
    }

    #[test]
    fn every_machine_of_the_rtl_has_a_harness() {
        for sources in
            [Name::Dimmnet2, Name::GigaePm, Name::Cenju3].map(|device| Sources::find(device).unwrap())
        {
            let harnesses = harnesses(&sources, None).unwrap();
            let proved: Vec<_> = harnesses.iter().flat_map(|harness| harness.machines.clone()).collect();
            for machine in machines(&sources).unwrap() {
                assert!(proved.contains(&machine), "{machine}");
            }
        }
    }

    #[test]
    fn every_mutation_applies_once() {
        for sources in
            [Name::Dimmnet2, Name::GigaePm, Name::Cenju3].map(|device| Sources::find(device).unwrap())
        {
            let harnesses = harnesses(&sources, None).unwrap();
            for mutation in
                harnesses.iter().flat_map(|harness| harness.mutations.iter().chain(&harness.shorter))
            {
                let text = fs::read_to_string(sources.root.join(&mutation.file)).unwrap();
                assert_eq!(text.matches(&mutation.from).count(), 1, "{mutation:?}");
                assert!(!text.replace(&mutation.from, &mutation.to).eq(&text));
            }
        }
    }
}
