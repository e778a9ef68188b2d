//! `memonet wave`: waveforms of a device's main job.

use std::path::{Path, PathBuf};

use crate::device::Name;
use crate::nic::Kind;
use crate::output::{self, Outcome};
use crate::ping_pong;
use crate::recorded::Recording;
use crate::run::{Message, VIEW, message};

/// Waveforms of the main job, with layouts that GTKWave opens on the interesting signals.
///
/// The job of DIMMnet-2 is that of `memonet run`; on GigaE PM a message goes to the other card and back.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet wave
  memonet wave --folder /tmp/waves --bytes 24
  memonet wave --machine gigae_pm
  gtkwave waveforms/out/botf.fst waveforms/out/botf.fst.gtkw
  memonet wave --golden --folder waveforms     # what the repository holds, after a change of the device
  memonet wave --machine gigae_pm --golden --folder waveforms")]
pub struct Args {
    /// What is recorded.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Where the files go.
    #[arg(long, default_value = "waveforms/out")]
    folder: PathBuf,
    /// Bytes of data in the message, 1 to 496.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=496))]
    bytes: u16,
    /// What stands behind the pins of both boards.
    #[arg(long, value_enum, default_value_t)]
    nic: Kind,
    /// Seed of the data in the message.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write node 0 of the default job only: golden/dimmnet2_botf.fst and its layout dimmnet2.gtkw, or
    /// golden/gigae_pm_message.fst and gigae_pm.gtkw.
    #[arg(long, conflicts_with_all = ["bytes", "nic", "seed"])]
    golden: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.machine == Name::GigaePm {
        let report = if args.golden {
            let files =
                vec![(args.folder.join("golden/gigae_pm_message.fst"), args.folder.join("gigae_pm.gtkw"))];
            let recording = Recording::golden(files, ping_pong::FROM, ping_pong::VIEW);
            ping_pong::run(args.bytes.into(), Kind::Model, args.seed, &recording)?
        } else {
            let recording = Recording::new(&args.folder, "message", ping_pong::FROM, ping_pong::VIEW);
            ping_pong::run(args.bytes.into(), args.nic, args.seed, &recording)?
        };
        output::print(&report, args.json)?;
        return Ok(Outcome::Success);
    }
    let message_of = |nic, recording| Message {
        bytes: args.bytes.into(),
        nic,
        seed: args.seed,
        recording: Some(recording),
    };
    let report = if args.golden {
        // The model alone: the RTL holds the same values, and the file is half as long.
        message(&message_of(Kind::Model, golden(&args.folder)))?
    } else {
        message(&message_of(args.nic, Recording::new(&args.folder, "botf", 0, VIEW)))?
    };
    output::print(&report, args.json)?;
    Ok(Outcome::Success)
}

/// What the repository holds to compare with. Node 0 sends and receives, so it shows all blocks at work.
fn golden(folder: &Path) -> Recording {
    let files = vec![(folder.join("golden/dimmnet2_botf.fst"), folder.join("dimmnet2.gtkw"))];
    Recording::golden(files, 0, VIEW)
}
