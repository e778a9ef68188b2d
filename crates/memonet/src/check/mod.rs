//! `memonet check`: protocols, walked state by state.

mod catalogue;
mod cenju3;
mod command;
mod fagus;
mod finding;
mod gigae_pm;
mod hca;
mod mpi;
mod replay;
mod suci;
mod windows;
mod worlds;

use checker::cenju3::Cenju3 as MpiDe;
use checker::fagus::Fagus as Shared;
use checker::mpi::Mpi;
use checker::suci::Suci as Endpoints;

use crate::output::Outcome;
pub use catalogue::Catalogue;
pub use cenju3::Report as Cenju3;
pub use fagus::Report as Fagus;
pub use gigae_pm::Report;
pub use hca::Report as Hca;
pub use mpi::Report as Exchange;
pub use suci::Report as Suci;
pub use windows::Report as Windows;

/// Walk every state that a protocol can reach.
///
/// The checked code is the product's own: the firmware of GigaE PM, the MPI library and its windows, Fagus, MPI/DE on Cenju-3, the
/// connections of the channel adapter, or whole endpoints of Suci. Network, timers and programs around it do
/// everything that they may, in every order. The report has the states visited, the violations, and the shortest trace
/// to each.
#[derive(clap::Args)]
#[command(
    subcommand_value_name = "PROTOCOL",
    subcommand_help_heading = "Protocols",
    after_help = "\
Examples:
  memonet check gigae_pm                  the repaired rules, with loss and impatient timers
  memonet check gigae_pm --hazard H3      a message is lost although the network loses nothing
  memonet check mpi                       credits and rendezvous, and what happens without credits
  memonet check windows                   one-sided communication: locks, fences, and ranks that die
  memonet check fagus                     a shared memory: litmus tests and hazards
  memonet check cenju3 --hazard H19       one pool for slots of both sides
  memonet check hca --hazard H1           a SEND that is executed twice
  memonet check suci --hazard H20         what a permit does that comes twice"
)]
pub struct Args {
    #[command(subcommand)]
    protocol: Protocol,
}

/// The protocols, each in a module of its own.
#[derive(clap::Subcommand)]
#[command(rename_all = "snake_case")]
enum Protocol {
    #[command(alias = "gigae-pm")]
    GigaePm(gigae_pm::Args),
    Mpi(mpi::Args),
    Windows(windows::Args),
    Fagus(fagus::Args),
    Suci(suci::Args),
    Cenju3(cenju3::Args),
    Hca(hca::Args),
}

impl Args {
    /// Whether JSON is asked for.
    pub fn json(&self) -> bool {
        match &self.protocol {
            Protocol::GigaePm(args) => args.common.json,
            Protocol::Mpi(args) => args.common.json,
            Protocol::Windows(args) => args.common.json,
            Protocol::Fagus(args) => args.common.json,
            Protocol::Suci(args) => args.common.json,
            Protocol::Cenju3(args) => args.common.json,
            Protocol::Hca(args) => args.common.json,
        }
    }
}

/// Runs the command of the protocol that is asked for.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    match &args.protocol {
        Protocol::GigaePm(args) => gigae_pm::run(args),
        Protocol::Mpi(args) => command::run::<Mpi>(args),
        Protocol::Windows(args) => windows::run(args),
        Protocol::Fagus(args) => command::run::<Shared>(args),
        Protocol::Suci(args) => command::run::<Endpoints>(args),
        Protocol::Cenju3(args) => command::run::<MpiDe>(args),
        Protocol::Hca(args) => hca::run(args),
    }
}
