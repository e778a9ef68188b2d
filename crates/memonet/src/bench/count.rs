//! Instructions of simulated work, counted by valgrind and compared with those of an earlier version.
//!
//! Times depend on the computer and on other load; the instructions of a run hardly do. So they can guard the
//! speed of an engine in continuous integration. Each piece of work runs twice, short and long, in processes of
//! its own; the difference has no start and no end of a program in it.

mod baseline;
mod cachegrind;
mod case;
mod tools;

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Context;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use self::baseline::{Baseline, Growth};
use self::cachegrind::Counts;
use self::case::Case;
pub use self::case::Work;
use crate::document::Head;
use crate::output::{self, Outcome};
use crate::usage;

/// Growth in percent that is a failure, if the file was counted with the same tools.
const LIMIT: f64 = 5.0;

/// The same for other compilers or another Verilator, whose code differs (decision 0085).
const LIMIT_OF_OTHER_TOOLS: f64 = 40.0;

/// Instructions of one kind of work.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
struct Row {
    /// Machine, or network of the MPI program.
    machine: String,
    /// `model`, `rtl` or `lockstep`; `sparse` for a message between 16 nodes; `mpi` for a message between two
    /// ranks.
    work: &'static str,
    /// Unit of the work: `core cycle` or `message`.
    unit: &'static str,
    /// Instructions of a unit.
    instructions: f64,
    /// Instructions of a unit in the file of `--against`; `null` without a file or if the file does not have them.
    expected: Option<f64>,
    /// Change from the file, in percent.
    change_percent: Option<f64>,
    /// Function whose instructions grew most; `null` if none grew.
    grew: Option<Growth>,
    /// Whether the change exceeds the limit.
    failed: bool,
}

/// Report of `memonet bench --count`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Compilers and Verilator of this build, and its profile.
    tools: String,
    /// The same of the build that was counted in the file of `--against`.
    expected_tools: Option<String>,
    /// Growth in percent that is a failure; `null` without a file.
    limit_percent: Option<f64>,
    /// The counts.
    rows: Vec<Row>,
    /// Work in the file that this build cannot count.
    not_counted: Vec<String>,
}

/// Options of `memonet bench --count`.
#[derive(clap::Args)]
#[group(skip)]
pub struct Args {
    /// Count instructions with valgrind instead: of a core cycle of each engine of each machine, of a message in a
    /// cluster and of an MPI message.
    #[arg(long, conflicts_with_all = ["machine", "slices", "cycles", "nodes", "mpi"])]
    count: bool,
    /// Compare with the counts in this file; growth of more than 5 % fails, or of 40 % if other compilers built
    /// what was counted there.
    #[arg(long, value_name = "FILE", requires = "count")]
    against: Option<PathBuf>,
    /// Write the counts into this file.
    #[arg(long, value_name = "FILE", requires = "count")]
    output: Option<PathBuf>,
    /// Count only work whose name, a machine and an engine or a kind of message, contains this text.
    #[arg(long, value_name = "TEXT", requires = "count", conflicts_with = "output")]
    only: Option<String>,
    /// Do this work, which valgrind counts.
    #[arg(long, value_enum, hide = true, conflicts_with_all = ["count", "slices", "nodes", "mpi"])]
    work: Option<Work>,
}

impl Args {
    /// Whether something is to be counted.
    pub fn wanted(&self) -> bool {
        self.count
    }

    /// The work that an outer process counts.
    pub fn work(&self) -> Option<Work> {
        self.work
    }
}

/// Counts, compares and prints the report.
pub fn run(args: &Args, json: bool) -> anyhow::Result<Outcome> {
    let baseline = args.against.as_deref().map(Baseline::read).transpose()?;
    if let Some(file) = &args.output {
        output::check_folder(file)?;
    }
    let cases = case::all(|name| args.only.as_ref().is_none_or(|text| name.contains(text.as_str())))?;
    if cases.cases.is_empty() && cases.left_out.is_empty() {
        let text = args.only.as_deref().unwrap_or_default();
        return Err(usage::invalid("--only <TEXT>", text, "no work has such a name"));
    }
    cachegrind::check()?;
    let progress = machine_api::progress("bench", cases.cases.len() as u64, "counts");
    let mut counts = Vec::new();
    for case in &cases.cases {
        progress.set_message(format!("bench, {}", case.name()));
        let counted = case.count().with_context(|| format!("counting {}", case.name()))?;
        counts.push((case, counted));
        progress.inc(1);
    }
    progress.finish_and_clear();
    if let Some(file) = &args.output {
        write(file, &counts)?;
    }
    let report = Report::of(&counts, baseline.as_ref(), cases.left_out, args.only.is_some());
    output::print(&report, json)?;
    Ok(Outcome::from(!report.rows.iter().any(|row| row.failed)))
}

fn write(file: &Path, counts: &[(&Case, Counts)]) -> anyhow::Result<()> {
    let counts = counts.iter().map(|(case, counts)| (case.name(), counts));
    output::write(file, baseline::text(&tools::of_this_build(), counts).as_bytes())
}

impl Report {
    fn of(
        counts: &[(&Case, Counts)],
        baseline: Option<&Baseline>,
        left_out: Vec<String>,
        some_only: bool,
    ) -> Self {
        let tools = tools::of_this_build();
        let limit = baseline.map(|file| if file.tools == tools { LIMIT } else { LIMIT_OF_OTHER_TOOLS });
        let rows: Vec<_> = counts
            .iter()
            .map(|(case, counts)| {
                let earlier = baseline.and_then(|file| file.counts(&case.name()));
                let expected = earlier.map(Counts::total);
                let change = expected.map(|expected| 100.0 * (counts.total() / expected - 1.0));
                Row {
                    machine: case.machine().to_owned(),
                    work: case.work(),
                    unit: case.unit(),
                    instructions: counts.total(),
                    expected,
                    change_percent: change,
                    grew: earlier.and_then(|earlier| baseline::growth(earlier, counts)),
                    failed: change.zip(limit).is_some_and(|(change, limit)| change > limit),
                }
            })
            .collect();
        let has = |name: &&String| counts.iter().any(|(case, _)| case.name() == **name);
        let missing = baseline.into_iter().flat_map(Baseline::names).filter(|name| !some_only && !has(name));
        let mut not_counted: Vec<_> = missing.cloned().chain(left_out).collect();
        not_counted.sort();
        not_counted.dedup();
        Report {
            head: Head::new("bench_count"),
            tools,
            expected_tools: baseline.map(|file| file.tools.clone()),
            limit_percent: limit,
            rows,
            not_counted,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "instructions by valgrind; {}", self.tools)?;
        write!(f, "\n{:22}{:12}{:>14}{:>14}{:>10}", "work", "unit", "instructions", "expected", "change")?;
        for row in &self.rows {
            let name = format!("{} {}", row.machine, row.work);
            let expected = row.expected.map_or("-".to_owned(), |count| format!("{count:.0}"));
            let change = row.change_percent.map_or("-".to_owned(), |change| format!("{change:+.1} %"));
            write!(f, "\n{name:22}{:12}{:>14.0}{expected:>14}{change:>10}", row.unit, row.instructions)?;
        }
        if let Some(tools) = self.expected_tools.as_ref().filter(|tools| **tools != self.tools) {
            write!(
                f,
                "\nthe expected ones were counted with {tools}; growth of up to {LIMIT_OF_OTHER_TOOLS} % is accepted"
            )?;
        }
        for name in &self.not_counted {
            write!(f, "\nNOT COUNTED: {name}; this build cannot run it")?;
        }
        for row in self.rows.iter().filter(|row| row.failed) {
            let Row { machine, work, unit, change_percent, .. } = row;
            let (change, limit) =
                (change_percent.unwrap_or_default(), self.limit_percent.unwrap_or_default());
            write!(
                f,
                "\nFAILED: {machine} {work} takes {change:.1} % more instructions a {unit}; the limit is {limit} %"
            )?;
            if let Some(Growth { function, more, before }) = &row.grew {
                write!(f, "\n  {function} grew most, by {more:.0} from {before:.0}")?;
            }
        }
        Ok(())
    }
}
