//! An endpoint on a real UDP socket, for programs that wait.
//!
//! Calls drive the protocol: while the program computes, nothing is acknowledged and nothing sent again, as in the paper. A program
//! that computes for long gives a [`Socket`] a thread of its own, or calls [`Socket::turn`] between.
//!
//! Waiting is `ppoll`, whose time-outs the kernel keeps to some 50 us. The read time-out of a socket would be rounded up to ticks of
//! the kernel, 4 ms on most, many times the round trip after which a lost packet is to be sent again.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::{Duration, Instant as Clock};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::record::Recorder;
pub use crate::udp::BindError;
use crate::udp::Udp;
use crate::{Config, ConnectError, Endpoint, Event, Peer, Priority, PublicKey, SendError};

/// Bytes of blocks after which is looked whether something has come, though nobody waits for it.
const LOOK: usize = 32 << 10;
/// Calls in, before what has come is answered.
const CALLS: usize = 8;

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
    udp: Udp,
    /// Bytes that were queued since the last look at what has come, and since something was sent.
    unlooked: usize,
    unsent: usize,
    /// More came at the last look than one call brings.
    busy: bool,
}

impl Socket {
    /// Opens a socket at an address of this machine, with port 0 at any free port. Its receive buffer is made as large as the
    /// budget of the configuration asks, as far as the system allows (`net.core.rmem_max`).
    pub fn bind(address: impl ToSocketAddrs, config: Config) -> Result<Self, BindError> {
        Self::bind_with(address, config, |_| Ok(None))
    }

    /// The same, and tells a recorder, which is made for the address of the socket, all that is done with its endpoint.
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

    /// Where it is.
    pub fn local_address(&self) -> io::Result<SocketAddr> {
        self.udp.socket().local_addr()
    }

    /// The endpoint, for flow, permits and counters. After `send` or `close` on it, call [`turn`](Self::turn).
    pub fn endpoint(&mut self) -> &mut Endpoint {
        &mut self.endpoint
    }

    /// The last error with which the system refused to send a datagram; to the protocol that datagram is lost.
    pub fn take_refused(&mut self) -> Option<io::Error> {
        self.udp.take_refused()
    }

    /// Calls a peer. Blocks may be sent at once.
    pub fn connect(&mut self, address: SocketAddr) -> Result<Peer, ConnectError> {
        self.endpoint.connect(self.udp.now(), address)
    }

    /// Calls a peer that has to have this key, with [`Security::Pinned`](crate::Security::Pinned). Blocks may be sent at once.
    pub fn connect_to(&mut self, address: SocketAddr, key: PublicKey) -> Result<Peer, ConnectError> {
        self.endpoint.connect_to(self.udp.now(), address, key)
    }

    /// Sends a block, and waits so long for room in the queue. `datagram_write` of the paper (section 4.1).
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

    /// Queues a block, and waits so long for room in the queue. It leaves together with others, when they are many, or with the next
    /// call of anything else: for many small blocks in a row, which then share datagrams.
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

    /// Lets leave what [`post`](Self::post) has queued, as far as it may.
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

    /// The next event, none if there is none for so long. `datagram_ready` and `datagram_read` of the paper (section 4.3).
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

    /// One turn: takes what has come, sends what is due, and waits for the next of either, at most so long. Does not wait if it has sent something of
    /// which an event came.
    pub fn turn(&mut self, wait: Duration) -> io::Result<()> {
        // Who waits has sent something, most of the time, to which nothing has come back yet.
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

    /// True if something has come.
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
            // The network is slower than we are.
            if !self.poll(PollFlags::OUT, Duration::from_millis(10))? {
                break;
            }
        }
        Ok(())
    }
}
