//! `memonet schema`: what the documents of `--json` hold.

mod keys;
mod page;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use anyhow::Context;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::document::{Failure, Head, VERSION};
use crate::machines::tap;
use crate::output::{self, Outcome};
use crate::{
    bench, carry, check, cluster, coverage, doctor, explain, fagus, figures, gate_level, lockstep, mpirun,
    mutants, new_block, program, prove, run, suci, synth, timing, verbs,
};

/// What the documents of --json hold, as JSON Schema.
///
/// docs/json.md says the same for people. Keys do not go away and do not change their meaning while the version stays.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet schema run
  memonet schema                       all reports
  memonet schema --keys                a line for each key
  memonet schema --page docs/json.md   what `make json` does")]
pub struct Args {
    /// The report: what a document has under the key `report`.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(DOCUMENTS.iter().map(|document| document.name)))]
    report: Option<String>,
    /// In place of schemas, a line for each key: report, key, type.
    #[arg(long, conflicts_with = "report")]
    keys: bool,
    /// Write the page about all reports into this file. Its examples are what commands print; those that cannot run here stay as
    /// they are.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["report", "keys"])]
    page: Option<PathBuf>,
}

/// A kind of report.
pub struct Document {
    /// What it has under the key `report`.
    name: &'static str,
    /// What it is.
    says: &'static str,
    /// What prints one.
    example: &'static str,
    schema: fn() -> Value,
}

impl Document {
    const fn of<T: JsonSchema>(name: &'static str, example: &'static str, says: &'static str) -> Self {
        Document { name, says, example, schema: schema::<T> }
    }

    /// The command that makes one.
    fn command(&self) -> String {
        if self.example.contains("--json") {
            return self.example.to_owned();
        }
        format!("{} --json", self.example)
    }
}

/// All of them.
pub const DOCUMENTS: &[Document] = &[
    Document::of::<run::Report>("run", "run --nic model", "The main job."),
    Document::of::<carry::Report>(
        "run_input",
        "run --input LICENSE-MIT --nic model",
        "A file that was carried.",
    ),
    Document::of::<program::Report>("run_program", "run --program transpose --nic model", "A program."),
    Document::of::<run::Report>("wave", "wave --nic model", "The main job, with waveforms."),
    Document::of::<explain::Json<'_>>("explain", "explain botf --nic model", "One transfer, stage by stage."),
    Document::of::<lockstep::Report>(
        "lockstep",
        "lockstep --cycles 10000",
        "Random traffic, model against RTL.",
    ),
    Document::of::<cluster::ClusterReport>(
        "cluster",
        "cluster --nodes 4 --workload neighbour",
        "Many nodes.",
    ),
    Document::of::<figures::Report>("figures", "figures --only 6.3", "What was published, measured again."),
    Document::of::<figures::calibrate::Report>(
        "figures_calibrate",
        "figures --calibrate B-04,B-11",
        "Costs fitted to some rows, and what they foretell of the others.",
    ),
    Document::of::<figures::foretold::Report>(
        "figures_foretold",
        "figures --foretold docs/fidelity/predictions.toml",
        "What was foretold, and what came.",
    ),
    Document::of::<new_block::Report>(
        "new_block",
        "new-block my_timer --in target",
        "A block of one's own was begun.",
    ),
    Document::of::<bench::Report>("bench", "bench --slices 3", "Speed of model, RTL and lockstep."),
    Document::of::<bench::Scale>("bench_nodes", "bench --nodes 16", "Speed of clusters."),
    Document::of::<bench::Ping>(
        "bench_mpi",
        "bench --mpi --slices 3",
        "Processor time of small messages of MPI.",
    ),
    Document::of::<tap::Report>("tap", "tap --for 1", "The network of this machine on modelled cards."),
    Document::of::<prove::Report>("prove", "prove --only fifo", "Theorems about the RTL."),
    Document::of::<check::Report>(
        "check",
        "check gigae_pm --hazard H1 --replay --nic model",
        "A protocol in a small world.",
    ),
    Document::of::<check::Catalogue>("check_list", "check gigae_pm --list", "Hazards and repairs."),
    Document::of::<check::Exchange>(
        "check_mpi",
        "check mpi --way eager",
        "Credits and rendezvous of MPI, in small worlds.",
    ),
    Document::of::<suci::Replay>(
        "suci_replay",
        "suci replay trace.pcapng",
        "A recorded endpoint of Suci, replayed.",
    ),
    Document::of::<check::Suci>(
        "check_suci",
        "check suci --hazard H2 --replay",
        "Hazards of Suci, and worlds in which nothing may go wrong.",
    ),
    Document::of::<check::Cenju3>(
        "check_cenju3",
        "check cenju3 --hazard H12",
        "The protocol of MPI/DE, in small worlds.",
    ),
    Document::of::<check::Hca>(
        "check_hca",
        "check hca --hazard H8",
        "Reliable connections of the channel adapter.",
    ),
    Document::of::<check::Fagus>(
        "check_fagus",
        "check fagus --hazard H15",
        "A shared memory, in small worlds.",
    ),
    Document::of::<fagus::Report>(
        "fagus",
        "fagus -n 2 --program latencies",
        "A program of shared memory on a modelled machine.",
    ),
    Document::of::<suci::Report>(
        "suci_run",
        "suci run --nodes 5 --program gather --size 16384",
        "Suci on a modelled cluster.",
    ),
    Document::of::<mpirun::Report>(
        "mpirun",
        "mpirun -np 2 --json report.json ./ping 100",
        "A program of MPI on modelled machines.",
    ),
    Document::of::<mpirun::Table>(
        "mpirun_what_if",
        "mpirun -np 2 --what-if machine=gigae_pm,dimmnet2 lose=0,1% --json table.json ./ping 100",
        "One program of MPI under several conditions.",
    ),
    Document::of::<verbs::Report>(
        "verbs",
        "verbs --json report.json -- ibv_rc_pingpong : ibv_rc_pingpong localhost",
        "Programs of verbs on modelled adapters.",
    ),
    Document::of::<synth::Report>("synth", "synth --only write_window", "Cost in hardware."),
    Document::of::<mutants::Report>(
        "mutants",
        "mutants --machine gigae_pm --only dispatcher --kind twin --sample 2",
        "Faults put into a device, and what found them.",
    ),
    Document::of::<gate_level::Report>(
        "second_opinion",
        "gate-level --machine gigae_pm --instants 1000",
        "The netlist of a device in a second simulator.",
    ),
    Document::of::<timing::Report>("timing", "timing --only lh_buffer", "Clocks after place and route."),
    Document::of::<coverage::Report>(
        "coverage",
        "coverage target/coverage/points/dimmnet2",
        "Lines of the RTL that tests reach.",
    ),
    Document::of::<suci::Bench>(
        "suci_bench",
        "suci bench --against udp --lose 0 --rounds 200 --repeat 1",
        "Suci beside others that carry messages.",
    ),
    Document::of::<doctor::Report>("doctor", "doctor", "What is installed."),
    Document::of::<Failure>("error", "run --bytes 0", "In place of a report, where a command fails."),
];

/// The schema of what is written, all in one piece.
fn schema<T: JsonSchema>() -> Value {
    let settings =
        SchemaSettings::draft2020_12().for_serialize().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// The keys that all reports begin with.
fn head() -> Vec<keys::Key> {
    keys::of(&schema::<Head>())
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(file) = &args.page {
        let old = std::fs::read_to_string(file).unwrap_or_default();
        let program = std::env::current_exe().context("looking for this program")?;
        output::write(file, page::page(|document| page::example(&program, document, &old)).as_bytes())?;
        return Ok(Outcome::Success);
    }
    if args.keys {
        output::line(lines().trim_end())?;
        return Ok(Outcome::Success);
    }
    let of = |document: &Document| (document.schema)();
    let told = match &args.report {
        Some(name) => DOCUMENTS.iter().find(|document| document.name == *name).map(of).unwrap_or_default(),
        None => {
            let reports: Map<_, _> =
                DOCUMENTS.iter().map(|document| (document.name.to_owned(), of(document))).collect();
            json!({ "version": VERSION, "reports": reports })
        }
    };
    output::line(&serde_json::to_string_pretty(&told)?)?;
    Ok(Outcome::Success)
}

/// A line for each key of each report.
fn lines() -> String {
    let mut lines = String::new();
    for document in DOCUMENTS {
        for key in keys::of(&(document.schema)()) {
            lines += &format!("{} {} {}\n", document.name, key.path, key.kind);
        }
    }
    lines
}
