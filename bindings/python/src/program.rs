//! Programs of hosts written in Python: coroutines that the simulator resumes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cluster::{Duration, Time};
use dsh::ProgramSource;
use machine_api::{Accept, Step, StepAnswer, StepResult};
use pyo3::exceptions::{PyKeyboardInterrupt, PyStopIteration, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::failure::Failure;

/// Most steps of a program at one instant.
const MOST_AT_ONCE: u32 = 100_000;

/// End of a program: its value or its exception.
type Outcome = Arc<Mutex<Option<PyResult<Py<PyAny>>>>>;

/// The thread of a cluster as far as it runs programs. The interpreter lock is held at all calls.
#[derive(Default)]
pub struct ProgramThread {
    /// Python's number of the thread; 0 before its first program.
    number: AtomicU64,
    /// A program runs now.
    inside: AtomicBool,
    /// KeyboardInterrupt was set for the program that runs now.
    interrupted: AtomicBool,
}

impl ProgramThread {
    /// Calls code of Python, which [`interrupt`](Self::interrupt) ends.
    pub fn run<T>(&self, py: Python<'_>, code: impl FnOnce() -> T) -> T {
        self.enter(py);
        let result = code();
        self.leave(py);
        result
    }

    fn enter(&self, py: Python<'_>) {
        if self.number.load(Ordering::Relaxed) == 0 {
            let number = py.import("_thread").and_then(|thread| thread.call_method0("get_ident")?.extract());
            self.number.store(number.unwrap_or(0), Ordering::Relaxed);
        }
        self.inside.store(true, Ordering::Relaxed);
    }

    fn leave(&self, py: Python<'_>) {
        self.inside.store(false, Ordering::Relaxed);
        // An interrupt that has come too late must not reach the next program.
        if self.interrupted.swap(false, Ordering::Relaxed) {
            self.raise(py, std::ptr::null_mut());
        }
    }

    /// Raises KeyboardInterrupt in the program that runs now, if there is one.
    pub fn interrupt(&self, py: Python<'_>) {
        if self.inside.load(Ordering::Relaxed) {
            self.interrupted.store(true, Ordering::Relaxed);
            self.raise(py, py.get_type::<PyKeyboardInterrupt>().as_ptr());
        }
    }

    /// Sets the exception that the thread raises next; null for none.
    fn raise(&self, _py: Python<'_>, class: *mut pyo3::ffi::PyObject) {
        let number = self.number.load(Ordering::Relaxed);
        // SAFETY: the interpreter lock is held, and `class` is null or a live class. A number without a thread in
        // the interpreter is ignored.
        unsafe { pyo3::ffi::PyThreadState_SetAsyncExc(number as _, class) };
    }
}

/// A coroutine as the source of a program's steps.
pub struct Coroutine {
    coroutine: Py<PyAny>,
    /// Its method `send`.
    send: Py<PyAny>,
    /// The `Host` of the coroutine, which shows the time.
    host: Py<PyAny>,
    outcome: Outcome,
    failed: bool,
    /// Instant of the last step, and number of steps at that instant.
    last: (Time, u32),
    thread: Arc<ProgramThread>,
}

impl Coroutine {
    /// A coroutine that has not begun, and the place of its end.
    pub fn new(
        py: Python<'_>,
        coroutine: Py<PyAny>,
        host: Py<PyAny>,
        thread: Arc<ProgramThread>,
    ) -> PyResult<(Self, Ended)> {
        let outcome = Outcome::default();
        let ended = Ended { outcome: outcome.clone() };
        let send = coroutine.getattr(py, "send")?;
        let last = (Time::ZERO, 0);
        Ok((Coroutine { coroutine, send, host, outcome, failed: false, last, thread }, ended))
    }

    fn advance(&mut self, py: Python<'_>, now: Time, answer: Option<StepResult>) -> Option<Step> {
        match self.resume(py, now, answer) {
            Ok(step) => return Some(step),
            Err(error) => {
                let ended = error.is_instance_of::<PyStopIteration>(py);
                self.failed = !ended;
                let result =
                    if ended { error.value(py).getattr("value").map(Bound::unbind) } else { Err(error) };
                *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
            }
        }
        None
    }

    /// Resumes the coroutine up to its next step.
    fn resume(&mut self, py: Python<'_>, now: Time, answer: Option<StepResult>) -> PyResult<Step> {
        self.last = if self.last.0 == now { (now, self.last.1 + 1) } else { (now, 0) };
        let (coroutine, host) = (self.coroutine.bind(py), self.host.bind(py));
        host.setattr(intern!(py, "_now_ps"), now.ps())?;
        let throw = |error: PyErr| coroutine.call_method1(intern!(py, "throw"), (error.into_value(py),));
        let mut request = match answer {
            _ if self.last.1 > MOST_AT_ONCE => {
                let endless = format!("the program takes more than {MOST_AT_ONCE} steps without time");
                throw(Failure::Failed(endless).raise(py))
            }
            None => self.send.bind(py).call1((py.None(),)),
            Some(Ok(answer)) => self.send.bind(py).call1((value(py, answer)?,)),
            Some(Err(reason)) => throw(Failure::Refused(reason).raise(py)),
        }?;
        loop {
            match step(&request) {
                Ok(step) => return Ok(step),
                Err(_) => {
                    let foreign = "a program awaits the operations of its host alone";
                    request = throw(PyTypeError::new_err(foreign))?;
                }
            }
        }
    }
}

impl ProgramSource for Coroutine {
    fn next(&mut self, now: Time, answer: Option<StepResult>) -> Option<Step> {
        // The interpreter may be at its end.
        Python::try_attach(|py| {
            let thread = self.thread.clone();
            thread.run(py, || self.advance(py, now, answer))
        })
        .flatten()
    }

    fn has_failed(&self) -> bool {
        self.failed
    }
}

impl Drop for Coroutine {
    fn drop(&mut self) {
        Python::try_attach(|py| {
            // A coroutine that catches its end has an error that no caller can take.
            if let Err(error) = self.coroutine.bind(py).call_method0("close") {
                error.write_unraisable(py, Some(self.coroutine.bind(py)));
            }
        });
    }
}

/// End of a program.
#[pyclass(frozen, module = "memonet._memonet")]
pub struct Ended {
    outcome: Outcome,
}

#[pymethods]
impl Ended {
    /// The value of the program, or its exception is raised; `None` before its end.
    fn result(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let outcome = self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        match outcome.as_ref() {
            None => Ok(None),
            Some(Ok(value)) => Ok(Some(value.clone_ref(py))),
            Some(Err(error)) => Err(error.clone_ref(py)),
        }
    }
}

/// None, an int, bytes, or a sender with bytes.
fn value(py: Python<'_>, answer: StepAnswer) -> PyResult<Py<PyAny>> {
    Ok(match answer {
        StepAnswer::Done => py.None(),
        StepAnswer::Word(word) => word.into_pyobject(py)?.into_any().unbind(),
        StepAnswer::Bytes(bytes) => PyBytes::new(py, &bytes).into_any().unbind(),
        StepAnswer::Message(from, data) => {
            (from, PyBytes::new(py, &data)).into_pyobject(py)?.into_any().unbind()
        }
    })
}

/// Names of steps; a coroutine yields the place of one.
pub const STEPS: [&str; 11] = [
    "compute",
    "load",
    "load_bytes",
    "store",
    "store_bytes",
    "poll",
    "fence",
    "read_memory",
    "open",
    "send",
    "receive",
];

/// The step that a coroutine yields; `memonet.programs.Host` has checked its values.
fn step(request: &Bound<'_, PyAny>) -> PyResult<Step> {
    let request = request.cast::<PyTuple>()?;
    let item = |at: usize| request.get_item(at);
    let address = || item(1)?.extract::<u32>();
    let name = STEPS.get(item(0)?.extract::<usize>()?).copied().unwrap_or_default();
    Ok(match name {
        "compute" => Step::Compute(Duration::from_ps(item(1)?.extract()?)),
        "load" => Step::Load(address()?),
        "load_bytes" => Step::LoadBytes(address()?, item(2)?.extract()?),
        "store" => Step::Store(address()?, item(2)?.extract()?),
        "store_bytes" => Step::StoreBytes(address()?, item(2)?.extract()?),
        "poll" => {
            let (mask, value, equal) = (item(2)?.extract()?, item(3)?.extract()?, item(4)?.extract()?);
            Step::Poll(address()?, Accept { mask, value, equal })
        }
        "fence" => Step::Fence,
        "read_memory" => Step::ReadMemory(address()?, item(2)?.extract()?),
        "open" => Step::Open,
        "send" => Step::Send(item(1)?.extract()?, item(2)?.extract()?),
        "receive" => Step::Receive,
        _ => return Err(PyTypeError::new_err("the step is unknown")),
    })
}
