//! What every primitive of DIMMnet-2 means, without time, and programs that hold a cluster against it.
//!
//! [`Oracle`] interprets primitives one after the other: bytes move between Write Windows, Prefetch Windows, LLCM and
//! SO-DIMM of a few nodes, and a primitive is over, packets and answers included, before the next one begins. It
//! shares the tables of registers and packet formats with the board, and nothing else.
//!
//! A [`Program`] is a list of primitives of all processes of two nodes. [`Plan`] has the oracle execute it, and finds
//! out from the bytes that primitives touch which of them may run at the same time; the others wait, as host software
//! would (decision 0026). [`run`] executes the plan on a cluster and compares all memories, counters and flags.

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
