//! The shell for a user: a terminal with line editing, or a script.

use std::io::{ErrorKind, IsTerminal, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use machine_api::Driven;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor};

pub use crate::arguments::Args;
use crate::arguments::WRONG_ARGUMENTS;
use crate::batch::{self, Lines};
use crate::printing::{Printed, coloured, end, failed, print, tell};
use crate::transcript::PROMPT;
use crate::typing::{Typing, skip_line};
use crate::{Boards, Connection, End, LineShell, Shell, Start, script, standard_socket};

/// The process of the shell.
fn start<M: Driven>(args: &Args) -> Result<Start, String> {
    if args.wid >= M::WIDS {
        let known: Vec<_> = (0..M::WIDS).map(|wid| wid.to_string()).collect();
        let known =
            if known.len() > 1 { format!("the WIDs {}", known.join(" and ")) } else { "only WID 0".into() };
        return Err(format!("a node has {known}, not {}", args.wid));
    }
    let start = Start { processes: args.processes as usize, pid: args.pid as usize, wid: args.wid == 1 };
    start.check::<M>().map_err(|error| error.to_string())?;
    Ok(start)
}

/// Runs the shell to its end: on the boards behind `--connect`, otherwise on those of a server at the default socket,
/// otherwise on its own; always on its own with `--alone`.
pub fn run<M: Driven>(args: &Args, boards: Rc<dyn Boards<M>>, kind: &str) -> ExitCode {
    let start = match start::<M>(args) {
        Ok(start) => start,
        Err(error) => {
            tell(&error);
            return WRONG_ARGUMENTS.into();
        }
    };
    match open::<M>(args, start, boards, kind) {
        Ok(shell) => with_lines::<M>(args, shell),
        Err(error) => failed(&error),
    }
}

/// Opens the shell that the arguments select, and prints its boards.
fn open<M: Driven>(
    args: &Args,
    start: Start,
    boards: Rc<dyn Boards<M>>,
    kind: &str,
) -> Result<Box<dyn LineShell>, String> {
    if let Some(path) = &args.connect {
        return attach::<M>(path, start);
    }
    let served = standard_socket().filter(|path| !args.alone && UnixStream::connect(path).is_ok());
    if let Some(path) = served {
        return attach::<M>(&path, start).map_err(|error| format!("{error}; --alone has boards of its own"));
    }
    let shell = Shell::start(start, boards, kind).map_err(|error| error.to_string())?;
    if std::io::stdin().is_terminal() || std::io::stderr().is_terminal() {
        let why = if args.alone { "" } else { ", for no server listens" };
        remark(&format!("boards of its own{why}: {}", LineShell::about(&shell)));
    }
    Ok(Box::new(shell))
}

fn attach<M: Driven>(path: &Path, start: Start) -> Result<Box<dyn LineShell>, String> {
    let folder = std::env::current_dir().map_err(|error| error.to_string())?;
    let connection =
        Connection::open::<M>(path, start, &folder, remark).map_err(|error| error.to_string())?;
    remark(&format!("attached to the boards of {}: {}", path.display(), connection.about()));
    Ok(Box::new(connection))
}

/// Carries out lines from the source that the arguments select.
fn with_lines<M: Driven>(args: &Args, shell: Box<dyn LineShell>) -> ExitCode {
    match &args.script {
        Some(path) => match script::read(path) {
            Ok(script) => batch::run(shell, Lines::of(script), args),
            Err(error) => failed(&error.to_string()),
        },
        None if std::io::stdin().is_terminal() => run_terminal::<M>(shell),
        None => batch::run(shell, Lines::of_input(), args),
    }
}

/// Prints a remark to standard error. Errors are ignored.
fn remark(text: &str) {
    let _ = writeln!(std::io::stderr(), "dsh: {text}");
}

/// Carries out lines typed by a user; errors are printed, and the shell goes on.
fn run_terminal<M: Driven>(mut shell: Box<dyn LineShell>) -> ExitCode {
    let config = Config::builder().auto_add_history(true).completion_type(CompletionType::List).build();
    let mut editor: Editor<Typing<M>, FileHistory> = match Editor::with_config(config) {
        Ok(editor) => editor,
        Err(error) => return failed(&error.to_string()),
    };
    let colours = coloured(&std::io::stdout());
    editor.set_helper(Some(Typing::new(shell.words(), colours)));
    // Ctrl-C is a character while a line is typed, and a signal that stops time while time runs.
    let stop = Arc::new(AtomicBool::new(false));
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGINT, stop.clone()) {
        return failed(&error.to_string());
    }
    shell.stop_at(stop.clone());
    let (history, mut lost) = (history(), false);
    if let Some(path) = &history {
        // The first session has no history.
        let _ = editor.load_history(path);
    }
    let welcome = "h or ? lists the commands, help NAME tells of one, Tab completes, q leaves";
    let mut code = printed(print(&format!("dsh {} of Memonet: {welcome}\n", crate::message::VERSION)));
    while code.is_none() {
        let line = match editor.readline(PROMPT) {
            Ok(line) => line,
            // Ctrl-C discards the line, Ctrl-D ends the shell.
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => break,
            Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                skip_line();
                tell("the line has a byte that is not UTF-8 text; type it again in UTF-8");
                continue;
            }
            Err(error) => {
                code = Some(failed(&error.to_string()));
                break;
            }
        };
        stop.store(false, Ordering::Relaxed);
        let answer = shell.line(&line);
        code = printed(print(&answer.text));
        match answer.end {
            Ok(End::Next) => {}
            Ok(End::Quit) => break,
            Ok(End::Failed(error)) => tell(&error),
            Err(error) => {
                code = Some(failed(&error));
                lost = true;
            }
        }
        if let Some(typing) = editor.helper_mut() {
            typing.words = shell.words();
        }
    }
    if let Some(path) = &history {
        // Appends to the lines of other terminals; without a writable home there is no history.
        let _ = editor.append_history(path);
    }
    let code = code.unwrap_or(ExitCode::SUCCESS);
    if lost { code } else { end(shell, code) }
}

/// The exit code if output is no longer read.
fn printed(printed: Printed) -> Option<ExitCode> {
    match printed {
        Printed::Out => None,
        Printed::Unread => Some(ExitCode::SUCCESS),
        Printed::Failed(error) => Some(failed(&error)),
    }
}

/// `~/.dsh_history`
fn history() -> Option<PathBuf> {
    Some(PathBuf::from(std::env::var_os("HOME")?).join(".dsh_history"))
}
