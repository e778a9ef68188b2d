//! Tables and building blocks shared by the Rust models and the RTL of Memonet's devices.
//!
//! Each device is written twice, in Rust and in SystemVerilog, and both are compared after every clock edge.
//! This crate holds their common part: tables that are written once in Rust and emitted as SystemVerilog
//! packages, and small blocks (memories, FIFOs) that have a twin in `rtl/common`.
//!
//! * [`fsm!`] declares the states and arcs of a state machine;
//! * [`bundle!`] declares the pins of a block, and its registers;
//! * [`fields!`] declares a packed word: a command, a packet header line, a status register;
//! * [`codes!`] declares a set of named codes: the primitives, for example;
//! * [`registers!`] declares a page of host-visible registers;
//! * [`Clocked`] is the contract of a block with one clock, [`Device`] that of a device with one clock or
//!   several, declared in a table of [`Clock`]s; [`Probe`] gives access to all registers and pins of a block.

mod async_fifo;
mod bank;
mod bits;
mod bundle;
mod clock;
mod clocked;
mod codes;
mod dual_bank;
pub mod emit;
mod fields;
mod fifo;
pub mod fresh;
mod memory;
mod model;
mod nic;
mod observed;
mod package;
mod probe;
mod registers;
mod resample;
mod sample;
mod sram;
mod state_machine;
mod stimulus;
mod synchroniser;
mod words;

pub use async_fifo::{AsyncFifo, AsyncFifoIn, AsyncFifoOut};
pub use bank::{Bank, BankWrite, byte_mask};
pub use bits::{Bits, Kind, Width, words_for};
pub use bundle::{Bundle, BundleTable, Field};
pub use clock::{Clock, Edges, Instants, MOST_CLOCKS};
pub use clocked::{Clocked, Quiet};
pub use codes::{Code, CodeTable};
pub use dual_bank::{BankAccess, DualBank};
pub use fields::{FieldsTable, PackedField};
pub use fifo::{Fifo, FifoIn, FifoOut};
pub use memory::Ram;
pub use model::{Device, Model};
pub use nic::{Nic, NicError};
pub use observed::Observed;
pub use package::{Item, Package};
pub use probe::{Probe, Role, Visitor};
pub use registers::{Access, RegisterInfo, RegisterTable};
pub use resample::{Changes, MOST_WORDS, Visibility, resample};
pub use sample::{
    BlockType, MemoryPlace, Signal, SignalRole, block_types, memories, memory_map, sample, sample_registers,
    signals,
};
pub use sram::{Sram, SramAccess};
pub use state_machine::{ArcFault, ArcInfo, StateInfo, StateMachine, StateMachineTable};
pub use stimulus::Stimulus;
pub use synchroniser::Synchroniser;
