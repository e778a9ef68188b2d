//! The thread of a cluster.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use pyo3::prelude::*;

use crate::any::AnyCluster;
use crate::failure::Failure;
use crate::machines;

/// Period in which a waiting call checks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Work on the cluster; `false` if the cluster is lost.
type Work = Box<dyn FnOnce(&mut dyn AnyCluster) -> bool + Send>;

/// A cluster on a thread of its own. The thread ends with the last sender.
pub struct Worker {
    work: Sender<Work>,
    stop: Arc<AtomicBool>,
    /// Process that has the thread; a forked process has not.
    process: u32,
}

impl Worker {
    /// Starts a cluster.
    pub fn start(py: Python<'_>, machine: String, nodes: usize, nic: String) -> PyResult<Self> {
        let (work, queue) = channel::<Work>();
        let (ready, started) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let flag = stop.clone();
        let body = move || {
            let opened = caught(|| machines::start(&machine, nodes, &nic));
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
        spawned.map_err(|error| Failure::Failed(format!("no thread for the cluster: {error}")).raise(py))?;
        let worker = Worker { work, stop, process: std::process::id() };
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
        self.stop.store(false, Ordering::SeqCst);
        let (answer, answers) = channel();
        let boxed: Work = Box::new(move |cluster| {
            let result = caught(|| work(cluster));
            let lives = !matches!(result, Err(Failure::Panicked(_)));
            // The caller may have been interrupted.
            let _ = answer.send(result);
            lives
        });
        // If the thread has ended, the work is dropped, and the answer never comes.
        let _ = self.work.send(boxed);
        self.wait(py, answers)
    }

    /// Does work whose result no caller waits for.
    pub fn post(&self, work: impl FnOnce(&mut dyn AnyCluster) + Send + 'static) {
        // A cluster that has ended needs no clean-up.
        let _ = self.work.send(Box::new(move |cluster| {
            work(cluster);
            true
        }));
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
                    }
                }
            }
        }
    }
}

/// Calls a function; a panic is a failure.
fn caught<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("an unknown error");
        Err(Failure::Panicked(format!("the simulator failed: {text}")))
    })
}
