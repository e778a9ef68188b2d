//! Untimed semantics of DIMMnet-2 primitives, and random programs that compare a cluster with them.
//!
//! [`Oracle`] interprets primitives one after another: bytes move between Write Windows, Prefetch Windows,
//! LLCM and SO-DIMM of a few nodes. A primitive is complete, packets and replies included, before the next
//! one begins. The oracle shares only the tables of registers and packet formats with the board.
//!
//! A [`Program`] is a list of primitives of all processes of two nodes. [`Plan`] has the oracle execute it,
//! and determines from the bytes that primitives access which of them may run concurrently; the others wait,
//! as host software would (decision 0026). [`run()`] executes the plan on a cluster and compares all memories,
//! counters and flags.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod access;
mod compare;
mod contents;
pub mod fuzz;
mod memory;
mod node;
mod oracle;
mod packet;
mod plan;
mod program;
mod receive;
mod run;
mod shape;

pub use access::{Access, Effect, Kind, Place, Stage, Who};
pub use compare::Difference;
pub use memory::Memory;
pub use node::{Node, Process, Sender};
pub use oracle::{Command, Oracle};
pub use plan::{Issue, Plan, Round};
pub use program::{Action, Configuration, Fill, Program, Step, program};
pub use run::{RunError, run};
pub use shape::Shape;
