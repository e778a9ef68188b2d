//! Blocking API: an endpoint on a UDP socket.
//!
//! Calls drive the protocol: while the program computes, nothing is acknowledged or retransmitted, as in the
//! paper. A program with long computations runs its [`Socket`] in a thread or calls [`Socket::turn`]
//! regularly.
//!
//! Waiting uses `ppoll`, whose timeouts are accurate to about 50 us. The read timeout of a socket would be
//! rounded up to kernel ticks, often 4 ms, many times the round trip after which a lost packet is
//! retransmitted.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::{Duration, Instant as Clock};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::record::Recorder;
pub use crate::udp::BindError;
use crate::udp::Udp;
use crate::{Config, ConnectError, Endpoint, Event, Peer, Priority, PublicKey, SendError};

/// Queued bytes after which the socket is polled even without waiting.
const LOOK: usize = 32 << 10;
/// Receive calls before received datagrams are answered.
const CALLS: usize = 8;

/// Reason why a block was not sent.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The endpoint has not accepted it, even after waiting.
    #[error(transparent)]
    Send(#[from] SendError),
    /// Waiting for the socket failed.
    #[error("waiting for the socket failed: {0}")]
    Wait(#[from] io::Error),
}

/// An endpoint on a UDP socket.
pub struct Socket {
    endpoint: Endpoint,
    udp: Udp,
    /// Bytes queued since the socket was last polled, and since datagrams were last sent.
    unlooked: usize,
    unsent: usize,
    /// Whether the last poll has left datagrams in the socket.
    busy: bool,
}

impl Socket {
    /// Binds a local address; port 0 selects a free port. The receive buffer is sized for the budget of the
    /// configuration, up to the system limit (`net.core.rmem_max`).
    pub fn bind(address: impl ToSocketAddrs, config: Config) -> Result<Self, BindError> {
        Self::bind_with(address, config, |_| Ok(None))
    }

    /// Binds a socket and records all calls of its endpoint. The recorder is created for the bound address.
    pub fn bind_recorded(
        address: impl ToSocketAddrs,
        config: Config,
        recorder: impl FnOnce(SocketAddr) -> io::Result<Box<dyn Recorder>>,
    ) -> Result<Self, BindError> {
        Self::bind_with(address, config, |address| recorder(address).map(Some))
    }

    fn bind_with(
        address: impl ToSocketAddrs,
        config: Config,
        recorder: impl FnOnce(SocketAddr) -> io::Result<Option<Box<dyn Recorder>>>,
    ) -> Result<Self, BindError> {
        let (udp, endpoint) = Udp::with_recorded(address, config, recorder)?;
        Ok(Self { endpoint, udp, unlooked: 0, unsent: 0, busy: false })
    }

    /// Bound address.
    pub fn local_address(&self) -> io::Result<SocketAddr> {
        self.udp.socket().local_addr()
    }

    /// The endpoint, for flow, permits and counters. Call [`turn`](Self::turn) after `send` or `close` on it.
    pub fn endpoint(&mut self) -> &mut Endpoint {
        &mut self.endpoint
    }

    /// Last error of the system on sending; the protocol treats the datagram as lost.
    pub fn take_refused(&mut self) -> Option<io::Error> {
        self.udp.take_refused()
    }

    /// Calls a peer. Blocks may be sent at once.
    pub fn connect(&mut self, address: SocketAddr) -> Result<Peer, ConnectError> {
        self.endpoint.connect(self.udp.now(), address)
    }

    /// Calls a peer that must have this key, with [`Security::Pinned`](crate::Security::Pinned). Blocks may
    /// be sent at once.
    pub fn connect_to(&mut self, address: SocketAddr, key: PublicKey) -> Result<Peer, ConnectError> {
        self.endpoint.connect_to(self.udp.now(), address, key)
    }

    /// Sends a block, waiting at most `wait` for room in the queue: `datagram_write` of the paper (section
    /// 4.1).
    pub fn send(
        &mut self,
        peer: Peer,
        priority: Priority,
        block: &[u8],
        wait: Duration,
    ) -> Result<(), Error> {
        self.queue(peer, priority, block, wait)?;
        if self.unlooked >= LOOK {
            self.turn(Duration::ZERO)?
        } else {
            self.give()?
        };
        Ok(())
    }

    /// Queues a block, waiting at most `wait` for room in the queue. Datagrams are sent once enough bytes are
    /// queued or by the next other call, so that many small blocks share datagrams.
    pub fn post(
        &mut self,
        peer: Peer,
        priority: Priority,
        block: &[u8],
        wait: Duration,
    ) -> Result<(), Error> {
        self.queue(peer, priority, block, wait)?;
        if self.unsent >= LOOK {
            self.turn(Duration::ZERO)?;
        }
        Ok(())
    }

    /// Sends blocks queued by [`post`](Self::post) as far as the window allows.
    pub fn push(&mut self) -> io::Result<()> {
        self.give()
    }

    fn queue(&mut self, peer: Peer, priority: Priority, block: &[u8], wait: Duration) -> Result<(), Error> {
        let mut end = None;
        loop {
            match self.endpoint.send(peer, priority, block) {
                Err(full @ SendError::Full { .. }) => {
                    let now = Clock::now();
                    let end = *end.get_or_insert(now + wait);
                    if now >= end {
                        return Err(full.into());
                    }
                    self.turn(end - now)?;
                }
                result => {
                    self.unlooked += block.len();
                    self.unsent += block.len();
                    return Ok(result?);
                }
            }
        }
    }

    /// Next event, or `None` after `wait`: `datagram_ready` and `datagram_read` of the paper (section 4.3).
    pub fn event(&mut self, wait: Duration) -> io::Result<Option<Event>> {
        let mut end = None;
        loop {
            if let Some(event) = self.endpoint.poll_event() {
                return Ok(Some(event));
            }
            let now = Clock::now();
            let left = end.get_or_insert(now + wait).saturating_duration_since(now);
            self.turn(left)?;
            if left.is_zero() {
                return Ok(self.endpoint.poll_event());
            }
        }
    }

    /// Waits until all blocks to a peer are acknowledged. Returns false after `wait`, or if the peer is
    /// closed. Events that arrive meanwhile remain for [`event`](Self::event).
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

    /// Receives, sends, and waits for the next datagram or timer, at most for `wait`. Returns at once if
    /// sending caused an event.
    pub fn turn(&mut self, wait: Duration) -> io::Result<()> {
        // A caller that waits has usually just sent something without an answer yet.
        if (wait.is_zero() || self.busy) && self.take()? {
            return self.give();
        }
        let events = self.endpoint.events();
        self.give()?;
        if wait.is_zero() || self.endpoint.events() > events {
            return Ok(());
        }
        let due = self.endpoint.poll_timeout().map_or(wait, |at| at.since(self.udp.now()).min(wait));
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
        match poll(&mut [PollFd::new(self.udp.socket(), flags)], Some(&time)) {
            Ok(ready) => Ok(ready > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Receives datagrams. Returns whether there were any.
    fn take(&mut self) -> io::Result<bool> {
        self.unlooked = 0;
        let before = self.endpoint.counters().received;
        self.busy = true;
        for _ in 0..CALLS {
            if !self.udp.receive(&mut self.endpoint)? {
                self.busy = false;
                break;
            }
        }
        Ok(self.endpoint.counters().received > before)
    }

    fn give(&mut self) -> io::Result<()> {
        self.unsent = 0;
        while !self.udp.send(&mut self.endpoint)? {
            // The socket buffer is full.
            if !self.poll(PollFlags::OUT, Duration::from_millis(10))? {
                break;
            }
        }
        Ok(())
    }
}
