//! `memonet serve`: one cluster for shells on many terminals.

use std::process::ExitCode;
use std::rc::Rc;

use crate::machines::{Name, with_machine};
use crate::nic::Kind;
use crate::shell::Kinds;

/// Serve boards to shells on other terminals.
///
/// Each shell is a process of one cluster (thesis figure C.2). The server executes lines one at a time, in
/// the order of arrival; virtual time passes only while it executes one. Breakpoints, watches, saved points
/// and going back in time apply to the whole cluster. The output is a script that repeats the session. Ctrl-C
/// stops the server and removes the socket.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet serve                          on one terminal; then on two others:
    dsh 2 0 0                              the process of PID 0
    dsh 2 1 0                              the process of PID 1
  memonet serve 4 --nic lockstep         four nodes, model and RTL compared on every edge
  memonet serve --socket /tmp/boards     found by: dsh 2 0 0 --connect /tmp/boards
  memonet serve > session.dsh            and later: dsh 2 0 0 --alone --script session.dsh")]
pub struct Args {
    #[command(flatten)]
    server: dsh::serve::Args,
    /// Machine whose boards are served.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Implementation of the boards.
    #[arg(long, value_enum, default_value_t = Kind::Model)]
    nic: Kind,
}

/// Runs the server until Ctrl-C.
pub fn run(args: &Args) -> ExitCode {
    let Args { server, machine, nic } = args;
    // `dsh` drives the default machine.
    let attach = match machine.folder() {
        _ if *machine == Name::default() => "dsh".to_string(),
        name => format!("memonet shell --machine {name}"),
    };
    with_machine!(*machine, M => dsh::serve::run::<M>(server, Rc::new(Kinds), nic.name(), &attach))
}
