//! The class that Python's `Cluster` stands on.

use std::sync::{Arc, Mutex, PoisonError};

use hdl::{Access, RegisterInfo};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::driven::{AnyCluster, Facts};
use crate::failure::Failure;
use crate::worker::Worker;

/// A register of a device, or a field of one, with its present value.
#[pyclass(frozen, get_all, skip_from_py_object, module = "memonet._memonet")]
#[derive(Clone, Debug)]
pub struct RegisterRow {
    /// Path below the device.
    pub name: String,
    /// Number of bits.
    pub width: usize,
    /// Meaning; empty where none is declared.
    pub doc: &'static str,
    /// State or hexadecimal number.
    pub text: String,
    /// Low 64 bits.
    pub value: u64,
    /// Names of states by code; empty for numbers.
    pub states: Vec<String>,
}

/// Name, lowest bit, width and meaning of a field.
type FieldRow = (&'static str, u32, u32, &'static str);

/// A register that the host reaches.
#[pyclass(frozen, get_all, skip_from_py_object, module = "memonet._memonet")]
#[derive(Clone, Debug)]
pub struct HostRegister {
    /// Name.
    pub name: &'static str,
    /// Page of the register.
    pub page: &'static str,
    /// Meaning.
    pub doc: &'static str,
    /// Byte offset in its page.
    pub offset: u16,
    /// `read`, `write` or `any`.
    pub access: &'static str,
    /// Number of meaningful bits.
    pub width: u32,
    /// Value after reset.
    pub reset: u64,
    /// Fields: name, lowest bit, width, meaning.
    pub fields: Vec<FieldRow>,
}

impl HostRegister {
    /// The register of a table.
    pub fn new(page: &'static str, info: &'static RegisterInfo) -> Self {
        let fields = info.layout.iter().flat_map(|layout| layout.fields);
        HostRegister {
            name: info.name,
            page,
            doc: info.doc.trim(),
            offset: info.offset,
            access: match info.access {
                Access::Read => "read",
                Access::Write => "write",
                Access::Any => "any",
            },
            width: info.width,
            reset: info.reset,
            fields: fields.map(|field| (field.name, field.low, field.width(), field.doc.trim())).collect(),
        }
    }
}

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
}

#[pymethods]
impl Native {
    #[new]
    fn new(py: Python<'_>, machine: String, nodes: usize, nic: String) -> PyResult<Self> {
        let worker = Worker::start(py, machine, nodes, nic)?;
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
        self.call(py, |cluster| Ok(cluster.now()))
    }

    fn kinds(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        self.call(py, |cluster| Ok(cluster.kinds()))
    }

    fn run(&self, py: Python<'_>, cycles: u64) -> PyResult<Option<String>> {
        self.call(py, move |cluster| cluster.run(cycles))
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
        self.call(py, move |cluster| Ok(cluster.registers(node)))
    }

    fn register(&self, py: Python<'_>, node: usize, name: String) -> PyResult<RegisterRow> {
        self.call(py, move |cluster| cluster.register(node, &name))
    }

    fn host_registers(&self, py: Python<'_>) -> PyResult<Vec<HostRegister>> {
        self.call(py, |cluster| Ok(cluster.host_registers()))
    }

    fn write(&self, py: Python<'_>, node: usize, name: String, value: u64) -> PyResult<()> {
        self.call(py, move |cluster| cluster.write(node, &name, value))
    }

    fn peek<'py>(
        &self,
        py: Python<'py>,
        node: usize,
        address: u64,
        size: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.call(py, move |cluster| Ok(cluster.peek(node, address, size)))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn poke(&self, py: Python<'_>, node: usize, address: u64, bytes: Vec<u8>) -> PyResult<()> {
        self.call(py, move |cluster| {
            cluster.poke(node, address, &bytes);
            Ok(())
        })
    }
}
