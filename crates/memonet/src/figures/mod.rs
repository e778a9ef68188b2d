//! `memonet figures`: the published evaluation, measured again.

mod page;
mod plot;

use std::fmt;
use std::path::PathBuf;

use cluster::AnyNic;
use lab::{Evaluation, Nics, ProgressBar, Shape};
use serde::Serialize;

use crate::machines::{Built, Name, other, with_machine};
use crate::nic::{Kind, Maker};
use crate::output::{self, Outcome};
use crate::usage;

/// Measure again what was published, and show both.
///
/// A row has a class: exact (cycles of a state machine), predicted (out of the machines and physical constants),
/// fitted (a constant was chosen by it, so it does not count) or computed (arithmetic with published numbers). Exit code 1 if
/// an exact row has an error.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  memonet figures
  memonet figures --only 6.3 --nic lockstep
  memonet figures --only 7.9
  memonet figures --output docs --json
  memonet figures --paper ", other!(), "
  memonet figures --paper ", other!(), " --only 3"))]
pub struct Args {
    /// Whose evaluation, by the name of the machine.
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    paper: Name,
    /// Measure this figure, table or section only, for instance 6.3.
    #[arg(long, value_name = "FIGURE")]
    only: Option<String>,
    /// Write the page, MACHINE_fidelity.md, into this folder, and each figure as SVG and PNG into figures below it.
    #[arg(long, value_name = "FOLDER", conflicts_with = "only")]
    output: Option<PathBuf>,
    /// What stands behind the pins.
    #[arg(long, value_enum, default_value = "model")]
    nic: Kind,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    with_machine!(args.paper, M => run_on::<M>(args))
}

fn run_on<M: Built>(args: &Args) -> anyhow::Result<Outcome> {
    let publication = M::PUBLICATION;
    if let Some(only) = &args.only {
        let known = publication.known();
        if !known.contains(&only.as_str()) {
            let reason = format!("nothing is compared with it; there are {}", known.join(", "));
            return Err(usage::invalid("--only <FIGURE>", only, reason));
        }
    }
    if let Some(folder) = &args.output {
        // What cannot be written is told before anything is measured.
        plot::make(folder)?;
    }
    let asked = |figure: &str| args.only.as_ref().is_none_or(|only| only == figure);
    let maker = Maker::<M>::new(args.nic, 0, format!("memonet figures --paper {} --nic lockstep", M::NAME));
    let progress = match &args.only {
        None => lab::progress("figures", publication.clusters, "clusters"),
        // A part of them; how many is not known.
        Some(_) => lab::counter("figures", "clusters"),
    };
    let next = |figure: &str| {
        let asked = asked(figure);
        if asked {
            progress.set_message(title(figure));
        }
        asked
    };
    let measured = M::measure(&Counted { maker: &maker, progress: &progress }, &next)?;
    progress.finish_and_clear();
    let evaluation = Evaluation::new(&publication, measured, asked);
    let report = Report { paper: M::WHICH, nic: args.nic, evaluation };
    if let Some(folder) = &args.output {
        plot::write(folder, &format!("{}_figure", M::NAME), &report.evaluation.figures)?;
        let page = page::page(M::NAME, &publication, &report.evaluation);
        output::write(&folder.join(format!("{}_fidelity.md", M::NAME)), page.as_bytes())?;
    }
    output::print(&report, args.json)?;
    Ok(Outcome::from(report.evaluation.rows.iter().all(lab::Row::holds)))
}

/// A figure or what else is numbered, as it is called.
fn title(of: &str) -> String {
    if of.starts_with(|first: char| first.is_ascii_digit()) { format!("figure {of}") } else { of.to_string() }
}

/// Boards from a maker, and progress by how often they are asked for, which is once a measurement.
struct Counted<'a, M: Built> {
    maker: &'a Maker<M>,
    progress: &'a ProgressBar,
}

impl<M: Built> Nics<M> for Counted<'_, M> {
    fn open(&self, count: usize) -> anyhow::Result<Vec<Box<AnyNic<M>>>> {
        self.progress.inc(1);
        self.maker.open(count)
    }
}

/// All that was measured.
#[derive(Serialize)]
struct Report {
    paper: Name,
    nic: Kind,
    #[serde(flatten)]
    evaluation: Evaluation,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Evaluation { rows, shapes, tables, .. } = &self.evaluation;
        lab::heads(f)?;
        for row in rows {
            writeln!(f, "{row}")?;
        }
        for shape @ Shape { id, says, .. } in shapes {
            writeln!(f, "  {id}  {}  {says}", shape.verdict())?;
        }
        for row in rows.iter().filter(|row| row.cause.is_some()) {
            writeln!(f, "  {} {:+.1}%: {}", row.id, row.error_percent, row.cause.unwrap_or_default())?;
        }
        for table in tables {
            write!(f, "{}:\n{}", table.title, table.markdown())?;
        }
        write!(f, "{}", self.evaluation.summary())
    }
}
