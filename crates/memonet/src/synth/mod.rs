//! `memonet synth`: hardware cost of the RTL compared with published numbers.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use machine_api::{Module, Synthesis};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::document::Head;
use crate::machines::{Name, with_machine};
use crate::output::{self, Outcome};
use crate::usage;
use crate::yosys::{self, Sources};

/// Estimate the FPGA resources and compare with published ones.
///
/// Published costs are those of DIMMnet-2 (thesis table 5.2). None are published for GigaE PM, whose card was
/// a processor with firmware; its rows show the cost of the same functions as state machines.
///
/// Yosys maps each module separately to a Virtex-II Pro. It does not pack slices, so they are estimated from
/// LUTs and flip-flops. The command takes several minutes. Exit code 1 if a row differs without a remark that
/// explains it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet synth --only write_window
  memonet synth --block my_timer
  memonet synth --json")]
pub struct Args {
    /// Machine whose RTL is synthesized.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Folder of a block of your own, as `memonet new-block` writes it, instead of a machine.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["machine", "only", "output"])]
    block: Option<PathBuf>,
    /// Only the rows that contain this module.
    #[arg(long, value_name = "MODULE")]
    only: Option<String>,
    /// Also write the table to this Markdown file.
    #[arg(long, value_name = "FILE", conflicts_with = "only")]
    output: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Maximum ratio of costs, in either direction, that needs no remark.
const NEAR: f64 = 1.5;

/// Resources of a module.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize)]
struct Cost {
    /// Four-input look-up tables.
    luts: u64,
    /// D flip-flops and latches.
    flip_flops: u64,
    /// Slices, estimated: a Virtex-II Pro slice has two LUTs and two flip-flops; perfect packing is assumed.
    slices: u64,
    /// Block RAMs of 18 Kbit.
    block_rams: u64,
}

impl Cost {
    /// The cost of the cells that Yosys counted.
    fn of(cells: &Value) -> anyhow::Result<Self> {
        let mut cost = Self::default();
        for (kind, count) in cells.as_object().context("the output of Yosys has no cells")? {
            let count = count.as_u64().context("a count is not a number")?;
            match kind.as_str() {
                _ if kind.starts_with("LUT") || kind.starts_with("SRL16") => cost.luts += count,
                // A dual-port word of distributed RAM takes two LUTs per 16 words.
                "RAM16X1D" | "RAM32X1D" | "RAM64X1D" => {
                    cost.luts += count
                        * if kind == "RAM16X1D" {
                            2
                        } else if kind == "RAM32X1D" {
                            4
                        } else {
                            8
                        };
                }
                _ if kind.starts_with("FD") || kind.starts_with("LD") => cost.flip_flops += count,
                _ if kind.starts_with("RAMB16") => cost.block_rams += count,
                // Inverters are absorbed by inputs of slices and RAMs; carry chains and wide multiplexers are
                // next to the LUTs.
                "INV" | "MUXCY" | "XORCY" | "MUXF5" | "MUXF6" | "MUXF7" | "MUXF8" => {}
                "GND" | "VCC" => {}
                _ => anyhow::bail!("the estimate does not support {count} cells {kind} of Yosys"),
            }
        }
        cost.slices = cost.luts.max(cost.flip_flops).div_ceil(2);
        Ok(cost)
    }

    fn add(&mut self, other: Self, times: u64) {
        self.luts += other.luts * times;
        self.flip_flops += other.flip_flops * times;
        self.slices += other.slices * times;
        self.block_rams += other.block_rams * times;
    }
}

/// Report of `memonet synth`.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Version of Yosys, as it prints it.
    yosys: String,
    /// Costs of the device's parts.
    rows: Vec<CostRow>,
}

#[derive(JsonSchema, Serialize)]
struct CostRow {
    /// Name of the row.
    module: String,
    /// Modules that it contains.
    made_of: Vec<String>,
    /// Estimated cost; `null` without modules.
    cost: Option<Cost>,
    /// Slices in the publication.
    published_slices: Option<u64>,
    /// Block RAMs in the publication.
    published_block_rams: Option<u64>,
    /// Estimated slices divided by published ones.
    slice_ratio: Option<f64>,
    /// Reason of the difference.
    remark: &'static str,
    /// The costs differ, and the row has no remark.
    unexplained: bool,
}

/// The rows of a machine's device.
fn synthesis(machine: Name) -> Synthesis {
    with_machine!(machine, M => <M as machine_api::Synthesized>::SYNTHESIS)
}

/// Synthesizes the rows and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(folder) = &args.block {
        return synthesize_block(folder, args.json);
    }
    let wanted = |row: &&Module| match &args.only {
        Some(only) => row.modules.iter().any(|(module, _)| module == only),
        None => true,
    };
    let wanted: Vec<_> = synthesis(args.machine).modules.iter().filter(wanted).collect();
    if let Some(only) = args.only.as_ref().filter(|_| wanted.is_empty()) {
        return Err(usage::invalid("--only <MODULE>", only, "no row of the table contains it"));
    }
    if let Some(file) = &args.output {
        output::check_folder(file)?;
    }
    let sources = Sources::find(args.machine)?;
    let yosys = yosys::version()?;
    let progress = machine_api::progress("synth", wanted.len() as u64, "rows");
    let row = |row: &Module| {
        progress.set_message(format!("synth, {}", row.name));
        let compared = compare(row, &sources);
        progress.inc(1);
        compared
    };
    let rows = wanted.into_iter().map(row).collect::<anyhow::Result<_>>()?;
    progress.finish_and_clear();
    let report = Report { head: Head::on("synth", args.machine), yosys, rows };
    if let Some(file) = &args.output {
        output::write(file, report.page(args.machine).as_bytes())?;
    }
    output::print(&report, args.json)?;
    Ok(Outcome::from(report.rows.iter().all(|row| !row.unexplained)))
}

/// Synthesizes the modules of a block in a folder of its own.
fn synthesize_block(folder: &Path, json: bool) -> anyhow::Result<Outcome> {
    let sources = Sources::of(Name::default(), Some(folder))?;
    let yosys = yosys::version()?;
    let modules = sources.modules.iter().filter(|path| path.starts_with(&sources.root));
    let names = modules.filter_map(|path| path.file_stem()?.to_str());
    let row = |module: &str| {
        Ok(CostRow {
            module: module.to_string(),
            made_of: vec![module.to_string()],
            cost: Some(synthesize(module, &sources)?),
            published_slices: None,
            published_block_rams: None,
            slice_ratio: None,
            remark: "",
            unexplained: false,
        })
    };
    let activity = machine_api::activity("synth");
    let rows = names.map(row).collect::<anyhow::Result<_>>()?;
    drop(activity);
    output::print(&Report { head: Head::new("synth"), yosys, rows }, json)?;
    Ok(Outcome::Success)
}

fn compare(row: &Module, sources: &Sources) -> anyhow::Result<CostRow> {
    let mut cost = (!row.modules.is_empty()).then(Cost::default);
    for (module, times) in row.modules {
        cost.get_or_insert_default().add(synthesize(module, sources)?, *times);
    }
    let slice_ratio = cost.zip(row.published).map(|(cost, (slices, _))| cost.slices as f64 / slices as f64);
    let far = slice_ratio.is_none_or(|ratio| !(1.0 / NEAR..=NEAR).contains(&ratio));
    let rams = row.published.map(|(_, rams)| rams) != cost.map(|cost| cost.block_rams);
    Ok(CostRow {
        module: row.name.to_string(),
        made_of: row
            .modules
            .iter()
            .map(|(module, times)| if *times == 1 { module.to_string() } else { format!("{times} {module}") })
            .collect(),
        cost,
        published_slices: row.published.map(|(slices, _)| slices),
        published_block_rams: row.published.map(|(_, rams)| rams),
        slice_ratio,
        remark: row.remark,
        unexplained: row.published.is_some() && (far || rams) && row.remark.is_empty(),
    })
}

fn synthesize(module: &str, sources: &Sources) -> anyhow::Result<Cost> {
    let text = yosys::run(&format!(
        "{}; hierarchy -check -top {module}; synth_xilinx -family xc2vp -top {module} -flatten -noiopad -noclkbuf; \
         tee -q -o /dev/stdout stat -json",
        sources.read_hardware(&sources.modules),
    ))
    .with_context(|| format!("synthesizing {module}"))?;
    let counts: Value = serde_json::from_str(&text).context("reading the counts of Yosys")?;
    Cost::of(&counts["design"]["num_cells_by_type"]).with_context(|| module.to_string())
}

/// Heads of the columns; `true` for columns of comparisons.
const COLUMNS: [(&str, bool); 9] = [
    ("Module", false),
    ("LUTs", false),
    ("Flip-flops", false),
    ("Slices, estimated", false),
    ("Slices, published", true),
    ("Ratio", true),
    ("Block RAMs", false),
    ("Block RAMs, published", true),
    ("Remark", false),
];

impl CostRow {
    /// The row as cells, in the order of [`COLUMNS`].
    fn cells(&self) -> [String; 9] {
        let number = |value: Option<u64>| value.map_or("-".to_string(), |value| value.to_string());
        [
            self.module.to_string(),
            number(self.cost.map(|cost| cost.luts)),
            number(self.cost.map(|cost| cost.flip_flops)),
            number(self.cost.map(|cost| cost.slices)),
            number(self.published_slices),
            self.slice_ratio.map_or("-".to_string(), |ratio| format!("{ratio:.2}")),
            number(self.cost.map(|cost| cost.block_rams)),
            number(self.published_block_rams),
            if self.unexplained { "DIFFERS".to_string() } else { self.remark.to_string() },
        ]
    }
}

impl Report {
    /// The device has published costs.
    fn compares(&self) -> bool {
        let published = |machine| synthesis(machine).modules.iter().any(|row| row.published.is_some());
        self.head.machine.is_some_and(published)
    }

    /// Selects the columns that this device has.
    fn columns<T>(&self, all: [T; 9]) -> Vec<T> {
        let compares = self.compares();
        let columns = COLUMNS.iter().zip(all);
        columns.filter(|((_, compared), _)| compares || !compared).map(|(_, cell)| cell).collect()
    }

    fn page(&self, machine: Name) -> String {
        let (title, folder) = (machine.title(), machine.folder());
        let option = if machine == Name::default() { String::new() } else { format!("--machine {folder} ") };
        let about = synthesis(machine).about;
        let mut page = format!(
            "# Hardware cost of {title}\n\n{about} Written by:\n\n\
             ```\nmemonet synth {option}--output docs/figures/{folder}_synthesis.md\n```\n\n",
        );
        page += &format!("{}, `synth_xilinx -family xc2vp -flatten`.\n\n", self.yosys);
        let heads = self.columns(COLUMNS.map(|(head, _)| head));
        page += &format!("| {} |\n|{}\n", heads.join(" | "), "---|".repeat(heads.len()));
        for row in &self.rows {
            page += &format!("| {} |\n", self.columns(row.cells()).join(" | "));
        }
        page += "\nSlices are an estimate: a slice has two LUTs and two flip-flops, so the larger of the two counts is\n\
                 halved, which assumes perfect packing. Inverters are absorbed by inputs of slices and RAMs; carry\n\
                 chains and wide multiplexers are next to the LUTs.\n";
        let composed: Vec<_> = self.rows.iter().filter(|row| row.made_of.len() > 1).collect();
        if !composed.is_empty() {
            page += "\nMade of:\n\n";
        }
        for row in composed {
            page += &format!("- {}: {}.\n", row.module, row.made_of.join(", "));
        }
        page
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads = ["module", "LUTs", "FFs", "slices", "published", "ratio", "RAMs", "published", " remark"];
        for cells in std::iter::once(heads.map(str::to_string)).chain(self.rows.iter().map(CostRow::cells)) {
            let widths = self.columns([20, 6, 6, 7, 9, 6, 5, 9, 0]);
            for (column, (cell, width)) in self.columns(cells).iter().zip(widths).enumerate() {
                match column {
                    0 => write!(f, "{cell:width$}")?,
                    _ => write!(f, " {cell:>width$}")?,
                }
            }
            writeln!(f)?;
        }
        write!(f, "slices: estimated, max(LUTs, FFs) / 2; {}", self.yosys)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::ValueEnum;

    use super::*;

    #[test]
    fn cost_counts_luts_flip_flops_and_block_rams() {
        let cells = serde_json::json!({"LUT2": 3, "LUT4": 4, "FDRE": 9, "INV": 9, "RAMB16_S36_S36": 2});
        let cost = Cost::of(&cells).unwrap();
        assert_eq!((cost.luts, cost.flip_flops, cost.slices, cost.block_rams), (7, 9, 5, 2));
        assert!(Cost::of(&serde_json::json!({"DSP48": 1})).is_err(), "an unknown cell is not free");
    }

    /// The committed tables contain every row, the published numbers, and ratios that follow from them.
    #[test]
    fn committed_tables_match_the_rows() {
        for &machine in Name::value_variants() {
            let rows = synthesis(machine).modules;
            let report = Report { head: Head::on("synth", machine), yosys: String::new(), rows: Vec::new() };
            let heads = report.columns(COLUMNS.map(|(head, _)| head));
            let page = format!("docs/figures/{}_synthesis.md", machine.folder());
            let page = fs::read_to_string(Sources::find(machine).unwrap().root.join(page)).unwrap();
            let lines: Vec<Vec<_>> = page
                .lines()
                .filter(|line| line.starts_with("| "))
                .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
                .collect();
            assert_eq!(lines[0], heads);
            assert_eq!(lines.len(), rows.len() + 1);
            for (row, cells) in rows.iter().zip(&lines[1..]) {
                let cell = |head| heads.iter().position(|name| *name == head).map(|column| cells[column]);
                let number = |head| cell(head).and_then(|cell| cell.parse::<u64>().ok());
                assert_eq!(cells[0], row.name);
                assert_eq!(cell("Remark"), Some(row.remark), "{}: write the table again", row.name);
                let published = number("Slices, published").zip(number("Block RAMs, published"));
                assert_eq!(published, row.published, "{}", row.name);
                let [luts, ffs, slices] =
                    ["LUTs", "Flip-flops", "Slices, estimated"].map(|head| number(head).expect("a number"));
                assert!(slices >= luts.max(ffs).div_ceil(2), "{}", row.name);
                if let Some((published, _)) = row.published {
                    let ratio = format!("{:.2}", slices as f64 / published as f64);
                    assert_eq!(cell("Ratio"), Some(&*ratio), "{}", row.name);
                }
            }
        }
    }
}
