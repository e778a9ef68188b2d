//! A run: all processes together, their calls counted and hashed, and the reason if it ends before them.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::task::Poll;
use std::time::Duration;

use cluster::{Fingerprint, Time};
use xxhash_rust::xxh3::Xxh3;

use crate::silence::{Silence, SilenceWatch};

/// State that an interface keeps about the processes of a run.
pub trait RunState {
    /// Why runs of this interface end early.
    type Failure: RunFailure;

    /// An error if no process has used the interface, so that nothing was simulated.
    fn check_used(&self) -> Result<(), Self::Failure>;

    /// A line for each process: whether it computes, is in a call, or has ended.
    fn activities(&self) -> Vec<String>;
}

/// Why a run ended before its processes.
pub trait RunFailure: fmt::Display {
    /// The exit code of the run, 1 to 255.
    fn exit_code(&self) -> u8;
}

/// A run that all processes share. Clones are the same run.
pub struct Run<S: RunState>(pub(crate) Rc<Shared<S>>);

impl<S: RunState> Clone for Run<S> {
    fn clone(&self) -> Self {
        Run(Rc::clone(&self.0))
    }
}

/// Counters of a run that other threads may read while it runs.
#[derive(Debug, Default)]
pub struct Meter {
    calls: AtomicU64,
    now_ps: AtomicU64,
}

impl Meter {
    /// Calls of all processes that the simulator has received.
    pub fn calls(&self) -> u64 {
        self.calls.load(Relaxed)
    }

    /// Virtual time of the last call.
    pub fn now(&self) -> Time {
        Time::from_ps(self.now_ps.load(Relaxed))
    }
}

/// Is told of a call: the process, the time, and the function when the call starts, none when the process runs on.
type Observer = dyn Fn(usize, Time, Option<&str>);

pub(crate) struct Shared<S: RunState> {
    pub state: S,
    observers: RefCell<Vec<Box<Observer>>>,
    keep_running: Box<dyn Fn() -> bool>,
    failure: RefCell<Option<S::Failure>>,
    silence_watch: RefCell<SilenceWatch>,
    /// The activities of all processes when the user interrupted the run.
    interrupted: RefCell<Option<Vec<String>>>,
    meter: Arc<Meter>,
    messages: Cell<u64>,
    bytes: Cell<u64>,
    /// Calls of each process, hashed apart: the order between processes may depend on the implementation of the NIC,
    /// their calls do not.
    hashes: RefCell<Vec<Xxh3>>,
}

impl<S: RunState> Run<S> {
    /// A run of `processes` processes, which ends early when `keep_running` no longer holds.
    pub(crate) fn with_state(state: S, processes: usize, keep_running: impl Fn() -> bool + 'static) -> Self {
        Run(Rc::new(Shared {
            state,
            observers: RefCell::default(),
            keep_running: Box::new(keep_running),
            failure: RefCell::default(),
            silence_watch: RefCell::new(SilenceWatch::new(Duration::MAX, |_| {})),
            interrupted: RefCell::default(),
            meter: Arc::default(),
            messages: Cell::new(0),
            bytes: Cell::new(0),
            hashes: RefCell::new(vec![Xxh3::new(); processes]),
        }))
    }

    /// Adds an observer of all calls: it gets the process and the time, with the function when a call starts and with none
    /// when the process runs on. Observers do not change the run.
    pub fn observe(&self, observer: impl Fn(usize, Time, Option<&str>) + 'static) {
        self.0.observers.borrow_mut().push(Box::new(observer));
    }

    /// Whether the run has an observer.
    #[cfg(feature = "mpi")]
    pub(crate) fn is_observed(&self) -> bool {
        !self.0.observers.borrow().is_empty()
    }

    pub(crate) fn notify(&self, process: usize, now: Time, function: Option<&str>) {
        self.0.observers.borrow().iter().for_each(|observer| observer(process, now, function));
    }

    /// Whether the run has neither failed nor been interrupted.
    pub fn is_running(&self) -> bool {
        !self.has_failed() && (self.0.keep_running)()
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.0.failure.borrow().is_some()
    }

    /// Calls `report` with each process that makes no call for longer than `limit` by the clock of the computer. The
    /// report does not change the run. Processes that have started are not affected.
    pub fn watch_silence(&self, limit: Duration, report: impl Fn(&Silence) + 'static) {
        *self.0.silence_watch.borrow_mut() = SilenceWatch::new(limit, report);
    }

    pub(crate) fn silence_watch(&self) -> SilenceWatch {
        self.0.silence_watch.borrow().clone()
    }

    /// Notes what the processes do, if the user has interrupted the run.
    fn note_interrupt(&self) {
        if !self.has_failed() && !(self.0.keep_running)() {
            self.0.interrupted.borrow_mut().get_or_insert_with(|| self.0.state.activities());
        }
    }

    /// A line for each process of an interrupted run: whether it computed, was in a call, or had ended.
    pub fn interrupted_activities(&self) -> Vec<String> {
        self.0.interrupted.borrow().clone().unwrap_or_default()
    }

    /// Ends the run; the first failure is kept.
    pub(crate) fn fail(&self, failure: S::Failure) {
        self.note_interrupt();
        self.0.failure.borrow_mut().get_or_insert(failure);
    }

    /// Takes the failure that ended the run.
    pub fn take_failure(&self) -> Option<S::Failure> {
        self.0.failure.take()
    }

    /// An error if no process has used the interface, so that nothing was simulated.
    pub fn check_used(&self) -> Result<(), S::Failure> {
        self.0.state.check_used()
    }

    /// Calls of all processes that the simulator has received.
    pub fn calls(&self) -> u64 {
        self.0.meter.calls()
    }

    /// The counters of the run, for other threads.
    pub fn meter(&self) -> Arc<Meter> {
        Arc::clone(&self.0.meter)
    }

    /// Messages between programs: those that ranks sent outside collective operations, or that verbs programs received.
    pub fn messages(&self) -> u64 {
        self.0.messages.get()
    }

    /// Bytes of [these messages](Self::messages).
    pub fn bytes(&self) -> u64 {
        self.0.bytes.get()
    }

    /// Fingerprint of all calls: process, time, arguments and data.
    pub fn fingerprint(&self) -> Fingerprint {
        let hashes = self.0.hashes.borrow();
        Fingerprint::of(hashes.iter().map(|hash| Fingerprint::from_bits(hash.digest128())))
    }

    pub(crate) fn count_message(&self, bytes: u64) {
        self.0.messages.set(self.0.messages.get() + 1);
        self.0.bytes.set(self.0.bytes.get() + bytes);
    }

    /// Counts a call of a process, which `add` adds to the hash.
    pub(crate) fn count_call(&self, process: usize, now: Time, add: impl FnOnce(&mut Xxh3)) {
        self.0.meter.calls.fetch_add(1, Relaxed);
        self.0.meter.now_ps.store(now.ps(), Relaxed);
        let hash = &mut self.0.hashes.borrow_mut()[process];
        hash.update(&now.ps().to_le_bytes());
        add(hash);
    }

    /// Drives a process to its end, or until the run ends; an error of the process ends the run.
    pub(crate) async fn drive(&self, process: impl Future<Output = Result<(), S::Failure>>) {
        let mut process = pin!(process);
        let result = poll_fn(|context| {
            if !self.is_running() {
                self.note_interrupt();
                return Poll::Ready(None);
            }
            process.as_mut().poll(context).map(Some)
        })
        .await;
        if let Some(Err(failure)) = result {
            self.fail(failure);
        }
    }
}
