//! `memonet schema`: JSON Schemas of the documents of `--json`.

mod keys;
mod page;
#[cfg(feature = "studio")]
mod protocol;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use anyhow::Context;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

#[cfg(feature = "check")]
use crate::check;
use crate::document::{Failure, Head, VERSION};
#[cfg(feature = "fagus")]
use crate::fagus;
#[cfg(feature = "figures")]
use crate::figures;
use crate::machines;
#[cfg(feature = "tap")]
use crate::machines::tap;
#[cfg(feature = "programs")]
use crate::machines::verbs;
#[cfg(feature = "programs")]
use crate::mpirun;
use crate::output::{self, Outcome};
#[cfg(feature = "suci")]
use crate::suci;
use crate::{bench, carry, cluster, doctor, explain, lockstep, new_block, program, run};
#[cfg(feature = "rtl_tools")]
use crate::{coverage, gate_level, mutants, prove, synth, timing};

/// Print the JSON Schema of the reports.
///
/// docs/json.md contains the same as tables. Within a version, keys are not removed and do not change their
/// meaning.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet schema run
  memonet schema                       all reports
  memonet schema --keys                a line for each key
  memonet schema --page docs/json.md   as `make json` does")]
pub struct Args {
    /// Report, by the value of the key `report` in its documents; or messages of the protocol of studio.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(schemas().map(|(name, _)| name)))]
    report: Option<String>,
    /// Print a line for each key instead of schemas: report, key, type.
    #[arg(long, conflicts_with = "report")]
    keys: bool,
    /// Write the page about all reports into this file. Its examples are outputs of the commands; examples of
    /// commands that cannot run here are copied from the old page.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["report", "keys"])]
    page: Option<PathBuf>,
    /// Keep all examples of the old page, so that no command runs.
    #[arg(long, requires = "page")]
    keep_examples: bool,
}

/// Place of an example that devices.toml has, because it names a machine.
const OF_A_MACHINE: &str = "";

/// A kind of report.
pub struct Document {
    /// Value of its key `report`.
    name: &'static str,
    /// Description of the report.
    says: &'static str,
    /// Arguments of a command that prints one.
    example: &'static str,
    schema: fn() -> Value,
}

impl Document {
    const fn of<T: JsonSchema>(name: &'static str, example: &'static str, says: &'static str) -> Self {
        Document { name, says, example, schema: schema::<T> }
    }

    /// The command that prints one as JSON.
    fn command(&self) -> String {
        let example =
            if self.example == OF_A_MACHINE { machines::report_example(self.name) } else { self.example };
        if example.contains("--json") { example.to_owned() } else { format!("{example} --json") }
    }
}

/// All kinds of reports, in the order of the page.
pub const DOCUMENTS: &[Document] = &[
    Document::of::<run::Report>("run", "run --nic model", "The main job."),
    Document::of::<carry::Report>("run_input", "run --input LICENSE-MIT --nic model", "A file transfer."),
    Document::of::<program::Report>(
        "run_program",
        "run --program transpose --nic model",
        "An example program.",
    ),
    Document::of::<run::Report>("wave", "wave --nic model", "The main job, with waveforms."),
    Document::of::<explain::Json<'_>>("explain", "explain botf --nic model", "A transfer, stage by stage."),
    Document::of::<lockstep::Report>(
        "lockstep",
        "lockstep --cycles 10000",
        "Random traffic, model against RTL.",
    ),
    Document::of::<cluster::ClusterReport>(
        "cluster",
        "cluster --nodes 4 --workload neighbour",
        "Workloads on many nodes.",
    ),
    #[cfg(feature = "figures")]
    Document::of::<figures::Report>("figures", "figures --only 6.3", "Published measurements, reproduced."),
    #[cfg(feature = "figures")]
    Document::of::<figures::calibrate::Report>(
        "figures_calibrate",
        "figures --calibrate B-04,B-11",
        "Costs fitted to some rows, and the predictions for the others.",
    ),
    #[cfg(feature = "figures")]
    Document::of::<figures::predictions::Report>(
        "figures_foretold",
        "figures --foretold docs/fidelity/predictions.toml",
        "What was foretold, and what came.",
    ),
    #[cfg(feature = "figures")]
    Document::of::<figures::blind::Report>(
        "figures_predict",
        "figures --predict docs/fidelity/blind.toml",
        "Predictions for configurations that nobody has measured.",
    ),
    #[cfg(feature = "figures")]
    Document::of::<figures::one_sided::Report>(
        "figures_one_sided",
        "figures --one-sided",
        "Puts and sends of MPI over size, on each machine.",
    ),
    Document::of::<new_block::Report>(
        "new_block",
        "new-block my_timer --in target",
        "A new crate for a block.",
    ),
    Document::of::<bench::Report>("bench", "bench --slices 3", "Speed of model, RTL and lockstep."),
    Document::of::<bench::Scale>("bench_nodes", "bench --nodes 16", "Speed of clusters."),
    #[cfg(feature = "programs")]
    Document::of::<bench::Ping>(
        "bench_mpi",
        "bench --mpi --slices 3",
        "Processor time of small MPI messages.",
    ),
    Document::of::<bench::Count>(
        "bench_count",
        "bench --count --only cenju3",
        "Instructions of a core cycle and of a message.",
    ),
    #[cfg(feature = "tap")]
    Document::of::<tap::Report>("tap", "tap --for 1", "TAP devices of this computer on modelled cards."),
    #[cfg(feature = "rtl_tools")]
    Document::of::<prove::Report>("prove", "prove --only fifo", "Proofs about the RTL."),
    #[cfg(feature = "check")]
    Document::of::<check::Report>("check", OF_A_MACHINE, "The firmware protocol, model-checked."),
    #[cfg(feature = "check")]
    Document::of::<check::Catalogue>(
        "check_list",
        OF_A_MACHINE,
        "Hazards and repairs of the firmware protocol, or of the channel adapter.",
    ),
    #[cfg(feature = "check")]
    Document::of::<check::Exchange>(
        "check_mpi",
        "check mpi --way eager",
        "Credits and rendezvous of MPI, model-checked.",
    ),
    #[cfg(feature = "suci")]
    Document::of::<suci::Replay>(
        "suci_replay",
        "suci replay trace.pcapng",
        "A recorded endpoint of Suci, replayed.",
    ),
    #[cfg(feature = "check")]
    Document::of::<check::Windows>(
        "check_windows",
        "check windows --hazard W3",
        "One-sided communication of MPI, model-checked.",
    ),
    #[cfg(feature = "check")]
    Document::of::<check::Suci>(
        "check_suci",
        "check suci --hazard H2 --replay",
        "Hazards of Suci, model-checked.",
    ),
    #[cfg(feature = "check")]
    Document::of::<check::Cenju3>("check_cenju3", OF_A_MACHINE, "The protocol of MPI/DE, in small worlds."),
    #[cfg(feature = "check")]
    Document::of::<check::Hca>("check_hca", OF_A_MACHINE, "Reliable connections of the channel adapter."),
    #[cfg(feature = "check")]
    Document::of::<check::Fagus>(
        "check_fagus",
        "check fagus --hazard H15",
        "A shared memory, in small worlds.",
    ),
    #[cfg(feature = "fagus")]
    Document::of::<fagus::Report>(
        "fagus",
        "fagus -n 2 --program latencies",
        "A shared-memory program on a modelled machine.",
    ),
    #[cfg(feature = "suci")]
    Document::of::<suci::Report>(
        "suci_run",
        "suci run --nodes 5 --program gather --size 16384",
        "Suci on a modelled cluster.",
    ),
    #[cfg(feature = "programs")]
    Document::of::<mpirun::Report>(
        "mpirun",
        "mpirun -np 2 --json report.json ./ping 100",
        "An MPI program on a modelled machine.",
    ),
    #[cfg(feature = "programs")]
    Document::of::<mpirun::Table>("mpirun_what_if", OF_A_MACHINE, "An MPI program under several conditions."),
    #[cfg(feature = "programs")]
    Document::of::<verbs::Report>(
        "verbs",
        "verbs --json report.json -- ibv_rc_pingpong : ibv_rc_pingpong localhost",
        "Verbs programs on modelled adapters.",
    ),
    #[cfg(feature = "rtl_tools")]
    Document::of::<synth::Report>("synth", "synth --only write_window", "Hardware cost."),
    #[cfg(feature = "rtl_tools")]
    Document::of::<mutants::Report>(
        "mutants",
        OF_A_MACHINE,
        "Mutants of a device or a package, and the tests that detected them.",
    ),
    #[cfg(feature = "rtl_tools")]
    Document::of::<gate_level::Report>(
        "second_opinion",
        OF_A_MACHINE,
        "The netlist of a device in a second simulator.",
    ),
    #[cfg(feature = "rtl_tools")]
    Document::of::<timing::Report>(
        "timing",
        "timing --only lh_buffer",
        "Clock frequencies after place and route.",
    ),
    #[cfg(feature = "rtl_tools")]
    Document::of::<coverage::Report>("coverage", OF_A_MACHINE, "Lines of the RTL that tests reach."),
    #[cfg(feature = "suci")]
    Document::of::<suci::Bench>(
        "suci_bench",
        "suci bench --against udp --lose 0 --rounds 200 --repeat 1",
        "Suci compared with other message transports.",
    ),
    Document::of::<doctor::Report>("doctor", "doctor", "Installed and missing tools."),
    Document::of::<Failure>("error", "run --bytes 0", "Error of a failed command, in place of its report."),
];

/// Names and schemas of all reports and protocols.
fn schemas() -> impl Iterator<Item = (&'static str, fn() -> Value)> {
    let reports = DOCUMENTS.iter().map(|document| (document.name, document.schema));
    #[cfg(feature = "studio")]
    let reports =
        reports.chain(protocol::DIRECTIONS.iter().map(|direction| (direction.name, direction.schema)));
    reports
}

/// The schema of a type, with all references inlined.
fn schema<T: JsonSchema>() -> Value {
    let settings =
        SchemaSettings::draft2020_12().for_serialize().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// The keys that all reports begin with.
fn head() -> Vec<keys::Key> {
    keys::of(&schema::<Head>())
}

/// Prints the requested schemas or keys, or writes the page.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(file) = &args.page {
        let _activity = machine_api::activity("schema, examples");
        let old = std::fs::read_to_string(file).unwrap_or_default();
        let program = std::env::current_exe().context("looking for this program")?;
        let example = |document: &Document| match page::old(&old, document.name) {
            Some(example) if args.keep_examples => example,
            _ => page::example(&program, document, &old),
        };
        output::write(file, page::page(example).as_bytes())?;
        return Ok(Outcome::Success);
    }
    if args.keys {
        output::line(lines().trim_end())?;
        return Ok(Outcome::Success);
    }
    let told = match &args.report {
        Some(name) => {
            schemas().find(|(other, _)| other == name).map(|(_, schema)| schema()).unwrap_or_default()
        }
        None => {
            let reports: Map<_, _> =
                DOCUMENTS.iter().map(|document| (document.name.to_owned(), (document.schema)())).collect();
            json!({ "version": VERSION, "reports": reports })
        }
    };
    output::line(&serde_json::to_string_pretty(&told)?)?;
    Ok(Outcome::Success)
}

/// A line for each key of each report and message.
fn lines() -> String {
    named_keys().map(|(name, key)| format!("{name} {} {}\n", key.path, key.kind)).collect()
}

/// All keys, each with the name of its report or protocol.
fn named_keys() -> impl Iterator<Item = (&'static str, keys::Key)> {
    let keys = DOCUMENTS
        .iter()
        .flat_map(|document| keys::of(&(document.schema)()).into_iter().map(|key| (document.name, key)));
    #[cfg(feature = "studio")]
    let keys = keys.chain(
        protocol::DIRECTIONS
            .iter()
            .flat_map(|direction| direction.keys().into_iter().map(|key| (direction.name, key))),
    );
    keys
}
