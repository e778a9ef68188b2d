//! Real UDP, a process for each node, or a thread.
//!
//! | Byte | Field | |
//! |---|---|---|
//! | 0 | key | of the run, 8 bytes; who does not have it is a stranger |
//! | 8 | version | of the messages, little-endian; who has another one is a stranger, too |
//! | 10 | from | number of the sender, little-endian, which is to be at its address |
//! | 12 | packet | with the paper's header |
//!
//! The key keeps other runs and accidents out, not an enemy who can read along: nothing is encrypted. So sockets are bound to loopback unless the program says
//! otherwise.

use std::net::{SocketAddr, ToSocketAddrs, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use super::member::{self, Member, NAP};
use crate::config::Config;
use crate::datagram::Datagram;
use crate::dsm::{Dsm, Handle};
use crate::error::Error;
use crate::node::Node;
use crate::reassembly::PACKET;

const HEADER: usize = 12;

/// Version of what nodes tell each other: one more whenever a node of before would read something else. Without it a node of another build would be taken for one that
/// sends nonsense.
const VERSION: u16 = 1;

pub(super) fn system(error: &std::io::Error) -> Error {
    Error::System(error.to_string())
}

/// A socket that does not know its peers yet.
#[derive(Debug)]
pub struct Seat(pub(super) UdpSocket);

impl Seat {
    /// A free port of loopback.
    pub fn loopback() -> Result<Seat, Error> {
        Seat::bind("127.0.0.1:0")
    }

    /// Any address, that of a real network too.
    pub fn bind(address: impl ToSocketAddrs) -> Result<Seat, Error> {
        UdpSocket::bind(address).map(Seat).map_err(|error| system(&error))
    }

    /// Where it is.
    pub fn address(&self) -> Result<SocketAddr, Error> {
        self.0.local_addr().map_err(|error| system(&error))
    }
}

/// Who takes part in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peers {
    /// Number of this node.
    pub node: usize,
    /// Where all nodes are, this one too.
    pub addresses: Vec<SocketAddr>,
    /// Of this run, the same for all nodes.
    pub key: u64,
}

struct Socket {
    socket: UdpSocket,
    peers: Peers,
}

impl Socket {
    /// The sender of a datagram and its packet, unless it is of a stranger.
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
        // What does not leave is lost, and is sent again.
        let _ = self.socket.send_to(&bytes, self.peers.addresses[usize::from(to)]);
    }
}

/// Key and version, in front of each datagram.
fn opening(key: u64) -> [u8; 10] {
    let mut bytes = [0; 10];
    bytes[..8].copy_from_slice(&key.to_le_bytes());
    bytes[8..].copy_from_slice(&VERSION.to_le_bytes());
    bytes
}

/// What a node sends when its program calls.
struct Wire<'a>(&'a Socket);

impl Datagram for Wire<'_> {
    fn send_to(&mut self, to: u16, packet: &[u8]) {
        self.0.send(to, packet);
    }

    fn receive_from(&mut self) -> Option<(u16, Vec<u8>)> {
        None
    }
}

/// What has come for a node, and what it has to say to that.
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

/// A node that takes part in a run.
pub fn member(seat: Seat, peers: Peers, config: Config) -> Result<Member, Error> {
    let (me, nodes) = member::seated(&peers)?;
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

/// What the thread of a node does.
fn serve(socket: &Socket, handle: &Handle, ends: &AtomicBool, strangers: &AtomicU64, start: Instant) {
    let mut buffer = [0; HEADER + PACKET + 1];
    while !ends.load(Ordering::Relaxed) {
        // Nothing within a nap, or news of a peer that is not there yet: both are for timers.
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
        // The program may go on with what has come, and gets the node at once: sending does not need it.
        for (to, packet) in mail.leaves {
            socket.send(to, &packet);
        }
    }
}

/// Runs the program of a node, which takes part in a run until all have ended.
pub fn join<R>(
    seat: Seat,
    peers: Peers,
    config: Config,
    program: impl AsyncFnOnce(Dsm) -> Result<R, Error>,
) -> Result<R, Error> {
    member(seat, peers, config)?.run(program)
}
