//! `memonet wave`: waveforms of a machine's main job.

use std::path::PathBuf;

use machine_api::Job;

use crate::carrier_options;
use crate::machines::{Built, Name, with_machine};
use crate::nic::Kind;
use crate::numbers;
use crate::output::{self, Outcome};
use crate::recorded::Recording;
use crate::run::{Report, bytes, maker, record};
use crate::usage;

/// Record waveforms of the main job.
///
/// The job is that of `memonet run`. A layout for GTKWave selects the interesting signals of each file; the
/// stages of the message are shown above the signals of the boards.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet wave
  memonet wave --folder /tmp/waves --bytes 24
  gtkwave waveforms/out/dimmnet2_botf.fst waveforms/out/dimmnet2_botf.fst.gtkw
  memonet wave --golden --folder waveforms     # what the repository holds, after a change of the device")]
pub struct Args {
    /// Machine whose main job is recorded.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Folder for the files.
    #[arg(long, default_value = "waveforms/out")]
    folder: PathBuf,
    /// Bytes of data in the message (DIMMnet-2: 8 of 1 to 496, GigaE PM: 4 of 1 to 1468, Cenju-3: 8 of 1 to
    /// 127).
    #[arg(long, value_parser = numbers::count)]
    bytes: Option<usize>,
    /// Implementation of both boards.
    #[arg(long, value_enum, default_value_t)]
    nic: Kind,
    /// Seed of the data in the message, where it can be chosen; default 1.
    #[arg(long, value_parser = numbers::number)]
    seed: Option<u64>,
    /// Write only node 0 of the default job: golden/MACHINE_JOB.fst and its layout MACHINE.gtkw.
    #[arg(long, conflicts_with_all = ["bytes", "nic", "seed"])]
    golden: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Records the main job and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    with_machine!(args.machine, M => run_on::<M>(args))
}

fn run_on<M: Built>(args: &Args) -> anyhow::Result<Outcome> {
    if args.seed.is_some() && !M::SEEDED {
        return Err(usage::conflict("--seed <SEED>", format!("--machine {}", M::NAME)));
    }
    // The golden dump holds the model only: the RTL has the same values and would double the size.
    let nic = if args.golden { Kind::Model } else { args.nic };
    let job =
        Job { bytes: bytes::<M>(args.bytes)?, seed: args.seed.unwrap_or(1), capture: false, brief: true };
    let activity = machine_api::activity(format!("wave, {}", M::NAME));
    let (account, waves) =
        record(&job, &maker::<M>(&job, nic, &carrier_options::Args::default())?, |from, view| {
            if args.golden {
                // Node 0 sends and receives, so its dump shows all blocks active.
                let dump = args.folder.join(format!("golden/{}_{}.fst", M::NAME, M::JOB));
                let layout = args.folder.join(format!("{}.gtkw", M::NAME));
                Recording::golden(vec![(dump, layout)], from, view)
            } else {
                Recording::new(&args.folder, M::NAME, M::JOB, from, view)
            }
        })?;
    drop(activity);
    output::print(&Report::new("wave", &job, nic, account, waves, None), args.json)?;
    Ok(Outcome::Success)
}
