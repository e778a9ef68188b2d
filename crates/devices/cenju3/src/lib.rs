//! The network interface (NIF) of Cenju-3, with old and new ROM.
//!
//! Messages and DMA transfers between processor elements, from queues in local memory (Konishi, Kohdatte,
//! Kanoh, Howson, Takano: "Performance evaluation of MPI/DE, the MPI library on the parallel computer
//! Cenju-3", about 1995; "the paper" below).
//!
//! * [`Cenju3`]: the NIF, cycle by cycle (decision 0057): [`register_file`], [`send_queue`], [`mask`],
//!   [`send_dma`], [`link_transmit`], [`link_receive`], [`receive_ring`], [`arbiter`], [`memory_port`] and
//!   [`interrupt`], each with a twin of the same path in `rtl/cenju3`;
//! * [`registers`], [`memory_map`], [`pins`]: the interfaces to the host, local memory and the network;
//! * [`clocks`]: its clock;
//! * [`traffic`]: processor elements with memory, a cable and random traffic for it;
//! * [`tables`]: all generated files.

pub mod arbiter;
mod cenju3;
pub mod clocks;
pub mod interrupt;
pub mod link_receive;
pub mod link_transmit;
pub mod mask;
pub mod memory_map;
pub mod memory_port;
pub mod pins;
pub mod receive_ring;
pub mod register_file;
pub mod registers;
#[cfg(test)]
mod resets;
pub mod send_dma;
pub mod send_queue;
pub mod tables;
pub mod traffic;

pub use cenju3::{Cenju3, RESETS};
