//! A function of Python that the simulator calls after every cycle.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use pyo3::prelude::*;

use crate::program::ProgramThread;
use crate::view::{View, within};

/// The exception that a function has raised, until the present call takes it.
pub type Raised = Rc<RefCell<Option<PyErr>>>;

/// A function without arguments; it returns the name of a break point, or `None`.
pub struct BreakFunction {
    function: Py<PyAny>,
    thread: Arc<ProgramThread>,
}

impl BreakFunction {
    /// A function that runs on the thread of its cluster.
    pub fn new(function: Py<PyAny>, thread: Arc<ProgramThread>) -> Self {
        BreakFunction { function, thread }
    }

    /// The name of the break point that is reached now. An exception ends the run as a break point does.
    pub fn call(&self, view: &dyn View, raised: &Raised) -> Option<String> {
        // The interpreter may be at its end.
        let called = Python::try_attach(|py| {
            self.thread.run(py, || within(view, || self.function.bind(py).call0()?.extract()))
        });
        match called? {
            Ok(name) => name,
            Err(error) => {
                *raised.borrow_mut() = Some(error);
                Some("its function raised an exception".to_string())
            }
        }
    }
}
