//! A UDP socket with what the kernel offers: many datagrams in one call out (GSO) and in (recvmmsg, GRO), marks of congestion (ECN),
//! nothing cut in pieces on the way. For adapters that bring an [`Endpoint`] into a loop of their own, as [`sync`](crate::sync) does.

use std::io::{self, ErrorKind, IoSliceMut};
use std::net::{SocketAddr, ToSocketAddrs, UdpSocket};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::time::Instant as Clock;

use quinn_udp::{EcnCodepoint, RecvMeta, UdpSockRef, UdpSocketState};

use crate::record::Recorder;
use crate::{Config, ConfigError, Endpoint, Instant};

/// Buffers for one call in.
const BATCH: usize = 8;
/// Bytes of a buffer: what one UDP datagram, or several that the kernel has joined, can have.
const LONGEST: usize = 65_535;
/// Bytes of one call out, all its datagrams together.
const MOST_AT_ONCE: usize = 65_000;
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

/// Datagrams that leave in one call: to one address, of one length but for the last, which may be shorter.
#[derive(Default)]
struct Batch {
    to: Option<SocketAddr>,
    ecn: bool,
    segment: usize,
    bytes: Vec<u8>,
}

impl Batch {
    /// Whether one more fits.
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

/// A UDP socket that does not wait.
pub struct Udp {
    socket: UdpSocket,
    state: UdpSocketState,
    begin: Clock,
    buffers: Vec<u8>,
    batch: Batch,
    /// The datagram after it, if that did not fit, and the socket was full.
    after: Batch,
    refused: Option<io::Error>,
}

impl Udp {
    /// Opens a socket at an address of this machine, with port 0 at any free port. Its receive buffer is made as large as the
    /// budget of the configuration asks, as far as the system allows (`net.core.rmem_max`).
    pub fn bind(address: impl ToSocketAddrs, config: &Config) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        let state = UdpSocketState::new(UdpSockRef::from(&socket))?;
        socket.set_nonblocking(true)?;
        // A smaller buffer is no error: what it has no room for is sent again.
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

    /// A socket and an endpoint for it, with a seed of the operating system.
    pub fn with_endpoint(address: impl ToSocketAddrs, config: Config) -> Result<(Self, Endpoint), BindError> {
        Self::with_recorded(address, config, |_| Ok(None))
    }

    /// The same, and tells a recorder, which is made for the address of the socket, all that is done with the endpoint.
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

    /// The socket, to wait for it.
    pub fn socket(&self) -> &UdpSocket {
        &self.socket
    }

    /// Time since it was made, as an endpoint wants it.
    pub fn now(&self) -> Instant {
        Instant::from_nanos(u64::try_from(self.begin.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }

    /// The last error with which the system refused to send a datagram; to the protocol that datagram is lost.
    pub fn take_refused(&mut self) -> Option<io::Error> {
        self.refused.take()
    }

    /// Gives an endpoint what has come, as much as one call brings. True if there may be more.
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
                    // An answer to an earlier datagram, that nobody listens there: the protocol finds out by itself.
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

    /// Sends what an endpoint has to send. False if the socket is full: then this is to be called again when it can be written to.
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

    /// Sends the batch; false if the socket is full.
    fn flush(&mut self) -> io::Result<bool> {
        let Some(to) = self.batch.to else { return Ok(true) };
        let whole = self.write(to, &self.batch.bytes);
        let result = match whole {
            // Not every network device takes several at once.
            Err(error)
                if error.kind() != ErrorKind::WouldBlock && self.batch.bytes.len() > self.batch.segment =>
            {
                self.batch.bytes.chunks(self.batch.segment).try_for_each(|bytes| self.write(to, bytes))
            }
            result => result,
        };
        match result {
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
            // A datagram that was to find out whether so much is carried.
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
    /// Of its socket.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl AsRawFd for Udp {
    /// Of its socket.
    fn as_raw_fd(&self) -> RawFd {
        self.socket.as_raw_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datagrams_of_one_length_to_one_address_leave_together_and_a_shorter_one_ends_it() {
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
}
