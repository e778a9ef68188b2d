//! Reads of a cluster, also from functions of Python that the simulator calls during a run.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use cluster::{Node, Time};
use dsh::{HostProgram, ProgramState, Register};

use crate::built::Built;
use crate::failure::{Failure, unknown};
use crate::rows::RegisterRow;

/// State of a program, and the time of its end in picoseconds.
pub type ProgramRow = (&'static str, Option<u64>);

/// Reads that do not change a cluster.
pub trait View {
    /// Virtual time in picoseconds, and the implementation of the devices.
    fn now(&self) -> (u64, &'static str);
    /// Registers of the device of a node, with their present values.
    fn registers(&self, node: usize) -> Vec<RegisterRow>;
    /// One register of a node, by its name or a unique end of it.
    fn register(&self, node: usize, name: &str) -> Result<RegisterRow, Failure>;
    /// Value of a register, its low 64 bits, and its text.
    fn value(&self, node: usize, name: &str) -> Result<(u64, String), Failure>;
    /// State of a program.
    fn program(&self, number: u64) -> ProgramRow;
    /// Reads memory of a node without time.
    fn peek(&self, node: usize, address: u64, size: usize) -> Vec<u8>;
}

/// Facts about a cluster that are not in its nodes.
pub struct Known {
    /// Implementation of the devices.
    pub kind: Cell<&'static str>,
    /// Registers by node and the name that was asked for: a search walks all signals of a device.
    pub found: RefCell<BTreeMap<usize, BTreeMap<String, Register>>>,
    /// Programs by number.
    pub programs: RefCell<BTreeMap<u64, HostProgram>>,
}

/// The nodes of a cluster at an instant.
pub struct Instant<'a, M: Built> {
    /// Virtual time.
    pub now: Time,
    /// Nodes after all edges of the instant.
    pub nodes: &'a [Node<M>],
    /// Facts about the boards that the nodes do not hold.
    pub known: &'a Known,
}

impl<M: Built> Instant<'_, M> {
    /// Reads a register in a sample of its device.
    fn read<T>(
        &self,
        node: usize,
        name: &str,
        read: impl FnOnce(&Register, &[u64]) -> T,
    ) -> Result<T, Failure> {
        let mut found = self.known.found.borrow_mut();
        let found = found.entry(node).or_default();
        if !found.contains_key(name) {
            let register = dsh::find(name, node, self.nodes).map_err(unknown)?;
            found.insert(name.to_string(), register);
        }
        let register = &found[name];
        Ok(read(register, &dsh::sample(&self.nodes[register.node])))
    }
}

impl<M: Built> View for Instant<'_, M> {
    fn now(&self) -> (u64, &'static str) {
        (self.now.ps(), self.known.kind.get())
    }

    fn registers(&self, node: usize) -> Vec<RegisterRow> {
        let node = &self.nodes[node];
        let sample = dsh::sample(node);
        dsh::registers(node).iter().map(|register| RegisterRow::new(register, &sample)).collect()
    }

    fn register(&self, node: usize, name: &str) -> Result<RegisterRow, Failure> {
        self.read(node, name, RegisterRow::new)
    }

    fn value(&self, node: usize, name: &str) -> Result<(u64, String), Failure> {
        self.read(node, name, |register, sample| (register.value(sample), register.show(sample)))
    }

    fn program(&self, number: u64) -> ProgramRow {
        match self.known.programs.borrow().get(&number).map(HostProgram::state) {
            Some(ProgramState::Running) => ("running", None),
            Some(ProgramState::Ended(time)) => ("ended", Some(time.ps())),
            Some(ProgramState::Failed(time)) => ("failed", Some(time.ps())),
            Some(ProgramState::Strayed(time)) => ("strayed", Some(time.ps())),
            Some(ProgramState::Closed) | None => ("closed", None),
        }
    }

    fn peek(&self, node: usize, address: u64, size: usize) -> Vec<u8> {
        let mut bytes = M::peek(self.nodes[node].side(), address, size);
        bytes.truncate(size);
        bytes
    }
}

thread_local! {
    /// The view of the function of Python that runs on this thread now.
    static PRESENT: Cell<Option<*const dyn View>> = const { Cell::new(None) };
}

/// Calls `work`, during which [`present`] reads through `view`.
pub fn within<T>(view: &dyn View, work: impl FnOnce() -> T) -> T {
    /// Removes the view at the end, also at the end by a panic.
    struct Removal;
    impl Drop for Removal {
        fn drop(&mut self) {
            PRESENT.set(None);
        }
    }

    let pointer: *const (dyn View + '_) = view;
    // SAFETY: the types differ in a lifetime alone, and `Removal` removes the pointer before the view can end.
    let pointer: *const (dyn View + 'static) = unsafe { std::mem::transmute(pointer) };
    PRESENT.set(Some(pointer));
    let _removal = Removal;
    work()
}

/// The result of a read during [`within`] on this thread; `None` outside of it.
pub fn present<T>(read: impl FnOnce(&dyn View) -> T) -> Option<T> {
    let pointer = PRESENT.get()?;
    // SAFETY: `within` has set the pointer on this thread and has not returned, so the view lives and is only shared.
    Some(read(unsafe { &*pointer }))
}
