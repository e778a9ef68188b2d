//! An endpoint on a real UDP socket, for programs that wait.
//!
//! Calls drive the protocol: while the program computes, nothing is acknowledged and nothing sent again, as in the paper. A program
//! that computes for long gives a [`Socket`] a thread of its own, or calls [`Socket::turn`] between.
//!
//! Waiting is `ppoll`, whose time-outs the kernel keeps to some 50 us. The read time-out of a socket would be rounded up to ticks of
//! the kernel, 4 ms on most, many times the round trip after which a lost packet is to be sent again.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, ToSocketAddrs, UdpSocket};
use std::time::{Duration, Instant as Clock};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::{Config, ConfigError, ConnectError, Endpoint, Event, Instant, Peer, Priority, SendError};

/// Datagrams that are taken before others are sent.
const BATCH: usize = 64;
/// What the kernel charges a socket's buffer for a datagram, in bytes for each of its own: it counts whole pages and a head.
const BUFFER_FACTOR: usize = 2;

/// Why there is no socket.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// The configuration is none.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The operating system refused.
    #[error("the socket could not be made: {0}")]
    Socket(#[from] io::Error),
}

/// Why a block was not sent.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It was not taken, also after waiting.
    #[error(transparent)]
    Send(#[from] SendError),
    /// Waiting failed.
    #[error("waiting for the socket failed: {0}")]
    Wait(#[from] io::Error),
}

/// An endpoint on a UDP socket.
pub struct Socket {
    endpoint: Endpoint,
    socket: UdpSocket,
    begin: Clock,
    buffer: Vec<u8>,
    refused: Option<io::Error>,
}

impl Socket {
    /// Opens a socket at an address of this machine, with port 0 at any free port. Its receive buffer is made as large as the
    /// budget of the configuration asks, as far as the system allows (`net.core.rmem_max`).
    pub fn bind(address: impl ToSocketAddrs, config: Config) -> Result<Self, BindError> {
        let mut seed = [0; 32];
        let mut filled = 0;
        while filled < seed.len() {
            let flags = rustix::rand::GetRandomFlags::empty();
            filled += rustix::rand::getrandom(&mut seed[filled..], flags).map_err(io::Error::from)?;
        }
        let buffer = vec![0; config.datagram + 1];
        let room = config.budget * BUFFER_FACTOR;
        let endpoint = Endpoint::new(config, seed)?;
        let socket = UdpSocket::bind(address)?;
        socket.set_nonblocking(true)?;
        // A smaller buffer is no error: what it has no room for is sent again.
        let _ = rustix::net::sockopt::set_socket_recv_buffer_size(&socket, room);
        Ok(Self { endpoint, socket, begin: Clock::now(), buffer, refused: None })
    }

    /// Where it is.
    pub fn local_address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// The endpoint, for flow, permits and counters. After `send` or `close` on it, call [`turn`](Self::turn).
    pub fn endpoint(&mut self) -> &mut Endpoint {
        &mut self.endpoint
    }

    /// The last error with which the system refused to send a datagram; to the protocol that datagram is lost.
    pub fn take_refused(&mut self) -> Option<io::Error> {
        self.refused.take()
    }

    fn now(&self) -> Instant {
        Instant::from_nanos(u64::try_from(self.begin.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }

    /// Calls a peer. Blocks may be sent at once.
    pub fn connect(&mut self, address: SocketAddr) -> Result<Peer, ConnectError> {
        let now = self.now();
        self.endpoint.connect(now, address)
    }

    /// Sends a block, and waits so long for room in the queue. `datagram_write` of the paper (section 4.1).
    pub fn send(
        &mut self,
        peer: Peer,
        priority: Priority,
        block: &[u8],
        wait: Duration,
    ) -> Result<(), Error> {
        let end = Clock::now() + wait;
        loop {
            match self.endpoint.send(peer, priority, block) {
                Err(SendError::Full { .. }) if Clock::now() < end => {
                    self.turn(end.saturating_duration_since(Clock::now()))?;
                }
                result => {
                    self.turn(Duration::ZERO)?;
                    return Ok(result?);
                }
            }
        }
    }

    /// The next event, none if there is none for so long. `datagram_ready` and `datagram_read` of the paper (section 4.3).
    pub fn event(&mut self, wait: Duration) -> io::Result<Option<Event>> {
        let end = Clock::now() + wait;
        loop {
            if let Some(event) = self.endpoint.poll_event() {
                return Ok(Some(event));
            }
            let left = end.saturating_duration_since(Clock::now());
            self.turn(left)?;
            if left.is_zero() {
                return Ok(self.endpoint.poll_event());
            }
        }
    }

    /// Waits until all blocks to a peer are acknowledged; false if they are not after so long, or the peer is closed. Blocks that
    /// arrive meanwhile are kept for [`event`](Self::event).
    pub fn flush(&mut self, peer: Peer, wait: Duration) -> io::Result<bool> {
        let end = Clock::now() + wait;
        loop {
            match self.endpoint.flow(peer) {
                None => return Ok(false),
                Some(flow) if flow.queued_blocks == 0 => return Ok(true),
                Some(_) if Clock::now() >= end => return Ok(false),
                Some(_) => self.turn(end.saturating_duration_since(Clock::now()))?,
            }
        }
    }

    /// One turn: takes what has come, sends what is due, and waits for the next of either, at most so long.
    pub fn turn(&mut self, wait: Duration) -> io::Result<()> {
        let took = self.take()?;
        self.give()?;
        if took || wait.is_zero() {
            return Ok(());
        }
        let due = self.endpoint.poll_timeout().map_or(wait, |at| at.since(self.now()).min(wait));
        if self.poll(PollFlags::IN, due)? {
            self.take()?;
        }
        self.give()
    }

    fn poll(&self, flags: PollFlags, wait: Duration) -> io::Result<bool> {
        let time = Timespec {
            tv_sec: i64::try_from(wait.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(wait.subsec_nanos()),
        };
        match poll(&mut [PollFd::new(&self.socket, flags)], Some(&time)) {
            Ok(ready) => Ok(ready > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn take(&mut self) -> io::Result<bool> {
        for count in 0..BATCH {
            match self.socket.recv_from(&mut self.buffer) {
                Ok((length, from)) => {
                    let now = self.now();
                    self.endpoint.input(now, from, &self.buffer[..length]);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(count > 0),
                // An answer to an earlier datagram, that nobody listens there: the protocol finds out by itself.
                Err(error)
                    if matches!(error.kind(), ErrorKind::ConnectionRefused | ErrorKind::Interrupted) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    fn give(&mut self) -> io::Result<()> {
        loop {
            let now = self.now();
            let Some(transmit) = self.endpoint.poll_transmit(now) else { return Ok(()) };
            let (to, mut result) = (transmit.to, self.socket.send_to(transmit.bytes, transmit.to));
            if result.as_ref().is_err_and(|error| error.kind() == ErrorKind::WouldBlock) {
                // The network is slower than we are.
                let bytes = transmit.bytes.to_vec();
                self.poll(PollFlags::OUT, Duration::from_millis(10))?;
                result = self.socket.send_to(&bytes, to);
            }
            if let Err(error) = result {
                self.refused = Some(error);
            }
        }
    }
}
