//! The RTL side: executes the instants of a log and compares the RTL with the model after each.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

use crate::log::{Log, LogSlice, Moment};
use crate::{Simulation, SimulationError};

/// Cycles of the first clock that a failure shows in waveforms: the longest packet takes 71 to send.
pub(crate) const HISTORY: u64 = 200;

/// Failure of the RTL within a log.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Edges of the first clock since reset, including that of the failure.
    pub cycle: u64,
    /// Input pins at the edge.
    pub pins_i: Vec<u64>,
    /// Signals of the model before the edge; those of the RTL were equal.
    pub before: Vec<u64>,
    /// Signals of the model after the edge.
    pub model: Vec<u64>,
    /// Signals of the RTL after the edge.
    pub rtl: Vec<u64>,
    /// Error of the RTL, if an assertion stopped it.
    pub stop: Option<SimulationError>,
    /// Instants up to the failure, on both sides but for the last sample.
    pub history: Vec<Moment>,
}

/// The RTL with the logs that it executed last.
///
/// Until a failure the samples of the RTL are those of the model, so its logs are the history of both sides.
/// Keeping a log costs nothing: another one is filled in its place.
pub(crate) struct Follower {
    pub rtl: Box<dyn Simulation>,
    /// Words of a sample.
    pub words: usize,
    /// Executed logs, the oldest first.
    past: VecDeque<Log>,
}

impl Follower {
    pub fn new(rtl: Box<dyn Simulation>, words: usize) -> Self {
        Self { rtl, words, past: VecDeque::new() }
    }

    /// Executes a whole log.
    pub fn follow(&mut self, log: &Log) -> Result<(), Box<Fault>> {
        self.execute(log, log.all(), 0)
    }

    /// Executes the last instant of a log whose other instants are executed.
    #[inline]
    pub fn follow_newest(&mut self, log: &Log) -> Result<(), Box<Fault>> {
        self.execute(log, log.newest(), log.len() - 1)
    }

    /// Executes the instants of a log from number `first` on.
    #[inline]
    fn execute(&mut self, log: &Log, instants: LogSlice, first: usize) -> Result<(), Box<Fault>> {
        match self.rtl.follow(&instants) {
            Ok(None) => Ok(()),
            Ok(Some(instant)) => Err(self.fault(log, first + instant, None)),
            Err((instant, stop)) => Err(self.fault(log, first + instant, Some(stop))),
        }
    }

    #[cold]
    fn fault(&self, log: &Log, instant: usize, stop: Option<SimulationError>) -> Box<Fault> {
        let mut history = Vec::new();
        self.past.iter().for_each(|past| past.unpack(past.len(), &mut history));
        log.unpack(instant + 1, &mut history);
        let newest = history.last().expect("it ends with the failed instant");
        let (cycle, pins_i) = (newest.cycle, newest.pins_i.clone());
        history.retain(|moment| moment.cycle + HISTORY > cycle);
        Box::new(Fault {
            cycle,
            pins_i,
            before: log.before(instant),
            model: self.expected(),
            rtl: self.gather(),
            stop,
            history,
        })
    }

    /// Keeps an executed log and returns one to fill, which is empty or out of date.
    pub fn keep(&mut self, log: Log) -> Log {
        self.past.push_back(log);
        let cycles: u64 = self.past.iter().map(Log::cycles).sum();
        let oldest = self.past.front().map_or(0, Log::cycles);
        let spare = (cycles - oldest >= HISTORY).then(|| self.past.pop_front());
        spare.flatten().unwrap_or_default()
    }

    /// Discards the history.
    pub fn forget(&mut self) {
        self.past.clear();
    }

    /// The compared signals of the model, as far as the RTL has followed.
    pub fn expected(&self) -> Vec<u64> {
        let mut words = vec![0; self.words];
        self.rtl.expected(&mut words);
        words
    }

    /// The compared signals of the RTL.
    pub fn gather(&self) -> Vec<u64> {
        let mut words = vec![0; self.words];
        self.rtl.gather(&mut words);
        words
    }
}

/// Owner of the follower, which is either here, on the thread of the model, or on a thread of its own that
/// executes logs behind the model.
pub(crate) struct FollowerThread {
    here: Option<Box<Follower>>,
    behind: Option<Worker>,
}

impl FollowerThread {
    pub fn new(follower: Follower) -> Self {
        Self { here: Some(Box::new(follower)), behind: None }
    }

    /// The follower, unless it is on its thread.
    pub fn here(&self) -> Option<&Follower> {
        self.here.as_deref()
    }

    /// Waits until all logs sent so far are executed, or until one fails. The follower is here again
    /// afterwards.
    pub fn wait(&mut self) -> (&mut Follower, Result<(), Box<Fault>>) {
        let mut followed = Ok(());
        if let Some(worker) = self.behind.take() {
            let (follower, result) = worker.join();
            self.here = Some(follower);
            followed = result;
        }
        (self.here.as_mut().expect("it is either here or behind"), followed)
    }

    /// Executes a log now and leaves one to fill in its place.
    pub fn follow(&mut self, log: &mut Log) -> Result<(), Box<Fault>> {
        let (follower, followed) = self.wait();
        if log.is_empty() {
            return followed;
        }
        followed.and_then(|()| follower.follow(log))?;
        *log = follower.keep(std::mem::take(log));
        Ok(())
    }

    /// Executes the last instant of a log now.
    #[inline]
    pub fn follow_newest(&mut self, log: &Log) -> Result<(), Box<Fault>> {
        if let Some(follower) = &mut self.here {
            return follower.follow_newest(log);
        }
        let (follower, followed) = self.wait();
        followed.and_then(|()| follower.follow_newest(log))
    }

    /// Makes an executed log history and leaves one to fill in its place.
    pub fn keep(&mut self, log: &mut Log) {
        *log = self.wait().0.keep(std::mem::take(log));
    }

    /// Sends a log and leaves one to fill in its place. A failure is returned as soon as it is known.
    pub fn send(&mut self, log: &mut Log) -> Result<(), Box<Fault>> {
        let here = &mut self.here;
        let start = || Worker::start(here.take().expect("it is either here or behind"));
        match self.behind.get_or_insert_with(start).send(std::mem::take(log)) {
            Some(used) => {
                *log = used;
                Ok(())
            }
            None => self.wait().1,
        }
    }
}

/// Result of the thread.
type Followed = (Box<Follower>, Result<(), Box<Fault>>);

/// A follower on a thread that receives logs.
struct Worker {
    logs: SyncSender<Log>,
    /// Logs for reuse.
    used: Receiver<Log>,
    thread: JoinHandle<Followed>,
}

impl Worker {
    fn start(mut follower: Box<Follower>) -> Self {
        // One log waits while another is executed and the model fills a third.
        let (logs, inbox) = sync_channel::<Log>(1);
        let (outbox, used) = channel();
        let thread = std::thread::spawn(move || {
            for log in inbox {
                if let Err(fault) = follower.follow(&log) {
                    return (follower, Err(fault));
                }
                // At the end of a run the model no longer receives.
                let _ = outbox.send(follower.keep(log));
            }
            (follower, Ok(()))
        });
        Self { logs, used, thread }
    }

    /// Sends a log; returns one to fill, or `None` after a failure.
    fn send(&self, log: Log) -> Option<Log> {
        self.logs.send(log).ok()?;
        Some(self.used.try_recv().unwrap_or_default())
    }

    fn join(self) -> Followed {
        drop(self.logs);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
