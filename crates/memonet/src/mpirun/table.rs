//! Comparison of several runs of one program.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::network::Network;
use super::{Args, Report};
use crate::document::Head;
use crate::launcher::{FailedRun, texts};
use crate::machines::Name;
use crate::nic::Kind;
use crate::numbers;
use crate::output::us;
use crate::{carrier_options, variants};

/// One program under several conditions.
#[derive(JsonSchema, Serialize)]
pub struct Table {
    #[serde(flatten)]
    head: Head,
    /// The program with its arguments.
    program: Vec<String>,
    /// 0, or 1 if a run failed.
    exit_code: u8,
    /// One row for each combination.
    runs: Vec<Row>,
}

/// One combination of options.
#[derive(JsonSchema, Serialize)]
struct Row {
    /// Processes.
    ranks: usize,
    /// Processes on each node, of which the last one may have fewer; `null` for 1.
    per_node: Option<usize>,
    /// Machine that carried the messages; `null` for wires in memory.
    machine: Option<Name>,
    /// Options of the machine that were given.
    #[serde(flatten)]
    way: carrier_options::Chosen,
    /// Implementation of the network interfaces; `null` for wires in memory.
    nic: Option<Kind>,
    /// Share of frames that links were to lose.
    lose: String,
    /// Seed of losses.
    seed: u64,
    /// Virtual time of the end.
    simulated_ps: Option<u64>,
    /// Messages between ranks, without those of collective operations.
    messages: Option<u64>,
    /// Bytes of these messages.
    bytes: Option<u64>,
    /// Packets of the MPI library.
    packets: Option<u64>,
    /// Calls of all ranks.
    calls: Option<u64>,
    /// Fingerprint, equal to that of a run with these options alone.
    fingerprint: Option<String>,
    /// Exit code of a run with these options alone.
    exit_code: u8,
    /// Reason of a failed run.
    error: Option<String>,
}

impl Table {
    /// A table without rows.
    pub(super) fn new(args: &Args) -> Self {
        let program = texts(&args.program);
        Table { head: Head::new("mpirun_what_if"), program, exit_code: 0, runs: Vec::new() }
    }

    /// Adds the row of a run.
    pub(super) fn add(&mut self, args: &Args, result: Result<Report, FailedRun>) {
        let machine = args.machine.machine();
        let (report, exit_code, error) = match result {
            Ok(report) => {
                let code = report.exit_code();
                let error = (code != 0).then(|| format!("a rank ended with exit code {code}"));
                (Some(report), code, error)
            }
            Err(FailedRun { reason, exit_code }) => (None, exit_code, Some(reason)),
        };
        let count = |of: fn(&Report) -> u64| report.as_ref().map(of);
        let row = Row {
            ranks: args.ranks,
            per_node: args.per_node.given(),
            machine,
            way: args.way.chosen(machine),
            nic: machine.map(|_| args.nic),
            lose: numbers::percent(args.lose.unwrap_or(0)),
            seed: args.seed,
            simulated_ps: report.as_ref().and_then(|report| report.head.simulated_ps),
            messages: count(|report| report.messages),
            bytes: count(|report| report.bytes),
            packets: count(|report| report.packets),
            calls: count(|report| report.calls),
            fingerprint: report.as_ref().map(|report| report.head.fingerprint().to_owned()),
            exit_code,
            error,
        };
        self.exit_code = self.exit_code.max(u8::from(row.error.is_some()));
        self.runs.push(row);
    }

    /// 0, or 1 if a run failed.
    pub(super) fn exit_code(&self) -> u8 {
        self.exit_code
    }
}

struct Column {
    head: &'static str,
    /// Text of a cell; the name of the column is the second argument.
    text: fn(&Row, &str) -> String,
    is_right_aligned: bool,
    /// The column is left out if no run has a value.
    is_optional: bool,
}

fn optional(value: &Option<impl ToString>) -> String {
    value.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string)
}

fn number(count: Option<u64>) -> String {
    count.map_or_else(|| "-".to_owned(), |count| count.to_string())
}

/// Columns before the settings of machines.
const FIRST: [Column; 6] = [
    Column { head: "np", text: |row, _| row.ranks.to_string(), is_right_aligned: true, is_optional: false },
    Column {
        head: "per-node",
        text: |row, _| optional(&row.per_node),
        is_right_aligned: true,
        is_optional: true,
    },
    Column {
        head: "machine",
        text: |row, _| Network::of(row.machine).name(),
        is_right_aligned: false,
        is_optional: false,
    },
    Column {
        head: "carrier",
        text: |row, _| optional(&row.way.carrier),
        is_right_aligned: false,
        is_optional: true,
    },
    Column {
        head: "wait",
        text: |row, _| optional(&row.way.wait),
        is_right_aligned: false,
        is_optional: true,
    },
    Column { head: "mtu", text: |row, _| optional(&row.way.mtu), is_right_aligned: true, is_optional: true },
];

/// Columns after them.
const LAST: [Column; 7] = [
    Column {
        head: "nic",
        text: |row, _| row.nic.map_or("-", Kind::name).to_owned(),
        is_right_aligned: false,
        is_optional: false,
    },
    Column { head: "lose", text: |row, _| row.lose.clone(), is_right_aligned: true, is_optional: false },
    Column { head: "seed", text: |row, _| row.seed.to_string(), is_right_aligned: true, is_optional: false },
    Column {
        head: "time us",
        text: |row, _| row.simulated_ps.map_or_else(|| "-".to_owned(), us),
        is_right_aligned: true,
        is_optional: false,
    },
    Column {
        head: "messages",
        text: |row, _| number(row.messages),
        is_right_aligned: true,
        is_optional: false,
    },
    Column { head: "bytes", text: |row, _| number(row.bytes), is_right_aligned: true, is_optional: false },
    Column {
        head: "fingerprint",
        text: |row, _| match (&row.fingerprint, &row.error) {
            // All lines were printed when the run ended.
            (_, Some(error)) => format!("failed: {}", error.lines().next().unwrap_or_default()),
            (fingerprint, None) => fingerprint.clone().unwrap_or_default(),
        },
        is_right_aligned: false,
        is_optional: false,
    },
];

fn columns() -> impl Iterator<Item = Column> {
    let settings = variants::all().into_iter().map(|setting| Column {
        head: setting.name,
        text: |row, name| optional(&row.way.variants.get(name)),
        is_right_aligned: false,
        is_optional: true,
    });
    FIRST.into_iter().chain(settings).chain(LAST)
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = |column: &Column| -> Vec<String> {
            std::iter::once(column.head.to_owned())
                .chain(self.runs.iter().map(|row| (column.text)(row, column.head)))
                .collect()
        };
        let has = |cells: &[String]| cells[1..].iter().any(|cell| cell != "-");
        let columns: Vec<_> = columns()
            .map(|column| {
                let cells = cells(&column);
                (column, cells)
            })
            .filter(|(column, cells)| !column.is_optional || has(cells))
            .collect();
        for line in 0..=self.runs.len() {
            let mut text = String::new();
            for (column, cells) in &columns {
                let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or_default();
                let cell = &cells[line];
                text += &if column.is_right_aligned {
                    format!("{cell:>width$}  ")
                } else {
                    format!("{cell:<width$}  ")
                };
            }
            let end = if line < self.runs.len() { "\n" } else { "" };
            write!(f, "{}{end}", text.trim_end())?;
        }
        Ok(())
    }
}
