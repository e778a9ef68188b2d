//! Processes that make no call for long, by the clock of the computer.

use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::progress::Progress;

/// A process that has made no call for some time.
#[derive(Clone, Debug)]
pub struct Silence {
    /// How far the process had come.
    pub progress: Progress,
    /// Number of the process in the operating system.
    pub pid: Pid,
    /// The program, as it was typed.
    pub program: String,
    /// Time since the last call returned, or since the process started.
    pub duration: Duration,
}

impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Silence { progress, pid, program, duration } = self;
        let process = progress.process;
        let (pid, interface) = (pid.as_raw_nonzero(), process.interface.name);
        let seconds = (duration.as_secs_f64() * 10.0).round() / 10.0;
        write!(
            f,
            "{process} (pid {pid}, {program}) has made no call of {interface} for {seconds} s; it runs {progress}"
        )
    }
}

/// Reports processes that make no call for longer than a limit. Virtual time and the run are not affected.
#[derive(Clone)]
pub(crate) struct SilenceWatch {
    limit: Duration,
    report: Rc<dyn Fn(&Silence)>,
}

impl SilenceWatch {
    pub fn new(limit: Duration, report: impl Fn(&Silence) + 'static) -> Self {
        SilenceWatch { limit, report: Rc::new(report) }
    }

    /// Watches one wait for a call, which begins now.
    pub fn begin(&mut self) -> Wait<'_> {
        Wait { begin: Instant::now(), watch: self, reported: false }
    }
}

impl fmt::Debug for SilenceWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SilenceWatch").field("limit", &self.limit).finish_non_exhaustive()
    }
}

/// A wait for the next call of a process.
pub(crate) struct Wait<'a> {
    watch: &'a mut SilenceWatch,
    begin: Instant,
    reported: bool,
}

impl Wait<'_> {
    /// Reports the process if the wait has exceeded the limit. One wait is reported once, and the limit of the process
    /// doubles, so that a program with long computations is not reported at each of them.
    pub fn check(&mut self, silence: impl FnOnce(Duration) -> Silence) {
        let duration = self.begin.elapsed();
        if !self.reported && duration >= self.watch.limit {
            self.reported = true;
            (self.watch.report)(&silence(duration));
            self.watch.limit = self.watch.limit.saturating_mul(2);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::progress::{Interface, ProcessId};

    static INTERFACE: Interface =
        Interface { name: "MPI", process: "rank", slot_variable: "SLOT", number_variable: "NUMBER" };

    fn silence(duration: Duration) -> Silence {
        let process = ProcessId { interface: &INTERFACE, number: 1 };
        let progress = Progress { process, function: "MPI_Recv".into(), calls: 12 };
        Silence { progress, pid: Pid::from_raw(4711).unwrap(), program: "./a.out".into(), duration }
    }

    #[test]
    fn silence_names_the_process_and_its_progress() {
        let text = silence(Duration::from_millis(10_040)).to_string();
        let expected = "rank 1 (pid 4711, ./a.out) has made no call of MPI for 10 s; it runs after MPI_Recv, its call 12";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_wait_is_reported_once_and_the_limit_doubles() {
        let reports = Rc::new(RefCell::new(0));
        let seen = reports.clone();
        let mut watch = SilenceWatch::new(Duration::ZERO, move |_| *seen.borrow_mut() += 1);
        let mut wait = watch.begin();
        wait.check(silence);
        wait.check(silence);
        assert_eq!(*reports.borrow(), 1);
        watch.limit = Duration::from_secs(3_600);
        watch.begin().check(silence);
        assert_eq!(*reports.borrow(), 1);
    }
}
