//! Workloads in CSV, with one message in each row.

use cluster::Duration;
use csv::{Position, ReaderBuilder, StringRecord, Trim};

use super::entry::Entry;
use super::problem::LocatedProblem;
use super::{Builder, Problem, Schedule, Setting};
use crate::duration::parse_duration;
use crate::lines::Lines;
use crate::quote::{plain, quote};

/// Columns. The first line of a file names those that it has, in any order.
const COLUMNS: [&str; 8] = ["id", "from", "to", "bytes", "at", "after", "delay", "primitive"];
/// Mandatory columns.
const NEEDED: [&str; 3] = ["from", "to", "bytes"];

/// Position of each column in a file.
struct Columns([Option<usize>; COLUMNS.len()]);

impl Columns {
    /// Parses the first line.
    fn of(heads: &StringRecord) -> Result<Columns, Problem> {
        let mut columns = Columns([None; COLUMNS.len()]);
        for (place, head) in heads.iter().enumerate() {
            let column = COLUMNS.iter().position(|name| *name == head).ok_or_else(|| {
                Problem::Syntax(format!("there is no column {}; use {}", quote(head), COLUMNS.join(", ")))
            })?;
            if columns.0[column].replace(place).is_some() {
                return Err(Problem::Syntax(format!("the column `{head}` is there twice; leave one out")));
            }
        }
        for (name, place) in COLUMNS.iter().zip(columns.0) {
            if place.is_none() && NEEDED.contains(name) {
                return Err(Problem::Syntax(format!(
                    "the column `{name}` is missing; name the columns in the first line"
                )));
            }
        }
        Ok(columns)
    }

    /// Cells of a row in the order of [`COLUMNS`]; `None` for empty and missing cells.
    fn cells<'r>(&self, row: &'r StringRecord) -> [Option<&'r str>; COLUMNS.len()] {
        self.0.map(|place| row.get(place?).filter(|cell| !cell.is_empty()))
    }
}

/// Parses the cells of a row; an error if a mandatory one is empty.
fn entry<'r>(columns: &Columns, row: &'r StringRecord) -> Result<Entry<'r>, Problem> {
    let [id, from, to, bytes, at, after, delay, primitive] = columns.cells(row);
    let needed = |cell: Option<&'r str>, name| {
        cell.ok_or_else(|| Problem::Syntax(format!("there is nothing under `{name}`; fill it in")))
    };
    let length = |cell: Option<&str>| -> Result<Option<Duration>, Problem> {
        Ok(cell.map(parse_duration).transpose()?)
    };
    let bytes = needed(bytes, "bytes")?;
    let bytes = bytes
        .parse()
        .map_err(|_| Problem::Syntax(format!("{} is no number of bytes; write one", quote(bytes))))?;
    Ok(Entry {
        id,
        from: needed(from, "from")?,
        to: needed(to, "to")?,
        bytes,
        primitive,
        at: length(at)?,
        after,
        delay: length(delay)?,
        ..Entry::default()
    })
}

/// A text with its lines.
struct Text<'t> {
    text: &'t str,
    lines: Lines,
}

impl Text<'_> {
    /// Line of a row. The position of the CSV reader is before empty lines and comments.
    fn line(&self, row: Option<&Position>) -> Option<u32> {
        let mut at = row?.byte() as usize;
        loop {
            let rest = self.text.as_bytes().get(at..)?;
            at += match rest.first() {
                Some(b'\r' | b'\n') => 1,
                Some(b'#') => 1 + rest.iter().position(|byte| *byte == b'\n')?,
                _ => return Some(self.lines.line(at) as u32),
            };
        }
    }
}

/// Converts an error of the CSV reader.
fn syntax(text: &Text, error: &csv::Error) -> LocatedProblem {
    let line = text.line(error.position());
    let problem = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("the row has {len} cells and the first line {expected_len}; make them as many")
        }
        _ => plain(error.to_string().chars()),
    };
    LocatedProblem { line, problem: Problem::Syntax(problem) }
}

impl Schedule {
    /// Parses a CSV workload; errors name the line of the row.
    pub(crate) fn from_csv(text: &str, setting: &Setting) -> Result<Schedule, LocatedProblem> {
        let mut reader =
            ReaderBuilder::new().trim(Trim::All).comment(Some(b'#')).from_reader(text.as_bytes());
        let text = Text { text, lines: Lines::of(text) };
        let heads = reader.headers().map_err(|error| syntax(&text, &error))?.clone();
        let found = |row: &StringRecord, problem| LocatedProblem { line: text.line(row.position()), problem };
        let columns = Columns::of(&heads).map_err(|problem| found(&heads, problem))?;
        let mut builder = Builder::new(setting).map_err(LocatedProblem::whole)?;
        let mut row = StringRecord::new();
        while reader.read_record(&mut row).map_err(|error| syntax(&text, &error))? {
            let line = text.line(row.position()).unwrap_or_default();
            entry(&columns, &row)
                .and_then(|entry| builder.add(&entry, line))
                .map_err(|problem| found(&row, problem))?;
        }
        builder.finish()
    }
}
