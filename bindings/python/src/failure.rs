//! Failures as exceptions of Python.

use std::any::Any;

use cosim::Divergence;
use dsh::{ExpressionError, SubjectError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Reason why a call failed.
#[derive(Debug)]
pub enum Failure {
    /// An argument has no such value.
    Value(String),
    /// A name is unknown.
    Name(String),
    /// The host or the device refuses a step of a program.
    Refused(String),
    /// The call failed.
    Failed(String),
    /// A break point ended the call.
    Break(String),
    /// A function of Python raised this exception.
    Raised(PyErr),
    /// A condition did not become true in time.
    Never(String),
    /// Model and RTL differ, or an assertion of the RTL failed.
    Diverged(Box<Diverged>),
    /// The cluster was closed.
    Closed,
    /// The simulator panicked; the cluster is lost.
    Panicked(String),
}

/// A divergence, with what its report says.
#[derive(Debug, Default)]
pub struct Diverged {
    /// The whole report.
    pub report: String,
    /// Node of the device.
    pub node: usize,
    /// Virtual time in picoseconds.
    pub time_ps: u64,
    /// Name of the first clock.
    pub clock: String,
    /// Edges of the first clock since reset.
    pub cycle: u64,
    /// Block of the first difference.
    pub block: String,
    /// Block, register, value of the model, value of the RTL.
    pub differences: Vec<(String, String, String, String)>,
    /// Register of the block, value before the edge, values of model and RTL after it.
    pub registers: Vec<(String, String, String, String)>,
    /// State machines and their states before the edge.
    pub states: Vec<(String, String)>,
    /// Input pins at the edge, except those that were 0.
    pub pins: Vec<(String, String)>,
    /// Places in the sources that decide the first difference.
    pub sources: Vec<String>,
    /// Waveform of the last cycles.
    pub waves: Option<String>,
    /// Message of a failed assertion of the RTL.
    pub assertion: Option<String>,
}

impl Failure {
    /// The failure of a panic.
    pub fn panicked(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("an unknown error");
        Failure::Panicked(format!("the simulator failed: {text}"))
    }

    /// The exception, a class of `memonet.errors`.
    pub fn raise(self, py: Python<'_>) -> PyErr {
        self.exception(py).unwrap_or_else(|error| error)
    }

    fn exception(self, py: Python<'_>) -> PyResult<PyErr> {
        let (class, text) = match self {
            Failure::Value(text) => ("InvalidArgument", text),
            Failure::Name(text) => ("UnknownName", text),
            Failure::Refused(text) => ("Refused", text),
            Failure::Failed(text) => ("Error", text),
            Failure::Break(text) => ("BreakPoint", text),
            Failure::Raised(error) => return Ok(error),
            Failure::Never(text) => ("NeverTrue", text),
            Failure::Closed => ("ClusterClosed", "the cluster is closed; open another one".to_string()),
            Failure::Panicked(text) => ("InternalError", text),
            Failure::Diverged(diverged) => return diverged.exception(py),
        };
        let class = py.import("memonet.errors")?.getattr(class)?;
        Ok(PyErr::from_value(class.call1((text,))?))
    }
}

/// The failure of a condition or a name.
pub fn unknown(error: ExpressionError) -> Failure {
    match error {
        ExpressionError::UnknownRegister { .. } => Failure::Name(error.to_string()),
        other => Failure::Value(other.to_string()),
    }
}

/// The failure for a text that is no break point.
pub fn wrong_subject(error: SubjectError) -> Failure {
    match error {
        SubjectError::Expression(error) => unknown(error),
        SubjectError::Frame(error) => Failure::Value(error.to_string()),
    }
}

impl Diverged {
    /// The parts of a divergence with this report, on node 0 at no time.
    pub fn of(divergence: &Divergence, report: String) -> Self {
        let differences = divergence.differences.iter();
        let registers = divergence.registers.iter();
        Diverged {
            report,
            node: 0,
            time_ps: 0,
            clock: divergence.clock.to_string(),
            cycle: divergence.cycle,
            block: divergence.block.clone(),
            differences: differences
                .map(|d| (d.block.clone(), d.name.clone(), d.model.clone(), d.rtl.clone()))
                .collect(),
            registers: registers
                .map(|r| (r.name.clone(), r.before.clone(), r.model.clone(), r.rtl.clone()))
                .collect(),
            states: divergence.states.clone(),
            pins: divergence.pins.clone(),
            sources: divergence.sources.clone(),
            waves: divergence.waves.iter().flatten().next().map(|path| path.display().to_string()),
            assertion: divergence.stop.as_ref().map(ToString::to_string),
        }
    }

    fn exception(self, py: Python<'_>) -> PyResult<PyErr> {
        let class = py.import("memonet.errors")?.getattr("Divergence")?;
        let fields = PyDict::new(py);
        fields.set_item("node", self.node)?;
        fields.set_item("time_ps", self.time_ps)?;
        fields.set_item("clock", self.clock)?;
        fields.set_item("cycle", self.cycle)?;
        fields.set_item("block", self.block)?;
        fields.set_item("differences", self.differences)?;
        fields.set_item("registers", self.registers)?;
        fields.set_item("states", self.states)?;
        fields.set_item("pins", self.pins)?;
        fields.set_item("sources", self.sources)?;
        fields.set_item("waves", self.waves)?;
        fields.set_item("assertion", self.assertion)?;
        Ok(PyErr::from_value(class.call((self.report,), Some(&fields))?))
    }
}
