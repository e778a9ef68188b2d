//! Interface between a workload and the network of a machine.

use std::future::Future;

use cluster::Time;

/// Reason why a message was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The receiver counts as dead after unanswered retransmissions; its messages are abandoned.
    #[error("node {0} does not answer")]
    PeerDead(usize),
    /// Error message of the machine.
    #[error("{0}")]
    Refused(String),
}

/// A received message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Number of the sender.
    pub from: usize,
    /// Bytes of data.
    pub bytes: u64,
}

/// Network interface of a node as a workload uses it. Messages from one node to another arrive in order.
///
/// Calls take virtual time on the node for the host's loads, stores and computation.
pub trait Messenger {
    /// Current time.
    fn now(&self) -> Time;

    /// Computes until `time`; returns at once if it is past.
    fn wait_until(&mut self, time: Time) -> impl Future<Output = ()>;

    /// Sends a message with a primitive, given by its index in
    /// [`Schedule::primitives`](crate::Schedule::primitives). Waits for room if necessary and returns when
    /// the next message may be issued, with the time of the first store. While it waits it receives messages
    /// if room depends on that.
    fn send(
        &mut self,
        to: usize,
        bytes: u64,
        primitive: usize,
    ) -> impl Future<Output = Result<Time, SendError>>;

    /// Polls the NIC once and returns a received message, if any. A poll takes time, so polling loops
    /// terminate.
    fn poll(&mut self) -> impl Future<Output = Option<Arrival>>;
}
