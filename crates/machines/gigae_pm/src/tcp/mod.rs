//! TCP/IP beside PM: the ordinary way through the kernel, over the same card (paper sections 4.7, 5.1 and 5.2; decision 0037).
//!
//! The protocol itself is the crate smoltcp, in `stack`; it takes no virtual time. What it costs a host is charged around it, packet by
//! packet: system calls, copies, checksums, the way of a packet through the kernel, and the driver's accesses over the PCI bus. `Kernel`
//! does that in system calls and in a bottom half, which interrupts start and which goes before processes ([`cluster::host::Preemption`]). Programs
//! have a [`Tcp`] with streams and listeners.

mod kernel;
pub mod measure;
mod stack;
mod stream;

pub(super) use kernel::Kernel;
pub use stack::{BUFFER_BYTES, CONTROL_BYTES, SEND_BYTES};
pub use stream::{ConnectError, ListenError, StreamError, Tcp, TcpListener, TcpStream};
