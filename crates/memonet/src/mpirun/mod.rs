//! `memonet mpirun`: programs that know nothing of Memonet, as ranks on modelled machines.

mod library;
mod network;
mod program;
mod report;

use std::path::PathBuf;
use std::rc::Rc;

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use cluster::{Duration, Rates, Time, Topology};
use lab::Nics;
use mpi::Options;
use mpi::carrier::memory::{self, Settings};
use rank::{Program, Run};
use serde::Serialize;
use workload::parse_duration;

use crate::document::Failure;
use crate::interrupt::Interrupt;
use crate::machines::{Built, with_machine};
use crate::nic::{Kind, Maker};
use crate::numbers;
use crate::output;
use crate::usage;
pub use library::{Abi, Library};
use network::Network;
pub use report::Report;

/// Run a program of MPI: its processes are the hosts of a modelled network.
///
/// The program is any that is linked to the standard ABI of MPI 5.0 (libmpi_abi.so.1): compiled by `memonet mpicc`, or by another
/// wrapper of that ABI; with --abi mpich, one that was built for MPICH (libmpi.so.12). Its ranks are processes; what passes between
/// them is simulated, in virtual time, which is the only time they see. Their output is theirs alone; what Memonet has to say it says
/// on standard error.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet mpirun -np 2 ./ping 1000
  memonet mpirun -np 4 --machine gigae_pm --nic model ./ring
  memonet mpirun -np 4 --machine gigae_pm --lose 1% ./ring
  memonet mpirun -np 2 valgrind -q ./ping
  memonet mpirun -np 4 --abi mpich python3 -m mpi4py.bench ringtest

The exit code is that of the first rank that ended with another one than 0; 128 and the number of its signal if one ended it.")]
pub struct Args {
    /// Processes: 1 to 1,024, as many as the machine has addresses for. May be typed -np.
    #[arg(long = "np", short = 'n', value_name = "N", value_parser = numbers::count)]
    ranks: usize,
    /// What is between them.
    #[arg(long, value_enum, default_value_t)]
    machine: Network,
    /// For which binary interface of MPI the program was built.
    #[arg(long, value_enum, default_value_t)]
    abi: Abi,
    /// What stands behind the pins of the boards.
    #[arg(long, value_enum, default_value = "model")]
    nic: Kind,
    /// Frames that links lose: 1%, 0.01%; not in memory.
    #[arg(long, value_name = "SHARE", value_parser = numbers::share)]
    lose: Option<u32>,
    /// Seed of losses.
    #[arg(long, default_value_t = 1, value_parser = numbers::number)]
    seed: u64,
    /// Virtual time after which the run is given up.
    #[arg(long, default_value = "1000s")]
    limit: String,
    /// File for a report as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// The program and its arguments.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROGRAM")]
    program: Vec<std::ffi::OsString>,
}

/// How a run went on a machine.
struct Ran {
    end: Time,
    /// What the machine's own fingerprint adds to that of the calls.
    machine: Option<cluster::Fingerprint>,
}

/// `-np` as other launchers have it: the command line with a second hyphen where one of `mpirun` has this option.
pub fn typed(arguments: impl Iterator<Item = std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    let mut arguments: Vec<_> = arguments.collect();
    if arguments.get(1).is_none_or(|command| command != "mpirun") {
        return arguments;
    }
    let mut at = 2;
    // Options come before the program, each with a value behind it or within it.
    while let Some(text) =
        arguments.get(at).and_then(|argument| argument.to_str()).filter(|text| text.starts_with('-'))
    {
        let whole = text.contains('=') || text == "--help" || text == "-h";
        if text == "-np" {
            arguments[at] = "--np".into();
        }
        at += if whole { 1 } else { 2 };
    }
    arguments
}

/// Whether the command line is one whose later arguments are another program's.
pub fn is_meant() -> bool {
    std::env::args_os().nth(1).is_some_and(|command| command == "mpirun" || command == "mpicc")
}

/// Runs the command; its exit code.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let most = args.machine.most_ranks();
    if args.ranks == 0 || args.ranks > most {
        let reason = format!("on {} there are 1 to {most} ranks", args.machine.title());
        return Err(usage::invalid("--np <N>", args.ranks, reason));
    }
    if args.lose.is_some() && args.machine == Network::Memory {
        return Err(usage::conflict("--lose <SHARE>", "--machine memory"));
    }
    program::check(&args.program[0])?;
    let library = Library::find(args.abi)?;
    let limit =
        parse_duration(&args.limit).map_err(|error| usage::invalid("--limit <LIMIT>", &args.limit, error))?;
    let interrupt = Rc::new(Interrupt::listen()?);
    pin();
    let program = Program { words: args.program.clone(), library: library.file.clone().into() };
    let ended = interrupt.clone();
    let run = Run::new(program, args.ranks, move || !ended.came());
    let name = args.program[0].to_string_lossy();
    output::aside(format_args!(
        "memonet mpirun: {} of {name} on {}; computation takes no time",
        lab::counted(args.ranks, "rank"),
        machine_title(args),
    ));
    let ran = match args.machine {
        Network::Memory => in_memory(args, &run, limit),
        Network::Of(machine) => with_machine!(machine, M => on::<M>(args, &run, limit)),
    };
    let failed = |why: &dyn std::fmt::Display, code| {
        output::aside(format_args!("memonet mpirun: {why}"));
        write(args, &Failure::new(why.to_string(), code))?;
        Ok(code)
    };
    if interrupt.came() {
        return failed(&"ended by a signal", crate::interrupt::EXIT_CODE);
    }
    let ran = match (run.ending(), ran) {
        (Some(ending), _) => return failed(&ending, ending.code()),
        (None, Err(error)) => return failed(&format_args!("{error:#}"), 1),
        (None, Ok(ran)) => ran,
    };
    let report = Report::new(args, &run, &ran);
    output::aside(&report);
    write(args, &report)?;
    Ok(run.code())
}

/// Writes a report, if a file for it is asked for.
fn write(args: &Args, report: &impl Serialize) -> anyhow::Result<()> {
    let Some(file) = &args.json else { return Ok(()) };
    output::write(file, format!("{}\n", serde_json::to_string_pretty(report)?).as_bytes())
}

fn machine_title(args: &Args) -> String {
    match args.machine {
        Network::Memory => args.machine.title().to_owned(),
        Network::Of(_) => format!("{} (nic {})", args.machine.title(), args.nic.name()),
    }
}

/// Simulator and ranks take turns; on one processor a turn takes a tenth of what it takes between two.
fn pin() {
    let mut one = rustix::thread::CpuSet::new();
    one.set(rustix::thread::sched_getcpu());
    // Where that is not allowed the run is slower, and the same.
    let _ = rustix::thread::sched_setaffinity(None, &one);
}

fn in_memory(args: &Args, run: &Run, limit: Duration) -> anyhow::Result<Ran> {
    let mut cluster = memory::Cluster::new(args.ranks, Settings::default(), Options::default());
    for rank in 0..args.ranks {
        let run = run.clone();
        let _ends = cluster.spawn(rank, "rank", move |world| rank::serve(world, run));
    }
    match cluster.run(limit) {
        Ok(end) => Ok(Ran { end, machine: None }),
        Err(memory::RunError::Stalled { .. }) => {
            run.stands_still();
            Err(anyhow!("all ranks wait"))
        }
        Err(error) => Err(anyhow!("{error}; --limit gives it longer")),
    }
}

fn on<M: Built>(args: &Args, run: &Run, limit: Duration) -> anyhow::Result<Ran> {
    let boards = Maker::<M>::new(args.nic, args.seed, command(args)).open(args.ranks)?;
    let mut cluster =
        cluster::Cluster::<M>::new(Topology::star(args.ranks), boards, &M::Settings::default())?;
    let loss = args.lose.unwrap_or(0);
    if loss > 0 {
        cluster.set_faults(Rates { loss, ..Rates::default() }, args.seed);
    }
    for node in 0..args.ranks {
        let (run, ranks) = (run.clone(), args.ranks);
        let _ends = cluster.spawn(node, "rank", move |port| async move {
            rank::serve(M::world(port, ranks, Options::default()).await, run).await;
        });
    }
    let end = cluster.run(limit).context("running the cluster")?;
    cluster.check().map_err(|error| anyhow!("{error}"))?;
    Ok(Ran { end, machine: Some(cluster.fingerprint()?) })
}

/// What is typed to run the same again.
fn command(args: &Args) -> String {
    let Args { ranks, machine, abi, nic, seed, limit, .. } = args;
    let typed = |value: Option<PossibleValue>| value.expect("none is hidden").get_name().to_owned();
    let lose = args.lose.map_or(String::new(), |share| format!(" --lose {}", numbers::percent(share)));
    let program: Vec<_> = args.program.iter().map(|word| word.to_string_lossy()).collect();
    format!(
        "memonet mpirun -np {ranks} --machine {} --abi {} --nic {}{lose} --seed {seed} --limit {limit} {}",
        typed(machine.to_possible_value()),
        typed(abi.to_possible_value()),
        nic.name(),
        program.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        let typed = typed(line.split(' ').map(std::ffi::OsString::from));
        typed.into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn number_of_ranks_is_typed_as_for_other_launchers_and_the_programs_own_is_left_alone() {
        assert_eq!(words("memonet mpirun -np 2 ./a -np 3"), words("memonet mpirun --np 2 ./a -np 3"));
        assert_eq!(words("memonet mpirun --nic=model -np 2 ./a")[3], "--np");
        assert_eq!(words("memonet run -np 2")[2], "-np");
    }
}
