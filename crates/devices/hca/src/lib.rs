//! An InfiniBand channel adapter: the hardware below Fagus (Araki, Saito, Kunieda, Hamada, Nakajo:
//! "Implementation and evaluation of the software distributed shared memory system Fagus using the Verb layer
//! of InfiniBand"; "the paper" below).
//!
//! The paper names a Voltaire adapter, dual port, 4X, and prints nothing about its inside. The rules are
//! those of the InfiniBand Architecture specification, volume 1 ("IBA"); what neither source prints is
//! designed here (decision 0060).
//!
//! * [`Hca`]: the adapter, cycle by cycle: [`host_port`], [`scheduler`], [`send_engine`], [`receive_engine`],
//!   [`completion`], [`host_dma`] and [`link`] around its contexts, each with a twin of the same path in
//!   `rtl/hca`;
//! * [`layout`], [`contexts`], [`registers`]: the interface for drivers;
//! * [`clocks`]: its clock;
//! * [`fuzz`]: arbitrary bytes as packets, as words on the cable and as requests;
//! * [`traffic`]: hosts, cables and random traffic for it;
//! * [`tables`]: all generated files.

pub mod clocks;
pub mod command;
pub mod completion;
pub mod contexts;
pub mod events;
pub mod fuzz;
mod hca;
pub mod host_dma;
pub mod host_port;
pub mod icrc;
pub mod key_check;
pub mod layout;
pub mod link;
pub mod numbers;
pub mod pins;
pub mod protocol;
pub mod receive_engine;
pub mod registers;
#[cfg(test)]
mod resets;
pub mod retry_timer;
pub mod scheduler;
pub mod search;
pub mod send_engine;
pub mod tables;
pub mod traffic;

pub use hca::{Hca, PACKET_WORDS, RESETS};
