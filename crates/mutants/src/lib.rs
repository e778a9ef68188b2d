//! Plausible faults of a block, for asking whether its tests would find them.
//!
//! A *twin* mutant has the same fault in the Rust block and in its SystemVerilog, so lockstep is silent and something that knows
//! what the block should do has to find it. A *one-sided* mutant has it in one of the two, and lockstep has to.
//!
//! Faults are drawn from what the twins share (see [`Operator`]): registers, states and arcs are in the tables, conditions stand in the
//! same order under the same states. [`rust::plant`] and [`systemverilog::plant`] write any number of faults into the text of a block,
//! each behind a number; one build holds them all, and a variable of the environment wakes one of them.
//!
//! Both read text, not syntax trees: the formatter and the lints of this repository keep the shapes that are looked for, and a fault that is
//! not found in either text is not drawn.

pub mod block;
pub mod draw;
pub mod fault;
pub mod rust;
pub mod shape;
pub mod sites;
pub mod systemverilog;

pub use block::Block;
pub use fault::{Fault, Operator, Planted};
