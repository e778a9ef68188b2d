//! One block of a device, stepped by its pins.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cosim::{Alone, BlockPair, LockstepError, OpenError, Rtl, Simulation};
use hdl::{Bundle, BundleTable, Clocked, Edges, Kind, Nic, Observed, Probe, Signal, words_for};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::failure::{Diverged, Failure};
use crate::rows::RegisterRow;

/// A block of any type.
pub trait AnyBlock {
    /// Tables of the input and output pins.
    fn tables(&self) -> [&'static BundleTable; 2];
    /// Clock edges with the same pins.
    fn tick(&mut self, pins: &[u64], cycles: u64) -> Result<(), Failure>;
    /// A clock edge under reset.
    fn reset(&mut self) -> Result<(), Failure>;
    /// Packed output pins.
    fn outputs(&self) -> Vec<u64>;
    /// Compares the memories of model and RTL.
    fn check(&mut self) -> Result<(), Failure>;
    /// Signals, and their present values.
    fn look(&self) -> (&[Signal], Vec<u64>);
}

enum Implementation<B: Clocked> {
    Model(Alone<B>),
    Rtl(Rtl<B::In, B::Out>),
    Lockstep(Box<BlockPair<B>>),
}

/// Opens a block after reset; `rtl` is present unless the implementation is the model.
pub fn open<B>(lockstep: bool, rtl: Option<Box<dyn Simulation>>) -> Result<Box<dyn AnyBlock>, Failure>
where
    B: Clocked + Probe + Default + 'static,
    B::In: Bundle,
    B::Out: Bundle,
    Alone<B>: Observed,
{
    let model = Alone::new(B::default());
    Ok(Box::new(match rtl {
        None => Implementation::<B>::Model(model),
        Some(rtl) if lockstep => {
            Implementation::Lockstep(Box::new(BlockPair::open_block(rtl).map_err(not_opened)?))
        }
        Some(rtl) => Implementation::Rtl(Rtl::open(&model, rtl).map_err(not_opened)?),
    }))
}

fn not_opened(error: OpenError) -> Failure {
    Failure::Failed(error.to_string())
}

fn diverged(error: LockstepError) -> Failure {
    let text = error.to_string();
    match error {
        LockstepError::Divergence(divergence) | LockstepError::Stopped(divergence) => {
            Failure::Diverged(Box::new(Diverged::of(&divergence, text)))
        }
    }
}

impl<B> AnyBlock for Implementation<B>
where
    B: Clocked + Probe + Default,
    B::In: Bundle,
    B::Out: Bundle,
    Alone<B>: Observed,
{
    fn tables(&self) -> [&'static BundleTable; 2] {
        [B::In::TABLE, B::Out::TABLE]
    }

    fn tick(&mut self, pins: &[u64], cycles: u64) -> Result<(), Failure> {
        let pins = <B::In as hdl::Bits>::take(pins, 0, <B::In as hdl::Bits>::WIDTH);
        for _ in 0..cycles {
            match self {
                Implementation::Model(model) => model.edge(Edges::FIRST, &pins).map_err(failed)?,
                Implementation::Rtl(rtl) => rtl.edge(Edges::FIRST, &pins).map_err(failed)?,
                Implementation::Lockstep(pair) => pair.tick(&pins).map_err(diverged)?,
            }
        }
        Ok(())
    }

    fn reset(&mut self) -> Result<(), Failure> {
        match self {
            Implementation::Model(model) => model.reset(),
            Implementation::Rtl(rtl) => rtl.reset().map_err(not_opened)?,
            Implementation::Lockstep(pair) => pair.reset().map_err(not_opened)?,
        }
        Ok(())
    }

    fn outputs(&self) -> Vec<u64> {
        let out = match self {
            Implementation::Model(model) => model.outputs(),
            Implementation::Rtl(rtl) => rtl.outputs(),
            Implementation::Lockstep(pair) => pair.outputs(),
        };
        let width = <B::Out as hdl::Bits>::WIDTH;
        let mut words = vec![0; words_for(width)];
        hdl::Bits::put(*out, &mut words, 0, width);
        words
    }

    fn check(&mut self) -> Result<(), Failure> {
        match self {
            Implementation::Lockstep(pair) => pair.compare_memories().map_err(diverged),
            _ => Ok(()),
        }
    }

    fn look(&self) -> (&[Signal], Vec<u64>) {
        let nic: &dyn Nic<In = B::In, Out = B::Out> = match self {
            Implementation::Model(model) => model,
            Implementation::Rtl(rtl) => rtl,
            Implementation::Lockstep(pair) => &**pair,
        };
        let mut words = Vec::new();
        nic.sample(&mut words);
        (nic.signals(), words)
    }
}

fn failed(error: hdl::NicError) -> Failure {
    Failure::Failed(error.to_string())
}

/// A pin: name, lowest bit, width, meaning, names of states.
type PinRow = (String, u32, u32, &'static str, Vec<&'static str>);

/// A block for one thread of Python.
#[pyclass(unsendable, module = "memonet._memonet")]
pub struct NativeBlock {
    /// `None` after a failure inside.
    block: Option<Box<dyn AnyBlock>>,
}

impl NativeBlock {
    /// Calls the block; after a panic it is lost.
    fn call<T>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyBlock) -> Result<T, Failure>,
    ) -> PyResult<T> {
        let lost = || Failure::Panicked("the block is lost: an earlier call failed inside it".to_string());
        let mut block = self.block.take().ok_or_else(|| lost().raise(py))?;
        let result = catch_unwind(AssertUnwindSafe(|| work(&mut *block)));
        match result {
            Ok(result) => {
                self.block = Some(block);
                result.map_err(|failure| failure.raise(py))
            }
            Err(panic) => Err(Failure::panicked(&*panic).raise(py)),
        }
    }
}

#[pymethods]
impl NativeBlock {
    #[new]
    fn new(py: Python<'_>, machine: &str, name: &str, nic: &str, rtl: &str) -> PyResult<Self> {
        let block = crate::blocks::open(machine, name, nic, rtl).map_err(|failure| failure.raise(py))?;
        Ok(NativeBlock { block: Some(block) })
    }

    /// Input pins, then output pins.
    fn pins(&mut self, py: Python<'_>) -> PyResult<(Vec<PinRow>, Vec<PinRow>)> {
        self.call(py, |block| {
            let [inputs, outputs] = block.tables();
            Ok((rows(inputs), rows(outputs)))
        })
    }

    /// Clock edges with pins, packed little endian.
    fn tick(&mut self, py: Python<'_>, pins: &[u8], cycles: u64) -> PyResult<()> {
        let words: Vec<u64> = pins
            .chunks(8)
            .map(|bytes| {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                u64::from_le_bytes(word)
            })
            .collect();
        self.call(py, |block| {
            let mut words = words;
            words.resize(words_for(block.tables()[0].width).max(1), 0);
            crate::worker::detached(py, || block.tick(&words, cycles))
        })
    }

    fn reset(&mut self, py: Python<'_>) -> PyResult<()> {
        self.call(py, |block| block.reset())
    }

    fn check(&mut self, py: Python<'_>) -> PyResult<()> {
        self.call(py, |block| block.check())
    }

    /// Output pins, packed little endian.
    fn outputs<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let words = self.call(py, |block| Ok(block.outputs()))?;
        let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        Ok(PyBytes::new(py, &bytes))
    }

    fn registers(&mut self, py: Python<'_>) -> PyResult<Vec<RegisterRow>> {
        self.call(py, |block| {
            let (signals, sample) = block.look();
            Ok(dsh::registers_of(signals, 0)
                .iter()
                .map(|register| RegisterRow::new(register, &sample))
                .collect())
        })
    }
}

/// The pins of a bundle; those of a bundle inside it have names with a dot.
fn rows(table: &'static BundleTable) -> Vec<PinRow> {
    let mut all = Vec::new();
    add(table, "", 0, &mut all);
    all
}

fn add(table: &'static BundleTable, before: &str, at: u32, all: &mut Vec<PinRow>) {
    for field in table.fields {
        let (name, low) = (format!("{before}{}", field.name), at + field.offset);
        match field.kind {
            Kind::Bundle(inner) => add(inner, &format!("{name}."), low, all),
            Kind::StateMachine(machine) => {
                let states = machine.states.iter().map(|state| state.name).collect();
                all.push((name, low, field.width, field.doc.trim(), states));
            }
            Kind::Vector => all.push((name, low, field.width, field.doc.trim(), Vec::new())),
        }
    }
}
