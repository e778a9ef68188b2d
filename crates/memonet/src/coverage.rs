//! `memonet coverage`: lines of the RTL that the tests reach.

mod lcov;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use anyhow::{Context, bail, ensure};
use schemars::JsonSchema;
use serde::Serialize;

use crate::document::Head;
use crate::machines::Name;
use crate::output::{self, Outcome};
use crate::yosys::Sources;

/// Report the lines of the RTL that the tests reach.
///
/// A point is a branch or a sequence of lines that execute together. It is reached if any instance of its
/// module executes it in any test. `make coverage` runs the tests with counters and calls this command.
/// Points that cannot be reached are listed with reasons in testbench/DEVICE/unreached.txt. Exit code 1 if a
/// point is neither reached nor listed, or if an entry of the list matches no unreached point.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  make coverage")]
pub struct Args {
    /// Machine whose RTL is covered.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Folder of the counters that the tests wrote ($MEMONET_COVERAGE).
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Also write the table to this Markdown file.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Also write an lcov trace to this file, for genhtml and editors.
    #[arg(long, value_name = "FILE")]
    lcov: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Position of a point's first character.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    file: String,
    line: usize,
    column: usize,
}

/// Executions and lines of a point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct PointCount {
    /// Executions in all instances and tests.
    count: u64,
    /// Lines that are executed with it.
    lines: Vec<RangeInclusive<usize>>,
    /// The point is one side of a condition.
    is_branch: bool,
}

/// Points that need not be reached, by file and text of the line; one `*` in each matches any text.
#[derive(Debug)]
struct Exception {
    file: String,
    text: String,
    reason: String,
}

impl Exception {
    fn parse(line: &str) -> anyhow::Result<Self> {
        let parts: Vec<_> = line.split(" | ").map(str::trim).collect();
        match parts[..] {
            [file, text, reason] if !reason.is_empty() => {
                Ok(Self { file: file.into(), text: text.into(), reason: reason.into() })
            }
            _ => bail!("an exception is FILE | LINE | REASON"),
        }
    }

    fn is(&self, file: &str, text: &str) -> bool {
        matches(&self.file, file) && matches(&self.text, text)
    }
}

/// Compares a text with a pattern, in which one `*` matches any text.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => {
            text.len() >= before.len() + after.len() && text.starts_with(before) && text.ends_with(after)
        }
    }
}

/// Report of `memonet coverage`.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Points of all modules.
    points: usize,
    /// Points that a test reached.
    reached: usize,
    /// Points that were not reached but are listed with a reason.
    excepted: usize,
    /// Percentage reached of the points that are not excepted.
    percent: f64,
    /// Counts of each module.
    modules: Vec<Module>,
    /// Entries of the list of points that cannot be reached.
    exceptions: Vec<Excepted>,
    /// Points that are neither reached nor listed: FILE:LINE: TEXT.
    unreached: Vec<String>,
    /// Entries of the list that match no unreached point.
    outdated: Vec<String>,
}

#[derive(Default, JsonSchema, Serialize)]
struct Module {
    /// Path of the module's file.
    file: String,
    /// Points of the module.
    points: usize,
    /// Points that a test reached.
    reached: usize,
    /// Points that were not reached but are listed with a reason.
    excepted: usize,
}

#[derive(JsonSchema, Serialize)]
struct Excepted {
    /// Path of the file; `*` matches any text.
    file: String,
    /// Text of the line; `*` matches any text.
    text: String,
    /// Reason that it cannot be reached.
    reason: String,
    /// Points that match this entry.
    points: usize,
}

/// Reads the counters, prints the report and writes the requested files.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let root = Sources::find(args.machine)?.root;
    let activity = machine_api::activity("coverage");
    let points = points(&args.folder)?;
    // Path of the list of exceptions, relative to the root of the repository.
    let unreached = format!("testbench/{}/unreached.txt", args.machine.folder());
    let text = fs::read_to_string(root.join(&unreached)).with_context(|| format!("reading {unreached}"))?;
    let exceptions = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| Exception::parse(line).with_context(|| format!("{unreached}: {line}")))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let report = report(args.machine, &points, &exceptions, |file| {
        fs::read_to_string(root.join(file)).with_context(|| format!("reading {file}"))
    })?;
    if let Some(file) = &args.output {
        output::write(file, report.page().as_bytes())?;
    }
    if let Some(file) = &args.lcov {
        output::write(file, lcov::trace(&points).as_bytes())?;
    }
    drop(activity);
    output::print(&report, args.json)?;
    Ok(Outcome::from(report.unreached.is_empty() && report.outdated.is_empty()))
}

/// Reads the counts of all points from all files of a folder.
fn points(folder: &Path) -> anyhow::Result<BTreeMap<Position, PointCount>> {
    let mut points = BTreeMap::new();
    let mut files: Vec<_> = fs::read_dir(folder)
        .with_context(|| format!("reading {}; `make coverage` writes it", folder.display()))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "dat"));
    ensure!(!files.is_empty(), "{} holds no counters; `make coverage` writes them", folder.display());
    for file in files {
        let text = fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
        for line in String::from_utf8_lossy(&text).lines().filter(|line| line.starts_with("C ")) {
            let found = point(line).with_context(|| format!("{}: not a point: {line:?}", file.display()))?;
            add(&mut points, found);
        }
    }
    Ok(points)
}

/// Adds the count of a file to a point.
fn add(points: &mut BTreeMap<Position, PointCount>, (place, found): (Position, PointCount)) {
    let point = points.entry(place).or_default();
    *point = PointCount { count: point.count.saturating_add(found.count), ..found };
}

/// Parses `C 'KEY VALUE KEY VALUE ...' COUNT`, where \x01 precedes a key and \x02 its value.
fn point(line: &str) -> Option<(Position, PointCount)> {
    let (keys, count) = line.strip_prefix("C '")?.rsplit_once("' ")?;
    let value = |key| {
        let pairs = keys.split('\x01').filter_map(|pair| pair.split_once('\x02'));
        pairs.filter(|(name, _)| *name == key).map(|(_, value)| value).next()
    };
    let place = Position {
        file: value("f")?.into(),
        line: value("l")?.parse().ok()?,
        column: value("n")?.parse().ok()?,
    };
    let lines = value("S").map_or(Some(Vec::new()), |text| text.split(',').map(lines).collect())?;
    let is_branch = value("page").is_some_and(|page| page.starts_with("v_branch"));
    Some((place, PointCount { count: count.parse().ok()?, lines, is_branch }))
}

/// Maximum number of lines of a file; larger numbers mean that the counters are damaged.
const MOST_LINES: usize = 1_000_000;

/// Parses a range of lines: `8-10` or `8`.
fn lines(text: &str) -> Option<RangeInclusive<usize>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let lines = first.parse().ok()?..=last.parse().ok()?;
    (*lines.end() <= MOST_LINES).then_some(lines)
}

fn report(
    machine: Name,
    points: &BTreeMap<Position, PointCount>,
    exceptions: &[Exception],
    source: impl Fn(&str) -> anyhow::Result<String>,
) -> anyhow::Result<Report> {
    let mut modules = BTreeMap::<&str, (Module, String)>::new();
    let mut excepted = vec![0; exceptions.len()];
    let mut unreached = Vec::new();
    for (place, PointCount { count, .. }) in points {
        let file = place.file.as_str();
        if !modules.contains_key(file) {
            modules.insert(file, (Module { file: file.into(), ..Module::default() }, source(file)?));
        }
        let (module, text) = modules.get_mut(file).expect("the module was just inserted");
        let line = text.lines().nth(place.line.saturating_sub(1)).map(str::trim);
        let line = line.with_context(|| {
            format!("{file} has no line {}: the counters are older than the file", place.line)
        })?;
        let exception = exceptions.iter().position(|exception| exception.is(file, line));
        module.points += 1;
        match (*count > 0, exception) {
            (true, _) => module.reached += 1,
            (false, None) => unreached.push(format!("{file}:{}: {line}", place.line)),
            (false, Some(exception)) => {
                module.excepted += 1;
                excepted[exception] += 1;
            }
        }
    }
    let nothing = exceptions.iter().zip(&excepted).filter(|(_, points)| **points == 0);
    let outdated = nothing.map(|(exception, _)| format!("{}: {}", exception.file, exception.text)).collect();
    let modules: Vec<_> = modules.into_values().map(|(module, _)| module).collect();
    let sum = |of: fn(&Module) -> usize| modules.iter().map(of).sum::<usize>();
    let (reached, required) = (sum(|m| m.reached), sum(|m| m.points - m.excepted));
    Ok(Report {
        head: Head::on("coverage", machine),
        points: points.len(),
        reached,
        excepted: sum(|m| m.excepted),
        percent: 100.0 * reached as f64 / required.max(1) as f64,
        modules,
        exceptions: exceptions
            .iter()
            .zip(excepted)
            .map(|(exception, points)| Excepted {
                file: exception.file.clone(),
                text: exception.text.clone(),
                reason: exception.reason.clone(),
                points,
            })
            .collect(),
        unreached,
        outdated,
    })
}

impl Report {
    fn page(&self) -> String {
        let mut page = format!("# Line coverage of {}\n\n", self.head.machine.map_or("", Name::title));
        page += "\
             Branches and lines of the RTL that the lockstep tests reach, counted by Verilator; the two\n\
             sides of a conditional expression are not counted. Written by:\n\n\
             ```\nmake coverage\n```\n\n\
             | Module | Points | Reached | Excepted |\n|---|---|---|---|\n";
        for Module { file, points, reached, excepted } in &self.modules {
            page += &format!("| {file} | {points} | {reached} | {excepted} |\n");
        }
        page += &format!(
            "| all | {} | {} | {} |\n\n{:.2} % of the points that are not excepted. Exceptions:\n\n",
            self.points, self.reached, self.excepted, self.percent
        );
        for Excepted { file, text, reason, points } in &self.exceptions {
            page += &format!("- `{text}` in {file} ({points} points): {reason}\n");
        }
        page
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:60} {:>6} {:>7} {:>8}", "module", "points", "reached", "excepted")?;
        for Module { file, points, reached, excepted } in &self.modules {
            writeln!(f, "{file:60} {points:6} {reached:7} {excepted:8}")?;
        }
        for Excepted { file, text, reason, points } in &self.exceptions {
            writeln!(f, "excepted: {points} x `{text}` in {file}: {reason}")?;
        }
        for line in &self.unreached {
            writeln!(f, "NOT REACHED: {line}")?;
        }
        for line in &self.outdated {
            writeln!(f, "EXCEPTED FOR NOTHING: {line}")?;
        }
        let Self { points, reached, excepted, percent, .. } = self;
        write!(f, "{reached} of {points} points reached, {excepted} excepted: {percent:.2} % of the others")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "rtl/dimmnet2/x.sv";

    /// The two sides of a condition, as Verilator writes them.
    pub const IF: &str = "C '\x01f\x02rtl/a.sv\x01l\x0211\x01n\x0214\x01page\x02v_branch/t\x01o\x02if\x01S\x0211-12\x01h\x02.t' 3";
    pub const ELSE: &str =
        "C '\x01f\x02rtl/a.sv\x01l\x0211\x01n\x0215\x01page\x02v_branch/t\x01o\x02else\x01h\x02.t' 0";

    /// Parses the counters of a file.
    pub fn read(lines: &[&str]) -> BTreeMap<Position, PointCount> {
        let mut points = BTreeMap::new();
        lines.iter().for_each(|line| add(&mut points, point(line).unwrap()));
        points
    }

    fn counted(counts: &[(usize, u64)]) -> BTreeMap<Position, PointCount> {
        let place = |line| Position { file: FILE.into(), line, column: 1 };
        let counts =
            counts.iter().map(|&(line, count)| (place(line), PointCount { count, ..PointCount::default() }));
        counts.collect()
    }

    fn report_of(points: &BTreeMap<Position, PointCount>) -> Report {
        let exceptions = [Exception::parse("* | default: *; | No such state.").unwrap()];
        report(Name::Dimmnet2, points, &exceptions, |_| Ok("one;\n  two;\n  default: three;\n".into()))
            .unwrap()
    }

    #[test]
    fn points_are_parsed_from_counters() {
        let line = "C '\x01f\x02rtl/dimmnet2/x.sv\x01l\x02103\x01n\x0222\x01page\x02v_line/x\x01h\x02.x' 7";
        let place = Position { file: FILE.into(), line: 103, column: 22 };
        assert_eq!(point(line), Some((place, PointCount { count: 7, ..PointCount::default() })));
        let (_, side) = point(IF).unwrap();
        assert_eq!(side, PointCount { count: 3, lines: vec![11..=12], is_branch: true });
        for line in ["", "C", "C '' 1", "C '\x01f\x02x' 1", "C '\x01f\x02x\x01l\x02y\x01n\x021' 1"] {
            assert_eq!(point(line), None, "{line:?}");
        }
    }

    #[test]
    fn counts_of_all_files_are_added() {
        assert_eq!(read(&[IF, ELSE, IF]).values().map(|point| point.count).collect::<Vec<_>>(), [6, 0]);
    }

    #[test]
    fn points_are_reached_excepted_or_reported() {
        let report = report_of(&counted(&[(1, 5), (2, 0), (3, 0)]));
        assert_eq!((report.points, report.reached, report.excepted, report.percent), (3, 1, 1, 50.0));
        assert_eq!(report.unreached, ["rtl/dimmnet2/x.sv:2: two;"]);
        assert!(report.outdated.is_empty());
    }

    #[test]
    fn exceptions_without_unreached_points_are_outdated() {
        assert_eq!(report_of(&counted(&[(3, 1)])).outdated, ["*: default: *;"]);
        assert_eq!(report_of(&counted(&[(1, 1)])).outdated, ["*: default: *;"]);
    }

    #[test]
    fn counters_older_than_the_source_are_an_error() {
        let old = report(Name::Dimmnet2, &counted(&[(9, 1)]), &[], |_| Ok("one;\n".into()));
        assert!(old.err().unwrap().to_string().contains("older"));
    }

    #[test]
    fn exceptions_need_a_reason() {
        assert!(Exception::parse("rtl/x.sv | two;").is_err());
        assert!(Exception::parse("rtl/x.sv | two; | ").is_err());
    }
}
