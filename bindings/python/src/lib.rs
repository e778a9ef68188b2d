//! Native part of the Python package `memonet`.
//!
//! A cluster lives on a thread of its own, because its parts are not `Send`. Calls from Python send it work and
//! wait without the interpreter lock; Ctrl-C stops virtual time. The package around this library is in
//! `python/memonet`, and has the documentation of its users.

mod any;
mod block;
mod blocks;
mod boards;
mod break_function;
mod built;
mod cluster;
mod driven;
mod failure;
mod machines;
mod program;
mod rows;
mod view;
mod worker;

use pyo3::prelude::*;

/// Native classes, the machines of the build, and whether it has RTL.
#[pymodule]
fn _memonet(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<cluster::Native>()?;
    module.add_class::<rows::RegisterRow>()?;
    module.add_class::<rows::HostRegister>()?;
    module.add("MACHINES", machines::names())?;
    let hosts: Vec<_> = machine_api::COMPUTERS.iter().map(|computer| computer.name.to_string()).collect();
    module.add_class::<program::Ended>()?;
    module.add_class::<block::NativeBlock>()?;
    module.add("BLOCKS", blocks::names())?;
    module.add("BLOCK_FAULTS", blocks::faults())?;
    module.add("STEPS", program::STEPS.to_vec())?;
    module.add("HOSTS", hosts)?;
    module.add("HAS_RTL", cfg!(feature = "rtl"))?;
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(diagram, module)?)?;
    module.add_function(wrap_pyfunction!(suggest, module)?)
}

/// End of an error message about an unknown word: similar known words, and where all are listed.
#[pyfunction]
fn suggest(word: &str, known: Vec<String>, all: &str) -> String {
    use machine_api::command::{did_you_mean, like};
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    did_you_mean(&like(word, &known), all)
}

/// Drawings of state machines by name.
const DIAGRAMS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/diagrams.rs"));

/// The drawing of a state machine as SVG; `None` if there is no such drawing.
#[pyfunction]
fn diagram(name: &str) -> Option<&'static str> {
    DIAGRAMS.iter().find(|(known, _)| *known == name).map(|(_, svg)| *svg)
}
