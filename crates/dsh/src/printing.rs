//! Output of the shell, and its exit codes.

use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use crate::LineShell;

/// Prints an error and returns the exit code of a failure.
pub(crate) fn failed(error: &str) -> ExitCode {
    tell(error);
    ExitCode::FAILURE
}

/// Result of printing.
pub(crate) enum Printed {
    /// The text is printed.
    Out,
    /// The reader has closed the pipe, as `head` does: the end, and no error.
    Unread,
    /// The text cannot be written.
    Failed(String),
}

/// Prints text to standard output.
pub(crate) fn print(text: &str) -> Printed {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Printed::Out,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Printed::Unread,
        Err(error) => Printed::Failed(format!("standard output: {error}")),
    }
}

/// Ends the session, which closes its files, also after an error; the error's exit code stays.
pub(crate) fn end(mut shell: Box<dyn LineShell>, code: ExitCode) -> ExitCode {
    match shell.finish() {
        Ok(()) => code,
        Err(error) if code == ExitCode::SUCCESS => failed(&error),
        Err(error) => {
            tell(&error);
            code
        }
    }
}

/// Prints an error. If that fails, the exit code remains.
pub(crate) fn tell(error: &str) {
    let (red, plain) = if coloured(&std::io::stderr()) { ("\x1b[31m", "\x1b[0m") } else { ("", "") };
    let _ = writeln!(std::io::stderr(), "{red}dsh: {error}{plain}");
}

/// Whether output is coloured: on a terminal, unless the user refuses colours.
pub(crate) fn coloured(stream: &impl IsTerminal) -> bool {
    std::env::var_os("NO_COLOR").is_none() && stream.is_terminal()
}
