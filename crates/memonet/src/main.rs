//! `memonet`: runs, compares, measures and shows published network interfaces.

mod apart;
mod bench;
mod carry;
mod check;
mod cluster;
mod compile;
mod completions;
mod coverage;
mod doctor;
mod document;
mod explain;
mod fagus;
mod figures;
mod interrupt;
mod lockstep;
mod machines;
mod man;
mod mpirun;
mod mutants;
mod new_block;
mod nic;
mod numbers;
mod output;
mod pcapng;
mod picture;
mod program;
mod prove;
mod recorded;
mod run;
mod schema;
mod second_opinion;
mod serve;
mod shell;
mod spread;
mod suci;
mod synth;
mod tap;
mod timing;
mod trace_events;
mod usage;
mod verbs;
mod wave;
mod way;
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
    Tap(tap::Args),
    Bench(bench::Args),
    Wave(wave::Args),
    Explain(explain::Args),
    Figures(figures::Args),
    Prove(prove::Args),
    Check(check::Args),
    Mutants(mutants::Args),
    SecondOpinion(second_opinion::Args),
    Fagus(fagus::Args),
    Suci(suci::Args),
    Synth(synth::Args),
    Timing(timing::Args),
    Coverage(coverage::Args),
    NewBlock(new_block::Args),
    Doctor(doctor::Args),
    Schema(schema::Args),
    Completions(completions::Args),
    Man(man::Args),
    Mpicc(compile::C),
    Mpicxx(compile::Cxx),
    Mpifort(compile::Fortran),
    Mpirun(mpirun::Args),
    Verbs(verbs::Args),
}

impl Command {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let outcome = match self {
            Command::Shell(args) => return Ok(shell::run(args)),
            Command::Serve(args) => return Ok(serve::run(args)),
            Command::Mpicc(args) => return args.run().map(ExitCode::from),
            Command::Mpicxx(args) => return args.run().map(ExitCode::from),
            Command::Mpifort(args) => return args.run().map(ExitCode::from),
            Command::Mpirun(args) => return mpirun::run(args).map(ExitCode::from),
            Command::Verbs(args) => return verbs::run(args).map(ExitCode::from),
            Command::Run(args) => run::run(args),
            Command::Cluster(args) => cluster::run(args),
            Command::Tap(args) => tap::run(args),
            Command::Lockstep(args) => lockstep::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Wave(args) => wave::run(args),
            Command::Explain(args) => explain::run(args),
            Command::Figures(args) => figures::run(args),
            Command::Prove(args) => prove::run(args),
            Command::Check(args) => check::run(args),
            Command::Mutants(args) => mutants::run(args),
            Command::SecondOpinion(args) => second_opinion::run(args),
            Command::Fagus(args) => fagus::run(args),
            Command::Suci(args) => suci::run(args),
            Command::Synth(args) => synth::run(args),
            Command::Timing(args) => timing::run(args),
            Command::Coverage(args) => coverage::run(args),
            Command::NewBlock(args) => new_block::run(args),
            Command::Doctor(args) => doctor::run(args),
            Command::Schema(args) => schema::run(args),
            Command::Completions(args) => completions::run(args, Cli::command()),
            Command::Man(args) => man::run(args, Cli::command()),
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
            Command::Shell(_)
            | Command::Serve(_)
            | Command::Mpicc(_)
            | Command::Mpicxx(_)
            | Command::Mpifort(_)
            | Command::Mpirun(_)
            | Command::Verbs(_)
            | Command::Schema(_)
            | Command::Completions(_)
            | Command::Man(_) => false,
            Command::Tap(args) => args.json,
            Command::Bench(args) => args.json,
            Command::Wave(args) => args.json,
            Command::Explain(args) => args.json,
            Command::Figures(args) => args.json,
            Command::Prove(args) => args.json,
            Command::Check(args) => args.json(),
            Command::Mutants(args) => args.json,
            Command::SecondOpinion(args) => args.json,
            Command::Fagus(args) => args.json,
            Command::Suci(args) => args.json(),
            Command::Synth(args) => args.json,
            Command::Timing(args) => args.json,
            Command::Coverage(args) => args.json,
            Command::NewBlock(args) => args.json,
            Command::Doctor(args) => args.json,
        }
    }
}

fn main() -> ExitCode {
    let mut cli = Cli::command();
    let matches = cli
        .try_get_matches_from_mut(mpirun::typed(std::env::args_os()))
        .unwrap_or_else(|wrong| refuse(wrong));
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

/// Says what is wrong with the arguments, or what was asked about them, and ends.
fn refuse(wrong: clap::Error) -> ! {
    // Whoever reads JSON reads it for wrong arguments too, which may have hidden the option from the parser.
    let is_json = |argument| argument == "--json";
    if wrong.use_stderr() && std::env::args_os().any(is_json) && !mpirun::is_meant() {
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
