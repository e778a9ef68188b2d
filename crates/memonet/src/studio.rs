//! `memonet studio`: a page that shows a running cluster.

use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

use dsh::Start;
use studio::serve::Options;

use crate::machines::{Name, with_machine};
use crate::nic::Kind;
use crate::output;
use crate::shell::Kinds;

/// Bytes of the longest tour.
const LONGEST_TOUR: u64 = 1 << 20;

/// Show a running cluster in a browser.
///
/// Serves one page on loopback and prints its address. The page shows the cluster, the blocks of a device with
/// their states, state diagrams, registers and both sources of a block, and the states over time. Its console is
/// the shell of `memonet shell`; time goes forward by cycles and back. Ctrl-C ends the run.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet studio                           two nodes of the default machine, Rust model
  memonet studio --nic lockstep            model and RTL, compared on every edge
  memonet studio --script FILE             lines of the shell before the first page
  memonet studio --script FILE --record run.html
  memonet studio --port 8080               the same port every time")]
pub struct Args {
    /// Machine to show.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Number of nodes.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    nodes: u16,
    /// Implementation of the devices.
    #[arg(long, value_enum, default_value_t = Kind::Model)]
    nic: Kind,
    /// Lines of the shell that are executed first.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Offer a tour of your own; docs/studio.md describes the format. May be given several times.
    #[arg(long, value_name = "FILE")]
    tour: Vec<PathBuf>,
    /// Write a page that shows the run of the script without memonet, and serve nothing.
    #[arg(long, value_name = "FILE", requires = "script", conflicts_with_all = ["tour", "port"])]
    record: Option<PathBuf>,
    /// Port on loopback; 0 selects a free one.
    #[arg(long, default_value_t = 0)]
    port: u16,
}

/// Serves the page until Ctrl-C.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let &Args { machine, nodes, nic, ref script, port, .. } = args;
    let lines = script.as_deref().map(dsh::commands).transpose()?.unwrap_or_default();
    if let Some(file) = &args.record {
        let start = Start { processes: nodes.into(), pid: 0, wid: false };
        let page =
            with_machine!(machine, M => studio::record::<M>(start, Rc::new(Kinds), nic.name(), &lines));
        output::write(file, page.map_err(anyhow::Error::msg)?.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let tour = |path: &PathBuf| Ok((path.display().to_string(), files::read(path, LONGEST_TOUR)?));
    let tours = args.tour.iter().map(tour).collect::<anyhow::Result<_>>()?;
    let options = Options { nodes: nodes.into(), port, script: lines, tours };
    Ok(with_machine!(machine, M => studio::serve::run::<M>(options, Rc::new(Kinds), nic.name())))
}
