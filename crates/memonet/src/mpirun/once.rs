//! One run of a program on what is between its ranks.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::anyhow;
use clap::ValueEnum;
use cluster::{Duration, Rates, RunError, Time};
use lab::Nics;
use mpi::Options;
use mpi::carrier::memory::{self, Settings};
use processes::mpi::{Program, Run};
use waveform::View;

use super::network::Network;
use super::trace::Calls;
use super::{Args, Library, Report, compute};
use crate::interrupt::{self, Interrupt};
use crate::machines::{Built, with_machine};
use crate::nic::Maker;
use crate::numbers;
use crate::output;
use crate::pcapng::Capture;
use crate::recorded::{Recorders, Recording};

/// How a run went on a machine.
pub(super) struct Ran {
    pub end: Time,
    /// What the machine's own fingerprint adds to that of the calls.
    pub machine: Option<cluster::Fingerprint>,
    /// Waveforms and their layouts.
    pub waves: Vec<PathBuf>,
}

/// Why there is no report of a run.
pub(super) struct Failed {
    /// In words.
    pub why: String,
    /// The exit code.
    pub code: u8,
}

/// Runs the program once. What runs on what is said first.
pub(super) fn once(
    args: &Args,
    library: &Library,
    limit: Duration,
    interrupt: &Rc<Interrupt>,
) -> Result<Report, Failed> {
    let program = Program { words: args.program.clone(), library: library.file.clone().into() };
    let (computing, says) = compute::begin(args)?;
    let ended = interrupt.clone();
    let run = Run::new(program, args.ranks, computing, move || !ended.came());
    let name = args.program[0].to_string_lossy();
    output::aside(format_args!(
        "memonet mpirun: {} of {name} on {}; {says}",
        lab::counted(args.ranks, "rank"),
        machine_title(args),
    ));
    let calls = args.trace.as_ref().map(|_| Calls::of(&run));
    let ran = match args.machine {
        Network::Memory => in_memory(args, &run, limit),
        Network::Of(machine) => with_machine!(machine, M => on::<M>(args, &run, limit)),
    };
    // A run that fails is one that somebody wants to look at.
    if let (Some(calls), Some(file)) = (calls, &args.trace) {
        calls.write(file).map_err(|error| Failed { why: format!("{error:#}"), code: 1 })?;
    }
    if interrupt.came() {
        // A rank that never calls is what most often makes somebody lose patience.
        let who = run.ending().map_or(String::new(), |ending| format!("; {ending}"));
        return Err(Failed { why: format!("ended by a signal{who}"), code: interrupt::EXIT_CODE });
    }
    match (run.ending(), ran) {
        (Some(ending), _) => Err(Failed { why: ending.to_string(), code: ending.code() }),
        (None, Err(error)) => Err(Failed { why: format!("{error:#}"), code: 1 }),
        (None, Ok(ran)) => {
            compute::end(args, &run)?;
            Ok(Report::new(args, &run, &ran))
        }
    }
}

fn machine_title(args: &Args) -> String {
    match args.machine {
        Network::Memory => args.machine.title().to_owned(),
        Network::Of(_) => {
            let carrier = args.machine.other_carrier(args.way.carrier());
            let over = carrier.map_or(String::new(), |name| format!(" over {name}"));
            format!("{}{over} (nic {})", args.machine.title(), args.nic.name())
        }
    }
}

fn in_memory(args: &Args, run: &Run, limit: Duration) -> anyhow::Result<Ran> {
    let mut cluster = memory::Cluster::new(args.ranks, Settings::default(), Options::default());
    for rank in 0..args.ranks {
        let run = run.clone();
        let _ends = cluster.spawn(rank, "rank", move |world| processes::mpi::serve(world, run));
    }
    match cluster.run(limit) {
        Ok(end) => Ok(Ran { end, machine: None, waves: Vec::new() }),
        Err(memory::RunError::Stalled { .. }) => {
            run.stands_still();
            Err(anyhow!("all ranks wait"))
        }
        Err(error) => Err(anyhow!("{error}; --limit gives it longer")),
    }
}

fn on<M: Built>(args: &Args, run: &Run, limit: Duration) -> anyhow::Result<Ran> {
    let maker = Maker::<M>::new(args.nic, args.seed, command(args));
    let recording = args.waves.as_ref().map(|folder| recording(folder));
    let recorders = recording.as_ref().map(|recording| Recorders::new(&maker, recording));
    let boards = match &recorders {
        Some(recorders) => recorders.open(args.ranks)?,
        None => maker.open(args.ranks)?,
    };
    if let Some(recorders) = &recorders {
        run.observe(recorders.calls());
    }
    let mut cluster =
        cluster::Cluster::<M>::new(M::topology(args.ranks), boards, &args.way.settings::<M>()?)?;
    let loss = args.lose.unwrap_or(0);
    if loss > 0 {
        cluster.set_faults(Rates { loss, ..Rates::default() }, args.seed);
    }
    let capture = match (M::FRAME, &args.pcapng) {
        (Some(frame), Some(path)) => Some(Capture::create(path, args.ranks, frame)?),
        _ => None,
    };
    if capture.is_some() {
        cluster.capture();
    }
    let way = args.way.of::<M>()?;
    for node in 0..args.ranks {
        let run = run.clone();
        let serve = |world, _| processes::mpi::serve(world, run);
        let _ends = M::spawn_rank(&mut cluster, node, "rank", way, Options::default(), serve);
    }
    let ended = cluster.run(limit);
    // A run that fails is one that somebody wants to look at.
    if let Some(mut capture) = capture {
        capture.write(&cluster.take_captured())?;
        capture.finish()?;
    }
    let waves = recorders.map_or(Ok(Vec::new()), Recorders::finish)?;
    let end = ended.map_err(|error| match error {
        RunError::Limit { .. } => anyhow!("{error}; --limit gives it longer"),
        error => anyhow!(error).context("running the cluster"),
    })?;
    cluster.check().map_err(|error| anyhow!("{error}"))?;
    Ok(Ran { end, machine: Some(cluster.fingerprint()?), waves })
}

/// Boards and calls of a whole run; a viewer opens at its first 50 us.
fn recording(folder: &Path) -> Recording {
    let view = View { start_ps: 0, length_ps: 50_000_000 };
    Recording { ranks: true, ..Recording::new(folder, "mpirun", 0, view) }
}

/// What is typed to run the same again.
fn command(args: &Args) -> String {
    let Args { ranks, machine, abi, nic, seed, limit, .. } = args;
    let lose = args.lose.map_or(String::new(), |share| format!(" --lose {}", numbers::percent(share)));
    let (way, compute) = (args.way.typed(), compute::typed(args));
    let program: Vec<_> = args.program.iter().map(|word| quoted(&word.to_string_lossy())).collect();
    format!(
        "memonet mpirun -np {ranks} --machine {}{way} --abi {} --nic {}{lose}{compute} --seed {seed} --limit {limit} {}",
        machine.name(),
        abi.to_possible_value().expect("none is hidden").get_name(),
        nic.name(),
        program.join(" ")
    )
}

/// A word as a shell takes it for one.
pub fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./=:,+@%".contains(letter);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_take_them_apart() {
        assert_eq!(quoted("./cg-1"), "./cg-1");
        assert_eq!(quoted("two words"), "'two words'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
