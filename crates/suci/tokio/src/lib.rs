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

/// Why a block was not sent.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It was not taken.
    #[error(transparent)]
    Send(#[from] SendError),
    /// Waiting failed.
    #[error("waiting for the socket failed: {0}")]
    Wait(#[from] io::Error),
}

/// A file that the runtime tells when it is ready. Newer versions of tokio want `register`, which is `unsafe`, because a type may
/// claim a file that it does not own; those here own theirs.
#[allow(deprecated)]
fn watched<T: AsRawFd>(file: T) -> io::Result<AsyncFd<T>> {
    AsyncFd::new(file)
}

/// An endpoint on a UDP socket, in a runtime of tokio.
pub struct Socket {
    endpoint: Endpoint,
    io: AsyncFd<Udp>,
    timer: Timer,
    /// The socket took no more; the rest waits for it.
    full: bool,
}

impl Socket {
    /// Opens a socket at an address of this machine, with port 0 at any free port. It has to be called within a runtime that has I/O.
    pub fn bind(address: impl ToSocketAddrs, config: Config) -> Result<Self, BindError> {
        let (udp, endpoint) = Udp::with_endpoint(address, config)?;
        Ok(Self { endpoint, io: watched(udp)?, timer: Timer::new()?, full: false })
    }

    /// Where it is.
    pub fn local_address(&self) -> io::Result<SocketAddr> {
        self.io.get_ref().socket().local_addr()
    }

    /// The endpoint, for flow, permits, keys and counters. What is sent or closed there leaves with the next future that is waited for.
    pub fn endpoint(&mut self) -> &mut Endpoint {
        &mut self.endpoint
    }

    /// The last error with which the system refused to send a datagram; to the protocol that datagram is lost.
    pub fn take_refused(&mut self) -> Option<io::Error> {
        self.io.get_mut().take_refused()
    }

    /// Calls a peer. Blocks may be sent at once.
    pub fn connect(&mut self, address: SocketAddr) -> Result<Peer, ConnectError> {
        self.endpoint.connect(self.io.get_ref().now(), address)
    }

    /// Calls a peer that has to have this key, with [`Security::Pinned`](suci::Security::Pinned). Blocks may be sent at once.
    pub fn connect_to(&mut self, address: SocketAddr, key: PublicKey) -> Result<Peer, ConnectError> {
        self.endpoint.connect_to(self.io.get_ref().now(), address, key)
    }

    /// Sends a block; waits while the queue of the peer is full. Dropped before it is done, it has sent nothing.
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

    /// The next event. Dropped before it is done, it has taken none.
    pub async fn event(&mut self) -> io::Result<Event> {
        loop {
            if let Some(event) = self.endpoint.poll_event() {
                return Ok(event);
            }
            self.turn().await?;
        }
    }

    /// Waits until all blocks to a peer are acknowledged; false if it is closed. Blocks that arrive meanwhile are kept for
    /// [`event`](Self::event).
    pub async fn flush(&mut self, peer: Peer) -> io::Result<bool> {
        loop {
            match self.endpoint.flow(peer) {
                None => return Ok(false),
                Some(flow) if flow.queued_blocks == 0 => return Ok(true),
                Some(_) => self.turn().await?,
            }
        }
    }

    /// One turn: sends what is due, waits for a datagram or a time-out, and takes what has come. Does not wait if it has sent something of which an
    /// event came.
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
                // Whether it can be written to is found out by writing.
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
