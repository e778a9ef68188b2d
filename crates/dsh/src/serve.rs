//! A server on a terminal: from its arguments to Ctrl-C.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

use lab::Driven;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::connection::standard_socket;
use crate::terminal::{WRONG_ARGUMENTS, argument};
use crate::{Boards, Server, Shell, Start};

/// Arguments of a server.
#[derive(Clone, Debug, clap::Args)]
// Other commands flatten these into an `Args` of their own, and groups need different names.
#[group(skip)]
pub struct Args {
    /// Number of processes, each on a node of its own.
    #[arg(value_name = "processes", default_value = "2", value_parser = argument)]
    processes: u64,
    /// Where shells find it; by default where dsh looks: $XDG_RUNTIME_DIR/memonet.sock, or ~/.memonet.sock.
    #[arg(long, value_name = "PATH")]
    socket: Option<PathBuf>,
}

/// Serves until Ctrl-C, and removes the socket. Standard output is a script of all that shells did. `attach` is the command of
/// those shells.
pub fn run<M: Driven>(args: &Args, boards: Rc<dyn Boards<M>>, kind: &str, attach: &str) -> ExitCode {
    let start = Start { processes: args.processes as usize, pid: 0, wid: false };
    let (error, code) = match start.check::<M>() {
        Err(error) => (error.to_string(), WRONG_ARGUMENTS.into()),
        Ok(()) => match serve(args, start, boards, kind, attach) {
            Ok(()) => return ExitCode::SUCCESS,
            Err(error) => (error, ExitCode::FAILURE),
        },
    };
    eprintln!("memonet serve: {error}");
    code
}

fn serve<M: Driven>(
    args: &Args,
    start: Start,
    boards: Rc<dyn Boards<M>>,
    kind: &str,
    attach: &str,
) -> Result<(), String> {
    let path =
        args.socket.clone().or_else(standard_socket).ok_or("there is no home for a socket; give --socket")?;
    let shell = Shell::start(start, boards, kind).map_err(|error| error.to_string())?;
    let server = Server::bind(&path).map_err(|error| error.to_string())?;
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(|error| error.to_string())?;
    let ender = server.ender();
    std::thread::spawn(move || signals.forever().for_each(|_| ender.end()));
    let processes = args.processes;
    say(&format!("# {processes} nodes, {kind}, at {}; Ctrl-C ends", path.display()));
    let process = if M::WIDS > 1 { "PID WID" } else { "PID" };
    say(&format!("# attach with: {attach} {processes} {process} --connect {}", path.display()));
    server.run(shell, say)
}

/// Prints a line; whether somebody reads it does not matter.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
