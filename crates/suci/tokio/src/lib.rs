#![doc = include_str!("../README.md")]

mod timer;

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::os::fd::AsRawFd;

use suci::udp::{BindError, Udp};
use suci::{Config, ConnectError, Endpoint, Event, Peer, Priority, PublicKey, SendError};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use timer::Timer;

/// Reason why a block was not sent.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The endpoint has not accepted the block.
    #[error(transparent)]
    Send(#[from] SendError),
    /// Waiting for the socket failed.
    #[error("waiting for the socket failed: {0}")]
    Wait(#[from] io::Error),
}

/// Registers a file with the runtime. Newer versions of tokio recommend `register`, which is `unsafe` because
/// a type could claim a file that it does not own; these types own theirs.
#[allow(deprecated)]
fn watched<T: AsRawFd>(file: T) -> io::Result<AsyncFd<T>> {
    AsyncFd::new(file)
}

/// An endpoint on a UDP socket in a tokio runtime.
pub struct Socket {
    endpoint: Endpoint,
    io: AsyncFd<Udp>,
    timer: Timer,
    /// Whether the socket buffer is full and datagrams wait for it.
    full: bool,
}

impl Socket {
    /// Binds a local address; port 0 selects a free port. Must be called within a runtime with I/O enabled.
    pub fn bind(address: impl ToSocketAddrs, config: Config) -> Result<Self, BindError> {
        let (udp, endpoint) = Udp::with_endpoint(address, config)?;
        Ok(Self { endpoint, io: watched(udp)?, timer: Timer::new()?, full: false })
    }

    /// Bound address.
    pub fn local_address(&self) -> io::Result<SocketAddr> {
        self.io.get_ref().socket().local_addr()
    }

    /// The endpoint, for flow, permits, keys and counters. Blocks sent or connections closed on it take
    /// effect with the next awaited future.
    pub fn endpoint(&mut self) -> &mut Endpoint {
        &mut self.endpoint
    }

    /// Last error of the system on sending; the protocol treats the datagram as lost.
    pub fn take_refused(&mut self) -> Option<io::Error> {
        self.io.get_mut().take_refused()
    }

    /// Calls a peer. Blocks may be sent at once.
    pub fn connect(&mut self, address: SocketAddr) -> Result<Peer, ConnectError> {
        self.endpoint.connect(self.io.get_ref().now(), address)
    }

    /// Calls a peer that must have this key, with [`Security::Pinned`](suci::Security::Pinned). Blocks may be
    /// sent at once.
    pub fn connect_to(&mut self, address: SocketAddr, key: PublicKey) -> Result<Peer, ConnectError> {
        self.endpoint.connect_to(self.io.get_ref().now(), address, key)
    }

    /// Sends a block; waits while the queue of the peer is full. Cancel safe: a dropped future has sent
    /// nothing.
    pub async fn send(&mut self, peer: Peer, priority: Priority, block: &[u8]) -> Result<(), Error> {
        loop {
            match self.endpoint.send(peer, priority, block) {
                Err(SendError::Full { .. }) => self.turn().await?,
                result => {
                    self.give()?;
                    return Ok(result?);
                }
            }
        }
    }

    /// Next event. Cancel safe: a dropped future has taken none.
    pub async fn event(&mut self) -> io::Result<Event> {
        loop {
            if let Some(event) = self.endpoint.poll_event() {
                return Ok(event);
            }
            self.turn().await?;
        }
    }

    /// Waits until all blocks to a peer are acknowledged. Returns false if it is closed. Events that arrive
    /// meanwhile remain for [`event`](Self::event).
    pub async fn flush(&mut self, peer: Peer) -> io::Result<bool> {
        loop {
            match self.endpoint.flow(peer) {
                None => return Ok(false),
                Some(flow) if flow.queued_blocks == 0 => return Ok(true),
                Some(_) => self.turn().await?,
            }
        }
    }

    /// Sends, waits for a datagram or timer, and receives. Returns at once if sending caused an event.
    pub async fn turn(&mut self) -> io::Result<()> {
        let events = self.endpoint.events();
        self.give()?;
        if self.endpoint.events() > events {
            return Ok(());
        }
        let now = self.io.get_ref().now();
        let due = self.endpoint.poll_timeout().map(|at| at.since(now));
        if due.is_some_and(|due| due.is_zero()) && !self.full {
            tokio::task::yield_now().await;
            return Ok(());
        }
        let interest = if self.full { Interest::READABLE | Interest::WRITABLE } else { Interest::READABLE };
        tokio::select! {
            ready = self.io.ready_mut(interest) => {
                let mut ready = ready?;
                if !ready.get_inner_mut().receive(&mut self.endpoint)? {
                    ready.clear_ready_matching(tokio::io::Ready::READABLE);
                }
                if ready.ready().is_writable() {
                    self.full = false;
                }
                // The next write finds out whether the socket is writable.
                ready.clear_ready_matching(tokio::io::Ready::WRITABLE);
            }
            passed = self.timer.wait(due) => passed?,
        }
        self.give()
    }

    fn give(&mut self) -> io::Result<()> {
        if !self.full {
            self.full = !self.io.get_mut().send(&mut self.endpoint)?;
        }
        Ok(())
    }
}
