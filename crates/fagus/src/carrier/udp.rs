//! Nodes over UDP, one process or thread each.
//!
//! | Byte | Field | |
//! |---|---|---|
//! | 0 | key | of the run, 8 bytes; datagrams with another key are ignored |
//! | 8 | version | of the messages, little-endian; other versions are ignored |
//! | 10 | from | number of the sender, little-endian; must match the source address |
//! | 12 | packet | with the paper's header |
//!
//! The key separates runs from each other and from stray datagrams. It is no protection against an attacker
//! who can read the traffic, because nothing is encrypted. Sockets are therefore bound to loopback by
//! default.

use std::net::{SocketAddr, ToSocketAddrs, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use super::member::{Member, NAP};
use crate::config::Config;
use crate::datagram::Datagram;
use crate::dsm::Dsm;
use crate::error::Error;
use crate::handle::Handle;
use crate::node::Node;
use crate::reassembly::PACKET;

pub use super::peers::Peers;

const HEADER: usize = 12;

/// Version of the messages, incremented with every incompatible change. Without it messages of another build
/// would count as malformed.
const VERSION: u16 = 1;

pub(super) fn system(error: &std::io::Error) -> Error {
    Error::System(error.to_string())
}

/// A bound socket before its peers are known.
#[derive(Debug)]
pub struct Seat(pub(super) UdpSocket);

impl Seat {
    /// Binds a free port of loopback.
    pub fn loopback() -> Result<Seat, Error> {
        Seat::bind("127.0.0.1:0")
    }

    /// Binds any address.
    pub fn bind(address: impl ToSocketAddrs) -> Result<Seat, Error> {
        UdpSocket::bind(address).map(Seat).map_err(|error| system(&error))
    }

    /// Bound address.
    pub fn address(&self) -> Result<SocketAddr, Error> {
        self.0.local_addr().map_err(|error| system(&error))
    }
}

struct Socket {
    socket: UdpSocket,
    peers: Peers,
}

impl Socket {
    /// Sender and packet of a datagram, or `None` if the sender is unknown.
    fn known(&self, bytes: &[u8], source: SocketAddr) -> Option<(u16, Vec<u8>)> {
        let (header, packet) = bytes.split_at_checked(HEADER)?;
        let from = u16::from_le_bytes([header[10], header[11]]);
        let here = self.peers.addresses.get(usize::from(from)) == Some(&source);
        let ours = header[..10] == opening(self.peers.key);
        (ours && here).then(|| (from, packet.to_vec()))
    }

    fn send(&self, to: u16, packet: &[u8]) {
        let from = (self.peers.node as u16).to_le_bytes();
        let bytes = [&opening(self.peers.key)[..], &from, packet].concat();
        // A send error counts as a lost packet, which is retransmitted.
        let _ = self.socket.send_to(&bytes, self.peers.addresses[usize::from(to)]);
    }
}

/// Key and version at the beginning of each datagram.
fn opening(key: u64) -> [u8; 10] {
    let mut bytes = [0; 10];
    bytes[..8].copy_from_slice(&key.to_le_bytes());
    bytes[8..].copy_from_slice(&VERSION.to_le_bytes());
    bytes
}

/// Sends packets during calls of the program.
struct Wire<'a>(&'a Socket);

impl Datagram for Wire<'_> {
    fn send_to(&mut self, to: u16, packet: &[u8]) {
        self.0.send(to, packet);
    }

    fn receive_from(&mut self) -> Option<(u16, Vec<u8>)> {
        None
    }
}

/// A received packet and the packets that answer it.
#[derive(Default)]
struct Mail {
    come: Option<(u16, Vec<u8>)>,
    leaves: Vec<(u16, Vec<u8>)>,
}

impl Datagram for Mail {
    fn send_to(&mut self, to: u16, packet: &[u8]) {
        self.leaves.push((to, packet.to_vec()));
    }

    fn receive_from(&mut self) -> Option<(u16, Vec<u8>)> {
        self.come.take()
    }
}

/// Joins a run as a node.
pub fn member(seat: Seat, peers: Peers, config: Config) -> Result<Member, Error> {
    let (me, nodes) = peers.seated()?;
    let start = Instant::now();
    seat.0.set_read_timeout(Some(NAP)).map_err(|error| system(&error))?;
    let socket = Arc::new(Socket { socket: seat.0, peers });
    let sends = socket.clone();
    let flush = move |node: &mut Node| node.serve(start.elapsed(), &mut Wire(&sends));
    let handle = Handle::new(Node::new(me, nodes, config), Box::new(flush));
    Ok(Member::start(handle, config.timers, move |handle, ends, strangers| {
        serve(&socket, handle, ends, strangers, start);
    }))
}

/// Loop of the node's thread.
fn serve(socket: &Socket, handle: &Handle, ends: &AtomicBool, strangers: &AtomicU64, start: Instant) {
    let mut buffer = [0; HEADER + PACKET + 1];
    while !ends.load(Ordering::Relaxed) {
        // A timeout or an ICMP error of an absent peer only lets the timers run.
        let come = match socket.socket.recv_from(&mut buffer) {
            Ok((bytes, source)) => {
                let known = socket.known(&buffer[..bytes], source);
                if known.is_none() {
                    strangers.fetch_add(1, Ordering::Relaxed);
                }
                known
            }
            Err(_) => None,
        };
        let mut mail = Mail { come, ..Mail::default() };
        handle.node().serve(start.elapsed(), &mut mail);
        // The node is unlocked before the packets are sent, so that the program can continue at once.
        for (to, packet) in mail.leaves {
            socket.send(to, &packet);
        }
    }
}

/// Joins a run, runs the program of the node, and leaves when all programs have ended.
pub fn join<R>(
    seat: Seat,
    peers: Peers,
    config: Config,
    program: impl AsyncFnOnce(Dsm) -> Result<R, Error>,
) -> Result<R, Error> {
    member(seat, peers, config)?.run(program)
}
