//! Report of `memonet timing`.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::route::{CriticalPath, PART_NAME, PLACER, SYNTHESIS};
use crate::document::Head;
use crate::machines::Name;

/// Report of `memonet timing`.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub(super) head: Head,
    /// Versions of the tools, as they print them.
    pub(super) tools: String,
    /// Seeds of the placements; the worst placement counts.
    pub(super) seeds: Vec<u64>,
    /// Results of the modules.
    pub(super) rows: Vec<ModuleTiming>,
}

/// Results of a module.
#[derive(JsonSchema, Serialize)]
pub(super) struct ModuleTiming {
    /// Name of the module.
    pub module: String,
    /// Four-input look-up tables, including those of carry chains.
    pub luts: u64,
    /// Block RAMs of 18 Kbit.
    pub block_rams: u64,
    /// Results of each clock.
    pub clocks: Vec<ClockTiming>,
}

/// Results of a clock of a module.
#[derive(JsonSchema, Serialize)]
pub(super) struct ClockTiming {
    /// Port of the clock.
    clock: String,
    /// Required MHz, as in the device.
    goal_mhz: f64,
    /// Published MHz, on other hardware.
    published_mhz: Option<f64>,
    /// MHz of the worst placement.
    reached_mhz: f64,
    /// MHz of each placement.
    placements_mhz: Vec<f64>,
    /// The critical path of the worst placement, from register to register.
    path: Vec<Wire>,
}

/// A wire on a path.
#[derive(JsonSchema, Serialize)]
struct Wire {
    /// Name of the wire in the RTL.
    name: String,
    /// Arrival time in ns after the edge.
    at_ns: f64,
}

impl ClockTiming {
    /// A clock with the critical path of each placement; there is at least one.
    pub fn new(port: &str, goal_mhz: f64, published_mhz: Option<f64>, placements: Vec<CriticalPath>) -> Self {
        let round = |value: f64| (value * 100.0).round() / 100.0;
        let placements_mhz = placements.iter().map(|path| round(path.mhz)).collect();
        let worst = placements.into_iter().min_by(|a, b| a.mhz.total_cmp(&b.mhz));
        let worst = worst.expect("there is a placement");
        ClockTiming {
            clock: port.to_owned(),
            goal_mhz: round(goal_mhz),
            published_mhz,
            reached_mhz: round(worst.mhz),
            placements_mhz,
            path: worst.wires.into_iter().map(|(name, ns)| Wire { name, at_ns: round(ns) }).collect(),
        }
    }

    fn is_reached(&self) -> bool {
        self.reached_mhz >= self.goal_mhz
    }

    /// The first register of the critical path and the last wire before its end.
    fn ends(&self) -> String {
        match self.path.as_slice() {
            [] => "-".to_owned(),
            [only] => only.name.clone(),
            [first, .., last] => format!("{} to {}", first.name, last.name),
        }
    }
}

const HEADS: [&str; 8] = [
    "Module",
    "LUTs",
    "Block RAMs",
    "Clock",
    "MHz of the device",
    "MHz, published",
    "MHz, ours",
    "Worst path",
];

impl Report {
    /// Every clock reaches the required frequency.
    pub fn is_reached(&self) -> bool {
        self.rows.iter().flat_map(|row| &row.clocks).all(ClockTiming::is_reached)
    }

    /// A line for each clock of each module, in the order of [`HEADS`].
    fn lines(&self) -> impl Iterator<Item = [String; 8]> {
        self.rows.iter().flat_map(|row| {
            row.clocks.iter().map(|clock| {
                let missed = if clock.is_reached() { "" } else { " MISSED" };
                [
                    row.module.clone(),
                    row.luts.to_string(),
                    row.block_rams.to_string(),
                    clock.clock.clone(),
                    format!("{:.1}", clock.goal_mhz),
                    clock.published_mhz.map_or("-".to_owned(), |mhz| format!("{mhz:.1}")),
                    format!("{:.1}{missed}", clock.reached_mhz),
                    clock.ends(),
                ]
            })
        })
    }

    pub(super) fn page(&self, machine: Name) -> String {
        let (title, folder) = (machine.title(), machine.folder());
        let option = if machine == Name::default() { String::new() } else { format!("--machine {folder} ") };
        let mut page = format!(
            "# Clocks of {title}\n\n\
             Clock frequencies of the RTL after place and route on {PART_NAME}, an FPGA with open tools:\n\
             `{SYNTHESIS}` of Yosys, then nextpnr with `{}`. All pins of a module\n\
             are registered, with the first clock if it has several. The worst of {} placements counts. Published\n\
             clocks are those of a Virtex-II Pro, so a comparison shows which modules are slow, not by how much.\n\
             External memories are replaced by registers. Written by:\n\n\
             ```\nmemonet timing {option}--output docs/figures/{folder}_timing.md\n```\n\n{}.\n\n",
            PLACER.join(" "),
            self.seeds.len(),
            self.tools
        );
        page += &format!("| {} |\n|{}\n", HEADS.join(" | "), "---|".repeat(HEADS.len()));
        for cells in self.lines() {
            page += &format!("| {} |\n", cells.join(" | "));
        }
        page +=
            "\n## Worst paths\n\nWires from register to register with arrival times in ns after the edge.\n";
        for row in &self.rows {
            for clock in &row.clocks {
                let wires: Vec<_> =
                    clock.path.iter().map(|wire| format!("{} {:.2}", wire.name, wire.at_ns)).collect();
                page += &format!("\n- {}, `{}`: {}.", row.module, clock.clock, wires.join(", "));
            }
        }
        page + "\n"
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads = ["module", "LUTs", "RAMs", "clock", "device", "published", "ours", " worst path"];
        for cells in std::iter::once(heads.map(str::to_owned)).chain(self.lines()) {
            for (column, (cell, width)) in cells.iter().zip([27, 6, 5, 14, 7, 10, 13, 0]).enumerate() {
                match column {
                    0 => write!(f, "{cell:width$}")?,
                    7 => write!(f, "  {}", cell.trim())?,
                    _ => write!(f, " {cell:>width$}")?,
                }
            }
            writeln!(f)?;
        }
        write!(f, "MHz, the worst of {} placements; {PART_NAME}; {}", self.seeds.len(), self.tools)
    }
}
