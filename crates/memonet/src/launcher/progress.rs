//! Progress of a run whose programs may write to the same terminal.

use std::io::{IsTerminal, stderr, stdout};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use machine_api::{Activity, ActivityLine};
use processes::Meter;

use super::say;

/// Longest time between two lines.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Shows the progress of a run on standard error, if that is a terminal, until it is dropped.
///
/// A spinner, which is removed at the end, is shown if standard output is elsewhere. Otherwise the terminal belongs to
/// the programs, and a spinner would overwrite their incomplete lines: the run prints a line after 2, 4, 8... seconds.
pub enum RunProgress {
    /// Standard output is elsewhere.
    Spinner(Activity),
    /// Standard output is the terminal too.
    Lines { stop: Option<Sender<()>>, printer: Option<JoinHandle<()>> },
}

impl RunProgress {
    /// Shows the progress of the run that `meter` belongs to.
    pub fn begin(command: &'static str, meter: Arc<Meter>) -> Self {
        if !(stdout().is_terminal() && stderr().is_terminal()) {
            let text = move || format!("{command}, {}", describe(&meter));
            return RunProgress::Spinner(machine_api::activity_of(text));
        }
        let (stop, stopped) = channel::<()>();
        let print = move || {
            let begin = Instant::now();
            let mut pause = machine_api::LONG_STEP;
            while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let elapsed = begin.elapsed();
                say(command, format_args!("{} s, {}", elapsed.as_secs(), describe(&meter)));
                pause = elapsed.min(LONGEST_PAUSE);
            }
        };
        RunProgress::Lines { stop: Some(stop), printer: Some(thread::spawn(print)) }
    }
}

impl RunProgress {
    /// The line of the spinner, for those who print other lines meanwhile.
    pub fn line(&self) -> ActivityLine {
        match self {
            RunProgress::Spinner(activity) => activity.line(),
            RunProgress::Lines { .. } => ActivityLine::default(),
        }
    }
}

impl Drop for RunProgress {
    fn drop(&mut self) {
        if let RunProgress::Lines { stop, printer } = self {
            drop(stop.take());
            // A printer that panicked prints no more.
            let _ = printer.take().map(JoinHandle::join);
        }
    }
}

fn describe(meter: &Meter) -> String {
    format!("{} calls, virtual time {}", meter.calls(), meter.now())
}
