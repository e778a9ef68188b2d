//! The shell before a user: a terminal with line editing, or a script.

use std::borrow::Cow;
use std::io::{BufRead, ErrorKind, IsTerminal, Write};
use std::marker::PhantomData;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lab::{Driven, number};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use crate::completion::{Words, complete};
use crate::transcript::PROMPT;
use crate::{Boards, Connection, End, Session, Shell, Start};

/// Arguments of the shell (thesis figure C.2).
#[derive(Clone, Debug, clap::Args)]
// Other commands flatten these into an `Args` of their own, and groups need different names.
#[group(skip)]
pub struct Args {
    /// Total number of processes, each on a node of its own; a single one has no subnet.
    #[arg(value_name = "processes", default_value = "2", value_parser = argument)]
    processes: u64,
    /// PID of the own process, from 0 on.
    #[arg(value_name = "PID", default_value = "0", value_parser = argument)]
    pid: u64,
    /// WID of the own process, 0 or 1 where a node has two.
    #[arg(value_name = "WID", default_value = "0", value_parser = argument)]
    wid: u64,
    /// Take lines from this file in place of standard input; the first error ends it with exit code 1.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Print prompts and lines too, so that the output of a script is a transcript.
    #[arg(long)]
    transcript: bool,
    /// Attach to the boards of `memonet serve` behind this socket.
    #[arg(long, value_name = "PATH")]
    connect: Option<PathBuf>,
}

/// Reads a number as the commands do.
pub(crate) fn argument(text: &str) -> Result<u64, String> {
    number(text, u64::from(u32::MAX)).map_err(|error| error.to_string())
}

/// Exit code where the arguments make no sense, as clap has it.
pub(crate) const WRONG_ARGUMENTS: u8 = 2;

/// Which process the shell is to be.
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

/// Runs the shell to its end: on the boards behind `--connect`, or else behind the socket `served` if a server listens
/// there, or else on its own.
pub fn run<M: Driven>(
    args: &Args,
    boards: Rc<dyn Boards<M>>,
    kind: &str,
    served: Option<PathBuf>,
) -> ExitCode {
    let start = match start::<M>(args) {
        Ok(start) => start,
        Err(error) => {
            eprintln!("dsh: {error}");
            return WRONG_ARGUMENTS.into();
        }
    };
    let path = args.connect.clone().or(served.filter(|path| UnixStream::connect(path).is_ok()));
    let shell: Result<Box<dyn Session>, String> = match path {
        Some(path) => attach::<M>(&path, start),
        None => match Shell::start(start, boards, kind) {
            Ok(shell) => Ok(Box::new(shell)),
            Err(error) => Err(error.to_string()),
        },
    };
    let shell = match shell {
        Ok(shell) => shell,
        Err(error) => return failed(&error),
    };
    let stdin = std::io::stdin();
    match &args.script {
        Some(path) => match std::fs::read(path) {
            Ok(script) => run_script(shell, script.as_slice(), args),
            Err(error) => failed(&format!("{}: {error}", path.display())),
        },
        None if stdin.is_terminal() => run_terminal::<M>(shell),
        None => run_script(shell, stdin.lock(), args),
    }
}

fn attach<M: Driven>(path: &Path, start: Start) -> Result<Box<dyn Session>, String> {
    let folder = std::env::current_dir().map_err(|error| error.to_string())?;
    let say = |reason: &str| eprintln!("dsh: {reason}");
    let connection = Connection::open::<M>(path, start, &folder, say).map_err(|error| error.to_string())?;
    eprintln!("dsh: attached to the boards of {}", path.display());
    Ok(Box::new(connection))
}

fn failed(error: &str) -> ExitCode {
    eprintln!("dsh: {error}");
    ExitCode::FAILURE
}

/// Prints, and tells whether somebody still reads.
fn print(text: &str) -> bool {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => false,
        done => {
            done.expect("standard output takes what is printed");
            true
        }
    }
}

/// Lines of a script; the first error ends it.
fn run_script(mut shell: Box<dyn Session>, mut script: impl BufRead, args: &Args) -> ExitCode {
    if args.transcript {
        print(&format!("# ./dsh {} {} {}\n", args.processes, args.pid, args.wid));
    }
    let mut line = Vec::new();
    for number in 1u64.. {
        line.clear();
        match script.read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => return failed(&format!("line {number}: {error}")),
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        let echo = if args.transcript {
            format!("{PROMPT}{text}").trim_end().to_string() + "\n"
        } else {
            String::new()
        };
        let answer = shell.line(text);
        if !print(&(echo + &answer.text)) {
            return ExitCode::SUCCESS;
        }
        match answer.end {
            Ok(End::Next) => {}
            Ok(End::Quit) => break,
            Ok(End::Failed(error)) | Err(error) => return failed(&format!("line {number}: {error}")),
        }
    }
    end(shell)
}

fn end(mut shell: Box<dyn Session>) -> ExitCode {
    match shell.finish() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

/// Lines typed by a user; errors are told, and the shell goes on.
fn run_terminal<M: Driven>(mut shell: Box<dyn Session>) -> ExitCode {
    let config = Config::builder().auto_add_history(true).completion_type(CompletionType::List).build();
    let mut editor: Editor<Typing<M>, FileHistory> = match Editor::with_config(config) {
        Ok(editor) => editor,
        Err(error) => return failed(&error.to_string()),
    };
    let colours = coloured(&std::io::stdout());
    editor.set_helper(Some(Typing { words: shell.words(), colours, machine: PhantomData }));
    // While a line is typed Ctrl-C is a character; while time runs it is a signal, and time stops.
    let stop = Arc::new(AtomicBool::new(false));
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGINT, stop.clone()) {
        return failed(&error.to_string());
    }
    shell.stop_at(stop.clone());
    let history = history();
    if let Some(path) = &history {
        // The first session has none.
        let _ = editor.load_history(path);
    }
    let mut lost = false;
    loop {
        match editor.readline(PROMPT) {
            Ok(line) => {
                stop.store(false, Ordering::Relaxed);
                let answer = shell.line(&line);
                if !print(&answer.text) {
                    break;
                }
                match answer.end {
                    Ok(End::Next) => {}
                    Ok(End::Quit) => break,
                    Ok(End::Failed(error)) => tell(&error),
                    Err(error) => {
                        tell(&error);
                        lost = true;
                        break;
                    }
                }
                if let Some(typing) = editor.helper_mut() {
                    typing.words = shell.words();
                }
            }
            // Ctrl-C gives the line up, Ctrl-D the shell.
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(error) => return failed(&error.to_string()),
        }
    }
    if let Some(path) = &history {
        // Behind what shells on other terminals have left there; a home that cannot be written has no history.
        let _ = editor.append_history(path);
    }
    if lost { ExitCode::FAILURE } else { end(shell) }
}

fn tell(error: &str) {
    if coloured(&std::io::stderr()) {
        eprintln!("\x1b[31mdsh: {error}\x1b[0m")
    } else {
        eprintln!("dsh: {error}")
    }
}

/// Colours are for terminals, of users who want them.
fn coloured(stream: &impl IsTerminal) -> bool {
    std::env::var_os("NO_COLOR").is_none() && stream.is_terminal()
}

/// `~/.dsh_history`
fn history() -> Option<PathBuf> {
    Some(PathBuf::from(std::env::var_os("HOME")?).join(".dsh_history"))
}

/// Completion and the colour of the prompt.
struct Typing<M> {
    words: Words,
    colours: bool,
    /// Whose commands they are.
    machine: PhantomData<M>,
}

impl<M: Driven> Completer for Typing<M> {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let (start, mut found) = complete::<M>(&line[..cursor], &self.words);
        // A word that is whole is followed by a blank, but not what goes on behind `=` or a dot.
        if let [only] = &mut found[..]
            && !only.ends_with(['=', '.'])
        {
            only.push(' ');
        }
        Ok((start, found))
    }
}

impl<M: Driven> Highlighter for Typing<M> {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        if self.colours { Cow::Owned(format!("\x1b[1m{prompt}\x1b[0m")) } else { Cow::Borrowed(prompt) }
    }
}

impl<M: Driven> Hinter for Typing<M> {
    type Hint = String;
}

impl<M: Driven> Validator for Typing<M> {}

impl<M: Driven> Helper for Typing<M> {}
