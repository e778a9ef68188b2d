//! The class that Python's `Cluster` stands on.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::any::{AnyCluster, Facts, Opening};
use crate::break_function::BreakFunction;
use crate::failure::Failure;
use crate::program::{Coroutine, Ended};
use crate::rows::{HostRegister, RegisterRow};
use crate::view::{ProgramRow, View, present};
use crate::worker::{INSIDE, Worker, caught};

/// A cluster on a thread of its own. The caller checks node numbers and addresses.
#[pyclass(frozen, module = "memonet._memonet")]
pub struct Native {
    worker: Mutex<Option<Arc<Worker>>>,
    #[pyo3(get)]
    nodes: usize,
    facts: Facts,
}

impl Native {
    fn worker(&self) -> Option<Arc<Worker>> {
        self.worker.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn call<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyCluster) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let worker = self.worker().ok_or_else(|| Failure::Closed.raise(py))?;
        worker.call(py, work)
    }

    /// Reads the cluster; also in a function that the cluster calls.
    fn read<T: Send + 'static>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&dyn View) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let worker = self.worker().ok_or_else(|| Failure::Closed.raise(py))?;
        if !worker.is_here() {
            return worker.call(py, |cluster| read(&*cluster.view()));
        }
        let here = caught(|| present(read).unwrap_or_else(|| Err(Failure::Failed(INSIDE.to_string()))));
        here.map_err(|failure| failure.raise(py))
    }
}

#[pymethods]
impl Native {
    #[new]
    fn new(py: Python<'_>, machine: String, opening: Opening) -> PyResult<Self> {
        let nodes = opening.nodes;
        let worker = Worker::start(py, machine, opening)?;
        let facts = worker.call(py, |cluster| Ok(cluster.facts()))?;
        Ok(Native { worker: Mutex::new(Some(Arc::new(worker))), nodes, facts })
    }

    #[getter]
    fn title(&self) -> &'static str {
        self.facts.title
    }

    #[getter]
    fn cycle_ps(&self) -> u64 {
        self.facts.cycle_ps
    }

    /// Bytes of memory of a node.
    #[getter]
    fn memory_bytes(&self) -> u64 {
        self.facts.last_address + self.facts.word as u64
    }

    #[getter]
    fn closed(&self) -> bool {
        self.worker().is_none()
    }

    /// Ends the thread of the cluster; later calls fail.
    fn close(&self) {
        self.worker.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Virtual time in picoseconds, and the implementation of the devices.
    fn now(&self, py: Python<'_>) -> PyResult<(u64, &'static str)> {
        self.read(py, |view| Ok(view.now()))
    }

    fn kinds(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        self.call(py, |cluster| Ok(cluster.kinds()))
    }

    fn run(&self, py: Python<'_>, cycles: u64) -> PyResult<Option<String>> {
        self.call(py, move |cluster| cluster.run(cycles))
    }

    fn run_until(&self, py: Python<'_>, condition: String, cycles: u64) -> PyResult<Option<String>> {
        self.call(py, move |cluster| cluster.run_until(&condition, cycles))
    }

    /// Calls a function after every cycle, or none.
    fn break_at(&self, py: Python<'_>, function: Option<Py<PyAny>>) -> PyResult<()> {
        let worker = self.worker().ok_or_else(|| Failure::Closed.raise(py))?;
        let function = function.map(|function| BreakFunction::new(function, worker.programs()));
        worker.call(py, move |cluster| {
            cluster.break_at(function);
            Ok(())
        })
    }

    fn back(&self, py: Python<'_>, cycles: u64) -> PyResult<()> {
        self.call(py, move |cluster| cluster.back(cycles))
    }

    fn line(&self, py: Python<'_>, node: usize, text: String) -> PyResult<String> {
        self.call(py, move |cluster| cluster.line(node, &text))
    }

    fn check(&self, py: Python<'_>) -> PyResult<()> {
        self.call(py, |cluster| cluster.check())
    }

    fn fingerprint(&self, py: Python<'_>) -> PyResult<String> {
        self.call(py, |cluster| cluster.fingerprint())
    }

    fn change(&self, py: Python<'_>, kind: String) -> PyResult<()> {
        self.call(py, move |cluster| cluster.change(&kind))
    }

    /// Number, time in picoseconds and fingerprint of a kept point.
    fn save(&self, py: Python<'_>) -> PyResult<(u64, u64, String)> {
        self.call(py, |cluster| cluster.save())
    }

    fn restore(&self, py: Python<'_>, number: u64) -> PyResult<()> {
        self.call(py, move |cluster| cluster.restore(number))
    }

    fn forget(&self, number: u64) {
        if let Some(worker) = self.worker() {
            worker.post(move |cluster| cluster.forget(number));
        }
    }

    fn registers(&self, py: Python<'_>, node: usize) -> PyResult<Vec<RegisterRow>> {
        self.read(py, move |view| Ok(view.registers(node)))
    }

    fn register(&self, py: Python<'_>, node: usize, name: String) -> PyResult<RegisterRow> {
        self.read(py, move |view| view.register(node, &name))
    }

    /// Low 64 bits of a register, and its text.
    fn value(&self, py: Python<'_>, node: usize, name: String) -> PyResult<(u64, String)> {
        self.read(py, move |view| view.value(node, &name))
    }

    fn host_registers(&self, py: Python<'_>) -> PyResult<Vec<HostRegister>> {
        self.call(py, |cluster| Ok(cluster.host_registers()))
    }

    fn write(&self, py: Python<'_>, node: usize, name: String, value: u64) -> PyResult<()> {
        self.call(py, move |cluster| cluster.write(node, &name, value))
    }

    fn register_addresses(&self, py: Python<'_>) -> PyResult<Vec<(String, u32)>> {
        self.call(py, |cluster| Ok(cluster.register_addresses()))
    }

    /// Number and end of a program that begins.
    fn begin(
        &self,
        py: Python<'_>,
        node: usize,
        coroutine: Py<PyAny>,
        host: Py<PyAny>,
    ) -> PyResult<(u64, Ended)> {
        let worker = self.worker().ok_or_else(|| Failure::Closed.raise(py))?;
        let (source, ended) = Coroutine::new(py, coroutine, host, worker.programs())?;
        let number = worker.call(py, move |cluster| Ok(cluster.begin(node, Box::new(source))))?;
        Ok((number, ended))
    }

    fn finish(&self, py: Python<'_>, programs: Vec<u64>, limit_ps: u64) -> PyResult<()> {
        self.call(py, move |cluster| cluster.finish(&programs, limit_ps))
    }

    fn program(&self, py: Python<'_>, number: u64) -> PyResult<ProgramRow> {
        self.read(py, move |view| Ok(view.program(number)))
    }

    fn close_program(&self, number: u64) {
        if let Some(worker) = self.worker() {
            worker.post(move |cluster| cluster.close_program(number));
        }
    }

    fn peek<'py>(
        &self,
        py: Python<'py>,
        node: usize,
        address: u64,
        size: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.read(py, move |view| Ok(view.peek(node, address, size)))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn poke(&self, py: Python<'_>, node: usize, address: u64, bytes: Vec<u8>) -> PyResult<()> {
        self.call(py, move |cluster| {
            cluster.poke(node, address, &bytes);
            Ok(())
        })
    }
}
