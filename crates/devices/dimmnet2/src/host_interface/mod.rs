//! The host interface section: the part of the board that the host accesses (thesis sections 5.1 and 5.2).
//!
//! [`HostInterface`] decodes a host beat into area and process, passes it to one of six blocks, and drives
//! the answer on the bus one cycle later. Four blocks are memories shared with the transaction side: [Write
//! Window](write_window), [Prefetch Window](prefetch_window), [LLCM](llcm), [LH Buffer](lh_buffer). Two are
//! pages of registers: [User Register](user_register), one per process, and [System
//! Register](system_register). Configuration values leave through [Configuration
//! Distribution](configuration_distribution). The [AMT Address Table](amt_address_table) is written by the
//! host and read by the Receive Controller.

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
