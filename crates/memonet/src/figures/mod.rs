//! `memonet figures`: the published evaluation, measured again.

mod bands;
pub mod calibrate;
pub mod foretold;
mod page;
pub mod paper;
mod plot;

use std::fmt;
use std::path::PathBuf;

use cluster::AnyNic;
use cluster::host::{Computer, HostCosts};
use lab::{Class, Conditions, Evaluation, Nics, ProgressBar, Request, Shape, computer_of};
use schemars::JsonSchema;
use serde::Serialize;

use crate::document::Head;
use crate::nic::Kind;
use crate::output::{self, Outcome};
use crate::usage;
use paper::{Measured, Paper, with_paper};

/// Measure again what was published, and show both.
///
/// A row has a class: exact (cycles of a state machine), fitted (a constant or a choice of program was made by it, so it does not
/// count), in sight (settled with the published number in view), predicted (program, constants and definition were committed before
/// the first measurement), computed (arithmetic with published numbers), cited (an input) or extrapolated (on another computer).
/// Exit code 1 if an exact row has an error.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet figures
  memonet figures --only 6.3 --nic lockstep
  memonet figures --only 7.9
  memonet figures --bands --output docs --json
  memonet figures --calibrate \"section 6.2\"       fit costs to these rows, look at the others
  memonet figures --calibrate BOTF --leave-one-out  each figure foretold by the others
  memonet figures --foretold docs/fidelity/predictions.toml  what was expected, and what came
  memonet figures --host pentium-150              the same card in a slower computer
  memonet figures --paper suci                    blocks over UDP on 100 Mbit/s")]
pub struct Args {
    /// Whose evaluation: that of a machine, or of Suci.
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    paper: Paper,
    /// Measure this figure, table or section only, for instance 6.3.
    #[arg(long, value_name = "FIGURE")]
    only: Option<String>,
    /// Write the page fidelity/MACHINE.md below this folder, and each figure as SVG and CSV into its subfolder figures.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["only", "host"])]
    output: Option<PathBuf>,
    /// Measure rows with every program that the text allows, and with nodes that begin apart, too; a row matches only if the narrow band of
    /// what comes out holds the published number.
    #[arg(long)]
    bands: bool,
    /// Forget what published measurements chose, fit costs to these rows (`B-04,B-08..B-12`, a figure, or a set such as `section 6.2`),
    /// and measure all with them.
    #[arg(long, value_name = "ROWS", conflicts_with_all = ["bands", "host", "only"])]
    calibrate: Option<String>,
    /// Leave each figure of the rows out of the fit in turn, and see how far off it is then.
    #[arg(long, requires = "calibrate")]
    leave_one_out: bool,
    /// Measure what a file of predictions foretold, as docs/fidelity/predictions.toml does, each row under its conditions.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["bands", "host", "only", "calibrate"])]
    foretold: Option<PathBuf>,
    /// On another computer: its name, or a file .toml with `name`, `processor_mhz` and `bus_mhz`. An unknown name lists those that are known.
    #[arg(long, value_name = "NAME")]
    host: Option<String>,
    /// What stands behind the pins.
    #[arg(long, value_enum, default_value = "model")]
    nic: Kind,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

impl Args {
    /// More is measured than each row once.
    fn measures_more(&self) -> bool {
        self.bands || self.calibrate.is_some() || self.foretold.is_some()
    }
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    with_paper!(args.paper, M => run_on::<M>(args))
}

fn run_on<M: Measured>(args: &Args) -> anyhow::Result<Outcome> {
    let publication = M::PUBLICATION;
    if let Some(only) = &args.only {
        let known = publication.known();
        if !known.contains(&only.as_str()) {
            let reason = format!("nothing is compared with it; there are {}", known.join(", "));
            return Err(usage::invalid("--only <FIGURE>", only, reason));
        }
    }
    let computer = match &args.host {
        None => M::COMPUTER,
        Some(name) => {
            computer_of(name).map_err(|error| usage::invalid("--host <NAME>", name, error.to_string()))?
        }
    };
    if args.bands && M::CHOICES.is_empty() {
        return Err(usage::invalid("--bands", "", format!("nothing is left open on {}", M::TITLE)));
    }
    if let Some(folder) = &args.output {
        // What cannot be written is told before anything is measured.
        plot::make(folder)?;
    }
    let maker = M::nics(args.nic)?;
    let asked = |figure: &str| args.only.as_ref().is_none_or(|only| only == figure);
    let progress = match &args.only {
        None if !args.measures_more() => lab::progress("figures", publication.clusters, "clusters"),
        // A part of them, or more; how many is not known.
        _ => lab::counter("figures", "clusters"),
    };
    let counted = Counted { maker: &*maker, progress: &progress };
    if let Some(rows) = &args.calibrate {
        return calibrate::run::<M>(args, &counted, rows);
    }
    if let Some(file) = &args.foretold {
        return foretold::run::<M>(args, &counted, file);
    }
    let next = |figure: &str| {
        let asked = asked(figure);
        if asked {
            progress.set_message(title(figure));
        }
        asked
    };
    let conditions =
        Conditions { costs: M::Costs::default().on(&M::COMPUTER, &computer), ..Conditions::default() };
    let mut findings = M::measure(&counted, &conditions, Request { figure: &next, brief: false })?;
    if args.bands {
        bands::add::<M>(&counted, &next, &conditions, &mut findings)?;
    }
    progress.finish_and_clear();
    if !computer.is_as(&M::COMPUTER) {
        for row in &mut findings.rows {
            (row.class, row.cause) = (Class::Extrapolated, None);
        }
    }
    let evaluation = Evaluation::new(&publication, lab::fitted::<M>(), findings, asked);
    let report = Report { head: M::head("figures", args.nic), host: Host::of(&computer), evaluation };
    if let Some(folder) = &args.output {
        plot::write(folder, &format!("{}_figure", M::PAPER), &report.evaluation.figures)?;
        let page = page::page(M::PAPER, &publication, M::CHOICES, &report.evaluation);
        output::write(&folder.join(format!("fidelity/{}.md", M::PAPER)), page.as_bytes())?;
    }
    output::print(&report, args.json)?;
    Ok(Outcome::from(report.evaluation.rows.iter().all(lab::Row::holds)))
}

/// The computer that hosts are.
#[derive(JsonSchema, Serialize)]
struct Host {
    /// Its name.
    name: String,
    /// Clock of its processor.
    processor_mhz: f64,
    /// Clock of the bus between processor and chipset.
    bus_mhz: f64,
}

impl Host {
    fn of(computer: &Computer) -> Self {
        let Computer { name, processor_mhz, bus_mhz, .. } = computer;
        Host { name: name.to_string(), processor_mhz: *processor_mhz, bus_mhz: *bus_mhz }
    }
}

/// A figure or what else is numbered, as it is called.
fn title(of: &str) -> String {
    if of.starts_with(|first: char| first.is_ascii_digit()) { format!("figure {of}") } else { of.to_string() }
}

/// Boards from a maker, and progress by how often they are asked for, which is once a measurement.
pub struct Counted<'a, M: Measured> {
    maker: &'a (dyn Nics<M> + Sync),
    progress: &'a ProgressBar,
}

impl<M: Measured> Nics<M> for Counted<'_, M> {
    fn open(&self, count: usize) -> anyhow::Result<Vec<Box<AnyNic<M>>>> {
        self.progress.inc(1);
        self.maker.open(count)
    }

    fn settings(&self) -> M::Settings {
        self.maker.settings()
    }
}

/// All that was measured.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// The computer that hosts are.
    host: Host,
    #[serde(flatten)]
    evaluation: Evaluation,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Evaluation { rows, shapes, tables, .. } = &self.evaluation;
        let Host { name, processor_mhz, bus_mhz } = &self.host;
        writeln!(f, "hosts: {name}, processor {processor_mhz} MHz, bus {bus_mhz} MHz")?;
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
