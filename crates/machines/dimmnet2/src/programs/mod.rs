//! Host programs for DIMMnet-2, as its users would write them.
//!
//! [`Board`] has areas and registers, [`botf`] builds and sends packet images, [`vs`] writes and [`vl`] reads SO-DIMM,
//! [`copy`] copies within SO-DIMM, [`remote`] writes and reads remote memory, [`messages`] sends to a place that the
//! receiver chooses, [`pm`] is PM over those messages, [`stream`] carries a byte stream from one host to another in
//! BOTFs, [`transpose`] transposes a matrix on the board, and [`measure`] holds the measuring programs of the thesis.

mod board;
pub mod botf;
pub mod copy;
mod habits;
pub mod measure;
pub mod messages;
pub mod pm;
pub mod remote;
pub mod stream;
mod transfers;
pub mod transpose;
pub mod vl;
pub mod vs;

pub use board::{Board, Process};
pub use habits::Habits;
pub use vs::{Elements, Listed};
