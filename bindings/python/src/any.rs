//! A cluster of any machine.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dsh::ProgramSource;
use pyo3::prelude::*;

use crate::break_function::BreakFunction;
use crate::failure::Failure;
use crate::rows::HostRegister;
use crate::view::View;

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

/// How a cluster is opened.
#[derive(Clone, Debug, FromPyObject)]
pub struct Opening {
    /// Number of nodes.
    pub nodes: usize,
    /// Implementation of the devices.
    pub nic: String,
    /// Name or file of the network.
    pub topology: Option<String>,
    /// Shares of faulty frames in millionths: lost, duplicated, reordered, corrupted, cut, beginnings of bursts; frames
    /// of a burst.
    pub rates: Option<[u32; 7]>,
    /// Seed that selects the faulty frames.
    pub seed: u64,
    /// Name or file of the computer of the hosts.
    pub host: Option<String>,
    /// Drivers set the devices up.
    pub set_up: bool,
}

/// A cluster of any machine.
pub trait AnyCluster {
    /// Facts about the machine.
    fn facts(&self) -> Facts;
    /// Stops virtual time when the flag is set.
    fn stop_at(&mut self, flag: Arc<AtomicBool>);
    /// The cluster at present.
    fn view(&mut self) -> Box<dyn View + '_>;
    /// Implementations of this build.
    fn kinds(&mut self) -> Vec<&'static str>;
    /// Lets cycles pass; the text says which break point ended them early.
    fn run(&mut self, cycles: u64) -> Result<Option<String>, Failure>;
    /// Lets up to `cycles` pass until a condition is true; the text says which break point ended them before.
    fn run_until(&mut self, condition: &str, cycles: u64) -> Result<Option<String>, Failure>;
    /// Sets or removes the function that is called after every cycle.
    fn break_at(&mut self, function: Option<BreakFunction>);
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
    /// Registers that the host reaches.
    fn host_registers(&self) -> Vec<HostRegister>;
    /// Writes a register as the host of a node.
    fn write(&mut self, node: usize, name: &str, value: u64) -> Result<(), Failure>;
    /// Names of the registers that programs reach, with their addresses.
    fn register_addresses(&self) -> Vec<(String, u32)>;
    /// Begins a program on the host of a node; returns its number.
    fn begin(&mut self, node: usize, source: Box<dyn ProgramSource>) -> u64;
    /// Lets time pass until programs have ended, for at most as many picoseconds.
    fn finish(&mut self, programs: &[u64], limit_ps: u64) -> Result<(), Failure>;
    /// Ends a program after its present step.
    fn close_program(&mut self, number: u64);
    /// Writes memory of a node without time.
    fn poke(&mut self, node: usize, address: u64, bytes: &[u8]);
}
