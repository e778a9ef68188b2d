//! What is said of several runs of one program.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::network::Network;
use super::once::Failed;
use super::{Args, Report};
use crate::document::Head;
use crate::machines::Name;
use crate::nic::Kind;
use crate::numbers;
use crate::output::us;
use crate::variants;
use crate::way;

/// One program under several conditions.
#[derive(JsonSchema, Serialize)]
pub struct Table {
    #[serde(flatten)]
    head: Head,
    /// The program with its arguments.
    program: Vec<String>,
    /// 0, or 1 if one of the runs failed.
    exit_code: u8,
    /// One for each combination.
    runs: Vec<Row>,
}

/// A run.
#[derive(JsonSchema, Serialize)]
struct Row {
    /// Processes.
    ranks: usize,
    /// What was between them; `null` for wires in memory.
    machine: Option<Name>,
    /// How packets travelled, as far as that was chosen.
    #[serde(flatten)]
    way: way::Chosen,
    /// What stood behind the pins; `null` where there were none.
    nic: Option<Kind>,
    /// Share of frames that links lost.
    lose: String,
    /// Seed of losses.
    seed: u64,
    /// Virtual time.
    simulated_ps: Option<u64>,
    /// Messages from rank to rank that programs sent, those within collective operations not counted.
    messages: Option<u64>,
    /// Bytes of these messages.
    bytes: Option<u64>,
    /// Packets of the library.
    packets: Option<u64>,
    /// Calls of ranks that the simulator answered.
    calls: Option<u64>,
    /// That of a run with these options alone.
    fingerprint: Option<String>,
    /// Its exit code.
    exit_code: u8,
    /// Why it failed.
    error: Option<String>,
}

impl Table {
    /// A table without rows.
    pub(super) fn new(args: &Args) -> Self {
        let program = args.program.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        Table { head: Head::new("mpirun_what_if"), program, exit_code: 0, runs: Vec::new() }
    }

    /// Adds how a run went.
    pub(super) fn add(&mut self, args: &Args, ran: Result<Report, Failed>) {
        let machine = match args.machine {
            Network::Memory => None,
            Network::Of(machine) => Some(machine),
        };
        let (report, exit_code, error) = match ran {
            Ok(report) => {
                let code = report.exit_code();
                let error = (code != 0).then(|| format!("a rank ended with exit code {code}"));
                (Some(report), code, error)
            }
            Err(Failed { why, code }) => (None, code, Some(why)),
        };
        let count = |of: fn(&Report) -> u64| report.as_ref().map(of);
        let row = Row {
            ranks: args.ranks,
            machine,
            way: args.way.chosen(),
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

    /// 0, or 1 if one of the runs failed.
    pub(super) fn exit_code(&self) -> u8 {
        self.exit_code
    }
}

/// A column: what is above it, and what stands in it.
struct Column {
    head: &'static str,
    of: fn(&Row, &str) -> String,
    right: bool,
    /// It is left out if no run has it.
    chosen: bool,
}

fn text(value: &Option<impl ToString>) -> String {
    value.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string)
}

fn number(count: Option<u64>) -> String {
    count.map_or_else(|| "-".to_owned(), |count| count.to_string())
}

/// The columns before the settings of machines.
const FIRST: [Column; 5] = [
    Column { head: "np", of: |row, _| row.ranks.to_string(), right: true, chosen: false },
    Column { head: "machine", of: |row, _| Network::of(row.machine).name(), right: false, chosen: false },
    Column { head: "carrier", of: |row, _| text(&row.way.carrier), right: false, chosen: true },
    Column { head: "wait", of: |row, _| text(&row.way.wait), right: false, chosen: true },
    Column { head: "mtu", of: |row, _| text(&row.way.mtu), right: true, chosen: true },
];

/// The columns behind them.
const LAST: [Column; 7] = [
    Column {
        head: "nic",
        of: |row, _| row.nic.map_or("-", Kind::name).to_owned(),
        right: false,
        chosen: false,
    },
    Column { head: "lose", of: |row, _| row.lose.clone(), right: true, chosen: false },
    Column { head: "seed", of: |row, _| row.seed.to_string(), right: true, chosen: false },
    Column {
        head: "time us",
        of: |row, _| row.simulated_ps.map_or_else(|| "-".to_owned(), us),
        right: true,
        chosen: false,
    },
    Column { head: "messages", of: |row, _| number(row.messages), right: true, chosen: false },
    Column { head: "bytes", of: |row, _| number(row.bytes), right: true, chosen: false },
    Column {
        head: "fingerprint",
        of: |row, _| match (&row.fingerprint, &row.error) {
            // The rest of it was said when the run ended.
            (_, Some(error)) => format!("failed: {}", error.lines().next().unwrap_or_default()),
            (fingerprint, None) => fingerprint.clone().unwrap_or_default(),
        },
        right: false,
        chosen: false,
    },
];

fn columns() -> impl Iterator<Item = Column> {
    let settings = variants::all().into_iter().map(|setting| Column {
        head: setting.name,
        of: |row, name| text(&row.way.variants.get(name)),
        right: false,
        chosen: true,
    });
    FIRST.into_iter().chain(settings).chain(LAST)
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = |column: &Column| -> Vec<String> {
            std::iter::once(column.head.to_owned())
                .chain(self.runs.iter().map(|row| (column.of)(row, column.head)))
                .collect()
        };
        let has = |cells: &[String]| cells[1..].iter().any(|cell| cell != "-");
        let columns: Vec<_> = columns()
            .map(|column| {
                let cells = cells(&column);
                (column, cells)
            })
            .filter(|(column, cells)| !column.chosen || has(cells))
            .collect();
        for line in 0..=self.runs.len() {
            let mut text = String::new();
            for (column, cells) in &columns {
                let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or_default();
                let cell = &cells[line];
                text += &if column.right { format!("{cell:>width$}  ") } else { format!("{cell:<width$}  ") };
            }
            let end = if line < self.runs.len() { "\n" } else { "" };
            write!(f, "{}{end}", text.trim_end())?;
        }
        Ok(())
    }
}
