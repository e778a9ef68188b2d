//! `memonet verbs`: programs of verbs that know nothing of Memonet, each on a host with the modelled channel adapter.

mod once;
mod report;

use std::ffi::OsString;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use hca_machine::settings::Bus;
use processes::Orphans;
use processes::verbs::Program;
use serde::Serialize;
use workload::parse_duration;

use crate::document::Failure;
use crate::interrupt::Interrupt;
use crate::mpirun::{find_library, find_program, pin};
use crate::nic::Kind;
use crate::output;
use crate::usage;
use once::{Failed, once};
pub use report::Report;

/// Run programs of verbs: each is on a host of its own, with the modelled channel adapter as its device memonet0.
///
/// The programs are any that are linked to rdma-core's libibverbs.so.1: ibv_rc_pingpong, ibv_ud_pingpong, ibv_devices, ibv_devinfo as they are installed.
/// What they send by the adapter is simulated, in virtual time, which is the only time they see; what they tell each other by TCP goes through the operating
/// system. Their output is theirs alone; what Memonet has to say it says on standard error.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet verbs -- ibv_devices
  memonet verbs -- ibv_rc_pingpong : ibv_rc_pingpong localhost
  memonet verbs --nic lockstep -- ibv_ud_pingpong -n 100 : ibv_ud_pingpong -n 100 localhost
  memonet verbs --bus pci-66 --json report.json -- ibv_rc_pingpong -s 65536 : ibv_rc_pingpong -s 65536 localhost

The exit code is that of the first host whose program ended with another one than 0; 128 and the number of its signal if one ended it.")]
pub struct Args {
    /// What stands behind the pins of the adapters.
    #[arg(long, value_enum, default_value = "model")]
    nic: Kind,
    /// Bus of the adapters.
    #[arg(long, value_name = "pci-x|pci-66|pci-33", default_value = "pci-x", value_parser = bus)]
    bus: Bus,
    /// Virtual time after which the run is given up.
    #[arg(long, default_value = "1s")]
    limit: String,
    /// File for a report as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// The programs and their arguments, those of each host behind a colon of its own.
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "PROGRAM [: PROGRAM]"
    )]
    programs: Vec<OsString>,
}

/// What stands between the programs of two hosts.
const BETWEEN: &str = ":";
/// How the argument is called in errors.
const PROGRAMS: &str = "<PROGRAM [: PROGRAM]>...";

fn bus(name: &str) -> Result<Bus, String> {
    let found = Bus::ALL.into_iter().find(|bus| bus.name() == name);
    found.ok_or_else(|| format!("there are {}", Bus::NAMES.join(", ")))
}

/// Runs the command; its exit code.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let programs = programs(args)?;
    if let Some(file) = &args.json {
        output::check_folder(file)?;
    }
    let limit =
        parse_duration(&args.limit).map_err(|error| usage::invalid("--limit <LIMIT>", &args.limit, error))?;
    let interrupt = Rc::new(Interrupt::listen()?);
    pin();
    let _orphans = Orphans::adopt();
    match once(args, programs, limit, &interrupt) {
        Ok(report) => {
            output::aside(&report);
            write(args, &report)?;
            Ok(report.exit_code())
        }
        Err(Failed { why, code }) => {
            output::aside(format_args!("memonet verbs: {why}"));
            write(args, &Failure::new(why, code))?;
            Ok(code)
        }
    }
}

/// The program of each host.
fn programs(args: &Args) -> anyhow::Result<Vec<Program>> {
    let hosts: Vec<_> = args.programs.split(|word| word == BETWEEN).map(<[OsString]>::to_vec).collect();
    if hosts.len() > most_hosts() {
        let reason = format!("on the channel adapter there are 1 to {} hosts", most_hosts());
        return Err(usage::invalid(PROGRAMS, hosts.len(), reason));
    }
    for words in &hosts {
        match words.first() {
            Some(name) => drop(find_program(PROGRAMS, name)?),
            None => return Err(usage::invalid(PROGRAMS, BETWEEN, "a host without a program")),
        }
    }
    let library: Arc<_> = find_library(&["libibverbs.so.1", "libverbs.so"], "verbs")?.into();
    Ok(hosts.into_iter().map(|words| Program { words, library: Arc::clone(&library) }).collect())
}

fn most_hosts() -> usize {
    use cluster::Machine;
    hca_machine::Hca::MOST_NODES
}

/// Writes a report, if a file for it is asked for.
fn write(args: &Args, report: &impl Serialize) -> anyhow::Result<()> {
    let Some(file) = &args.json else { return Ok(()) };
    output::write(file, format!("{}\n", serde_json::to_string_pretty(report)?).as_bytes())
}
