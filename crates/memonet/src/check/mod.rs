//! `memonet check`: protocols, walked state by state.

mod catalogue;
mod cenju3;
mod cenju3_replay;
mod elsewhere;
mod exchange;
mod fagus;
mod fagus_replay;
mod finding;
mod firmware;
mod packets_replay;
mod replayed;
mod report;
mod suci;
mod suci_replay;

use crate::machines::{Protocol, other};
use crate::output::Outcome;
pub use catalogue::Catalogue;
pub use cenju3::{Args as Cenju3Args, Report as Cenju3};
pub use exchange::{Args as ExchangeArgs, Report as Exchange};
pub use fagus::{Args as FagusArgs, Report as Fagus};
pub use firmware::Args as FirmwareArgs;
pub use report::Report;
pub use suci::{Args as SuciArgs, Report as Suci};

/// Walk every state that a protocol can reach.
///
/// What is walked are the functions that run: those of a NIC's firmware over a faulty network, those of the library of
/// MPI over interfaces that a full buffer stops, those of a shared memory over datagrams, those of MPI/DE on Cenju-3, or whole endpoints of Suci. What lies around them does whatever it may, in every order. Reported are
/// states visited, what is violated, and the shortest way there.
#[derive(clap::Args)]
#[command(subcommand_value_name = "PROTOCOL", subcommand_help_heading = "Protocols", after_help = concat!("\
Examples:
  memonet check ", other!(), "                  the repaired rules, with loss and impatient timers
  memonet check ", other!(), " --hazard H3      a message is lost although the network loses nothing
  memonet check mpi                       credits and rendezvous, and what happens without credits
  memonet check fagus                     a shared memory: litmus tests and hazards
  memonet check cenju3 --hazard H19       one pool for slots of both sides
  memonet check suci --hazard H20         what a permit does that comes twice"))]
pub struct Args {
    #[command(subcommand)]
    protocol: Protocol,
}

impl Args {
    /// Whether JSON is asked for.
    pub fn json(&self) -> bool {
        match &self.protocol {
            Protocol::Firmware(args) => args.json,
            Protocol::Mpi(args) => args.json,
            Protocol::Fagus(args) => args.json,
            Protocol::Suci(args) => args.json,
            Protocol::Cenju3(args) => args.json,
        }
    }
}

/// Why a world is not explored.
const TOO_LARGE: &str = "the world is too large; make it smaller, or --limit higher";

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    match &args.protocol {
        Protocol::Firmware(args) => firmware::run(args),
        Protocol::Mpi(args) => exchange::run(args),
        Protocol::Fagus(args) => fagus::run(args),
        Protocol::Suci(args) => suci::run(args),
        Protocol::Cenju3(args) => cenju3::run(args),
    }
}
