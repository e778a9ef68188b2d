//! Lines of a script or of standard input. The first error or Ctrl-C ends them; files are closed in each case.

use std::io::stdin;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use crate::arguments::Args;
use crate::printing::{Printed, end, failed, print, tell};
use crate::transcript::PROMPT;
use crate::{End, LineShell, script};

/// Exit code of an interrupted run: 128 plus the number of SIGINT, as in shells.
const INTERRUPTED: u8 = 130;

/// Period in which a wait for a line checks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Lines that are read ahead.
const AHEAD: usize = 16;

/// Source of lines.
pub(crate) enum Lines {
    /// All lines of a file.
    File(std::vec::IntoIter<Vec<u8>>),
    /// Lines of standard input, as they are read.
    Input(Receiver<Result<Vec<u8>, String>>),
}

/// The next line, or the reason why there is none.
enum Next {
    Line(Vec<u8>),
    End,
    Failed(String),
}

impl Lines {
    /// The lines of a script.
    pub fn of(script: Vec<Vec<u8>>) -> Self {
        Lines::File(script.into_iter())
    }

    /// The lines of standard input, read by a thread of its own, because a blocked read cannot be interrupted.
    pub fn of_input() -> Self {
        let (lines, queue) = sync_channel(AHEAD);
        std::thread::spawn(move || {
            let mut input = stdin().lock();
            while let Some(line) = script::next_line(&mut input).transpose() {
                let last = line.is_err();
                if lines.send(line).is_err() || last {
                    return;
                }
            }
        });
        Lines::Input(queue)
    }

    fn next(&mut self, interrupted: &AtomicBool) -> Next {
        let queue = match self {
            Lines::File(lines) => return lines.next().map_or(Next::End, Next::Line),
            Lines::Input(queue) => queue,
        };
        loop {
            match queue.recv_timeout(LOOK) {
                Ok(Ok(line)) => return Next::Line(line),
                Ok(Err(error)) => return Next::Failed(error),
                Err(RecvTimeoutError::Timeout) if !interrupted.load(Ordering::SeqCst) => {}
                Err(_) => return Next::End,
            }
        }
    }
}

/// Flags that Ctrl-C sets: one stops time, the other stays set. The second Ctrl-C ends the process at once.
fn listen() -> std::io::Result<[Arc<AtomicBool>; 2]> {
    let flags: [Arc<AtomicBool>; 2] = Default::default();
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // The order matters: the first signal finds the flag clear and sets it.
        flag::register_conditional_shutdown(signal, INTERRUPTED.into(), flags[1].clone())?;
        for flag in &flags {
            flag::register(signal, flag.clone())?;
        }
    }
    Ok(flags)
}

/// Carries out all lines.
pub(crate) fn run(mut shell: Box<dyn LineShell>, mut lines: Lines, args: &Args) -> ExitCode {
    let interrupted = match listen() {
        Ok([stop, interrupted]) => {
            shell.stop_at(stop);
            interrupted
        }
        Err(error) => return failed(&error.to_string()),
    };
    if args.transcript
        && let Printed::Failed(error) =
            print(&format!("# ./dsh {} {} {}\n", args.processes, args.pid, args.wid))
    {
        return end(shell, failed(&error));
    }
    let mut number = 0u64;
    let code = loop {
        number += 1;
        let next = lines.next(&interrupted);
        if interrupted.load(Ordering::SeqCst) {
            tell(&format!("line {number}: interrupted"));
            break INTERRUPTED.into();
        }
        let line = match next {
            Next::Line(line) => line,
            Next::End => break ExitCode::SUCCESS,
            Next::Failed(error) => break failed(&format!("line {number}: {error}")),
        };
        let echo = if args.transcript {
            format!("{PROMPT}{}", String::from_utf8_lossy(&line)).trim_end().to_string() + "\n"
        } else {
            String::new()
        };
        let answer = shell.line_of_bytes(&line);
        match print(&(echo + &answer.text)) {
            Printed::Out => {}
            Printed::Unread => break ExitCode::SUCCESS,
            Printed::Failed(error) => break failed(&error),
        }
        match answer.end {
            Ok(End::Next) => {}
            Ok(End::Quit) => break ExitCode::SUCCESS,
            Ok(End::Failed(error)) => break failed(&format!("line {number}: {error}")),
            // The session is lost and cannot be ended.
            Err(error) => return failed(&format!("line {number}: {error}")),
        }
    };
    end(shell, code)
}
