//! Hosts on Ethernet: symbols on cables, and the kernel between the driver of a card and programs.
//!
//! ```text
//!   program      program        MPI: OverTcp
//!      |            |              |
//!   TcpStream   UdpSocket      TcpStream      awaited system calls, each with its cost
//!      |            |              |
//!   +--v------------v--------------v--+
//!   |   Kernel: copies, bottom half   |       smoltcp implements TCP; UDP is our own
//!   +----------------|----------------+
//!                    | frames
//!                Card: the driver of a machine's network interface
//! ```
//!
//! Protocols take no virtual time themselves. Their costs are charged around them, packet by packet: system calls, copies, checksums,
//! protocol processing (decision 0037). A machine implements [`Card`] and states the [`Costs`] of its hosts.

mod card;
mod check;
mod frame;
mod kernel;
mod over_tcp;
mod stack;
mod symbol;
mod tcp;
mod udp;

pub use card::{Card, Costs, Host};
pub use check::check_sequence;
pub use kernel::Kernel;
pub use over_tcp::{MOST_RANKS, OverTcp};
pub use stack::{BUFFER_BYTES, CONTROL_BYTES, SEND_BYTES};
pub use symbol::{PREAMBLE, Symbol, frame_bytes};
pub use tcp::{ConnectError, ListenError, StreamError, Tcp, TcpListener, TcpStream};
pub use udp::{Arrived, BindError, DATAGRAM_BYTES, SendError, Udp, UdpCounters, UdpSettings, UdpSocket};
