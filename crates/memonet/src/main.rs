//! `memonet`: runs, compares, measures and shows published network interfaces.

// Commands share helpers; a build without some commands leaves some helpers unused.
#![cfg_attr(not(feature = "full"), allow(dead_code, unused_imports))]

mod apart;
mod bench;
mod carry;
#[cfg(feature = "check")]
mod check;
mod cluster;
#[cfg(feature = "programs")]
mod compile;
mod completions;
#[cfg(feature = "rtl_tools")]
mod coverage;
mod doctor;
mod document;
mod explain;
#[cfg(feature = "fagus")]
mod fagus;
#[cfg(feature = "figures")]
mod figures;
mod interrupt;
#[cfg(feature = "programs")]
mod launcher;
mod left_out;
mod lockstep;
mod machines;
mod man;
#[cfg(feature = "programs")]
mod mpirun;
#[cfg(feature = "rtl_tools")]
mod mutants;
mod new_block;
mod nic;
mod numbers;
mod output;
#[cfg(feature = "gigae_pm")]
mod pcapng;
mod program;
#[cfg(feature = "rtl_tools")]
mod prove;
mod recorded;
mod run;
#[cfg(feature = "schema")]
mod schema;
#[cfg(feature = "rtl_tools")]
mod second_opinion;
mod serve;
mod shell;
mod spread;
#[cfg(feature = "suci")]
mod suci;
#[cfg(feature = "rtl_tools")]
mod synth;
#[cfg(feature = "tap")]
mod tap;
#[cfg(feature = "rtl_tools")]
mod timing;
mod trace_events;
mod usage;
#[cfg(feature = "programs")]
mod verbs;
mod wave;
mod way;
#[cfg(feature = "rtl_tools")]
mod yosys;

use std::io::Write;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use document::Failure;
use machines::other;
use output::Outcome;

/// Published network interfaces as machines that one can run, look inside and measure.
///
/// A device is a Rust model, Verilated SystemVerilog, or the two in lockstep, compared register by register
/// on every clock edge: `--nic model|rtl|lockstep`. The same command and seed print the same fingerprint.
#[derive(Parser)]
#[command(name = "memonet", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = concat!(
    "\
Examples:
  memonet run                                  the main job: one message, stage by stage
  memonet run --input README.md                carry a file from host 0 to host 1
  memonet run --program transpose              transpose a matrix on the board
  memonet run --machine ",
    other!(),
    "                a message of PM and its answer, stage by stage
  memonet cluster --nodes 64 --workload uniform    many nodes: latencies and throughput
  memonet lockstep --cycles 5000000 --seed 1   random traffic, model against RTL
  memonet lockstep --machine ",
    other!(),
    "           the same for GigaE PM
  memonet wave                                 waveforms of the main job, for GTKWave
  memonet shell 2 1 0                          drive the boards by hand
  memonet shell --machine ",
    other!(),
    " 2            registers, messages, time that turns back
  memonet serve                                boards for shells on other terminals
  memonet tap                                  ping and TCP of this machine through the modelled network
  memonet explain botf --bytes 8               where the time of one transfer goes
  memonet figures                              the published evaluation, measured again
  memonet bench --json                         cycles per second, and ratios
  memonet prove                                theorems about the RTL, by induction
  memonet check ",
    other!(),
    " --hazard H1           how the printed GigaE PM comes to a standstill
  memonet check ",
    other!(),
    " --hazard H1 --replay  the same on two cards
  memonet mutants --only botf                  faults put into a block: do its tests find them?
  memonet second-opinion                       the netlist in another simulator, pin by pin
  memonet fagus -n 4 --program himeno          programs that share memory, on modelled machines
  memonet suci run --nodes 41 --program gather     40 nodes send to one by Suci, over modelled UDP
  memonet check suci --hazard H20 --replay     what a permit does that comes twice
  memonet suci replay trace.pcapng             a recorded endpoint of Suci, call by call
  memonet suci bench                           Suci beside TCP, UDP, QUIC, KCP and ENet on this machine
  memonet synth                                slices and block RAMs beside the published ones
  memonet timing --only lh_buffer              the clock of a module after place and route
  memonet coverage target/coverage/points/dimmnet2   lines of the RTL that tests reach
  memonet mpicc ring.c -o ring                 compile a program of MPI, as it is
  memonet mpifort heat.f90 -o heat             the same in Fortran; mpicxx in C++
  memonet mpirun -np 4 ./ring                  its processes as hosts of a modelled network
  memonet verbs -- ibv_rc_pingpong : ibv_rc_pingpong localhost    on modelled InfiniBand
  memonet new-block my_timer                   a block of your own, in lockstep from the start
  memonet doctor                               what is installed, what is missing
  memonet schema run                           what the documents of --json hold
  memonet completions bash                     what a shell needs to complete all this

Exit codes: 0 success, 1 the run failed or model and RTL differ, 2 wrong arguments, 130 ended by Ctrl-C.
With --json a run that fails prints {\"version\": 1, \"report\": \"error\", \"error\": \"why\", ...} in place of its report."
);

#[derive(Subcommand)]
enum Command {
    Run(run::Args),
    Cluster(cluster::Args),
    Lockstep(lockstep::Args),
    Shell(shell::Args),
    Serve(serve::Args),
    #[cfg(feature = "tap")]
    Tap(tap::Args),
    Bench(bench::Args),
    Wave(wave::Args),
    Explain(explain::Args),
    #[cfg(feature = "figures")]
    Figures(figures::Args),
    #[cfg(feature = "rtl_tools")]
    Prove(prove::Args),
    #[cfg(feature = "check")]
    Check(check::Args),
    #[cfg(feature = "rtl_tools")]
    Mutants(mutants::Args),
    #[cfg(feature = "rtl_tools")]
    SecondOpinion(second_opinion::Args),
    #[cfg(feature = "fagus")]
    Fagus(fagus::Args),
    #[cfg(feature = "suci")]
    Suci(suci::Args),
    #[cfg(feature = "rtl_tools")]
    Synth(synth::Args),
    #[cfg(feature = "rtl_tools")]
    Timing(timing::Args),
    #[cfg(feature = "rtl_tools")]
    Coverage(coverage::Args),
    NewBlock(new_block::Args),
    Doctor(doctor::Args),
    #[cfg(feature = "schema")]
    Schema(schema::Args),
    Completions(completions::Args),
    Man(man::Args),
    #[cfg(feature = "programs")]
    Mpicc(compile::C),
    #[cfg(feature = "programs")]
    Mpicxx(compile::Cxx),
    #[cfg(feature = "programs")]
    Mpifort(compile::Fortran),
    #[cfg(feature = "programs")]
    Mpirun(mpirun::Args),
    #[cfg(feature = "programs")]
    Verbs(verbs::Args),
}

impl Command {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let outcome = match self {
            Command::Shell(args) => return Ok(shell::run(args)),
            Command::Serve(args) => return Ok(serve::run(args)),
            #[cfg(feature = "programs")]
            Command::Mpicc(args) => return args.run().map(ExitCode::from),
            #[cfg(feature = "programs")]
            Command::Mpicxx(args) => return args.run().map(ExitCode::from),
            #[cfg(feature = "programs")]
            Command::Mpifort(args) => return args.run().map(ExitCode::from),
            #[cfg(feature = "programs")]
            Command::Mpirun(args) => return mpirun::run(args).map(ExitCode::from),
            #[cfg(feature = "programs")]
            Command::Verbs(args) => return verbs::run(args).map(ExitCode::from),
            Command::Run(args) => run::run(args),
            Command::Cluster(args) => cluster::run(args),
            #[cfg(feature = "tap")]
            Command::Tap(args) => tap::run(args),
            Command::Lockstep(args) => lockstep::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Wave(args) => wave::run(args),
            Command::Explain(args) => explain::run(args),
            #[cfg(feature = "figures")]
            Command::Figures(args) => figures::run(args),
            #[cfg(feature = "rtl_tools")]
            Command::Prove(args) => prove::run(args),
            #[cfg(feature = "check")]
            Command::Check(args) => check::run(args),
            #[cfg(feature = "rtl_tools")]
            Command::Mutants(args) => mutants::run(args),
            #[cfg(feature = "rtl_tools")]
            Command::SecondOpinion(args) => second_opinion::run(args),
            #[cfg(feature = "fagus")]
            Command::Fagus(args) => fagus::run(args),
            #[cfg(feature = "suci")]
            Command::Suci(args) => suci::run(args),
            #[cfg(feature = "rtl_tools")]
            Command::Synth(args) => synth::run(args),
            #[cfg(feature = "rtl_tools")]
            Command::Timing(args) => timing::run(args),
            #[cfg(feature = "rtl_tools")]
            Command::Coverage(args) => coverage::run(args),
            Command::NewBlock(args) => new_block::run(args),
            Command::Doctor(args) => doctor::run(args),
            #[cfg(feature = "schema")]
            Command::Schema(args) => schema::run(args),
            Command::Completions(args) => completions::run(args, left_out::fitted(Cli::command())),
            Command::Man(args) => man::run(args, left_out::fitted(Cli::command())),
        };
        Ok(match outcome? {
            Outcome::Success => ExitCode::SUCCESS,
            Outcome::Failure => ExitCode::FAILURE,
            Outcome::Interrupted => ExitCode::from(interrupt::EXIT_CODE),
        })
    }

    /// Whether the answer is for a machine.
    fn json(&self) -> bool {
        match self {
            Command::Run(args) => args.json,
            Command::Cluster(args) => args.json,
            Command::Lockstep(args) => args.json,
            Command::Shell(_) | Command::Serve(_) | Command::Completions(_) | Command::Man(_) => false,
            #[cfg(feature = "schema")]
            Command::Schema(_) => false,
            #[cfg(feature = "programs")]
            Command::Mpicc(_)
            | Command::Mpicxx(_)
            | Command::Mpifort(_)
            | Command::Mpirun(_)
            | Command::Verbs(_) => false,
            #[cfg(feature = "tap")]
            Command::Tap(args) => args.json,
            Command::Bench(args) => args.json,
            Command::Wave(args) => args.json,
            Command::Explain(args) => args.json,
            #[cfg(feature = "figures")]
            Command::Figures(args) => args.json,
            #[cfg(feature = "rtl_tools")]
            Command::Prove(args) => args.json,
            #[cfg(feature = "check")]
            Command::Check(args) => args.json(),
            #[cfg(feature = "rtl_tools")]
            Command::Mutants(args) => args.json,
            #[cfg(feature = "rtl_tools")]
            Command::SecondOpinion(args) => args.json,
            #[cfg(feature = "fagus")]
            Command::Fagus(args) => args.json,
            #[cfg(feature = "suci")]
            Command::Suci(args) => args.json(),
            #[cfg(feature = "rtl_tools")]
            Command::Synth(args) => args.json,
            #[cfg(feature = "rtl_tools")]
            Command::Timing(args) => args.json,
            #[cfg(feature = "rtl_tools")]
            Command::Coverage(args) => args.json,
            Command::NewBlock(args) => args.json,
            Command::Doctor(args) => args.json,
        }
    }
}

fn main() -> ExitCode {
    let mut cli = left_out::fitted(Cli::command());
    let matches =
        cli.try_get_matches_from_mut(typed()).unwrap_or_else(|wrong| refuse(left_out::explained(wrong)));
    let command =
        Cli::from_arg_matches(&matches).unwrap_or_else(|wrong| refuse(wrong.format(&mut cli))).command;
    if command.json() && std::env::args_os().any(|argument| argument.to_str().is_none()) {
        // Told before anything is done: a report names its files.
        refuse(cli.error(ErrorKind::InvalidUtf8, "a name that is not UTF-8 cannot be told in JSON"));
    }
    let error = match command.run() {
        Ok(code) => return code,
        Err(error) => error,
    };
    let error = match error.downcast::<clap::Error>() {
        Ok(wrong) => {
            let name = matches.subcommand_name().expect("a command ran");
            refuse(wrong.format(cli.find_subcommand_mut(name).expect("it has that name")))
        }
        Err(error) => output::told(&error),
    };
    if command.json() {
        print_error(&error, 1);
    }
    output::aside(format_args!("memonet: {error}"));
    ExitCode::FAILURE
}

/// The command line, in which `memonet mpirun -np` is an option.
fn typed() -> impl Iterator<Item = std::ffi::OsString> {
    #[cfg(feature = "programs")]
    return mpirun::typed(std::env::args_os()).into_iter();
    #[cfg(not(feature = "programs"))]
    std::env::args_os()
}

/// Whether later arguments are those of another program.
fn runs_another_program() -> bool {
    #[cfg(feature = "programs")]
    return mpirun::is_meant();
    #[cfg(not(feature = "programs"))]
    false
}

/// Says what is wrong with the arguments, or what was asked about them, and ends.
fn refuse(wrong: clap::Error) -> ! {
    // Whoever reads JSON reads it for wrong arguments too, which may have hidden the option from the parser.
    let is_json = |argument| argument == "--json";
    if wrong.use_stderr() && std::env::args_os().any(is_json) && !runs_another_program() {
        let text = wrong.to_string();
        let first = text.lines().next().unwrap_or_default();
        print_error(first.strip_prefix("error: ").unwrap_or(first), 2);
    }
    wrong.exit()
}

/// An error in place of a report, as JSON.
fn print_error(error: &str, exit_code: u8) {
    let failure = serde_json::to_string(&Failure::new(error, exit_code)).expect("it is text and numbers");
    // The exit code tells even those who do not listen.
    let _ = writeln!(std::io::stdout(), "{failure}");
}
