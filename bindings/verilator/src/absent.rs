//! Substitute for devices in builds without Verilator.

use std::convert::Infallible;

use cosim::{LogSlice, RtlSignal, Simulation, SimulationError, Watch};
use hdl::Edges;

use crate::OpenError;

/// A Verilated block or device. This type has no values; with it code that uses devices compiles with and
/// without RTL.
// The private field keeps the compiler from warning about unreachable code.
pub struct Device(Infallible);

/// Always fails with the reason.
pub fn open(_library: &str, _block: &str) -> Result<Device, OpenError> {
    Err(OpenError::NO_VERILATOR)
}

/// Always fails with the reason.
pub fn open_lean(_library: &str, _device: &str) -> Result<Device, OpenError> {
    Err(OpenError::NO_VERILATOR)
}

impl Device {
    /// Overwrites a register to inject a fault.
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

    fn follow(&mut self, _: &LogSlice) -> Result<Option<usize>, (usize, SimulationError)> {
        match self.0 {}
    }

    fn gather(&self, _: &mut [u64]) {
        match self.0 {}
    }

    fn overwrite(&mut self, _: usize, _: &[u64]) -> Result<(), SimulationError> {
        match self.0 {}
    }

    fn read(&self, _: usize, _: &mut [u64]) {
        match self.0 {}
    }
}
