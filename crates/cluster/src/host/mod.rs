//! Hosts: programs in virtual time, their synchronisation, and the scheduling of the processor.

mod bus;
mod calls;
mod cost;
mod cpu;
mod executor;
mod library;
mod looking;
mod memory;
mod position;
mod preemption;
mod signal;

pub use bus::{BusAccess, BusAnswer, Granted, SharedBus};
pub use calls::{Call, CallObserver};
pub use cost::{Computer, Cost, HostCosts, Pace};
pub(crate) use cpu::Shared;
pub use cpu::{Cpu, Waiting};
pub use executor::{Executor, Output, TaskReport};
pub use library::{Library, LibraryCost, LibraryStep};
pub use looking::Looking;
pub use memory::Memory;
pub(crate) use position::{Position, Spent, spent};
pub use preemption::{Level, Preemption, Working};
pub use signal::Signal;
