//! `memonet figures`: the published evaluation, reproduced.

mod bands;
pub mod blind;
mod cache;
pub mod calibrate;
pub mod one_sided;
mod page;
pub mod paper;
mod plot;
pub mod predictions;
mod product;

use std::fmt;
use std::path::PathBuf;

use cluster::AnyNic;
use cluster::host::{Computer, HostCosts};
use machine_api::{Class, Conditions, Evaluation, Nics, ProgressBar, Request, Shape, computer_of};
use schemars::JsonSchema;
use serde::Serialize;

use crate::document::Head;
use crate::nic::Kind;
use crate::output::{self, Outcome};
use crate::usage;
use cache::CachedProduct;
use paper::{Paper, Reproducible, with_paper};
use product::Product;

/// Reproduce the published measurements and compare.
///
/// Each row has a class: exact (cycles of a state machine), fitted (a constant or a choice of program was
/// derived from it, so it does not count), in sight (fitted with the published value known), predicted
/// (program, constants and definition were committed before the first measurement), computed (arithmetic with
/// published numbers), cited (an input) or extrapolated (on another computer). Exit code 1 if an exact row
/// has an error.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet figures
  memonet figures --only 6.3 --nic lockstep
  memonet figures --only 7.9 --output out        the figure as SVG and CSV, in out/figures
  memonet figures --bands --output docs --json
  memonet figures --calibrate \"section 6.2\"       fit costs to these rows, predict the others
  memonet figures --calibrate BOTF --leave-one-out  predict each figure from the others
  memonet figures --foretold docs/fidelity/predictions.toml  predictions and measurements
  memonet figures --predict docs/fidelity/blind.toml  configurations that nobody has measured
  memonet figures --predict docs/fidelity/blind.toml --host pentium3-500
  memonet figures --one-sided --output docs       puts and sends of MPI on all machines
  memonet figures --host pentium-150              the same card in a slower computer
  memonet figures --paper suci                    blocks over UDP on 100 Mbit/s")]
pub struct Args {
    /// Publication: that of a machine, or that of Suci.
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    pub paper: Paper,
    /// Measure only this figure, table or section, for example 6.3.
    #[arg(long, value_name = "FIGURE")]
    only: Option<String>,
    /// Folder for the page fidelity/MACHINE.md and, in its subfolder figures, SVG and CSV files. With --only there
    /// is no page.
    #[arg(long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
    /// Also measure with every program that the publication allows, and with nodes that start at different
    /// times. A row then matches only if the published value is within the resulting narrow band.
    #[arg(long)]
    bands: bool,
    /// Discard the fitted values, fit costs to these rows (`B-04,B-08..B-12`, a figure, or a set such as
    /// `section 6.2`), and measure all rows, or those of --only, with them.
    #[arg(long, value_name = "ROWS", conflicts_with_all = ["bands", "host"])]
    calibrate: Option<String>,
    /// Leave each figure out of the fit once, and report the error of its prediction.
    #[arg(long, requires = "calibrate")]
    leave_one_out: bool,
    /// Measure each prediction of a file such as docs/fidelity/predictions.toml under its conditions.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["bands", "host", "only", "calibrate"])]
    foretold: Option<PathBuf>,
    /// Compute each prediction of a file such as docs/fidelity/blind.toml: a command, a value in its report, and a
    /// band. With --host, the commands with this option compute the values of that computer.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["paper", "bands", "only", "calibrate", "foretold", "nic", "fresh"])]
    pub predict: Option<PathBuf>,
    /// Measure puts and sends of MPI over size instead, on each machine; --output has page, figures and tables.
    #[arg(long, conflicts_with_all = ["paper", "only", "bands", "calibrate", "foretold", "predict", "host"])]
    pub one_sided: bool,
    /// Simulate another computer: its name, or a .toml file with `name`, `processor_mhz`, `bus_mhz`,
    /// `memory_mhz` and `pci_mhz`. An unknown name lists the known ones.
    #[arg(long, value_name = "NAME")]
    host: Option<String>,
    /// Implementation of the boards.
    #[arg(long, value_enum, default_value = "model")]
    nic: Kind,
    /// Measure again, even if this build has measured the same before.
    #[arg(long)]
    fresh: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

impl Args {
    /// Rows are measured more than once.
    fn measures_more(&self) -> bool {
        self.bands || self.calibrate.is_some() || self.foretold.is_some()
    }
}

/// Measures, writes the requested files and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.one_sided {
        if let Some(folder) = &args.output {
            plot::make(folder, false)?;
        }
        return one_sided::measure(args.nic)?.deliver(args.output.as_deref(), args.json);
    }
    if let Some(file) = &args.predict {
        return blind::run(args, file);
    }
    with_paper!(args.paper, M => run_on::<M>(args))
}

/// Delivers the product of an earlier run of this build, or measures.
fn run_on<M: Reproducible>(args: &Args) -> anyhow::Result<Outcome> {
    check::<M>(args)?;
    let cached = CachedProduct::of(args);
    if let Some(cached) = cached.as_ref().filter(|_| !args.fresh)
        && let Some(product) = cached.load()
    {
        let file = cached.file().display();
        output::aside(format_args!(
            "memonet figures: measured before by this build, {file}; --fresh measures again"
        ));
        return product.deliver(args.output.as_deref(), args.json);
    }
    let product = measure::<M>(args)?;
    if let Some(cached) = cached {
        cached.store(&product);
    }
    product.deliver(args.output.as_deref(), args.json)
}

/// Reports wrong arguments and unwritable files before any measurement.
fn check<M: Reproducible>(args: &Args) -> anyhow::Result<()> {
    let publication = M::PUBLICATION;
    if let Some(only) = &args.only {
        let known = publication.known();
        if !known.contains(&only.as_str()) {
            let reason = format!("no published value belongs to it; choose one of {}", known.join(", "));
            return Err(usage::invalid("--only <FIGURE>", only, reason));
        }
    }
    computer::<M>(args)?;
    if args.host.is_some() && args.output.is_some() {
        return Err(usage::conflict("--host <NAME>", "--output <FOLDER>, except with --predict"));
    }
    if args.bands && M::CHOICES.is_empty() {
        return Err(usage::invalid(
            "--bands",
            "",
            format!("the publication on {} leaves no choice open", M::TITLE),
        ));
    }
    if let Some(folder) = &args.output {
        plot::make(folder, args.only.is_some())?;
    }
    Ok(())
}

/// The computer of the hosts.
fn computer<M: Reproducible>(args: &Args) -> anyhow::Result<Computer> {
    match &args.host {
        None => Ok(M::COMPUTER),
        Some(name) => {
            computer_of(name).map_err(|error| usage::invalid("--host <NAME>", name, error.to_string()))
        }
    }
}

fn measure<M: Reproducible>(args: &Args) -> anyhow::Result<Product> {
    let publication = M::PUBLICATION;
    let computer = computer::<M>(args)?;
    let maker = M::nics(args.nic)?;
    let asked = |figure: &str| args.only.as_ref().is_none_or(|only| only == figure);
    let progress = match &args.only {
        None if !args.measures_more() => machine_api::progress("figures", publication.clusters, "clusters"),
        // The number of clusters is unknown.
        _ => machine_api::counter("figures", "clusters"),
    };
    let counted = CountingNics { maker: &*maker, progress: &progress };
    if let Some(rows) = &args.calibrate {
        return calibrate::run::<M>(args, &counted, rows);
    }
    if let Some(file) = &args.foretold {
        return predictions::run::<M>(args, &counted, file);
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
    let evaluation = Evaluation::new(&publication, machine_api::fitted::<M>(), findings, asked);
    let report = Report { head: M::head("figures", args.nic), host: Host::of(&computer), evaluation };
    let mut product = Product::new(&report, report.evaluation.rows.iter().all(machine_api::Row::holds))?;
    if args.output.is_some() {
        plot::add(&mut product, &format!("{}_figure", M::PAPER), &report.evaluation.figures)?;
        if args.only.is_none() {
            let page = page::page(M::PAPER, &publication, M::CHOICES, &report.evaluation);
            product.add(format!("fidelity/{}.md", M::PAPER), page);
        }
    }
    Ok(product)
}

/// Computer model of the hosts.
#[derive(JsonSchema, Serialize)]
struct Host {
    /// Name of the computer.
    name: String,
    /// Processor clock.
    processor_mhz: f64,
    /// Clock of the bus between processor and chipset.
    bus_mhz: f64,
    /// Clock of the main memory.
    memory_mhz: f64,
    /// Clock of the PCI bus.
    pci_mhz: f64,
}

impl Host {
    fn of(computer: &Computer) -> Self {
        let &Computer { ref name, processor_mhz, bus_mhz, memory_mhz, pci_mhz, .. } = computer;
        Host { name: name.to_string(), processor_mhz, bus_mhz, memory_mhz, pci_mhz }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Host { name, processor_mhz, bus_mhz, memory_mhz, pci_mhz } = self;
        write!(
            f,
            "{name}, processor {processor_mhz} MHz, bus {bus_mhz} MHz, memory {memory_mhz} MHz, PCI {pci_mhz} MHz"
        )
    }
}

/// Title of a figure, table or section.
fn title(of: &str) -> String {
    if of.starts_with(|first: char| first.is_ascii_digit()) { format!("figure {of}") } else { of.to_string() }
}

/// Boards for measurements; each call, one per measurement, advances the progress bar.
pub struct CountingNics<'a, M: Reproducible> {
    maker: &'a (dyn Nics<M> + Sync),
    progress: &'a ProgressBar,
}

impl<M: Reproducible> Nics<M> for CountingNics<'_, M> {
    fn open(&self, count: usize) -> anyhow::Result<Vec<Box<AnyNic<M>>>> {
        self.progress.inc(1);
        self.maker.open(count)
    }

    fn settings(&self) -> M::Settings {
        self.maker.settings()
    }
}

/// Report of `memonet figures`.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Computer model of the hosts.
    host: Host,
    #[serde(flatten)]
    evaluation: Evaluation,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Evaluation { rows, shapes, tables, .. } = &self.evaluation;
        writeln!(f, "hosts: {}", self.host)?;
        machine_api::heads(f)?;
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
