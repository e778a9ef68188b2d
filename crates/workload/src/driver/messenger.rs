//! What a node's machine has to offer so that a workload can run on it.

use std::future::Future;

use cluster::Time;

/// Why a message is not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The receiver has not answered often enough, and what was sent to it is given up.
    #[error("node {0} does not answer")]
    PeerDead(usize),
    /// What the machine says about it.
    #[error("{0}")]
    Refused(String),
}

/// A message that has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The node that sent it.
    pub from: usize,
    /// Bytes of data.
    pub bytes: u64,
}

/// A node's end of the network, as a workload uses it. Messages of one node to another arrive in order.
///
/// Calls take virtual time on the node, as the host's loads, stores and computing do.
pub trait Messenger {
    /// The time.
    fn now(&self) -> Time;

    /// Computes until then, or not at all if it is past.
    fn wait_until(&mut self, time: Time) -> impl Future<Output = ()>;

    /// Sends a message with a primitive, by its index in [`Schedule::primitives`](crate::Schedule::primitives). Waits for
    /// room if there is none, and returns as soon as the next message may be issued, with the time of the first store.
    /// While it waits it takes what arrives if room depends on that.
    fn send(
        &mut self,
        to: usize,
        bytes: u64,
        primitive: usize,
    ) -> impl Future<Output = Result<Time, SendError>>;

    /// One look at the NIC: the message that has come, if one has. A look takes time, so that a loop of them ends.
    fn poll(&mut self) -> impl Future<Output = Option<Arrival>>;
}
