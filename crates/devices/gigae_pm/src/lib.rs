//! GigaE PM, messages on Gigabit Ethernet from the firmware of the NIC.
//!
//! Reliable, ordered datagrams for PC clusters, on a card that also carries TCP/IP (Sumimoto, Hori, Tezuka,
//! Harada, Takahashi, Ishikawa: "GigaE PM: design and evaluation of a high-performance communication facility
//! using Gigabit Ethernet", 1999; "the paper" below).
//!
//! * [`protocol`]: sender and receiver, as pure functions over the control structure of a peer;
//! * [`GigaePm`]: the cycle-accurate card: [`host_port`], [`pci_dma`], [`firmware`], [`network_dma`] and
//!   [`mac`] around 1 MB of memory (decision 0028), each with a twin of the same path in `rtl/gigae_pm`;
//! * [`clocks`]: its two clocks;
//! * [`traffic`]: hosts, cables and random traffic;
//! * [`fuzz`]: fuzz targets, which predict the effect of every frame;
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
mod wires;

pub use gigae_pm::{GigaePm, RESETS};
pub use pm_protocol as protocol;
pub use pm_protocol::header;
