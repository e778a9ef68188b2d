//! The server on a terminal: from its arguments to Ctrl-C.

use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;

use machine_api::Driven;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::arguments::{WRONG_ARGUMENTS, argument};
use crate::connection::standard_socket;
use crate::{Boards, Ender, Server, Shell, Start};

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

/// Time for the end of a server after Ctrl-C; it may be blocked, for example by its output.
const EXIT_TIMEOUT: Duration = Duration::from_secs(5);

/// Serves until Ctrl-C, and removes the socket. Standard output is a script of all lines of the shells. `attach` is the
/// command of those shells.
pub fn run<M: Driven>(args: &Args, boards: Rc<dyn Boards<M>>, kind: &str, attach: &str) -> ExitCode {
    let start = Start { processes: args.processes as usize, pid: 0, wid: false };
    let (error, code) = match start.check::<M>() {
        Err(error) => (error.to_string(), WRONG_ARGUMENTS.into()),
        Ok(()) => match serve(args, start, boards, kind, attach) {
            Ok(()) => return ExitCode::SUCCESS,
            Err(error) => (error, ExitCode::FAILURE),
        },
    };
    tell(&error);
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
    // Signals are handled before the socket exists, so that it is always removed.
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(|error| error.to_string())?;
    let server = Server::bind(&path).map_err(|error| error.to_string())?;
    let ender = server.ender();
    let waits = std::thread::Builder::new().spawn(move || {
        let first = signals.forever().next();
        ender.end();
        let late = ender.clone();
        std::thread::spawn(move || {
            std::thread::sleep(EXIT_TIMEOUT);
            give_up(&late);
        });
        if first.is_some() && signals.forever().next().is_some() {
            give_up(&ender);
        }
    });
    waits.map_err(|error| error.to_string())?;
    let mut script = Script::default();
    let mut say = |line: &str| script.say(line);
    let processes = args.processes;
    say(&format!("# {processes} nodes, {kind}, at {}; Ctrl-C ends", path.display()));
    let process = if M::WIDS > 1 { "PID WID" } else { "PID" };
    say(&format!("# attach with: {attach} {processes} {process} --connect {}", path.display()));
    server.run(shell, &mut say)?;
    script.lost.map_or(Ok(()), Err)
}

/// Ends the process without further output.
fn give_up(ender: &Ender) -> ! {
    ender.remove_socket();
    tell("it was ended before all was written");
    std::process::exit(1)
}

fn tell(error: &str) {
    // If the message cannot be written, the exit code remains.
    let _ = writeln!(std::io::stderr(), "memonet serve: {error}");
}

/// The script of a session, on standard output.
#[derive(Default)]
struct Script {
    /// Why writing has failed.
    lost: Option<String>,
    /// The reader has closed the pipe, which is no error.
    unread: bool,
}

impl Script {
    /// Prints a line. After a failure the boards are served on; the failure is reported once, and at the end.
    fn say(&mut self, line: &str) {
        if self.unread || self.lost.is_some() {
            return;
        }
        let mut out = std::io::stdout().lock();
        match writeln!(out, "{line}").and_then(|()| out.flush()) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.unread = true,
            Err(error) => {
                let lost =
                    format!("the script of this session has a gap from here on, standard output: {error}");
                tell(&lost);
                self.lost = Some(lost);
            }
        }
    }
}
