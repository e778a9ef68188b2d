//! The compared protocols, each as an end of a connection that carries whole messages in order.

mod enet;
mod kcp;
mod quinn;
mod suci;
mod tcp;
mod udp;

use std::error::Error;
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

pub type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Time without a message after which a measurement is abandoned.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// One end of a connection.
pub trait Link {
    /// Queues a message; several may be sent together.
    fn send(&mut self, message: &[u8]) -> Result<()>;
    /// Sends queued messages.
    fn flush(&mut self) -> Result<()>;
    /// Waits for the next message.
    fn receive(&mut self, into: &mut Vec<u8>) -> Result<()>;
    /// Continues for `time`, so that the peer gets its acknowledgements.
    fn linger(&mut self, time: Duration);
}

/// Waits for a caller.
pub type Serve = Box<dyn FnOnce() -> Result<Box<dyn Link>> + Send>;

/// A compared protocol.
#[derive(Clone, Copy)]
pub struct Protocol {
    pub name: &'static str,
    /// Whether messages are encrypted and authenticated.
    pub sealed: bool,
    /// Whether it uses UDP, and therefore the lossy relay.
    pub relayed: bool,
    /// Whether it recovers lost messages.
    pub reliable: bool,
    /// Binds a port on loopback.
    pub serve: fn() -> Result<(SocketAddr, Serve)>,
    /// Connects to a bound address, possibly through a relay.
    pub call: fn(SocketAddr) -> Result<Box<dyn Link>>,
}

/// All protocols, in the order of the report.
pub const ALL: [Protocol; 7] =
    [suci::SEALED, suci::TRUSTED, tcp::TCP, udp::UDP, quinn::QUINN, kcp::KCP, enet::ENET];

/// Waits for a socket, at most for `time`. Returns whether it is readable.
fn wait(socket: &UdpSocket, time: Duration) -> bool {
    let time = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() };
    poll(&mut [PollFd::new(socket, PollFlags::IN)], Some(&time)).is_ok_and(|ready| ready > 0)
}

/// An error once [`PATIENCE`] is over.
fn patient(since: Instant) -> Result<()> {
    if since.elapsed() > PATIENCE { Err(format!("nothing came for {PATIENCE:?}").into()) } else { Ok(()) }
}
