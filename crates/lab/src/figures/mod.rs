//! `memonet figures`: the published evaluation, measured again.

mod botf;
mod plot;
pub mod published;

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use anyhow::{Context, ensure};
use cluster::host::cost;
use serde::Serialize;

use crate::nic::Kind;
use crate::output::{self, Outcome};
use plot::Figure;
use published::{Class, Row, TABLE};

/// Measure again what the thesis published, and show both.
///
/// A row has a class: exact (cycles of a state machine), predicted (out of the machines and physical constants) or
/// fitted (a constant was chosen by it, so it does not count). Exit code 1 if an exact row has an error.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet figures
  memonet figures --only 6.3 --nic lockstep
  memonet figures --output docs --json")]
pub struct Args {
    /// Measure this figure only, for instance 6.3.
    #[arg(long, value_name = "FIGURE")]
    only: Option<String>,
    /// Write fidelity.md, the table, into this folder, and each figure as SVG and PNG into figures below it.
    #[arg(long, value_name = "FOLDER", conflicts_with = "only")]
    output: Option<PathBuf>,
    /// What stands behind the pins.
    #[arg(long, value_enum, default_value = "model")]
    nic: Kind,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// What a section of the thesis comes to.
#[derive(Default)]
pub struct Section {
    rows: Vec<Row>,
    figures: Vec<Figure>,
    shapes: Vec<Shape>,
}

/// What a curve looks like.
#[derive(Serialize)]
struct Shape {
    id: &'static str,
    holds: bool,
    says: &'static str,
}

#[derive(Serialize)]
struct Report {
    nic: Kind,
    rows: Vec<Row>,
    shapes: Vec<Shape>,
    figures: Vec<Figure>,
    /// Of the predicted rows, without sign.
    median_error_percent: f64,
    worst_error_percent: f64,
    worst: &'static str,
    /// Constants that were fitted, each with what to.
    fitted: Vec<Fitted>,
}

#[derive(Serialize)]
struct Fitted {
    name: &'static str,
    to: &'static [&'static str],
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(only) = &args.only {
        let known = TABLE.iter().any(|row| row.figure == only);
        let figures: Vec<_> = TABLE.iter().map(|row| row.figure).collect();
        ensure!(
            known,
            "nothing is compared with figure {only}; there are {}",
            each_once(&figures).join(", ")
        );
    }
    let asked = |figure: &str| args.only.as_ref().is_none_or(|only| only == figure);
    let report = report(args.nic, botf::section(args.nic, &asked)?);
    output::print(&report, args.json)?;
    if let Some(folder) = &args.output {
        report.write(folder)?;
    }
    let exact = report.rows.iter().filter(|row| row.class == Class::Exact);
    Ok(Outcome::from(exact.into_iter().all(|row| row.error_percent.abs() < 1e-6)))
}

fn each_once<'a>(names: &[&'a str]) -> Vec<&'a str> {
    let mut once: Vec<&str> = Vec::new();
    for name in names {
        if !once.contains(name) {
            once.push(name);
        }
    }
    once
}

fn report(nic: Kind, section: Section) -> Report {
    let Section { mut rows, figures, shapes } = section;
    rows.sort_by_key(|row| TABLE.iter().position(|published| published.id == row.id));
    let mut errors: Vec<_> = rows
        .iter()
        .filter(|row| row.class == Class::Predicted)
        .map(|row| (row.error_percent.abs(), row.id))
        .collect();
    errors.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (worst_error_percent, worst) = errors.last().copied().unwrap_or_default();
    Report {
        nic,
        shapes,
        figures,
        median_error_percent: errors.get(errors.len() / 2).map_or(0.0, |error| error.0),
        worst_error_percent,
        worst,
        fitted: cost::ALL
            .iter()
            .filter(|cost| !cost.fitted_to.is_empty())
            .map(|cost| Fitted { name: cost.name, to: cost.fitted_to })
            .collect(),
        rows,
    }
}

impl Report {
    fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let figures = folder.join("figures");
        fs::create_dir_all(&figures).with_context(|| format!("making {}", figures.display()))?;
        let write = |name: String, bytes: &[u8]| {
            let file = folder.join(name);
            fs::write(&file, bytes).with_context(|| format!("writing {}", file.display()))
        };
        for figure in &self.figures {
            let svg = figure.svg()?;
            write(format!("figures/figure_{}.svg", figure.id), svg.as_bytes())?;
            write(format!("figures/figure_{}.png", figure.id), &plot::png(&svg)?)?;
        }
        write("fidelity.md".into(), self.page().as_bytes())
    }

    fn page(&self) -> String {
        let mut page = String::from(
            "# The published evaluation, measured again\n\n\
             Numbers of the thesis beside ours, written by:\n\n\
             ```\nmemonet figures --output docs\n```\n\n\
             Exact rows are cycles of state machines. Predicted rows come out of the machines and the costs of the host's\n\
             accesses (decision 0012). Fitted rows are those by which a cost was chosen; they do not count as reproduced.\n\n\
             | Id | What | Where | Published | Ours | Unit | Error | Class |\n|---|---|---|---|---|---|---|---|\n",
        );
        for row in &self.rows {
            page += &format!(
                "| {} | {} | {} | {:.3} | {:.3} | {} | {:+.1} % | {} |\n",
                row.id,
                row.description,
                row.figure,
                row.published,
                row.measured,
                row.unit,
                row.error_percent,
                row.class.name()
            );
        }
        page += &format!("\n{}\n\n## Shapes\n\n", self.summary());
        for Shape { id, holds, says } in &self.shapes {
            page += &format!("- {id} {}: {says}.\n", if *holds { "holds" } else { "DOES NOT HOLD" });
        }
        page += "\n## Fitted constants\n\n";
        for Fitted { name, to } in &self.fitted {
            page += &format!("- {name}, fitted to {}.\n", to.join(" and "));
        }
        page += "\n## Figures\n\nDashed lines are published values, in the colour of the curve they belong to.\n\n";
        for figure in &self.figures {
            page += &format!("![Figure {}: {}](figures/figure_{}.svg)\n", figure.id, figure.title, figure.id);
        }
        page
    }

    fn summary(&self) -> String {
        let predicted = self.rows.iter().filter(|row| row.class == Class::Predicted).count();
        format!(
            "{predicted} predicted rows: median error {:.1} %, worst {:.1} % ({}); {} fitted constants",
            self.median_error_percent,
            self.worst_error_percent,
            self.worst,
            self.fitted.len()
        )
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        published::heads(f)?;
        for row in &self.rows {
            writeln!(f, "{row}")?;
        }
        for Shape { id, holds, says } in &self.shapes {
            writeln!(f, "  {id}  {}  {says}", if *holds { "holds" } else { "DOES NOT HOLD" })?;
        }
        write!(f, "{}", self.summary())
    }
}
