//! The host interface section: what the host sees of the board (thesis sections 5.1 and 5.2).
//!
//! [`HostInterface`] decodes a beat of the host bus into an area and a process, hands it to one of six blocks,
//! and puts the answer on the bus one cycle later. Four blocks are memories that the transaction side shares:
//! [Write Window](write_window), [Prefetch Window](prefetch_window), [LLCM](llcm), [LH Buffer](lh_buffer). Two
//! are pages of registers: [User Register](user_register), one per process, and
//! [System Register](system_register). What the host configures leaves through
//! [Configuration Distribution](configuration_distribution), and into the
//! [AMT Address Table](amt_address_table), which the Receive Controller reads.

pub mod amt_address_table;
pub mod configuration_distribution;
#[allow(clippy::module_inception)] // The composite has the file name of its twin.
mod host_interface;
pub mod lh_buffer;
pub mod llcm;
pub mod pins;
pub mod prefetch_window;
pub mod system_register;
pub mod user_register;
pub mod write_window;

pub use host_interface::HostInterface;
