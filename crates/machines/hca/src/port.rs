//! Verbs for a program of a host: connections to all other hosts and one queue pair for datagrams.

use std::fmt;
use std::rc::Rc;

use cluster::Duration;
use hca::contexts::{Key, Kind};
use hca::layout::SendWqe;
use hca::layout::{GRH_BYTES, Operation, RECEIVE_WQE_BYTES, ReceiveWqe, SEND_WQE_BYTES, Status};
use hca::registers::{Doorbell, Register};

use crate::Host;
use crate::completions::Entry;
use crate::layout::{self, DATAGRAMS, LONGEST, RING};
use crate::library_cost::CALLED;
use crate::verbs::{COMPLETION_QUEUE, L_KEY, Q_KEY, Verbs, lid};

/// The longest datagram: one packet (IBA volume 1, section 9.8.3).
pub const LONGEST_DATAGRAM: usize = 2_048;
/// Receive requests posted between two doorbells of a receive queue.
const POSTED_TOGETHER: u16 = 4;

/// Service that carries a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// A connection: in order and once, or a status.
    Connection,
    /// A datagram, which may be lost.
    Datagram,
}

/// Why a message is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendError {
    /// The ring is full until completions are taken.
    NoRoom,
    /// The message is longer than the service allows.
    TooLong,
    /// The number is that of this host, or no host has it.
    NoPeer,
    /// The connection has failed.
    Failed(Status),
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SendError::NoRoom => write!(f, "the send ring is full"),
            SendError::TooLong => write!(
                f,
                "the message is longer than {LONGEST_DATAGRAM} bytes of a datagram, or {LONGEST} bytes"
            ),
            SendError::NoPeer => write!(f, "there is no such other host"),
            SendError::Failed(status) => write!(f, "the connection has failed: {status:?}"),
        }
    }
}

/// A message that has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// Sending host.
    pub from: usize,
    /// Service that carried it.
    pub service: Service,
    /// Contents of the message.
    pub data: Vec<u8>,
}

/// Meaning of a completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completion {
    /// A request is complete: its message is sent and, on a connection, acknowledged; its data is written or read.
    Sent(u8),
    /// A message has arrived.
    Received(Arrived),
    /// A request of this queue pair has failed. A connection takes no more requests then.
    Failed(u8, Status),
}

/// A host as a program uses it.
#[derive(Clone)]
pub struct Port {
    pub(crate) host: Host,
    pub(crate) verbs: Rc<Verbs>,
}

impl Port {
    pub(crate) fn new(host: Host, verbs: Rc<Verbs>) -> Self {
        Port { host, verbs }
    }

    /// Processor, memory and registers of the host.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Queues of the host.
    pub fn verbs(&self) -> &Verbs {
        &self.verbs
    }

    /// Sets the adapter up: a completion queue, a key for all memory, a connection to each other host, a queue pair for
    /// datagrams, and all receive requests. The adapter ignores packets until then.
    pub async fn open(&self) {
        self.open_without_pairs().await;
        let connections = 0..self.verbs.nodes() as u8 - 1;
        for pair in connections.chain([DATAGRAMS]) {
            self.host.write_row(Kind::Pair, pair, self.verbs.attributes(pair)).await;
            for _ in 0..RING {
                self.post_receive(pair).await;
            }
        }
        self.begin().await;
    }

    /// Sets up the completion queue and the key.
    pub(crate) async fn open_without_pairs(&self) {
        self.host.write_register(Register::Lid, lid(self.verbs.node()).into()).await;
        self.host.write_row(Kind::Completion, COMPLETION_QUEUE, Verbs::queue()).await;
        self.host.write_row(Kind::Area, Key::row_of(L_KEY), Verbs::key()).await;
    }

    /// The adapter handles packets from now on.
    pub(crate) async fn begin(&self) {
        self.host.write_register(Register::Control, 1).await;
        // Doorbells are slower than registers; the read returns when all have arrived.
        self.host.read_register(Register::Control).await;
    }

    /// Sends bytes to another host. They are in the program's buffer already: verbs copy nothing.
    pub async fn send(&self, to: usize, service: Service, data: &[u8]) -> Result<(), SendError> {
        if to == self.verbs.node() || to >= self.verbs.nodes() {
            return Err(SendError::NoPeer);
        }
        let (pair, longest) = match service {
            Service::Connection => (self.verbs.pair_of(to), LONGEST),
            Service::Datagram => (DATAGRAMS, LONGEST_DATAGRAM),
        };
        if data.len() > longest {
            return Err(SendError::TooLong);
        }
        let wqe = SendWqe {
            operation: Operation::Send.code(),
            length: data.len() as u32,
            destination: DATAGRAMS.into(),
            lid: lid(to),
            q_key: Q_KEY,
            ..SendWqe::default()
        };
        self.post(pair, wqe, data).await?;
        Ok(())
    }

    /// Writes bytes into the memory of another host, whose program takes no part (RDMA WRITE). The completion is
    /// `Sent`.
    pub async fn write(&self, to: usize, remote: u32, data: &[u8]) -> Result<(), SendError> {
        let wqe = self.remote(to, Operation::RdmaWrite, remote, data.len())?;
        self.post(self.verbs.pair_of(to), wqe, data).await?;
        Ok(())
    }

    /// Reads bytes from the memory of another host (RDMA READ) and returns the address at which they are once the
    /// request is complete, as `Sent`. They stay there for as many further requests as the ring holds.
    pub async fn read(&self, from: usize, remote: u32, bytes: usize) -> Result<u32, SendError> {
        let wqe = self.remote(from, Operation::RdmaRead, remote, bytes)?;
        self.post(self.verbs.pair_of(from), wqe, &[]).await
    }

    /// Posts a request for the memory of a peer.
    fn remote(
        &self,
        peer: usize,
        operation: Operation,
        remote: u32,
        bytes: usize,
    ) -> Result<SendWqe, SendError> {
        if peer == self.verbs.node() || peer >= self.verbs.nodes() {
            return Err(SendError::NoPeer);
        }
        if bytes > LONGEST {
            return Err(SendError::TooLong);
        }
        Ok(SendWqe {
            operation: operation.code(),
            length: bytes as u32,
            r_key: L_KEY,
            remote: remote.into(),
            ..SendWqe::default()
        })
    }

    /// Puts a request and its data into the send ring and rings the doorbell; returns the address of its buffer.
    async fn post(&self, pair: u8, wqe: SendWqe, data: &[u8]) -> Result<u32, SendError> {
        let state = self.verbs.pair(pair);
        if let Some(status) = state.failed {
            return Err(SendError::Failed(status));
        }
        if !state.has_room() {
            return Err(SendError::NoRoom);
        }
        let address = layout::send_buffer(pair, state.sent);
        self.host.set_memory(address, data);
        let wqe = SendWqe { signalled: true, address, l_key: L_KEY, ..wqe };
        let place = layout::send_ring(pair) + SEND_WQE_BYTES * u32::from(state.sent % RING);
        self.host.set_memory(place, &wqe.bytes());
        let count = state.sent.wrapping_add(1);
        self.verbs.update(pair, |pair| pair.sent = count);
        self.host.compute(self.host.post_send_time()).await;
        if self.host.verbs_library().is_counted() {
            self.host.processor().mark(CALLED);
        }
        self.host.ring(Doorbell::SendBell, pair, count).await;
        Ok(address)
    }

    /// Polls the completion queue once. Finding it empty costs one iteration of a polling loop.
    pub async fn poll(&self) -> Option<Completion> {
        let Entry { index, pair, received, status, source, bytes } = self.entry().await?;
        if status != Status::Success {
            if pair != DATAGRAMS {
                self.verbs.update(pair, |pair| pair.failed = pair.failed.or(Some(status)));
            }
            return Some(Completion::Failed(pair, status));
        }
        if !received {
            return Some(Completion::Sent(pair));
        }
        let buffer = layout::receive_buffer(pair, index);
        let (from, service, address, bytes) = if pair == DATAGRAMS {
            (source, Service::Datagram, buffer + GRH_BYTES, bytes.saturating_sub(GRH_BYTES))
        } else {
            (self.verbs.peer_of(pair), Service::Connection, buffer, bytes)
        };
        let data = self.host.memory(address, bytes as usize);
        self.post_receive(pair).await;
        Some(Completion::Received(Arrived { from, service, data }))
    }

    /// Puts the next request into a receive ring, with the buffer of its position.
    async fn post_receive(&self, pair: u8) {
        let buffer = layout::receive_buffer(pair, self.verbs.pair(pair).posted);
        self.post_buffer(pair, buffer, LONGEST as u32, POSTED_TOGETHER).await;
    }

    /// Puts a request for a buffer into a receive ring; one doorbell serves for `together` requests.
    pub(crate) async fn post_buffer(&self, pair: u8, address: u32, bytes: u32, together: u16) {
        let state = self.verbs.pair(pair);
        let place =
            layout::receive_ring(pair) + u32::from(RECEIVE_WQE_BYTES) * u32::from(state.posted % RING);
        let wqe = ReceiveWqe { l_key: L_KEY, address, length: bytes };
        self.host.set_memory(place, &wqe.bytes());
        let posted = state.posted.wrapping_add(1);
        self.verbs.update(pair, |pair| pair.posted = posted);
        let time = self.host.post_receive_time(Duration::ZERO);
        if time > Duration::ZERO {
            self.host.compute(time).await;
        }
        if posted.wrapping_sub(state.rung) >= together {
            self.verbs.update(pair, |pair| pair.rung = posted);
            self.host.ring(Doorbell::ReceiveBell, pair, posted).await;
        }
    }
}
