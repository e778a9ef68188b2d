//! `memonet wave`: waveforms of a machine's main job.

use std::path::PathBuf;

use lab::Job;

use crate::machines::{Built, Name, with_machine};
use crate::nic::Kind;
use crate::numbers;
use crate::output::{self, Outcome};
use crate::recorded::Recording;
use crate::run::{Report, bytes, maker, record};
use crate::usage;
use crate::way;

/// Waveforms of the main job, that of `memonet run`, with layouts that GTKWave opens on the interesting signals.
///
/// The stages of the message stand above the signals of the boards.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet wave
  memonet wave --folder /tmp/waves --bytes 24
  gtkwave waveforms/out/botf.fst waveforms/out/botf.fst.gtkw
  memonet wave --golden --folder waveforms     # what the repository holds, after a change of the device")]
pub struct Args {
    /// What is recorded.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Where the files go.
    #[arg(long, default_value = "waveforms/out")]
    folder: PathBuf,
    /// Bytes of data in the message: 8 of 1 to 496 on DIMMnet-2, 4 of 1 to 1468 on GigaE PM, 8 of 1 to 127 on Cenju-3.
    #[arg(long, value_parser = numbers::count)]
    bytes: Option<usize>,
    /// What stands behind the pins of both boards.
    #[arg(long, value_enum, default_value_t)]
    nic: Kind,
    /// Seed of the data in the message, where it can be chosen: 1 if not given.
    #[arg(long, value_parser = numbers::number)]
    seed: Option<u64>,
    /// Write node 0 of the default job only: golden/MACHINE_JOB.fst and its layout MACHINE.gtkw.
    #[arg(long, conflicts_with_all = ["bytes", "nic", "seed"])]
    golden: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    with_machine!(args.machine, M => run_on::<M>(args))
}

fn run_on<M: Built>(args: &Args) -> anyhow::Result<Outcome> {
    if args.seed.is_some() && !M::SEEDED {
        return Err(usage::conflict("--seed <SEED>", format!("--machine {}", M::NAME)));
    }
    // Of the golden dump the model alone: the RTL holds the same values, and the file is half as long.
    let nic = if args.golden { Kind::Model } else { args.nic };
    let job =
        Job { bytes: bytes::<M>(args.bytes)?, seed: args.seed.unwrap_or(1), capture: false, brief: true };
    let (account, waves) = record(&job, &maker::<M>(&job, nic, &way::Args::default())?, |from, view| {
        if args.golden {
            // Node 0 sends and receives, so it shows all blocks at work.
            let dump = args.folder.join(format!("golden/{}_{}.fst", M::NAME, M::JOB));
            let layout = args.folder.join(format!("{}.gtkw", M::NAME));
            Recording::golden(vec![(dump, layout)], from, view)
        } else {
            Recording::new(&args.folder, M::JOB, from, view)
        }
    })?;
    output::print(&Report::new("wave", &job, nic, account, waves, None), args.json)?;
    Ok(Outcome::Success)
}
