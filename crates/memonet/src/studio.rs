//! `memonet studio`: a page that shows a running cluster.

use std::cell::RefCell;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

use cluster::Time;
use studio::serve::Options;

use crate::carrier_options;
use crate::machines::{Built, Name, with_machine};
use crate::mpirun;
use crate::nic::Kind;
use crate::output;
use crate::per_node;
use crate::program;
use crate::shell::Kinds;
use crate::usage;

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
  memonet studio --program mpi-ping        a run of an example program, when it has ended
  memonet studio mpirun -np 2 ./ping       a run of an MPI program, with the calls of its ranks
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
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tour", "port"])]
    record: Option<PathBuf>,
    /// Show a run of an example program of `memonet run --program` instead of a shell.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["script", "tour", "nodes"])]
    program: Option<String>,
    /// Port on loopback; 0 selects a free one.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// `mpirun` and its options and program: show the run of an MPI program instead of a shell.
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "mpirun ...",
        conflicts_with_all = ["script", "tour", "nodes", "machine", "nic", "program"]
    )]
    mpirun: Vec<OsString>,
}

impl Args {
    /// Writes or serves the page of a run that has ended.
    fn show(&self, (page, full_ps): (String, Option<u64>)) -> anyhow::Result<ExitCode> {
        if let Some(time_ps) = full_ps {
            output::aside(format_args!(
                "memonet studio: the recording is full at {}; the page shows the run up to there",
                Time::from_ps(time_ps)
            ));
        }
        match &self.record {
            Some(file) => {
                output::write(file, page.as_bytes())?;
                Ok(ExitCode::SUCCESS)
            }
            None => Ok(studio::serve::page(page, self.port)),
        }
    }

    /// Runs an MPI program and shows the run.
    fn show_mpirun(&self) -> anyhow::Result<ExitCode> {
        let Some((_, words)) = self.mpirun.split_first().filter(|(word, _)| *word == "mpirun") else {
            let word = self.mpirun[0].display().to_string();
            return Err(usage::invalid("[mpirun ...]", word, "the first word is mpirun"));
        };
        let page = mpirun::KeptPage::default();
        let code = mpirun::run_shown(words.to_vec(), &page)?;
        match page.take() {
            Some(page) => self.show(page),
            None => Ok(code.into()),
        }
    }

    /// Runs an example program and shows the run.
    fn show_program<M: Built>(&self, name: &str) -> anyhow::Result<ExitCode> {
        let recorder = RefCell::new(None);
        let (way, per_node) = (carrier_options::Args::default(), per_node::Args::default());
        let around = |boards: Vec<_>| {
            let fresh = Rc::new(studio::RunRecorder::<M>::new(boards.len()));
            recorder.replace(Some(fresh.clone()));
            fresh.around(boards)
        };
        let observe = |cluster: &mut cluster::Cluster<M>| {
            let recorder: Option<Rc<studio::RunRecorder<M>>> = recorder.borrow().clone();
            recorder.expect("the program has opened its boards").observe_calls(cluster);
        };
        let report = program::run_around::<M>(name, self.nic, 1, &way, per_node, around, observe)?;
        output::aside(&report);
        let recorder = recorder.take().expect("the program has opened its boards");
        self.show(recorder.page(self.nic.name()))
    }
}

/// Serves the page until Ctrl-C.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let &Args { machine, nodes, nic, ref script, port, .. } = args;
    if !args.mpirun.is_empty() {
        return args.show_mpirun();
    }
    if let Some(name) = &args.program {
        return with_machine!(machine, M => args.show_program::<M>(name));
    }
    if args.record.is_some() && script.is_none() {
        return Err(usage::conflict("--record <FILE>", "a shell without --script <FILE>"));
    }
    let lines = script.as_deref().map(dsh::commands).transpose()?.unwrap_or_default();
    if let Some(file) = &args.record {
        let page = with_machine!(machine, M => studio::record::<M>(nodes.into(), Rc::new(Kinds), nic.name(), &lines));
        output::write(file, page.map_err(anyhow::Error::msg)?.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let tour = |path: &PathBuf| Ok((path.display().to_string(), files::read(path, LONGEST_TOUR)?));
    let tours = args.tour.iter().map(tour).collect::<anyhow::Result<_>>()?;
    let options = Options { nodes: nodes.into(), port, script: lines, tours };
    Ok(with_machine!(machine, M => studio::serve::run::<M>(options, Rc::new(Kinds), nic.name())))
}
