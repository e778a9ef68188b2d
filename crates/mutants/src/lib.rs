//! Mutants: blocks with one plausible fault each, to measure whether the tests of the blocks detect it.
//!
//! A *twin* mutant has the same fault in the Rust block and in its SystemVerilog twin. Lockstep compares the
//! twins with each other, so it does not detect this fault; a test that knows the specified behaviour of the
//! block has to. A *one-sided* mutant has the fault in one of the two twins, and lockstep has to detect it.
//!
//! Faults are drawn from the structure that both twins share (see [`Operator`]): registers, states and arcs
//! are in the tables, and conditions appear in the same order under the same states. [`rust::plant`] and
//! [`systemverilog::plant`] write any number of faults into the text of a block, each with its own number.
//! One build contains all of them, and an environment variable selects the number of the active fault.
//!
//! Both modules read lines of text, not syntax trees: the formatter and the lints of this repository enforce
//! the line shapes that they search for. A fault that does not occur in both texts is never drawn.

pub mod block;
pub mod code;
pub mod draw;
pub mod expression;
pub mod fault;
pub mod rust;
pub mod shape;
pub mod sites;
pub mod systemverilog;

pub use block::Block;
pub use fault::{Fault, Operator, Planted};
