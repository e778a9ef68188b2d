//! Those that are compared, each as one end of a connection that carries messages whole and in order.

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

/// How long a message is waited for before a measurement is given up.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// One end of a connection.
pub trait Link {
    /// Queues a message; it may wait for others.
    fn send(&mut self, message: &[u8]) -> Result<()>;
    /// Lets leave what waits.
    fn flush(&mut self) -> Result<()>;
    /// Waits for the next message.
    fn receive(&mut self, into: &mut Vec<u8>) -> Result<()>;
    /// Goes on for so long, so that the other end gets its acknowledgements.
    fn linger(&mut self, time: Duration);
}

/// Waits for a caller.
pub type Serve = Box<dyn FnOnce() -> Result<Box<dyn Link>> + Send>;

/// One of those that are compared.
#[derive(Clone, Copy)]
pub struct Protocol {
    pub name: &'static str,
    /// Messages are encrypted and authenticated.
    pub sealed: bool,
    /// It goes over UDP, and so through a relay that loses datagrams.
    pub relayed: bool,
    /// Nothing is lost of what it carries.
    pub reliable: bool,
    /// Binds to a port of the loopback.
    pub serve: fn() -> Result<(SocketAddr, Serve)>,
    /// Calls what was bound, maybe through a relay.
    pub call: fn(SocketAddr) -> Result<Box<dyn Link>>,
}

/// All of them.
pub const ALL: [Protocol; 7] =
    [suci::SEALED, suci::TRUSTED, tcp::TCP, udp::UDP, quinn::QUINN, kcp::KCP, enet::ENET];

/// Waits for a socket, at most so long; true if something has come.
fn wait(socket: &UdpSocket, time: Duration) -> bool {
    let time = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() };
    poll(&mut [PollFd::new(socket, PollFlags::IN)], Some(&time)).is_ok_and(|ready| ready > 0)
}

/// An error once the time is over.
fn patient(since: Instant) -> Result<()> {
    if since.elapsed() > PATIENCE { Err(format!("nothing came for {PATIENCE:?}").into()) } else { Ok(()) }
}
