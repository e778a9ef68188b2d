//! What stands for a device where Verilator is not installed.

use std::convert::Infallible;

use cosim::{Log, RtlSignal, Simulation, SimulationError, Watch};
use hdl::Edges;

use crate::OpenError;

/// A Verilated block or device. There is never one; whoever uses devices is written once, for builds with and without RTL.
// The field is private, so that the compiler does not warn others of code that is never reached.
pub struct Device(Infallible);

/// Says why nothing can be opened.
pub fn open(_library: &str, _block: &str) -> Result<Device, OpenError> {
    Err(OpenError::NO_VERILATOR)
}

impl Device {
    /// Puts a value into a register behind the back of the RTL.
    pub fn flip(&mut self, _: &str, _: u64) -> Result<(), SimulationError> {
        match self.0 {}
    }
}

impl Simulation for Device {
    fn signals(&self) -> Vec<RtlSignal> {
        match self.0 {}
    }

    fn watch(&mut self, _: Edges, _: &[Watch]) {
        match self.0 {}
    }

    fn reset(&mut self, _: u32, _: &mut [u64]) -> Result<(), SimulationError> {
        match self.0 {}
    }

    fn step(&mut self, _: Edges, _: &[u64], _: &mut [u64]) -> Result<(), SimulationError> {
        match self.0 {}
    }

    fn expect(&mut self, _: &[u64]) {
        match self.0 {}
    }

    fn expected(&self, _: &mut [u64]) {
        match self.0 {}
    }

    fn follow(&mut self, _: &Log) -> Result<Option<usize>, (usize, SimulationError)> {
        match self.0 {}
    }

    fn gather(&self, _: &mut [u64]) {
        match self.0 {}
    }

    fn read(&self, _: usize, _: &mut [u64]) {
        match self.0 {}
    }
}
