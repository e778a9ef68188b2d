//! Mutants of a package without RTL: a library, a protocol or a binding.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use ::mutants::code::{self, CodeFault, Planting, Site, SourceFile};
use ::mutants::draw;
use anyhow::{Context, bail, ensure};
use serde::Deserialize;

use super::Args;
use super::copy::Copy;
use super::program::ActiveMutants;
use super::programs::{self, Programs, TestProgram};
use super::report::{self, MutantRow, Report, Side};
use super::trial::{TestRun, Trial};
use super::verdict::Verdict;
use crate::document::Head;
use crate::interrupt::Interrupt;
use crate::usage;

/// The packages with mutants, below the root.
const TABLE: &str = "testbench/mutants/packages.toml";
/// Minimum number of mutants of a module in a sample.
const EACH: usize = 1;
/// Additional processor time of a program with a mutant.
const PATIENCE: Duration = Duration::from_secs(2);
/// Rounds of builds, each without the mutants that the one before could not compile: types first, then
/// borrows, then constant values.
const ROUNDS: usize = 8;

/// A package with mutants.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Name in text.
    title: String,
    /// Its folder, relative to the root.
    folder: PathBuf,
    /// Modules without mutants.
    #[serde(default)]
    except: Vec<String>,
    /// Faults to draw, unless `--sample` says otherwise.
    sample: usize,
    /// Programs that know its expected behaviour, the fastest first.
    judges: Vec<CodeJudge>,
}

/// A test program that judges a package.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CodeJudge {
    package: String,
    test: Option<String>,
    /// Words of test names: only tests whose names contain one of them run; empty for all tests.
    #[serde(default)]
    only: Vec<String>,
}

impl Entry {
    /// The package with a name. Refuses an unknown one, with the names that are known.
    fn find(root: &Path, name: &str) -> anyhow::Result<Self> {
        let file = root.join(TABLE);
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let mut all: BTreeMap<String, Entry> = toml::from_str(&text).with_context(|| TABLE.to_string())?;
        let known: Vec<_> = all.keys().cloned().collect();
        let unknown = || {
            let reason = format!("it has no mutants; {TABLE} lists {}", known.join(", "));
            usage::invalid("--package <PACKAGE>", name, reason)
        };
        all.remove(name).ok_or_else(unknown)
    }

    fn files(&self, root: &Path, only: &[String]) -> anyhow::Result<Vec<SourceFile>> {
        let files = SourceFile::all(root, &self.folder, &self.except).context("reading the sources")?;
        match only.iter().find(|name| !files.iter().any(|file| file.name == **name)) {
            Some(name) => Err(usage::invalid("--only <BLOCK>", name, "the package has no such module")),
            None => Ok(files),
        }
    }
}

/// The faults of each selected file.
fn sites(files: &[SourceFile], args: &Args) -> anyhow::Result<Vec<Vec<Site>>> {
    let wanted = files.iter().filter(|file| args.wants(&file.name));
    wanted.map(|file| code::sites(file).with_context(|| file.path.display().to_string())).collect()
}

/// All faults of the selected modules, one in a line.
pub fn list(root: &Path, args: &Args, package: &str) -> anyhow::Result<Vec<String>> {
    let files = Entry::find(root, package)?.files(root, &args.only)?;
    let folder = files.iter().map(|file| (&file.name, &file.path)).collect::<BTreeMap<_, _>>();
    let line = |fault: &CodeFault| {
        format!("{}:{}: {}: {fault}", folder[&fault.block].display(), fault.line, fault.operator.kind())
    };
    Ok(sites(&files, args)?.iter().flatten().map(|site| line(&site.fault)).collect())
}

/// Tests the mutants of a package.
pub fn run(root: &Path, args: &Args, package: &str, interrupt: &Interrupt) -> anyhow::Result<Report> {
    let entry = Entry::find(root, package)?;
    let files = entry.files(root, &args.only)?;
    let sites: BTreeMap<_, _> =
        sites(&files, args)?.into_iter().flatten().map(|site| (site.fault.clone(), site)).collect();
    let mut of_files: BTreeMap<&str, Vec<CodeFault>> = BTreeMap::new();
    for fault in sites.keys() {
        of_files.entry(&fault.block).or_default().push(fault.clone());
    }
    let drawn =
        draw::sample(of_files.into_values().collect(), args.sample.unwrap_or(entry.sample), EACH, args.seed);
    let numbered: BTreeMap<u32, &Site> = (1..).zip(drawn.iter().map(|fault| &sites[fault])).collect();
    let mut plantings = Plantings::of(&files, &numbered, &BTreeSet::new());
    let copy = Copy::make(root, package, &|file| plantings.text(file, &entry))?;
    let uncompiled = plantings.build(&copy, &entry, package, &files, &numbered)?;

    let own =
        Module { package: package.to_string(), judges: entry.judges.clone(), killers: Mutex::default() };
    let trials: Vec<_> = numbered
        .iter()
        .filter(|(number, _)| !uncompiled.contains(number))
        .map(|(number, site)| CodeTrial { fault: site.fault.clone(), number: *number, of: &own })
        .collect();
    let names = entry.judges.iter().map(CodeJudge::program).collect();
    let programs = Programs::new(&copy, names, PATIENCE);
    let verdicts = super::run_trials(&trials, &programs, &copy, interrupt)?;
    let argued = report::equivalent_mutants(root, package)?;
    let row = |(trial, verdict): (CodeTrial<'_>, Verdict)| MutantRow {
        block: trial.fault.block.clone(),
        operator: trial.fault.operator.kind(),
        fault: trial.fault.description(),
        place: format!("{}:{}", entry.path_of(&files, &trial.fault.block), trial.fault.line),
        side: Side::Code,
        equivalent: argued.get(&trial.fault.to_string()).cloned(),
        ..MutantRow::judged(verdict)
    };
    let rows = trials.into_iter().zip(verdicts).map(row).collect();
    let head = Head::new("mutants").seeded(args.seed);
    let package = Some(report::Package { name: package.to_string(), title: entry.title.clone() });
    Ok(Report { head, package, uncompiled: Some(uncompiled.len()), skipped: None, rows })
}

impl Entry {
    fn path_of(&self, files: &[SourceFile], module: &str) -> String {
        let file = files.iter().find(|file| file.name == module);
        file.map_or_else(|| self.folder.clone(), |file| file.path.clone()).display().to_string()
    }
}

impl CodeJudge {
    fn program(&self) -> TestProgram {
        TestProgram { package: self.package.clone(), test: self.test.clone() }
    }

    /// Name in reports: `unit tests` of the mutated package, and others by package and test.
    fn name(&self, mutated: &str) -> String {
        match &self.test {
            None if self.package == mutated => "unit tests".to_string(),
            None => format!("{}, unit tests", self.package),
            Some(test) if *test == self.package => test.clone(),
            Some(test) => format!("{}, {test}", self.package),
        }
    }
}

/// The files with mutants.
struct Plantings(BTreeMap<PathBuf, Planting>);

impl Plantings {
    fn of(files: &[SourceFile], numbered: &BTreeMap<u32, &Site>, without: &BTreeSet<u32>) -> Self {
        let plant = |file: &SourceFile| {
            let own = numbered
                .iter()
                .filter(|(number, site)| site.fault.block == file.name && !without.contains(number));
            let own: Vec<_> = own.map(|(number, site)| (*number, *site)).collect();
            (file.path.clone(), code::plant(&file.text, &own))
        };
        Plantings(files.iter().map(plant).collect())
    }

    /// The text of a file of the package; `None` for other files.
    fn text(&self, file: &Path, entry: &Entry) -> Option<String> {
        let text = &self.0.get(file)?.text;
        let is_root = file == entry.folder.join("src/lib.rs");
        Some(if is_root { format!("{text}{}", code::MODULE) } else { text.clone() })
    }

    /// Builds the package and removes the mutants that the compiler refuses; returns their numbers.
    fn build(
        &mut self,
        copy: &Copy,
        entry: &Entry,
        package: &str,
        files: &[SourceFile],
        numbered: &BTreeMap<u32, &Site>,
    ) -> anyhow::Result<BTreeSet<u32>> {
        let mut without = BTreeSet::new();
        for _ in 0..ROUNDS {
            let progress = machine_api::counter("mutants, building", "programs");
            progress.set_message(format!("mutants, building {package} with its faults"));
            let build = programs::cargo(copy, &["build", "--package", package, "--lib"])?;
            progress.finish_and_clear();
            if build.succeeded {
                return Ok(without);
            }
            let refused: BTreeSet<u32> = build.errors().flat_map(|error| self.refused(error)).collect();
            ensure!(
                refused.iter().any(|number| !without.contains(number)),
                "{package} with its mutants cannot be built:\n{}",
                build.told()
            );
            without.extend(refused);
            *self = Plantings::of(files, numbered, &without);
            for file in self.0.keys() {
                copy.write(file, &self.text(file, entry).unwrap_or_default())?;
            }
        }
        bail!("{package} cannot be built after {ROUNDS} rounds without the mutants that are no valid code")
    }

    /// Numbers of the mutants that an error of the compiler is about.
    fn refused(&self, error: &serde_json::Value) -> Vec<u32> {
        let spans = error["spans"].as_array().into_iter().flatten();
        let primary = spans.filter(|span| span["is_primary"] == true);
        let faults = primary.flat_map(|span| {
            let at = |key: &str| span[key].as_u64().unwrap_or_default() as usize;
            let file = span["file_name"].as_str().map(Path::new).and_then(|file| self.0.get(file));
            file.map_or(&[][..], |file| file.faults_at(at("byte_start")..at("byte_end")))
        });
        faults.copied().collect()
    }
}

/// A package whose trials learn from each other.
struct Module {
    package: String,
    judges: Vec<CodeJudge>,
    /// Tests that detected mutants, by module and name of the program, the latest first.
    killers: Mutex<BTreeMap<(String, String), Vec<String>>>,
}

/// Killers of a module that run before all other tests.
const KILLERS: usize = 6;

/// A mutant of a package to be tested.
struct CodeTrial<'a> {
    fault: CodeFault,
    number: u32,
    of: &'a Module,
}

impl fmt::Display for CodeTrial<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "code: {}", self.fault)
    }
}

impl Trial for CodeTrial<'_> {
    fn active(&self) -> ActiveMutants {
        ActiveMutants { rust: self.number, systemverilog: 0 }
    }

    /// Tests that detected other mutants of the module come first, then the unit tests of the module, then
    /// all tests.
    fn runs(&self, _: &Programs<'_>) -> Vec<TestRun> {
        let module = self.fault.block.trim_end_matches("/mod").replace('/', "::");
        let killers = self.of.killers.lock().expect("no thread panics");
        let (mut first, mut all) = (Vec::new(), Vec::new());
        for (place, judge) in self.of.judges.iter().enumerate() {
            let name = judge.name(&self.of.package);
            let whole = TestRun::new(place, Some(&name), &judge.only);
            if let Some(tests) = killers.get(&(self.fault.block.clone(), name.clone())) {
                first.push(whole.exact(tests.iter().cloned()));
            }
            if judge.test.is_none() && judge.package == self.of.package {
                let own = vec![format!("{module}::")];
                all.push(TestRun { arguments: own, ..whole.clone() });
            }
            all.push(whole);
        }
        first.into_iter().chain(all).collect()
    }

    fn ended(&self, verdict: &Verdict) {
        let Verdict::Found { by, test } = verdict else { return };
        let test = test.split(' ').next().unwrap_or_default().to_string();
        let mut killers = self.of.killers.lock().expect("no thread panics");
        let tests = killers.entry((self.fault.block.clone(), by.clone())).or_default();
        tests.retain(|other| *other != test);
        if !test.is_empty() {
            tests.insert(0, test);
            tests.truncate(KILLERS);
        }
    }
}
