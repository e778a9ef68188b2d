//! `memonet figures`: the published evaluation, measured again.

pub mod gigae_pm;
mod measure;
mod page;
mod plot;
pub mod published;
mod receiving;
mod report;
mod section_6_2;
mod section_6_3;
mod section_7_1;
mod section_7_2;
mod sending;

use std::path::PathBuf;

use serde::Serialize;

use crate::nic::Kind;
use crate::output::{self, Outcome};
use crate::usage;
use plot::Figure;
use published::{Class, Row, TABLE};
use report::Report;

/// Measure again what the thesis published, and show both.
///
/// A row has a class: exact (cycles of a state machine), predicted (out of the machines and physical constants),
/// fitted (a constant was chosen by it, so it does not count) or computed (arithmetic with published numbers). Exit code 1 if
/// an exact row has an error.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet figures
  memonet figures --only 6.3 --nic lockstep
  memonet figures --only 7.9
  memonet figures --output docs --json
  memonet figures --paper gigae_pm")]
pub struct Args {
    /// Whose evaluation.
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    paper: Paper,
    /// Measure this figure of the thesis only, for instance 6.3.
    #[arg(long, value_name = "FIGURE")]
    only: Option<String>,
    /// Write fidelity.md, the page, into this folder, and each figure as SVG and PNG into figures below it.
    #[arg(long, value_name = "FOLDER", conflicts_with = "only")]
    output: Option<PathBuf>,
    /// What stands behind the pins.
    #[arg(long, value_enum, default_value = "model")]
    nic: Kind,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// A publication with an evaluation, by the name of its machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
#[clap(rename_all = "snake_case")]
enum Paper {
    /// The thesis on DIMMnet-2.
    #[default]
    Dimmnet2,
    /// The paper on GigaE PM.
    #[value(alias = "gigae-pm")]
    GigaePm,
}

/// The argument that only the thesis has.
const ONLY: &str = "--only <FIGURE>";

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

impl Shape {
    fn verdict(&self) -> &'static str {
        if self.holds { "holds" } else { "DOES NOT HOLD" }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.paper == Paper::GigaePm {
        if args.only.is_some() {
            return Err(usage::conflict(ONLY, "--paper gigae_pm"));
        }
        return gigae_pm::run(args);
    }
    if let Some(only) = &args.only {
        let known = TABLE.iter().any(|row| row.figure == only);
        let figures: Vec<_> = TABLE.iter().map(|row| row.figure).collect();
        if !known {
            let reason = format!("nothing is compared with it; there are {}", each_once(&figures).join(", "));
            return Err(usage::invalid(ONLY, only, reason));
        }
    }
    let asked = |figure: &str| args.only.as_ref().is_none_or(|only| only == figure);
    let mut all = Section::default();
    for section in [section_6_2::section, section_6_3::section, section_7_1::section, section_7_2::section] {
        all.add(section(args.nic, &asked)?);
    }
    all.rows.retain(|row| asked(row.figure));
    all.figures.retain(|figure| asked(figure.id));
    let report = Report::new(args.nic, all)?;
    output::print(&report, args.json)?;
    if let Some(folder) = &args.output {
        report.write(folder)?;
    }
    let exact = report.rows().iter().filter(|row| row.class == Class::Exact);
    Ok(Outcome::from(exact.into_iter().all(|row| row.error_percent.abs() < 1e-6)))
}

impl Section {
    fn add(&mut self, other: Section) {
        self.rows.extend(other.rows);
        self.figures.extend(other.figures);
        self.shapes.extend(other.shapes);
    }

    fn shape(&mut self, id: &'static str, holds: bool, says: &'static str) {
        self.shapes.push(Shape { id, holds, says });
    }
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
