//! The state of the driver's own queue pair.

use cluster::Time;

use crate::verbs::connections::Manager;

/// The queue pair of the connection manager (IBA volume 1, section 3.9.1).
pub(super) const MANAGEMENT_PAIR: usize = 1;

/// The connection manager with its queue pair.
pub(super) struct Management {
    pub manager: Manager,
    /// Its completion queue.
    pub queue: u8,
    /// Key of its buffers.
    pub key: u32,
    /// Address of its buffers: those for arriving datagrams, then those that are sent.
    pub base: u32,
    pub next_look: Time,
}
