//! `memonet mpirun`: unmodified MPI programs as ranks on modelled machines.

mod compute;
mod library;
mod linkage;
mod loader;
mod network;
mod once;
mod parts;
mod report;
mod spelling;
mod table;
mod what_if;

use std::ffi::OsString;
use std::path::PathBuf;

use crate::carrier_options;
use crate::interrupt;
use crate::launcher::{Launcher, Patience};
#[cfg(feature = "studio")]
use crate::machines::Name;
use crate::names;
use crate::nic::Kind;
use crate::numbers;
use crate::output;
use crate::per_node;
use crate::usage;
use compute::Compute;
pub use library::{Abi, Library};
pub use network::Network;
use once::once;
use parts::Part;
use processes::mpi::Hosts;
pub use report::Report;
pub use table::Table;

/// Run an MPI program: its processes are the hosts of a modelled network.
///
/// The program is linked to the standard ABI of MPI 5.0 (libmpi_abi.so.1): compiled by `memonet mpicc`, `mpicxx` or `mpifort`, or by another
/// wrapper of that ABI; with --abi mpich, to MPICH (libmpi.so.12). Each rank is a process. Messages are simulated in virtual time, the only time that
/// ranks see. Standard output belongs to the program; Memonet prints on standard error.
#[derive(Clone, clap::Args)]
#[command(after_help = "\
Examples:
  memonet mpirun -np 2 ./ping 1000
  memonet mpirun -np 8 --per-node 2 --machine dimmnet2 ./cg    8 ranks on 4 boards
  memonet mpirun -np 4 --machine gigae_pm --nic lockstep --what-if lose=0,1% ./ring
  memonet mpirun -np 2 valgrind -q ./ping
  memonet mpirun -np 4 --abi mpich python3 -m mpi4py.bench ringtest
  memonet mpirun -np 1 ./server : -np 3 -wdir data ./client    two programs in one run

The exit code is that of the first rank that ends with another code than 0: 128 and the number of the signal if one ended it. It is 1 if no rank called MPI_Init. With --what-if it is 1 if a run fails.")]
pub struct Args {
    /// Processes: 1 to 1,024, as many as the machine has addresses for. May be typed -np. With several programs: those of the
    /// first one, 1 if not given.
    #[arg(long = "np", short = 'n', value_name = "N", value_parser = numbers::count)]
    ranks: usize,
    /// Hosts of the network, as many as -np or more: MPI_Comm_spawn starts processes on those without a rank.
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    universe: Option<usize>,
    /// Network between them.
    #[arg(long, value_enum, default_value_t)]
    machine: Network,
    #[command(flatten)]
    per_node: per_node::Args,
    #[command(flatten)]
    way: carrier_options::Args,
    /// Binary interface of MPI that the program was built for.
    #[arg(long, value_enum, default_value_t)]
    abi: Abi,
    /// Implementation of the network interfaces.
    #[arg(long, value_enum, default_value = "model")]
    nic: Kind,
    /// Frames that links lose: 1%, 0.01%; not in memory.
    #[arg(long, value_name = "SHARE", value_parser = numbers::share)]
    lose: Option<u32>,
    /// Refuses what the standard does not allow and other MPI libraries do, such as MPI_SUM on MPI_CHAR. Without it
    /// each kind prints one warning.
    #[arg(long)]
    strict: bool,
    /// Seed of losses.
    #[arg(long, default_value_t = 1, value_parser = numbers::number)]
    seed: u64,
    /// Runs the program once for each combination of these values and prints a table: any of np, per-node, machine, carrier, wait, mtu, one-sided, library-cost, nif, copy,
    /// buffering, progress, bus, nic, lose and seed, in place of the options of these names.
    #[arg(long, value_name = "NAME=VALUE,VALUE...")]
    what_if: Vec<String>,
    /// Time that ranks compute between calls: `none`, or `profile=FILE`, the same on every network. A FILE that does not exist is recorded; this takes a
    /// program compiled with `memonet mpicc -fsanitize-coverage=trace-pc`.
    #[arg(long, value_name = "none|profile=FILE", default_value = "none", value_parser = compute::parser())]
    compute: Compute,
    /// Basic blocks that a host executes in a second, with --compute profile=FILE: 100000000 if not given.
    #[arg(long, value_name = "BLOCKS", value_parser = numbers::positive)]
    rate: Option<u64>,
    /// Virtual time after which the run is ended.
    #[arg(long, default_value = "1000s")]
    limit: String,
    #[command(flatten)]
    patience: Patience,
    /// File for the frames of Ethernet or InfiniBand, for Wireshark.
    #[arg(long, value_name = "FILE", conflicts_with = "what_if")]
    pcapng: Option<PathBuf>,
    /// Folder for waveforms (VCD and FST) and their GTKWave layouts: the boards, and the MPI call that each rank is in.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["what_if", "pcapng"])]
    waves: Option<PathBuf>,
    /// File for the calls of all ranks as trace events, for chrome://tracing or ui.perfetto.dev.
    #[arg(long, value_name = "FILE", conflicts_with = "what_if")]
    trace: Option<PathBuf>,
    /// File for a report as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    options: parts::Options,
    /// The program and its arguments; behind ` : ` another one, with options of its own before it.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
    /// The programs with their ranks, made of the words above.
    #[arg(skip)]
    parts: Vec<Part>,
    /// Takes the page that shows the run.
    #[cfg(feature = "studio")]
    #[arg(skip)]
    page: Option<KeptPage>,
}

/// A page that shows a run, and the time in ps at which its recording was full, if it was.
#[cfg(feature = "studio")]
pub type KeptPage = std::rc::Rc<std::cell::RefCell<Option<(String, Option<u64>)>>>;

/// The words behind `memonet studio mpirun`.
#[cfg(feature = "studio")]
#[derive(clap::Parser)]
#[command(name = "memonet studio mpirun")]
struct Shown {
    #[command(flatten)]
    args: Args,
}

/// Runs programs as `mpirun` with these words does, but on the default machine instead of in memory; their page goes into `page`.
#[cfg(feature = "studio")]
pub fn run_shown(words: Vec<OsString>, page: &KeptPage) -> anyhow::Result<u8> {
    use clap::parser::ValueSource;
    use clap::{CommandFactory, FromArgMatches};

    let name = [OsString::from("mpirun")];
    let matches = Shown::command().try_get_matches_from(name.into_iter().chain(spelling::words(words)))?;
    let Shown { mut args } = Shown::from_arg_matches(&matches)?;
    if matches.value_source("machine") == Some(ValueSource::DefaultValue) {
        args.machine = Network::Of(Name::default());
    }
    if !args.what_if.is_empty() {
        return Err(usage::conflict("--what-if <NAME=VALUE,VALUE...>", "memonet studio"));
    }
    if args.machine == Network::Memory {
        return Err(usage::conflict("--machine memory", "memonet studio"));
    }
    args.page = Some(page.clone());
    run(&args)
}

impl Args {
    /// Sets the number of ranks; an error if several programs have their own numbers.
    fn set_ranks(&mut self, ranks: usize) -> Result<(), String> {
        match self.parts.as_mut_slice() {
            [] => {}
            [part] => part.ranks = ranks,
            _ => return Err("each of several programs has its own -np".to_owned()),
        }
        self.ranks = ranks;
        Ok(())
    }
}

impl Args {
    /// Hosts of the network.
    fn hosts(&self) -> Hosts {
        Hosts { ranks: self.ranks, universe: self.universe, per_node: self.per_node.count() }
    }
}

/// Name of the argument in errors.
const PROGRAM: &str = "<PROGRAM>...";

/// The command line, with that of `mpirun` rewritten for the parser.
pub fn typed(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<_> = arguments.collect();
    if arguments.get(1).is_some_and(|command| command == "mpirun" || command == ALIAS) {
        let words = arguments.split_off(2);
        arguments.extend(spelling::words(words));
    }
    arguments
}

/// Another name of the command.
pub const ALIAS: &str = "mpiexec";

/// Whether the later arguments of this command line belong to another program.
pub fn is_meant() -> bool {
    let commands = ["mpirun", ALIAS, "mpicc", "mpicxx", "mpifort", "verbs"];
    names::arguments().get(1).is_some_and(|command| commands.iter().any(|name| command == *name))
}

/// Runs the command; its exit code.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let parts = parts::parts(args)?;
    let ranks = parts.iter().map(|part| part.ranks).sum();
    let args = &Args { ranks, parts, ..args.clone() };
    let combinations = what_if::combinations(args)?;
    check(args)?;
    if combinations.is_empty() && args.machine == Network::Memory && args.nic != Kind::Model {
        return Err(usage::conflict(&format!("--nic {}", args.nic.name()), "--machine memory"));
    }
    combinations.iter().try_for_each(check)?;
    parts::check_linkage(args)?;
    let library = Library::find(args.abi)?;
    for file in [&args.trace, &args.pcapng].into_iter().flatten() {
        output::check_folder(file)?;
    }
    let launcher = Launcher::new("mpirun", &args.limit, &args.patience, args.json.as_deref())?;
    parts::warn(&args.parts, &launcher);
    match combinations.is_empty() {
        true => launcher.finish(once(args, &library, &launcher), Report::exit_code),
        false => compare(args, &combinations, &library, &launcher),
    }
}

/// An error if these options exclude each other.
fn check(args: &Args) -> anyhow::Result<()> {
    if args.machine == Network::Memory
        && let Some(option) = args.way.first()
    {
        return Err(usage::conflict(&option, "--machine memory"));
    }
    let most = args.machine.most_ranks(args.way.wanted()).map_err(carrier_options::unmet)?;
    if args.ranks == 0 || args.ranks > most {
        let reason = format!("on {} there are 1 to {most} ranks", args.machine.title());
        return Err(usage::invalid("--np <N>", args.ranks, reason));
    }
    if let Some(universe) = args.universe {
        if !(args.ranks..=most).contains(&universe) {
            let reason = format!("on {} there are {} to {most} hosts", args.machine.title(), args.ranks);
            return Err(usage::invalid("--universe <N>", universe, reason));
        }
        // A profile has the computations of the ranks of one program.
        if args.compute != Compute::Nothing {
            return Err(usage::conflict("--universe <N>", "--compute profile=FILE"));
        }
    }
    args.machine.check_per_node(args.per_node)?;
    args.machine.check_settings(&args.way)?;
    if args.lose.is_some() && args.machine == Network::Memory {
        return Err(usage::conflict("--lose <SHARE>", "--machine memory"));
    }
    if args.waves.is_some() && args.machine == Network::Memory {
        return Err(usage::conflict("--waves <FOLDER>", "--machine memory"));
    }
    if args.pcapng.is_some() && !args.machine.has_frames() {
        return Err(usage::conflict("--pcapng <FILE>", format_args!("--machine {}", args.machine.name())));
    }
    if args.rate.is_some() && args.compute == Compute::Nothing {
        return Err(usage::conflict("--rate <BLOCKS>", "--compute none"));
    }
    Ok(())
}

/// Runs all combinations, one after the other, and prints a table of them. A signal of the user ends the series.
fn compare(args: &Args, combinations: &[Args], library: &Library, launcher: &Launcher) -> anyhow::Result<u8> {
    let mut table = Table::new(args);
    for args in combinations {
        let result = once(args, library, launcher);
        match &result {
            Ok(report) => output::aside(report),
            Err(failed) => launcher.say(&failed.reason),
        }
        match result {
            Err(failed) if failed.exit_code == interrupt::EXIT_CODE => return launcher.write_failure(failed),
            result => table.add(args, result),
        }
    }
    output::aside(&table);
    launcher.write(&table)?;
    Ok(table.exit_code())
}
