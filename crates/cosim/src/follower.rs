//! The RTL, which goes through the instants of a log and is compared with the model after each.

use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

use crate::{Log, Simulation, SimulationError};

/// Why the RTL did not come to the end of a log.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Edges of the first clock since reset, that of the fault included.
    pub cycle: u64,
    /// Input pins at the edge.
    pub pins_i: Vec<u64>,
    /// Signals of the model before the edge.
    pub before: Vec<u64>,
    /// Signals of the model after the edge.
    pub model: Vec<u64>,
    /// Signals of the RTL after the edge.
    pub rtl: Vec<u64>,
    /// What the RTL said, if it stopped by itself.
    pub stop: Option<SimulationError>,
}

/// The RTL, and how many words its signals fill.
pub(crate) struct Follower {
    pub rtl: Box<dyn Simulation>,
    pub words: usize,
}

impl Follower {
    /// Goes through a log.
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

/// The follower: here, or behind the model on a thread of its own.
pub(crate) struct Chase {
    here: Option<Box<Follower>>,
    behind: Option<Worker>,
}

impl Chase {
    pub fn new(follower: Follower) -> Self {
        Self { here: Some(Box::new(follower)), behind: None }
    }

    /// The follower, if it is here.
    pub fn here(&self) -> Option<&Follower> {
        self.here.as_deref()
    }

    /// Waits until the logs sent so far are gone through, or for the fault that ended it. The follower is here again.
    pub fn wait(&mut self) -> (&mut Follower, Result<(), Box<Fault>>) {
        let mut followed = Ok(());
        if let Some(worker) = self.behind.take() {
            let (follower, result) = worker.join();
            self.here = Some(follower);
            followed = result;
        }
        (self.here.as_mut().expect("it is either here or behind"), followed)
    }

    /// Goes through a log now.
    pub fn follow(&mut self, log: &Log) -> Result<(), Box<Fault>> {
        let (follower, followed) = self.wait();
        if log.is_empty() { followed } else { followed.and_then(|()| follower.follow(log)) }
    }

    /// Sends a log, and leaves one to be filled. A fault is told as soon as it is known.
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

/// What a thread ends with.
type Followed = (Box<Follower>, Result<(), Box<Fault>>);

/// A follower on a thread, to which logs are sent.
struct Worker {
    logs: SyncSender<Log>,
    /// Logs to be filled again.
    used: Receiver<Log>,
    thread: JoinHandle<Followed>,
}

impl Worker {
    fn start(mut follower: Box<Follower>) -> Self {
        // One log waits while another is gone through and the model fills a third.
        let (logs, inbox) = sync_channel::<Log>(1);
        let (outbox, used) = channel();
        let thread = std::thread::spawn(move || {
            for log in inbox {
                if let Err(fault) = follower.follow(&log) {
                    return (follower, Err(fault));
                }
                // Nobody takes it at the end of a run.
                let _ = outbox.send(log);
            }
            (follower, Ok(()))
        });
        Self { logs, used, thread }
    }

    /// Sends a log; returns one to be filled, or none after a fault.
    fn send(&self, log: Log) -> Option<Log> {
        self.logs.send(log).ok()?;
        Some(self.used.try_recv().unwrap_or_default())
    }

    fn join(self) -> Followed {
        drop(self.logs);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
