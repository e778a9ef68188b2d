//! One run of a program on a network.

use std::path::Path;

use anyhow::anyhow;
use clap::ValueEnum;
use cluster::{Duration, Rates, RunError};
use machine_api::{Nics, Placement};
use mpi::Options;
use mpi::carrier::memory::{self, Settings};
use processes::mpi::Run;
use waveform::View;

use super::network::Network;
use super::{Args, Library, Part, Report, compute, parts};
use crate::launcher::{CallTrace, FailedRun, Launcher, MachineRun};
use crate::machines::{Built, with_machine};
use crate::nic::{ComparedCycles, Maker};
use crate::numbers;
use crate::pcapng::Capture;
use crate::recorded::{Recorders, Recording};
use crate::shell_words::command_line;

/// Runs the program once, after a line that names program and network.
pub(super) fn once(args: &Args, library: &Library, launcher: &Launcher) -> Result<Report, FailedRun> {
    let programs = parts::programs(args, library).map_err(|error| FailedRun::new(format!("{error:#}")))?;
    let (computing, description) = compute::begin(args)?;
    let interrupt = launcher.interrupt.clone();
    let run = Run::new(programs, args.hosts(), computing, move || !interrupt.came());
    let names: Vec<_> = args.parts.iter().map(Part::name).collect();
    let ranks = machine_api::counted(args.ranks, "rank");
    launcher.say(format_args!("{ranks} of {} on {}; {description}", names.join(", "), network_title(args)));
    let trace = args.trace.as_ref().map(|_| CallTrace::of(&run, "mpi", "rank"));
    ComparedCycles::restart();
    let progress = launcher.watch(&run);
    if !args.strict {
        let say = launcher.aside(&progress);
        run.tolerate(move |deviation| {
            say(&format!("warning: {deviation}; the standard does not allow it, --strict refuses it"));
        });
    }
    let ran = match args.machine {
        Network::Memory => run_in_memory(args, &run, launcher.limit),
        Network::Of(machine) => with_machine!(machine, M => run_on::<M>(args, &run, launcher.limit)),
    };
    drop(progress);
    // The trace of a failed run is the one that the user needs.
    if let (Some(trace), Some(file)) = (trace, &args.trace) {
        trace.write(file).map_err(|error| FailedRun::new(format!("{error:#}")))?;
    }
    let ran = launcher.result(&run, ran)?;
    compute::end(args, &run, launcher)?;
    Ok(Report::new(args, &run, &ran))
}

fn network_title(args: &Args) -> String {
    match args.machine {
        Network::Memory => args.machine.title().to_owned(),
        Network::Of(_) => {
            let carrier = args.machine.other_carrier(args.way.carrier());
            let over = carrier.map_or(String::new(), |name| format!(" over {name}"));
            format!("{}{over} (nic {})", args.machine.title(), args.nic.name())
        }
    }
}

fn run_in_memory(args: &Args, run: &Run, limit: Duration) -> anyhow::Result<MachineRun> {
    let hosts = args.hosts().count();
    let mut cluster = memory::Cluster::new(hosts, Settings::default(), Options::default());
    for rank in 0..hosts {
        let run = run.clone();
        let _ends = cluster.spawn(rank, "rank", move |world| processes::mpi::serve(world, run));
    }
    match cluster.run(limit) {
        Ok(end) => Ok(MachineRun { end, fingerprint: None, waves: Vec::new() }),
        Err(memory::RunError::Stalled { .. }) => {
            run.report_deadlock();
            Err(anyhow!("all ranks wait"))
        }
        Err(error) => Err(anyhow!("{error}; --limit gives it longer")),
    }
}

fn run_on<M: Built>(args: &Args, run: &Run, limit: Duration) -> anyhow::Result<MachineRun> {
    let placement = args.per_node.placement(args.hosts().count());
    let nodes = placement.nodes();
    let maker = Maker::<M>::new(args.nic, args.seed, command(args));
    let recording = args.waves.as_ref().map(|folder| recording::<M>(folder, args, placement));
    let recorders = recording.as_ref().map(|recording| Recorders::new(&maker, recording));
    let boards = match &recorders {
        Some(recorders) => recorders.open(nodes)?,
        None => maker.open(nodes)?,
    };
    if let Some(recorders) = &recorders {
        run.observe(recorders.calls());
    }
    #[cfg(feature = "studio")]
    let page = args.page.as_ref().map(|page| (page, std::rc::Rc::new(studio::RunRecorder::<M>::new(nodes))));
    #[cfg(feature = "studio")]
    let boards = match &page {
        Some((_, recorder)) => {
            let calls = recorder.clone();
            run.observe(move |rank, now, function| {
                // The page has a row of calls for each node: that of its first rank.
                if placement.slot(rank) == 0 {
                    calls.call(placement.node(rank), now.ps(), function);
                }
            });
            recorder.around(boards)
        }
        None => boards,
    };
    let mut cluster = cluster::Cluster::<M>::new(M::topology(nodes), boards, &args.way.settings::<M>()?)?;
    let loss = args.lose.unwrap_or(0);
    if loss > 0 {
        cluster.set_faults(Rates { loss, ..Rates::default() }, args.seed);
    }
    let capture = Capture::begin(&mut cluster, args.pcapng.as_deref())?;
    let way = args.way.of::<M>()?.at(placement);
    for rank in 0..placement.ranks() {
        let run = run.clone();
        let serve = |world, _| processes::mpi::serve(world, run);
        let _ends = M::spawn_rank(&mut cluster, rank, "rank", way, Options::default(), serve);
    }
    let ended = cluster.run(limit);
    // The page of a failed run is the one that the user needs, and so are its frames.
    #[cfg(feature = "studio")]
    if let Some((page, recorder)) = page {
        page.replace(Some(recorder.page(args.nic.name())));
    }
    if let Some(capture) = capture {
        capture.end(&mut cluster)?;
    }
    let waves = recorders.map_or(Ok(Vec::new()), Recorders::finish)?;
    let end = ended.map_err(|error| match error {
        RunError::Limit { .. } => anyhow!("{error}; --limit gives it longer"),
        error => anyhow!(error).context("running the cluster"),
    })?;
    cluster.check().map_err(|error| anyhow!("{error}"))?;
    Ok(MachineRun { end, fingerprint: Some(cluster.fingerprint()?), waves })
}

/// Records boards and calls of the whole run; viewers open at the first 50 us.
fn recording<M: Built>(folder: &Path, args: &Args, placement: Placement) -> Recording {
    let program = Path::new(&args.program[0]).file_name().unwrap_or_default().to_string_lossy();
    let view = View { start_ps: 0, length_ps: 50_000_000 };
    Recording {
        ranks: Some(placement),
        ..Recording::new(folder, M::NAME, &format!("mpirun_{program}"), 0, view)
    }
}

/// The command line of this run.
fn command(args: &Args) -> String {
    let Args { machine, abi, nic, seed, limit, .. } = args;
    let (ranks, options) = (args.parts[0].ranks, args.options.typed());
    let strict = if args.strict { " --strict" } else { "" };
    let lose = args.lose.map_or(String::new(), |share| format!(" --lose {}", numbers::percent(share)));
    let (way, compute) = (args.way.typed(), compute::typed(args));
    let per_node = args.per_node.typed();
    let universe = args.universe.map_or(String::new(), |hosts| format!(" --universe {hosts}"));
    format!(
        "memonet mpirun -np {ranks}{universe}{per_node} --machine {}{way} --abi {} --nic {}{lose}{compute}{strict} --seed {seed} --limit {limit}{options} {}",
        machine.name(),
        abi.to_possible_value().expect("no value is hidden").get_name(),
        nic.name(),
        command_line(&args.program)
    )
}
