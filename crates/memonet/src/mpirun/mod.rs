//! `memonet mpirun`: programs that know nothing of Memonet, as ranks on modelled machines.

mod compute;
mod library;
mod network;
mod once;
mod program;
mod report;
mod table;
mod trace;
mod what_if;

use std::path::PathBuf;
use std::rc::Rc;

use processes::Orphans;
use serde::Serialize;
use workload::parse_duration;

use crate::document::Failure;
use crate::interrupt::{self, Interrupt};
use crate::nic::Kind;
use crate::numbers;
use crate::output;
use crate::usage;
use crate::way;
use compute::Compute;
pub use library::{Abi, Library, find as find_library};
pub use network::Network;
pub use once::quoted;
use once::{Failed, once};
pub use program::find as find_program;
pub use report::Report;
pub use table::Table;

/// Run a program of MPI: its processes are the hosts of a modelled network.
///
/// The program is any that is linked to the standard ABI of MPI 5.0 (libmpi_abi.so.1): compiled by `memonet mpicc`, `mpicxx` or `mpifort`, or by another
/// wrapper of that ABI; with --abi mpich, one that was built for MPICH (libmpi.so.12). Its ranks are processes; what passes between
/// them is simulated, in virtual time, which is the only time they see. Their output is theirs alone; what Memonet has to say it says
/// on standard error.
#[derive(Clone, clap::Args)]
#[command(after_help = "\
Examples:
  memonet mpirun -np 2 ./ping 1000
  memonet mpirun -np 4 --machine gigae_pm --nic model ./ring
  memonet mpirun -np 4 --machine gigae_pm --lose 1% ./ring
  memonet mpirun -np 4 --machine gigae_pm --carrier tcp --wait poll ./ring
  memonet mpirun -np 4 --machine dimmnet2 --mtu 512 ./ring
  memonet mpirun -np 14 --machine cenju3 --nif old --wait event ./ring
  memonet mpirun -np 4 --machine hca --what-if bus=pci-x,pci-66 ./ring
  memonet mpirun -np 4 --machine gigae_pm --what-if carrier=pm,tcp lose=0,1% ./ring
  memonet mpirun -np 4 --what-if machine=gigae_pm,dimmnet2 lose=0,1% ./ring
  memonet mpirun -np 4 --compute profile=cg.profile --machine dimmnet2 ./cg
  memonet mpirun -np 2 --machine gigae_pm --pcapng frames.pcapng ./ping
  memonet mpirun -np 2 --machine dimmnet2 --waves waveforms/out ./ping 3
  memonet mpirun -np 4 --machine gigae_pm --trace calls.json ./ring
  memonet mpirun -np 2 valgrind -q ./ping
  memonet mpirun -np 4 --abi mpich python3 -m mpi4py.bench ringtest

The exit code is that of the first rank that ended with another one than 0; 128 and the number of its signal if one ended it; of several runs 1 if one of them has another than 0.")]
pub struct Args {
    /// Processes: 1 to 1,024, as many as the machine has addresses for. May be typed -np.
    #[arg(long = "np", short = 'n', value_name = "N", value_parser = numbers::count)]
    ranks: usize,
    /// What is between them.
    #[arg(long, value_enum, default_value_t)]
    machine: Network,
    #[command(flatten)]
    way: way::Args,
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
    /// Runs the program once for each combination of these values, and prints a table: any of np, machine, carrier, wait, mtu, nif, copy, buffering, progress, bus, nic, lose and
    /// seed, in place of the options of these names.
    #[arg(long, value_name = "NAME=VALUE,VALUE...")]
    what_if: Vec<String>,
    /// What programs compute between their calls: `none` takes no time; `profile=FILE` takes as long as FILE says, whatever is between the ranks. A FILE
    /// that is not there is recorded, of a program that was compiled with `memonet mpicc -fsanitize-coverage=trace-pc`.
    #[arg(long, value_name = "none|profile=FILE", default_value = "none", value_parser = compute::parse)]
    compute: Compute,
    /// Basic blocks that a host goes through in a second, with --compute profile=FILE: 100000000 if not given.
    #[arg(long, value_name = "BLOCKS", value_parser = numbers::positive)]
    rate: Option<u64>,
    /// Virtual time after which the run is given up.
    #[arg(long, default_value = "1000s")]
    limit: String,
    /// File for the frames on the wires, for Wireshark (docs/wireshark), where they are Ethernet.
    #[arg(long, value_name = "FILE", conflicts_with = "what_if")]
    pcapng: Option<PathBuf>,
    /// Folder for waveforms (VCD and FST) and their GTKWave layouts: the boards, and the call of MPI in which each rank is.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["what_if", "pcapng"])]
    waves: Option<PathBuf>,
    /// File for the calls of all ranks as trace events, for chrome://tracing or ui.perfetto.dev.
    #[arg(long, value_name = "FILE", conflicts_with = "what_if")]
    trace: Option<PathBuf>,
    /// File for a report as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// The program and its arguments.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROGRAM")]
    program: Vec<std::ffi::OsString>,
}

/// The command line with a second hyphen where an option of `mpirun` is typed `-np`, as other launchers have it, and with `--what-if`
/// before each of several choices behind one.
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
        let choices = text == "--what-if";
        if text == "-np" {
            arguments[at] = "--np".into();
        }
        at += if whole { 1 } else { 2 };
        while choices && arguments.get(at).and_then(|word| word.to_str()).is_some_and(what_if::is_choice) {
            arguments.insert(at, "--what-if".into());
            at += 2;
        }
    }
    arguments
}

/// Whether the command line is one whose later arguments are another program's.
pub fn is_meant() -> bool {
    let meant = ["mpirun", "mpicc", "mpicxx", "mpifort", "verbs"];
    std::env::args_os().nth(1).is_some_and(|command| meant.iter().any(|name| command == *name))
}

/// Runs the command; its exit code.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let combinations = what_if::combinations(args)?;
    check(args)?;
    combinations.iter().try_for_each(check)?;
    program::check(&args.program[0], args.abi)?;
    let library = Library::find(args.abi)?;
    for file in args.trace.iter().chain(&args.json) {
        output::check_folder(file)?;
    }
    let limit =
        parse_duration(&args.limit).map_err(|error| usage::invalid("--limit <LIMIT>", &args.limit, error))?;
    let interrupt = Rc::new(Interrupt::listen()?);
    pin();
    let _orphans = Orphans::adopt();
    if !combinations.is_empty() {
        return compare(args, &combinations, |args| once(args, &library, limit, &interrupt));
    }
    match once(args, &library, limit, &interrupt) {
        Ok(report) => {
            output::aside(&report);
            write(args, &report)?;
            Ok(report.exit_code())
        }
        Err(Failed { why, code }) => {
            output::aside(format_args!("memonet mpirun: {why}"));
            write(args, &Failure::new(why, code))?;
            Ok(code)
        }
    }
}

/// An error if a run like this cannot be.
fn check(args: &Args) -> anyhow::Result<()> {
    if args.machine == Network::Memory
        && let Some(option) = args.way.first()
    {
        return Err(usage::conflict(option, "--machine memory"));
    }
    let most = args.machine.most_ranks(args.way.wanted()).map_err(way::unmet)?;
    if args.ranks == 0 || args.ranks > most {
        let reason = format!("on {} there are 1 to {most} ranks", args.machine.title());
        return Err(usage::invalid("--np <N>", args.ranks, reason));
    }
    if args.lose.is_some() && args.machine == Network::Memory {
        return Err(usage::conflict("--lose <SHARE>", "--machine memory"));
    }
    if args.waves.is_some() && args.machine == Network::Memory {
        return Err(usage::conflict("--waves <FOLDER>", "--machine memory"));
    }
    if args.pcapng.is_some() && !args.machine.is_ethernet() {
        return Err(usage::conflict("--pcapng <FILE>", format_args!("--machine {}", args.machine.name())));
    }
    if args.rate.is_some() && args.compute == Compute::Nothing {
        return Err(usage::conflict("--rate <BLOCKS>", "--compute none"));
    }
    Ok(())
}

/// Runs all combinations, one after the other; a table of them comes last.
fn compare(
    args: &Args,
    combinations: &[Args],
    once: impl Fn(&Args) -> Result<Report, Failed>,
) -> anyhow::Result<u8> {
    let mut table = Table::new(args);
    for args in combinations {
        let ran = once(args);
        match &ran {
            Ok(report) => output::aside(report),
            Err(Failed { why, .. }) => output::aside(format_args!("memonet mpirun: {why}")),
        }
        if let Err(Failed { why, code: code @ interrupt::EXIT_CODE }) = ran {
            write(args, &Failure::new(why, code))?;
            return Ok(code);
        }
        table.add(args, ran);
    }
    output::aside(&table);
    write(args, &table)?;
    Ok(table.exit_code())
}

/// Writes a report, if a file for it is asked for.
fn write(args: &Args, report: &impl Serialize) -> anyhow::Result<()> {
    let Some(file) = &args.json else { return Ok(()) };
    output::write(file, format!("{}\n", serde_json::to_string_pretty(report)?).as_bytes())
}

/// Simulator and ranks take turns; on one processor a turn takes a tenth of what it takes between two.
pub fn pin() {
    let mut one = rustix::thread::CpuSet::new();
    one.set(rustix::thread::sched_getcpu());
    // Where that is not allowed the run is slower, and the same.
    let _ = rustix::thread::sched_setaffinity(None, &one);
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

    #[test]
    fn choices_behind_one_another_are_one_option_each_and_the_program_is_none() {
        let line = "memonet mpirun --what-if lose=0,1% seed=1 -np 2 ./a x=1";
        assert_eq!(words(line), words("memonet mpirun --what-if lose=0,1% --what-if seed=1 --np 2 ./a x=1"));
        assert_eq!(words("memonet mpirun --what-if nic=rtl ./a=b x=1").len(), 6);
    }
}
