//! A UDP socket with batched system calls (GSO, GRO, recvmmsg), ECN, and fragmentation disabled. For adapters
//! that integrate an [`Endpoint`] into their own event loop, as [`sync`](crate::sync) does.

use std::io::{self, ErrorKind, IoSliceMut};
use std::net::{SocketAddr, ToSocketAddrs, UdpSocket};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::time::Instant as Clock;

use quinn_udp::{EcnCodepoint, RecvMeta, UdpSockRef, UdpSocketState};

use crate::record::Recorder;
use crate::{Config, ConfigError, Endpoint, Instant};

/// Buffers of one receive call.
const BATCH: usize = 8;
/// Length of a buffer: one UDP datagram, or several merged by the kernel.
const LONGEST: usize = 65_535;
/// Largest number of bytes in one send call.
const MOST_AT_ONCE: usize = 65_000;
/// Kernel memory charged for each byte of a datagram: the kernel counts whole pages and metadata.
const BUFFER_FACTOR: usize = 2;

/// Reason why a socket could not be created.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// The configuration is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The operating system has refused the socket.
    #[error("the socket could not be created: {0}")]
    Socket(#[from] io::Error),
}

/// Datagrams of one send call: one destination and one length, with an optional shorter one at the end.
#[derive(Default)]
struct Batch {
    to: Option<SocketAddr>,
    ecn: bool,
    segment: usize,
    bytes: Vec<u8>,
}

impl Batch {
    /// Whether another datagram fits the batch.
    fn takes(&self, to: SocketAddr, ecn: bool, length: usize, most: usize) -> bool {
        let whole = self.bytes.len().is_multiple_of(self.segment.max(1));
        let room = self.bytes.len() / self.segment.max(1) < most && self.bytes.len() + length <= MOST_AT_ONCE;
        self.to.is_none()
            || (self.to == Some(to) && self.ecn == ecn && length <= self.segment && whole && room)
    }

    fn add(&mut self, to: SocketAddr, ecn: bool, bytes: &[u8]) {
        if self.to.is_none() {
            (self.to, self.ecn, self.segment) = (Some(to), ecn, bytes.len());
        }
        self.bytes.extend_from_slice(bytes);
    }

    fn clear(&mut self) {
        self.to = None;
        self.bytes.clear();
    }
}

/// A non-blocking UDP socket.
pub struct Udp {
    socket: UdpSocket,
    state: UdpSocketState,
    begin: Clock,
    buffers: Vec<u8>,
    batch: Batch,
    /// Datagram after the batch that could not be sent because the socket was full.
    after: Batch,
    refused: Option<io::Error>,
}

impl Udp {
    /// Binds a local address; port 0 selects a free port. The receive buffer is sized for the budget of the
    /// configuration, up to the system limit (`net.core.rmem_max`).
    pub fn bind(address: impl ToSocketAddrs, config: &Config) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        let state = UdpSocketState::new(UdpSockRef::from(&socket))?;
        socket.set_nonblocking(true)?;
        // A smaller buffer is acceptable: datagrams lost in it are retransmitted.
        let _ = state.set_recv_buffer_size(UdpSockRef::from(&socket), config.budget * BUFFER_FACTOR);
        Ok(Self {
            socket,
            state,
            begin: Clock::now(),
            buffers: vec![0; BATCH * LONGEST],
            batch: Batch::default(),
            after: Batch::default(),
            refused: None,
        })
    }

    /// Creates a socket and its endpoint with a seed of the operating system.
    pub fn with_endpoint(address: impl ToSocketAddrs, config: Config) -> Result<(Self, Endpoint), BindError> {
        Self::with_recorded(address, config, |_| Ok(None))
    }

    /// Creates a socket and its endpoint, and records all calls. The recorder is created for the bound
    /// address.
    pub fn with_recorded(
        address: impl ToSocketAddrs,
        config: Config,
        recorder: impl FnOnce(SocketAddr) -> io::Result<Option<Box<dyn Recorder>>>,
    ) -> Result<(Self, Endpoint), BindError> {
        let mut seed = [0; 32];
        let mut filled = 0;
        while filled < seed.len() {
            let flags = rustix::rand::GetRandomFlags::empty();
            filled += rustix::rand::getrandom(&mut seed[filled..], flags).map_err(io::Error::from)?;
        }
        let udp = Self::bind(address, &config)?;
        let endpoint = match recorder(udp.socket.local_addr()?)? {
            Some(recorder) => Endpoint::recorded(config, seed, recorder)?,
            None => Endpoint::new(config, seed)?,
        };
        Ok((udp, endpoint))
    }

    /// The socket, to wait for readiness.
    pub fn socket(&self) -> &UdpSocket {
        &self.socket
    }

    /// Time since the creation of the socket, for the endpoint.
    pub fn now(&self) -> Instant {
        Instant::from_nanos(u64::try_from(self.begin.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }

    /// Last error of the system on sending; the protocol treats the datagram as lost.
    pub fn take_refused(&mut self) -> Option<io::Error> {
        self.refused.take()
    }

    /// Passes the datagrams of one receive call to an endpoint. Returns true if there may be more.
    pub fn receive(&mut self, endpoint: &mut Endpoint) -> io::Result<bool> {
        let mut buffers: [IoSliceMut<'_>; BATCH] = {
            let mut chunks = self.buffers.chunks_exact_mut(LONGEST);
            core::array::from_fn(|_| IoSliceMut::new(chunks.next().unwrap_or_default()))
        };
        let mut of: [RecvMeta; BATCH] = core::array::from_fn(|_| RecvMeta::default());
        let count = match self.state.recv(UdpSockRef::from(&self.socket), &mut buffers, &mut of) {
            Ok(count) => count,
            Err(error) => {
                return match error.kind() {
                    ErrorKind::WouldBlock => Ok(false),
                    // ICMP port unreachable for an earlier datagram; the protocol detects absent peers
                    // itself.
                    ErrorKind::ConnectionRefused | ErrorKind::Interrupted => Ok(true),
                    _ => Err(error),
                };
            }
        };
        let now = Instant::from_nanos(u64::try_from(self.begin.elapsed().as_nanos()).unwrap_or(u64::MAX));
        for (buffer, of) in buffers.iter().zip(&of[..count]) {
            let marked = of.ecn == Some(EcnCodepoint::Ce);
            if of.len == 0 {
                endpoint.input_marked(now, of.addr, &[], marked);
            }
            for datagram in buffer[..of.len].chunks(of.stride.max(1)) {
                endpoint.input_marked(now, of.addr, datagram, marked);
            }
        }
        Ok(count == BATCH)
    }

    /// Sends the endpoint's datagrams. Returns false if the socket is full; call again when it is writable.
    pub fn send(&mut self, endpoint: &mut Endpoint) -> io::Result<bool> {
        if self.after.to.is_some() {
            if !self.flush()? {
                return Ok(false);
            }
            std::mem::swap(&mut self.batch, &mut self.after);
        }
        let most = self.state.max_gso_segments();
        loop {
            let now = self.now();
            let Some(transmit) = endpoint.poll_transmit(now) else { return self.flush() };
            let (to, ecn) = (transmit.to, transmit.ecn);
            if self.batch.takes(to, ecn, transmit.bytes.len(), most) {
                self.batch.add(to, ecn, transmit.bytes);
                continue;
            }
            self.after.add(to, ecn, transmit.bytes);
            if !self.flush()? {
                return Ok(false);
            }
            std::mem::swap(&mut self.batch, &mut self.after);
        }
    }

    /// Sends the batch. Returns false if the socket is full.
    fn flush(&mut self) -> io::Result<bool> {
        let Some(to) = self.batch.to else { return Ok(true) };
        let whole = self.write(to, &self.batch.bytes);
        let result = match whole {
            // Some network devices do not support segmentation offload.
            Err(error)
                if error.kind() != ErrorKind::WouldBlock && self.batch.bytes.len() > self.batch.segment =>
            {
                self.batch.bytes.chunks(self.batch.segment).try_for_each(|bytes| self.write(to, bytes))
            }
            result => result,
        };
        match result {
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
            // An MTU probe exceeds the interface MTU.
            Err(error) if quinn_udp::is_msg_size_err(&error) => {}
            Err(error) => self.refused = Some(error),
            Ok(()) => {}
        }
        self.batch.clear();
        Ok(true)
    }

    fn write(&self, to: SocketAddr, bytes: &[u8]) -> io::Result<()> {
        let transmit = quinn_udp::Transmit {
            destination: to,
            ecn: self.batch.ecn.then_some(EcnCodepoint::Ect0),
            contents: bytes,
            segment_size: Some(self.batch.segment),
            src_ip: None,
        };
        self.state.try_send(UdpSockRef::from(&self.socket), &transmit)
    }
}

impl AsFd for Udp {
    /// File descriptor of the socket.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl AsRawFd for Udp {
    /// File descriptor of the socket.
    fn as_raw_fd(&self) -> RawFd {
        self.socket.as_raw_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datagrams_of_one_length_form_a_batch_that_a_shorter_one_ends() {
        let (here, there) = (([127, 0, 0, 1], 1).into(), ([127, 0, 0, 1], 2).into());
        let mut batch = Batch::default();
        assert!(batch.takes(here, true, 1_200, 64));
        batch.add(here, true, &[0; 1_200]);
        assert!(batch.takes(here, true, 1_200, 64) && batch.takes(here, true, 5, 64));
        assert!(!batch.takes(there, true, 1_200, 64) && !batch.takes(here, false, 1_200, 64));
        assert!(!batch.takes(here, true, 1_201, 64) && !batch.takes(here, true, 1_200, 1));
        batch.add(here, true, &[0; 5]);
        assert!(!batch.takes(here, true, 5, 64));
        batch.clear();
        assert!(batch.takes(there, false, 60_000, 1));
    }

    #[test]
    fn each_datagram_is_passed_on_once_even_an_empty_one() {
        let config = Config::new(crate::Rules::MODERN, crate::Security::Trusted);
        let (mut udp, mut endpoint) = Udp::with_endpoint("127.0.0.1:0", config).unwrap();
        let sender = UdpSocket::bind("127.0.0.1:0").unwrap();
        for (length, received) in [(0, 1), (5, 2), (0, 3)] {
            sender.send_to(&vec![9; length], udp.socket().local_addr().unwrap()).unwrap();
            // Datagrams to the same computer have arrived when they are sent.
            while udp.receive(&mut endpoint).unwrap() {}
            assert_eq!(
                (endpoint.counters().received, endpoint.counters().all_dropped()),
                (received, received)
            );
        }
    }
}
