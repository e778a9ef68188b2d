//! PCs with an ordinary card of 100 Mbit/s Ethernet on a switch, and Suci on them (decision 0053).
//!
//! ```text
//!   programs: over suci_socket::Socket, or MPI         async: each system call takes its time
//!      |                          |
//!   UdpSocket, TcpStream       PmPort, PmEthernet      crate `ethernet`; crate `pm`
//!      |                          |
//!   Driver                   handler, backlog, transmit ring
//!      | Rings               frames in memory
//!   FastEthernetCard         fill levels of the rings, the interrupt
//!      | bytes
//!   cable, switch, cable     crate `cluster`
//! ```
//!
//! The computers are those of the paper on Suci, table 2: Pentium III of 800 MHz, EtherExpress Pro 100, Linux 2.4.10, Catalyst 2980G-A.
//! The card has no RTL: what is studied here is software.

pub mod card;
mod clocks;
pub mod cost;
mod driver;
mod interrupt;
pub mod library_cost;
mod machine;
mod pm_ethernet;
mod pm_port;
pub mod programs;
mod published;
mod rings;
mod settings;
mod side;
pub mod suci_socket;

pub use driver::{Driver, Host};
pub use machine::Port;
pub use pm_port::PmPort;
pub use settings::Settings;
pub use side::Side;

/// A PC with an ordinary card of 100 Mbit/s Ethernet.
pub enum FastEthernet {}

/// Hosts in virtual time.
pub type Cluster = cluster::Cluster<FastEthernet>;
