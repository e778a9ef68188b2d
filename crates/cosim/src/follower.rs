//! The RTL side: executes the instants of a log and compares the RTL with the model after each.

use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

use crate::{Log, Simulation, SimulationError};

/// Failure of the RTL within a log.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Edges of the first clock since reset, including that of the failure.
    pub cycle: u64,
    /// Input pins at the edge.
    pub pins_i: Vec<u64>,
    /// Signals of the model before the edge.
    pub before: Vec<u64>,
    /// Signals of the model after the edge.
    pub model: Vec<u64>,
    /// Signals of the RTL after the edge.
    pub rtl: Vec<u64>,
    /// Error of the RTL, if an assertion stopped it.
    pub stop: Option<SimulationError>,
}

/// The RTL with the size of its samples.
pub(crate) struct Follower {
    pub rtl: Box<dyn Simulation>,
    pub words: usize,
}

impl Follower {
    /// Executes a log.
    pub fn follow(&mut self, log: &Log) -> Result<(), Box<Fault>> {
        let mut before = self.expected();
        let (instant, stop) = match self.rtl.follow(log) {
            Ok(None) => return Ok(()),
            Ok(Some(instant)) => (instant, None),
            Err((instant, stop)) => (instant, Some(stop)),
        };
        (0..instant)
            .flat_map(|earlier| log.changes(earlier))
            .for_each(|(place, value)| before[place] = value);
        Err(Box::new(Fault {
            cycle: log.cycle_of(instant),
            pins_i: log.pins_of(instant).to_vec(),
            before,
            model: self.expected(),
            rtl: self.gather(),
            stop,
        }))
    }

    /// All signals of the RTL.
    pub fn gather(&self) -> Vec<u64> {
        let mut words = vec![0; self.words];
        self.rtl.gather(&mut words);
        words
    }

    /// All signals of the model, as far as the RTL has followed.
    fn expected(&self) -> Vec<u64> {
        let mut words = vec![0; self.words];
        self.rtl.expected(&mut words);
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

    /// Executes a log now.
    pub fn follow(&mut self, log: &Log) -> Result<(), Box<Fault>> {
        let (follower, followed) = self.wait();
        if log.is_empty() { followed } else { followed.and_then(|()| follower.follow(log)) }
    }

    /// Sends a log and leaves an empty one in its place. A failure is returned as soon as it is known.
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
    /// Executed logs, for reuse.
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
                let _ = outbox.send(log);
            }
            (follower, Ok(()))
        });
        Self { logs, used, thread }
    }

    /// Sends a log; returns an empty one, or `None` after a failure.
    fn send(&self, log: Log) -> Option<Log> {
        self.logs.send(log).ok()?;
        Some(self.used.try_recv().unwrap_or_default())
    }

    fn join(self) -> Followed {
        drop(self.logs);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
