//! TCP/IP besides PM: the ordinary path through the kernel, over the same card (paper sections 4.7, 5.1 and 5.2;
//! decision 0037).
//!
//! The kernel is that of crate [`ethernet`], which charges system calls, copies, checksums and protocol processing; the
//! driver's accesses over the PCI bus are simulated. Interrupts start its bottom half, which preempts processes
//! ([`cluster::host::Preemption`]). Programs have a [`Tcp`] with streams and listeners.

mod card;
pub mod measure;
mod over_udp;

pub(crate) use over_udp::OverUdp;

pub use ethernet::{BUFFER_BYTES, CONTROL_BYTES, ConnectError, ListenError, SEND_BYTES, StreamError};

use crate::Driver;

/// TCP and UDP in the kernel of one host.
pub(super) type Kernel = ethernet::Kernel<Driver>;
/// TCP/IP as a program sees it.
pub type Tcp = ethernet::Tcp<Driver>;
/// A connection.
pub type TcpStream = ethernet::TcpStream<Driver>;
/// A port on which connections are accepted.
pub type TcpListener = ethernet::TcpListener<Driver>;
