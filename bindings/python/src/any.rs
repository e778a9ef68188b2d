//! A cluster of any machine.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::failure::Failure;
use crate::rows::{HostRegister, RegisterRow};

/// Facts about a machine that do not change during a run.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Title in text.
    pub title: &'static str,
    /// Period of the first clock in picoseconds.
    pub cycle_ps: u64,
    /// Largest address at which an access of memory may begin.
    pub last_address: u64,
    /// Bytes of a word of memory.
    pub word: usize,
}

/// A cluster of any machine.
pub trait AnyCluster {
    /// Facts about the machine.
    fn facts(&self) -> Facts;
    /// Stops virtual time when the flag is set.
    fn stop_at(&mut self, flag: Arc<AtomicBool>);
    /// Virtual time in picoseconds, and the implementation of the devices.
    fn now(&mut self) -> (u64, &'static str);
    /// Implementations of this build.
    fn kinds(&mut self) -> Vec<&'static str>;
    /// Lets cycles pass; the text says which break point ended them early.
    fn run(&mut self, cycles: u64) -> Result<Option<String>, Failure>;
    /// Goes back by cycles, and repeats the run up to there.
    fn back(&mut self, cycles: u64) -> Result<(), Failure>;
    /// Executes a line of the shell as the process of a node.
    fn line(&mut self, node: usize, text: &str) -> Result<String, Failure>;
    /// Compares what is not compared at every edge.
    fn check(&mut self) -> Result<(), Failure>;
    /// Fingerprint of the run so far.
    fn fingerprint(&mut self) -> Result<String, Failure>;
    /// Replaces the devices by those of another implementation, which repeat the run.
    fn change(&mut self, kind: &str) -> Result<(), Failure>;
    /// Keeps the present point; returns its number, time and fingerprint.
    fn save(&mut self) -> Result<(u64, u64, String), Failure>;
    /// Returns to a kept point.
    fn restore(&mut self, number: u64) -> Result<(), Failure>;
    /// Forgets a kept point.
    fn forget(&mut self, number: u64);
    /// Registers of the device of a node, with their present values.
    fn registers(&mut self, node: usize) -> Vec<RegisterRow>;
    /// One register of a node, by its name or a unique end of it.
    fn register(&mut self, node: usize, name: &str) -> Result<RegisterRow, Failure>;
    /// Registers that the host reaches.
    fn host_registers(&self) -> Vec<HostRegister>;
    /// Writes a register as the host of a node.
    fn write(&mut self, node: usize, name: &str, value: u64) -> Result<(), Failure>;
    /// Reads memory of a node without time.
    fn peek(&mut self, node: usize, address: u64, size: usize) -> Vec<u8>;
    /// Writes memory of a node without time.
    fn poke(&mut self, node: usize, address: u64, bytes: &[u8]);
}
