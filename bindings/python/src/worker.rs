//! The thread of a cluster.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::ThreadId;
use std::time::Duration;

use pyo3::prelude::*;

use crate::any::{AnyCluster, Opening};
use crate::failure::Failure;
use crate::machines;
use crate::program::ProgramThread;

/// Period in which a waiting call checks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Message to a program or a function of Python that calls its own cluster.
pub const INSIDE: &str = "this runs inside a call of its cluster: a program awaits its host, and a function of a break \
                          point reads registers, memory and time; other calls are made outside";

/// Work on the cluster; `false` if the cluster is lost.
type Work = Box<dyn FnOnce(&mut dyn AnyCluster) -> bool + Send>;

/// A cluster on a thread of its own. The thread ends with the last sender.
pub struct Worker {
    work: Sender<Work>,
    stop: Arc<AtomicBool>,
    /// Process that has the thread; a forked process has not.
    process: u32,
    thread: ThreadId,
    programs: Arc<ProgramThread>,
    /// Programs of Python may run during a call.
    has_programs: AtomicBool,
}

impl Worker {
    /// Starts a cluster.
    pub fn start(py: Python<'_>, machine: String, opening: Opening) -> PyResult<Self> {
        let (work, queue) = channel::<Work>();
        let (ready, started) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let flag = stop.clone();
        let body = move || {
            let opened = caught(|| machines::start(&machine, &opening));
            match opened {
                Ok(mut cluster) => {
                    cluster.stop_at(flag);
                    // The caller may have been interrupted.
                    let _ = ready.send(Ok(()));
                    queue.into_iter().all(|work| work(&mut *cluster));
                }
                Err(error) => drop(ready.send(Err(error))),
            }
        };
        // Programs of a host may be deep; a thread that Python starts has 8 MiB as well.
        let spawned = std::thread::Builder::new().name("memonet".to_string()).stack_size(8 << 20).spawn(body);
        let spawned = spawned
            .map_err(|error| Failure::Failed(format!("no thread for the cluster: {error}")).raise(py))?;
        let worker = Worker {
            work,
            stop,
            process: std::process::id(),
            thread: spawned.thread().id(),
            programs: Arc::default(),
            has_programs: AtomicBool::new(false),
        };
        worker.wait(py, started)?;
        Ok(worker)
    }

    /// Does work on the thread of the cluster, without the interpreter lock. Ctrl-C stops virtual time.
    pub fn call<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyCluster) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        if self.process != std::process::id() {
            let lost = "the cluster belongs to the process that opened it; open another one after a fork";
            return Err(Failure::Failed(lost.to_string()).raise(py));
        }
        if self.is_here() {
            return Err(Failure::Failed(INSIDE.to_string()).raise(py));
        }
        self.stop.store(false, Ordering::SeqCst);
        let (answer, answers) = channel();
        let known = self.has_programs.load(Ordering::Relaxed);
        let boxed: Work = Box::new(move |cluster| {
            let work = || caught(|| work(cluster));
            let result = if known { as_thread_of_python(work) } else { work() };
            let lives = !matches!(result, Err(Failure::Panicked(_)));
            // The caller may have been interrupted.
            let _ = answer.send(result);
            lives
        });
        // If the thread has ended, the work is dropped, and the answer never comes.
        let _ = self.work.send(boxed);
        self.wait(py, answers)
    }

    /// Whether this is the thread of the cluster.
    pub fn is_here(&self) -> bool {
        self.thread == std::thread::current().id()
    }

    /// Does work whose result no caller waits for.
    pub fn post(&self, work: impl FnOnce(&mut dyn AnyCluster) + Send + 'static) {
        // A cluster that has ended needs no clean-up.
        let _ = self.work.send(Box::new(move |cluster| {
            work(cluster);
            true
        }));
    }

    /// The thread as far as it runs programs of Python.
    pub fn programs(&self) -> Arc<ProgramThread> {
        self.has_programs.store(true, Ordering::Relaxed);
        self.programs.clone()
    }

    /// Waits for an answer without the interpreter lock. An interrupt stops virtual time, then is raised.
    fn wait<T: Send>(&self, py: Python<'_>, mut answers: Receiver<Result<T, Failure>>) -> PyResult<T> {
        let mut interrupt = None;
        loop {
            let answer;
            (answer, answers) = py.detach(move || (answers.recv_timeout(LOOK), answers));
            match answer {
                Ok(Ok(value)) => return interrupt.map_or(Ok(value), Err),
                Ok(Err(failure)) => return Err(interrupt.unwrap_or_else(|| failure.raise(py))),
                Err(RecvTimeoutError::Disconnected) => {
                    let lost =
                        "the cluster is lost: an earlier call failed inside the simulator; open another one";
                    return Err(interrupt.unwrap_or_else(|| Failure::Panicked(lost.to_string()).raise(py)));
                }
                Err(RecvTimeoutError::Timeout) => {
                    interrupt = interrupt.or(py.check_signals().err());
                    if interrupt.is_some() {
                        self.stop.store(true, Ordering::SeqCst);
                        self.programs.interrupt(py);
                    }
                }
            }
        }
    }
}

/// Calls a function; a panic is a failure.
pub fn caught<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(Failure::panicked(&*panic)))
}

/// Calls a function while the interpreter knows the thread, without its lock: programs that are resumed in it take the
/// lock for less than if the thread were new each time.
fn as_thread_of_python<T>(work: impl FnOnce() -> T) -> T {
    Python::attach(|py| detached(py, work))
}

/// Calls a function without the interpreter lock.
pub fn detached<T>(py: Python<'_>, work: impl FnOnce() -> T) -> T {
    /// A value that does not leave its thread.
    struct Here<T>(T);
    // SAFETY: `detach` calls its function on the calling thread.
    unsafe impl<T> Send for Here<T> {}
    impl<F: FnOnce() -> T, T> Here<F> {
        fn call(self) -> Here<T> {
            Here((self.0)())
        }
    }

    let work = Here(work);
    py.detach(move || work.call()).0
}
