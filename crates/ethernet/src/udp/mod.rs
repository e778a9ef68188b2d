//! UDP for programs: sockets whose calls are system calls.
//!
//! A kernel drops datagrams that do not fit into a socket's buffer and reports that in [`UdpSocket::counters`] alone.
//! No other datagram is lost here.

mod datagram;
pub(crate) mod ports;

use std::rc::Rc;

use cluster::{NodeId, Time};
use thiserror::Error;

use crate::card::{Card, Host};
use crate::kernel::Kernel;

pub use datagram::DATAGRAM_BYTES;
pub use ports::{Arrived, UdpCounters, UdpSettings};

/// Bytes of a frame before the bytes of its datagram: Ethernet, IP, UDP.
const HEADS: usize = 14 + 20 + 8;

/// Why a socket is not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BindError {
    /// Port 0 is reserved.
    #[error("port 0 is nobody's")]
    NoSuchPort,
    /// Another program uses the port.
    #[error("port {0} is in use")]
    InUse(u16),
}

/// Why a datagram is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SendError {
    /// The network has no such node.
    #[error("there is no node {0} to send to")]
    NoSuchNode(u16),
    /// The datagram does not fit into a frame.
    #[error("a datagram of {0} bytes; a frame carries {DATAGRAM_BYTES}, and none is divided")]
    TooLong(usize),
}

/// UDP of a host, for programs.
pub struct Udp<C: Card> {
    host: C::Host,
    kernel: Rc<Kernel<C>>,
}

impl<C: Card> Udp<C> {
    /// UDP for programs on this host, with this kernel.
    pub fn new(host: C::Host, kernel: Rc<Kernel<C>>) -> Self {
        Self { host, kernel }
    }

    /// The host, for time and computing.
    pub fn host(&self) -> &C::Host {
        &self.host
    }

    /// Number of this node.
    pub fn node(&self) -> NodeId {
        self.kernel.card.node()
    }

    /// Opens a socket at a port of this node.
    pub async fn bind(&self, port: u16, settings: UdpSettings) -> Result<UdpSocket<C>, BindError> {
        self.kernel.system_call(&self.host).await;
        if port == 0 {
            return Err(BindError::NoSuchPort);
        }
        if !self.kernel.ports().open(port, settings) {
            return Err(BindError::InUse(port));
        }
        Ok(UdpSocket { host: self.host.clone(), kernel: self.kernel.clone(), port })
    }
}

/// A socket, which is closed when it is dropped.
pub struct UdpSocket<C: Card> {
    host: C::Host,
    kernel: Rc<Kernel<C>>,
    port: u16,
}

impl<C: Card> UdpSocket<C> {
    /// The host, for time and computing.
    pub fn host(&self) -> &C::Host {
        &self.host
    }

    /// Counters of the socket. Takes no time.
    pub fn counters(&self) -> UdpCounters {
        self.kernel.ports().counters(self.port)
    }

    /// Whether a datagram has arrived. Takes no time.
    pub fn is_readable(&self) -> bool {
        self.kernel.ports().next_bytes(self.port).is_some()
    }

    /// Sends a datagram: returns when the kernel has it, which may be long before it leaves. Waits while the socket's
    /// send buffer is full.
    pub async fn send(&self, to: NodeId, port: u16, bytes: &[u8]) -> Result<(), SendError> {
        self.kernel.system_call(&self.host).await;
        if bytes.len() > DATAGRAM_BYTES {
            return Err(SendError::TooLong(bytes.len()));
        }
        if !self.kernel.card.reaches(to) {
            return Err(SendError::NoSuchNode(to.0));
        }
        while !self.kernel.ports().has_room(self.port, bytes.len()) {
            self.kernel.wait(&self.host, "room to send a datagram").await;
        }
        self.kernel.copy_in(&self.host, bytes.len()).await;
        self.kernel.ports().send(self.port, to, port, bytes);
        self.kernel.send_as_process(&self.host).await;
        Ok(())
    }

    /// The oldest datagram that has arrived, if there is one.
    pub async fn try_receive(&self) -> Option<Arrived> {
        self.kernel.system_call(&self.host).await;
        let bytes = self.kernel.ports().next_bytes(self.port)?;
        self.kernel.copy_out(&self.host, bytes).await;
        self.kernel.ports().take(self.port)
    }

    /// Sleeps until a datagram has arrived, or until `end`; returns whether one has arrived. The wake-up is free.
    pub async fn poll(&self, end: Option<Time>) -> bool {
        self.kernel.select(&self.host, 1).await;
        loop {
            if self.is_readable() {
                return true;
            }
            let what = "a datagram";
            match end {
                None => self.kernel.wait(&self.host, what).await,
                Some(end) if self.host.processor().now() < end => {
                    self.kernel.wait_until(&self.host, what, end).await;
                }
                Some(_) => return false,
            }
        }
    }
}

impl<C: Card> Drop for UdpSocket<C> {
    fn drop(&mut self) {
        self.kernel.ports().close(self.port);
    }
}
