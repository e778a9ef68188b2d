//! The connection manager of a host, as a kernel has it for `/dev/infiniband/rdma_cm` (decision 0084).
//!
//! [`Manager`] is a state machine without time and without I/O: commands of the program, datagrams and instants go in;
//! [events](call::ConnectionEvent) and [datagrams](mad::Message) come out. The driver of the adapter carries the
//! datagrams by queue pair 1.

mod addresses;
pub mod call;
mod groups;
mod id;
mod listeners;
pub mod mad;
mod manager;
mod ports;
mod protocol;
mod requests;
#[cfg(test)]
mod tests;

pub use groups::Groups;
pub use listeners::Listeners;
pub use manager::Manager;
