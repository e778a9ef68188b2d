//! GigaE PM, messages on Gigabit Ethernet from the firmware of the NIC.
//!
//! Reliable datagrams in order for PC clusters, beside TCP/IP on the same card (Sumimoto, Hori, Tezuka,
//! Harada, Takahashi, Ishikawa: "GigaE PM: design and evaluation of a high-performance communication facility
//! using Gigabit Ethernet", 1999; "the paper" below).
//!
//! * [`protocol`]: what sender and receiver do, as pure functions over the control structure of a peer;
//! * [`GigaePm`]: the card, cycle by cycle: [`host_port`], [`pci_dma`], [`firmware`], [`network_dma`] and [`mac`] around 1 MB of
//!   memory (decision 0028), each with a twin of the same path in `rtl/gigae_pm`;
//! * [`clocks`]: the two that it has;
//! * [`header`], [`host_memory`], [`memory_map`], [`registers`]: what a driver has to know;
//! * [`traffic`]: hosts, cables and random traffic for it;
//! * [`fuzz`]: targets for fuzzing, with what must come of any frame;
//! * [`tables`]: every generated file.

pub mod clocks;
pub mod firmware;
pub mod fuzz;
mod gigae_pm;
pub mod host_memory;
pub mod host_port;
pub mod mac;
pub mod memory_map;
pub mod network_dma;
pub mod pci_dma;
pub mod pins;
pub mod registers;
#[cfg(test)]
mod resets;
pub mod tables;
pub mod traffic;

pub use gigae_pm::{GigaePm, RESETS};
pub use pm_protocol as protocol;
pub use pm_protocol::header;
