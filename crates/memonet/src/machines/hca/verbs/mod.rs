//! `memonet verbs`: unmodified verbs programs, each on a host with the modelled channel adapter.

mod once;
mod report;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use cluster::Machine;
use hca_machine::Hca;
use hca_machine::settings::Bus;
use processes::Program;

use crate::launcher::{Launcher, Patience, find_library, find_program};
use crate::library_cost;
use crate::nic::Kind;
use crate::numbers;
use crate::output;
use crate::usage;
use once::once;
pub use report::Report;

/// Run verbs programs, each on a host of its own with the modelled channel adapter as its device memonet0.
///
/// The programs are linked to rdma-core's libibverbs.so.1: ibv_rc_pingpong, ibv_ud_pingpong, ibv_devices, ibv_devinfo as they are installed.
/// Messages of the adapter are simulated in virtual time, the only time that programs see; TCP between them goes through the operating system. Standard
/// output belongs to the programs; Memonet prints on standard error.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet verbs -- ibv_devices
  memonet verbs -- ibv_rc_pingpong : ibv_rc_pingpong localhost
  memonet verbs --nic lockstep -- ibv_ud_pingpong -n 100 : ibv_ud_pingpong -n 100 localhost
  memonet verbs --lose 1% --trace calls.json -- ibv_rc_pingpong : ibv_rc_pingpong localhost
  memonet verbs --library-cost counted -- ib_send_lat : ib_send_lat localhost         instructions of the library
  memonet verbs --pcapng packets.pcapng -- ib_write_lat : ib_write_lat localhost      packets, for Wireshark
  memonet verbs -n 4 -- mpiexec.mpich -n 4 ./a.out              MPI of Debian, a rank on each host
  memonet verbs --bus pci-66 --json report.json -- ibv_rc_pingpong -s 65536 : ibv_rc_pingpong -s 65536 localhost

The exit code is that of the first host whose program ends with another code than 0: 128 and the number of the signal if one ended it. It is 1 if no program opened its adapter.")]
pub struct Args {
    /// Hosts of a launcher, such as mpiexec: PROGRAM runs outside the hosts, and each rank that it starts is the program of a host. UCX, which
    /// MPICH and Open MPI use, gets the adapter alone, unless UCX_TLS says otherwise.
    #[arg(long = "hosts", short = 'n', value_name = "HOSTS", value_parser = numbers::count)]
    launched: Option<usize>,
    /// Implementation of the adapters.
    #[arg(long, value_enum, default_value = "model")]
    nic: Kind,
    /// Bus of the adapters.
    #[arg(long, value_name = "pci-x|pci-66|pci-33", default_value = "pci-x", value_parser = bus)]
    bus: Bus,
    #[command(flatten)]
    library: library_cost::Args,
    /// Packets that links lose: 1%, 0.01%.
    #[arg(long, value_name = "SHARE", value_parser = numbers::share)]
    lose: Option<u32>,
    /// Seed of losses.
    #[arg(long, default_value_t = 1, value_parser = numbers::number)]
    seed: u64,
    /// Virtual time after which the run is ended.
    #[arg(long, default_value = "1s")]
    limit: String,
    #[command(flatten)]
    patience: Patience,
    /// Folder for waveforms of the adapters (VCD and FST) and their GTKWave layouts.
    #[arg(long, value_name = "FOLDER")]
    waves: Option<PathBuf>,
    /// File for the calls of all programs as trace events, for chrome://tracing or ui.perfetto.dev.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// File for the packets of the adapters, for Wireshark.
    #[arg(long, value_name = "FILE")]
    pcapng: Option<PathBuf>,
    /// File for a report as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// The programs and their arguments, with a colon between hosts.
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "PROGRAM [: PROGRAM]"
    )]
    programs: Vec<OsString>,
}

/// The word between the programs of two hosts.
const SEPARATOR: &str = ":";
/// Name of the argument in errors.
const HOSTS: &str = "--hosts <HOSTS>";
/// Name of the argument in errors.
const PROGRAMS: &str = "<PROGRAM [: PROGRAM]>...";

fn bus(name: &str) -> Result<Bus, String> {
    let found = Bus::ALL.into_iter().find(|bus| bus.name() == name);
    found.ok_or_else(|| format!("there are {}", Bus::NAMES.join(", ")))
}

/// Runs the command; its exit code.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let programs = programs(args)?;
    for file in [&args.trace, &args.pcapng].into_iter().flatten() {
        output::check_folder(file)?;
    }
    let launcher = Launcher::new("verbs", &args.limit, &args.patience, args.json.as_deref())?;
    launcher.finish(once(args, programs, &launcher), Report::exit_code)
}

/// The program of each host.
fn programs(args: &Args) -> anyhow::Result<Vec<Program>> {
    let hosts: Vec<_> = args.programs.split(|word| word == SEPARATOR).map(<[OsString]>::to_vec).collect();
    let reason = format!("on the channel adapter there are 1 to {} hosts", Hca::MOST_NODES);
    if hosts.len() > Hca::MOST_NODES {
        return Err(usage::invalid(PROGRAMS, hosts.len(), reason));
    }
    if let Some(launched) = args.launched {
        if !(1..=Hca::MOST_NODES).contains(&launched) {
            return Err(usage::invalid(HOSTS, launched, reason));
        }
        if hosts.len() > 1 {
            return Err(usage::conflict(HOSTS, "several programs"));
        }
    }
    for words in &hosts {
        match words.first() {
            Some(name) => drop(find_program(PROGRAMS, name)?),
            None => return Err(usage::invalid(PROGRAMS, SEPARATOR, "a host without a program")),
        }
    }
    let library: Arc<_> = find_library(&["libibverbs.so.1", "libverbs.so"], "verbs")?.into();
    Ok(hosts.into_iter().map(|words| Program::new(words, Arc::clone(&library))).collect())
}
