//! The command `memonet`: runs, compares, measures and displays published network interfaces.

// Commands share helpers; a build without some commands leaves some helpers unused.
#![cfg_attr(not(feature = "full"), allow(dead_code, unused_imports))]

mod bench;
mod breakdown;
mod carrier_options;
mod carry;
#[cfg(feature = "check")]
mod check;
mod cluster;
#[cfg(feature = "programs")]
mod compile;
mod completions;
#[cfg(feature = "rtl_tools")]
mod coverage;
#[cfg(feature = "rtl_tools")]
mod diagrams;
mod doctor;
mod document;
mod explain;
#[cfg(feature = "fagus")]
mod fagus;
#[cfg(feature = "figures")]
mod figures;
#[cfg(feature = "rtl_tools")]
mod gate_level;
mod groups;
mod help;
mod interrupt;
#[cfg(feature = "programs")]
mod launcher;
mod left_out;
mod library_cost;
mod lockstep;
mod machines;
mod man;
#[cfg(feature = "programs")]
mod mpirun;
#[cfg(feature = "rtl_tools")]
mod mutants;
#[cfg(feature = "programs")]
mod names;
mod new_block;
mod nic;
mod numbers;
mod output;
#[cfg(feature = "capture")]
mod pcapng;
mod per_node;
mod program;
#[cfg(feature = "rtl_tools")]
mod prove;
mod recorded;
mod run;
#[cfg(feature = "schema")]
mod schema;
mod serve;
mod shell;
mod shell_words;
mod spread;
#[cfg(feature = "studio")]
mod studio;
#[cfg(feature = "suci")]
mod suci;
#[cfg(feature = "rtl_tools")]
mod synth;
#[cfg(feature = "rtl_tools")]
mod timing;
mod trace_events;
mod usage;
mod variants;
mod wave;
#[cfg(feature = "rtl_tools")]
mod yosys;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use document::Failure;
#[cfg(feature = "tap")]
use machines::tap;
#[cfg(feature = "programs")]
use machines::verbs;
use output::Outcome;

/// Simulates published cluster network interfaces cycle by cycle.
///
/// A device is a Rust model, Verilated SystemVerilog, or both in lockstep with every register compared after
/// every clock edge: `--nic model|rtl|lockstep`. The same command and seed print the same fingerprint.
#[derive(Parser)]
#[command(name = "memonet", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  memonet run                                   the main job: one message, stage by stage
  memonet explain botf --bytes 8                where the time of one transfer goes
  memonet mpicc ring.c -o ring                  compile an MPI program; mpifort and mpicxx likewise
  memonet mpirun -np 4 ./ring                   run it; its processes are hosts of a network
  memonet verbs -- ibv_rc_pingpong : ibv_rc_pingpong localhost    a verbs program
  memonet lockstep --cycles 5000000 --seed 1    random traffic, model against RTL
  memonet shell 2 1 0                           drive the boards by hand
  memonet figures                               reproduce the published measurements

Exit codes: 0 success, 1 the run failed or model and RTL differ, 2 wrong arguments, 130 Ctrl-C.
With --json, a failed run prints {\"version\": 1, \"report\": \"error\", \"error\": \"reason\", ...}.";

#[derive(Subcommand)]
enum Command {
    Run(run::Args),
    Cluster(cluster::Args),
    Lockstep(lockstep::Args),
    Shell(shell::Args),
    Serve(serve::Args),
    #[cfg(feature = "studio")]
    Studio(studio::Args),
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
    #[command(alias = "second-opinion")]
    GateLevel(gate_level::Args),
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
    #[cfg(feature = "rtl_tools")]
    Diagrams(diagrams::Args),
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
    #[command(alias = mpirun::ALIAS)]
    Mpirun(mpirun::Args),
    #[cfg(feature = "programs")]
    Verbs(verbs::Args),
}

/// The command of these arguments, the first of which is the name of the program.
#[cfg(feature = "figures")]
fn parsed<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Result<Command, clap::Error> {
    let matches = help::complete(Cli::command()).try_get_matches_from(arguments)?;
    Ok(Cli::from_arg_matches(&matches)?.command)
}

impl Command {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let done = self.run_once();
        // MPI and verbs programs have printed already; they are not repeated, and the report says how to.
        #[cfg(feature = "programs")]
        if matches!(self, Command::Mpirun(_) | Command::Verbs(_)) {
            return done;
        }
        if done.is_err() && nic::repeats_with_pins() { self.run_once() } else { done }
    }

    fn run_once(&self) -> anyhow::Result<ExitCode> {
        let outcome = match self {
            Command::Shell(args) => return Ok(shell::run(args)),
            Command::Serve(args) => return Ok(serve::run(args)),
            #[cfg(feature = "studio")]
            Command::Studio(args) => return studio::run(args),
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
            Command::GateLevel(args) => gate_level::run(args),
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
            #[cfg(feature = "rtl_tools")]
            Command::Diagrams(args) => diagrams::run(args),
            Command::Doctor(args) => doctor::run(args),
            #[cfg(feature = "schema")]
            Command::Schema(args) => schema::run(args),
            Command::Completions(args) => completions::run(args, help::complete(Cli::command())),
            Command::Man(args) => man::run(args, help::complete(Cli::command())),
        };
        Ok(match outcome? {
            Outcome::Success => ExitCode::SUCCESS,
            Outcome::Failure => ExitCode::FAILURE,
            Outcome::Interrupted => ExitCode::from(interrupt::EXIT_CODE),
        })
    }

    /// `--json` was given.
    fn json(&self) -> bool {
        match self {
            Command::Run(args) => args.json,
            Command::Cluster(args) => args.json,
            Command::Lockstep(args) => args.json,
            Command::Shell(_) | Command::Serve(_) | Command::Completions(_) | Command::Man(_) => false,
            #[cfg(feature = "studio")]
            Command::Studio(_) => false,
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
            Command::GateLevel(args) => args.json,
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
            #[cfg(feature = "rtl_tools")]
            Command::Diagrams(_) => false,
            Command::Doctor(args) => args.json,
        }
    }
}

fn main() -> ExitCode {
    let mut cli = help::complete(Cli::command());
    let matches = cli
        .try_get_matches_from_mut(typed())
        .unwrap_or_else(|wrong| refuse(left_out::explained(&cli, wrong)));
    let command =
        Cli::from_arg_matches(&matches).unwrap_or_else(|wrong| refuse(wrong.format(&mut cli))).command;
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

/// The arguments. A link to this program with the name of a command for MPI programs, such as `mpicc`, is that
/// command; the command line of `mpirun` is rewritten for the parser.
fn typed() -> impl Iterator<Item = std::ffi::OsString> {
    #[cfg(feature = "programs")]
    return mpirun::typed(names::arguments().into_iter()).into_iter();
    #[cfg(not(feature = "programs"))]
    std::env::args_os()
}

/// Later arguments belong to another program.
fn runs_another_program() -> bool {
    #[cfg(feature = "programs")]
    return mpirun::is_meant();
    #[cfg(not(feature = "programs"))]
    false
}

/// Reports wrong arguments, or prints the requested help or version, and exits.
fn refuse(wrong: clap::Error) -> ! {
    // Programs that read JSON need an answer for wrong arguments too; the parser may have failed before
    // `--json`.
    let is_json = |argument| argument == "--json";
    if wrong.use_stderr() && std::env::args_os().any(is_json) && !runs_another_program() {
        let text = wrong.to_string();
        let first = text.lines().next().unwrap_or_default();
        print_error(first.strip_prefix("error: ").unwrap_or(first), 2);
    }
    wrong.exit()
}

/// Prints an error as JSON in place of the report.
fn print_error(error: &str, exit_code: u8) {
    let failure = serde_json::to_string(&Failure::new(error, exit_code)).expect("it is text and numbers");
    // If stdout is closed, the exit code still reports the failure.
    let _ = writeln!(std::io::stdout(), "{failure}");
}
