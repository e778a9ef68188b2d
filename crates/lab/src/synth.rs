//! `memonet synth`: what the RTL costs in hardware, beside what the card cost.

use std::path::PathBuf;
use std::{fmt, fs};

use anyhow::Context;
use serde::Serialize;
use serde_json::Value;

use crate::output::{self, Outcome};
use crate::yosys::{self, Sources};

/// Synthesize DIMMnet-2 for the card's FPGA and compare with its published cost (thesis table 5.2).
///
/// Yosys maps each module on its own to Virtex-II Pro; it does not pack slices, so they are estimated from
/// LUTs and flip-flops. Takes several minutes. Exit code 1 if a row differs and no sentence says why.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  memonet synth --only write_window\n  memonet synth --json")]
pub struct Args {
    /// Synthesize the rows that hold this module only.
    #[arg(long, value_name = "MODULE")]
    only: Option<String>,
    /// Also write the table into this file, as Markdown.
    #[arg(long, value_name = "FILE", conflicts_with = "only")]
    output: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// A row of the table: a module of the thesis.
struct Row {
    name: &'static str,
    /// The blocks of ours that do its work, each as often as it is there.
    modules: &'static [(&'static str, u64)],
    /// Slices and block RAMs of thesis table 5.2.
    published: Option<(u64, u64)>,
    /// Why ours differs.
    remark: &'static str,
}

const ROWS: &[Row] = &[
    Row {
        name: "Write Window",
        modules: &[("write_window", 1)],
        published: Some((13, 4)),
        remark: "The gates of four write enables are all its logic; the thesis does not say what the 13 slices hold.",
    },
    Row {
        name: "Prefetch Window",
        modules: &[("prefetch_window", 1)],
        published: Some((2, 4)),
        remark: "The gates that make write enables of 32 bits out of those of bytes are counted here.",
    },
    Row { name: "LLCM", modules: &[("llcm", 1)], published: Some((196, 32)), remark: "" },
    Row {
        name: "LH Buffer",
        modules: &[("lh_buffer", 1)],
        published: Some((305, 8)),
        remark: "Which entry is next and how full the buffer is, is counted here; entries are put together in the Receive Controller. 8 KB fill 4 block RAMs, the card spent 2 per bank and process.",
    },
    Row {
        name: "Register",
        modules: &[("user_register", 2), ("system_register", 1), ("configuration_distribution", 1)],
        published: Some((869, 0)),
        remark: "Two pages of 64-bit command registers and six counters each, with a reader that chooses among all; the estimate packs perfectly.",
    },
    Row {
        name: "Window Controller",
        modules: &[("window_controller", 1)],
        published: Some((2481, 12)),
        remark: "Complete: IPUSH and LHS leave through the RVS module, where the card had a sixth one; the estimate packs perfectly.",
    },
    Row {
        name: "Receive Controller",
        modules: &[("receive_controller", 1)],
        published: Some((756, 0)),
        remark: "",
    },
    Row {
        name: "Prefetch Unit",
        modules: &[("prefetch_unit", 1)],
        published: Some((2234, 8)),
        remark: "Complete. A buffer of 1024 lines for packets takes 4 block RAMs, two lists of 128 lines 2 each, the parked half of a copy (decision 0022) 4, which the card may have kept elsewhere.",
    },
    Row {
        name: "Write Unit",
        modules: &[("write_unit", 1)],
        published: Some((3331, 0)),
        remark: "Complete; the thesis does not say what fills its unit, the largest and the only one that misses 100 MHz.",
    },
    Row {
        name: "Status Write Unit",
        modules: &[("status_write_unit", 1)],
        published: Some((341, 0)),
        remark: "Complete, with one ring per process; the estimate packs perfectly.",
    },
    Row {
        name: "AMT Address Table",
        modules: &[("amt_address_table", 1)],
        published: Some((57, 6)),
        remark: "8192 entries of 12 bits fill 6 block RAMs; the card's logic around them is not described.",
    },
    Row {
        name: "SWIF",
        modules: &[("swif", 1)],
        published: None,
        remark: "Not in the table; made by another university.",
    },
    Row {
        name: "SO-DIMM interface",
        modules: &[("sodimm_interface", 1)],
        published: None,
        remark: "Not in the table.",
    },
    Row {
        name: "ALL",
        modules: &[("dimmnet2", 1)],
        published: Some((17761, 150)),
        remark: "The published design also holds what the rows above miss, the host's DDR and the SO-DIMMs' physical interfaces, and SWIF with its retransmission.",
    },
];

/// A ratio beyond this, either way, needs a remark.
const NEAR: f64 = 1.5;

/// What a module is made of.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Cost {
    luts: u64,
    flip_flops: u64,
    /// Estimated: a slice of Virtex-II Pro has two of each, and packing is taken as perfect.
    slices: u64,
    block_rams: u64,
}

impl Cost {
    /// The cost of cells that Yosys counted.
    fn of(cells: &Value) -> anyhow::Result<Self> {
        let mut cost = Self::default();
        for (kind, count) in cells.as_object().context("Yosys counted no cells")? {
            let count = count.as_u64().context("a count that is no number")?;
            match kind.as_str() {
                _ if kind.starts_with("LUT") || kind.starts_with("SRL16") => cost.luts += count,
                // A dual-port word of distributed RAM takes two LUTs per 16.
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
                // Inverters are in the inputs of slices and RAMs; carries and wide muxes beside the LUTs.
                "INV" | "MUXCY" | "XORCY" | "MUXF5" | "MUXF6" | "MUXF7" | "MUXF8" => {}
                "GND" | "VCC" => {}
                _ => anyhow::bail!("Yosys made {count} {kind}, which the estimate does not know"),
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

#[derive(Serialize)]
struct Report {
    yosys: String,
    rows: Vec<Compared>,
}

#[derive(Serialize)]
struct Compared {
    module: &'static str,
    made_of: Vec<String>,
    cost: Option<Cost>,
    published_slices: Option<u64>,
    published_block_rams: Option<u64>,
    /// Slices of ours for one published.
    slice_ratio: Option<f64>,
    remark: &'static str,
    /// It differs, and no remark says why.
    unexplained: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let sources = Sources::find()?;
    let yosys = yosys::version()?;
    let mut rows = Vec::new();
    for row in ROWS {
        let wanted = |only: &String| row.modules.iter().any(|(module, _)| module == only);
        if args.only.as_ref().is_none_or(wanted) {
            rows.push(compare(row, &sources)?);
        }
    }
    anyhow::ensure!(
        !rows.is_empty(),
        "no row of the table holds {}",
        args.only.as_deref().unwrap_or_default()
    );
    let report = Report { yosys, rows };
    output::print(&report, args.json)?;
    if let Some(file) = &args.output {
        fs::write(file, report.page()).with_context(|| format!("writing {}", file.display()))?;
    }
    Ok(Outcome::from(report.rows.iter().all(|row| !row.unexplained)))
}

fn compare(row: &Row, sources: &Sources) -> anyhow::Result<Compared> {
    let mut cost = (!row.modules.is_empty()).then(Cost::default);
    for (module, times) in row.modules {
        cost.get_or_insert_default().add(synthesize(module, sources)?, *times);
    }
    let slice_ratio = cost.zip(row.published).map(|(cost, (slices, _))| cost.slices as f64 / slices as f64);
    let far = slice_ratio.is_none_or(|ratio| !(1.0 / NEAR..=NEAR).contains(&ratio));
    let rams = row.published.map(|(_, rams)| rams) != cost.map(|cost| cost.block_rams);
    Ok(Compared {
        module: row.name,
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
        unexplained: (far || rams) && row.remark.is_empty(),
    })
}

fn synthesize(module: &str, sources: &Sources) -> anyhow::Result<Cost> {
    let text = yosys::run(&format!(
        "{}; hierarchy -check -top {module}; synth_xilinx -family xc2vp -top {module} -flatten -noiopad -noclkbuf; \
         tee -q -o /dev/stdout stat -json",
        sources.read(&sources.modules),
    ))
    .with_context(|| format!("synthesizing {module}"))?;
    let counts: Value = serde_json::from_str(&text).context("reading the counts of Yosys")?;
    Cost::of(&counts["design"]["num_cells_by_type"]).with_context(|| module.to_string())
}

impl Compared {
    /// The row as cells, in the order of [`HEADS`].
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

const HEADS: [&str; 9] = [
    "Module",
    "LUTs",
    "Flip-flops",
    "Slices, estimated",
    "Slices, published",
    "Ratio",
    "Block RAMs",
    "Block RAMs, published",
    "Remark",
];

impl Report {
    fn page(&self) -> String {
        let mut page = String::from(
            "# Hardware cost of DIMMnet-2\n\n\
             What Yosys makes of the RTL for the card's FPGA family, Virtex-II Pro, beside the published synthesis\n\
             (thesis table 5.2). Each module is synthesized on its own, as in the thesis. Written by:\n\n\
             ```\nmemonet synth --output docs/figures/dimmnet2_synthesis.md\n```\n\n",
        );
        page += &format!("{}, `synth_xilinx -family xc2vp -flatten`.\n\n", self.yosys);
        page += &format!("| {} |\n|{}\n", HEADS.join(" | "), "---|".repeat(HEADS.len()));
        for row in &self.rows {
            page += &format!("| {} |\n", row.cells().join(" | "));
        }
        page += "\nSlices are an estimate: a slice holds two LUTs and two flip-flops, so the larger of the two counts is\n\
                 halved, as if packing were perfect. Real packing leaves holes.\n\
                 Inverters are in the inputs of slices and RAMs, carry chains and wide multiplexers beside the LUTs.\n\n\
                 Made of:\n\n";
        for row in &self.rows {
            if row.made_of.len() > 1 {
                page += &format!("- {}: {}.\n", row.module, row.made_of.join(", "));
            }
        }
        page
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:20} {:>6} {:>6} {:>7} {:>9} {:>6} {:>5} {:>9}  remark",
            "module", "LUTs", "FFs", "slices", "published", "ratio", "RAMs", "published"
        )?;
        for row in &self.rows {
            let [module, luts, ffs, slices, published, ratio, rams, published_rams, remark] = row.cells();
            writeln!(
                f,
                "{module:20} {luts:>6} {ffs:>6} {slices:>7} {published:>9} {ratio:>6} {rams:>5} \
                 {published_rams:>9}  {remark}"
            )?;
        }
        write!(f, "slices: estimated, max(LUTs, FFs) / 2; {}", self.yosys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cost_counts_luts_flip_flops_and_block_rams() {
        let cells = serde_json::json!({"LUT2": 3, "LUT4": 4, "FDRE": 9, "INV": 9, "RAMB16_S36_S36": 2});
        let cost = Cost::of(&cells).unwrap();
        assert_eq!((cost.luts, cost.flip_flops, cost.slices, cost.block_rams), (7, 9, 5, 2));
        assert!(Cost::of(&serde_json::json!({"DSP48": 1})).is_err(), "an unknown cell is not free");
    }

    /// The committed table has every row, with the published numbers, and ratios that follow from it.
    #[test]
    fn committed_table_can_be_read() {
        let sources = Sources::find().unwrap();
        let page = fs::read_to_string(sources.root.join("docs/figures/dimmnet2_synthesis.md")).unwrap();
        let lines: Vec<Vec<_>> = page
            .lines()
            .filter(|line| line.starts_with("| "))
            .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
            .collect();
        assert_eq!(lines[0], HEADS);
        assert_eq!(lines.len(), ROWS.len() + 1);
        for (row, cells) in ROWS.iter().zip(&lines[1..]) {
            assert_eq!(cells[0], row.name);
            assert_eq!(cells[8], row.remark, "{}: write the table again", row.name);
            let number = |cell: &str| cell.parse::<u64>().ok();
            assert_eq!(number(cells[4]).zip(number(cells[7])), row.published, "{}", row.name);
            if row.modules.is_empty() {
                assert_eq!(cells[1..4], ["-"; 3], "{}", row.name);
                continue;
            }
            let [luts, ffs, slices] = [1, 2, 3].map(|i| number(cells[i]).expect("a number"));
            assert!(slices >= luts.max(ffs).div_ceil(2), "{}", row.name);
            if let Some((published, _)) = row.published {
                assert_eq!(cells[5], format!("{:.2}", slices as f64 / published as f64), "{}", row.name);
            }
        }
    }
}
