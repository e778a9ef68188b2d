//! MPI over TCP/IP: a stream for each pair of ranks, with the system calls of ch_p4, the device of MPICH 1.0 for sockets.
//!
//! | Step | System calls (MPICH 1, mpid/ch_p4/p4/lib: p4_sock_sr.c, p4_sock_util.c) |
//! |---|---|
//! | open | connect or accept, and TCP_NODELAY |
//! | send | a write of the head, and a write of the rest, each a frame of its own |
//! | send without room | a write that copies no bytes |
//! | wait | a select over all streams, which sleeps |
//! | receive | a select over all streams that does not sleep, unless one has just succeeded; a select and a peek of the ready stream; a read of the head, and as many as the rest takes |
//!
//! Streams have no message boundaries, so the head of a packet is its length: 4 bytes, little endian. The sender's kernel takes a packet
//! whole or not at all. Therefore a receiver that has read a head can wait for the rest, which is in the kernels already.
//!
//! A rank opens the streams to ranks with lower numbers, and accepts the others.

use std::collections::VecDeque;

use cluster::{Duration, NodeId, Time};
use mpi::Host;
use mpi::carrier::{Carrier, Packet, Received, Sent, Wait};

use crate::card::{Card, Host as _};
use crate::stack::SEND_BYTES;
use crate::tcp::{StreamError, Tcp, TcpListener, TcpStream};

/// Most ranks. Each has buffers for every other one, in memory of the real computer.
pub const MOST_RANKS: usize = 64;

/// The port of MPI.
const PORT: u16 = 7_000;

/// Bytes of a packet's head, its length.
const HEAD: usize = 4;

/// Bytes of the longest packet: two of them fit into a send buffer, one in flight and one behind it.
const MOST_BYTES: usize = SEND_BYTES / 2 - HEAD;

/// Time at which all nodes have set their cards up and listen. Our choice.
const READY: Duration = Duration::from_us(40);

/// Attempts to reach a rank, and the time between them. Our choice: p4 asks for a number, and waits 2 s.
const TRIES: u32 = 10;
const AGAIN: Duration = Duration::from_us(1_000);

/// Time without an acknowledgement after which a rank is given up. Linux waits at least as long; our choice.
const PEER_TIMEOUT: Duration = Duration::from_us(60_000_000);

/// Another rank.
enum Peer<C: Card> {
    /// The rank has not connected yet.
    Awaited,
    /// An open stream, and the bytes of a packet that did not fit into its buffer.
    Here { stream: TcpStream<C>, lacks: usize },
    /// The stream has ended; also for the rank itself.
    Gone,
}

/// The carrier of a rank.
pub struct OverTcp<C: Card> {
    tcp: Tcp<C>,
    listener: TcpListener<C>,
    peers: Vec<Peer<C>>,
    host: Host,
    wait: Wait,
    /// First rank of the next look, so that all are looked at in rotation.
    first: usize,
    /// The last select has found a ready socket.
    told: bool,
    /// Room has become free in a stream.
    opened: bool,
    /// Ranks that were given up and not reported yet.
    lost: VecDeque<usize>,
}

impl<C: Card> OverTcp<C> {
    /// Opens the streams. A rank that cannot be reached is lost.
    pub async fn open(tcp: Tcp<C>, ranks: usize, wait: Wait, host: Host) -> OverTcp<C> {
        let own = usize::from(tcp.node().0);
        let listener = tcp.listen(PORT, ranks - own).await.expect("the port is not 0");
        let ready = Time::ZERO + READY;
        if host.now() < ready {
            host.compute(ready - host.now()).await;
        }
        let peers = (0..ranks).map(|peer| if peer > own { Peer::Awaited } else { Peer::Gone }).collect();
        let (first, told, opened, lost) = (0, false, false, VecDeque::new());
        let mut carrier = OverTcp { tcp, listener, peers, host, wait, first, told, opened, lost };
        for peer in 0..own {
            match carrier.connect(peer).await {
                Some(stream) => carrier.begin(peer, stream).await,
                None => carrier.lose(peer),
            }
        }
        carrier
    }

    async fn connect(&self, to: usize) -> Option<TcpStream<C>> {
        for _ in 0..TRIES {
            if let Ok(stream) = self.tcp.connect(NodeId(to as u16), PORT).await {
                return Some(stream);
            }
            self.host.compute(AGAIN).await;
        }
        None
    }

    async fn begin(&mut self, peer: usize, stream: TcpStream<C>) {
        stream.set_no_delay().await;
        stream.set_timeout(PEER_TIMEOUT);
        self.peers[peer] = Peer::Here { stream, lacks: 0 };
        self.opened = true;
    }

    fn lose(&mut self, peer: usize) {
        self.peers[peer] = Peer::Gone;
        self.lost.push_back(peer);
    }

    /// Whether a select would find a ready socket.
    fn is_ready(&self) -> bool {
        let ready = |peer: &Peer<C>| match peer {
            Peer::Here { stream, lacks } => stream.is_readable() || *lacks > 0 && stream.room() >= *lacks,
            _ => false,
        };
        self.listener.is_ready() || self.peers.iter().any(ready)
    }

    /// Number of sockets in a select: the listener and the streams.
    fn sockets(&self) -> usize {
        1 + self.peers.iter().filter(|peer| matches!(peer, Peer::Here { .. })).count()
    }

    async fn select(&self) -> bool {
        self.tcp.select(self.sockets(), || self.is_ready()).await
    }

    /// Accepts connections, and looks for streams with new room.
    async fn attend(&mut self) {
        while self.listener.is_ready() {
            let Some(stream) = self.listener.try_accept().await else { break };
            let peer = stream.peer().map(|node| usize::from(node.0));
            if let Some(peer) = peer.filter(|peer| matches!(self.peers.get(*peer), Some(Peer::Awaited))) {
                self.begin(peer, stream).await;
            }
        }
        for peer in &mut self.peers {
            if let Peer::Here { stream, lacks } = peer
                && *lacks > 0
                && stream.room() >= *lacks
            {
                *lacks = 0;
                self.opened = true;
            }
        }
    }

    /// The first stream with bytes to read, after the last one that was read.
    fn readable(&self) -> Option<usize> {
        let ranks = self.peers.len();
        let readable =
            |peer: &usize| matches!(&self.peers[*peer], Peer::Here { stream, .. } if stream.is_readable());
        (self.first..self.first + ranks).map(|peer| peer % ranks).find(readable)
    }

    /// A packet of a stream with bytes to read; `None` at the end of the stream.
    async fn read(&mut self, from: usize) -> Result<Option<Received>, StreamError> {
        let Peer::Here { stream, .. } = &mut self.peers[from] else { return Ok(None) };
        self.tcp.select(1, || true).await;
        if stream.peek().await? == 0 {
            self.peers[from] = Peer::Gone;
            return Ok(None);
        }
        let head = stream.read_exact(HEAD).await?;
        let length = u32::from_le_bytes(head.try_into().expect("so many were read"));
        Ok(Some(Received::bytes(from, stream.read_exact(length as usize).await?)))
    }

    /// Writes head and rest separately.
    async fn write(stream: &mut TcpStream<C>, packet: &[u8]) -> Result<(), StreamError> {
        stream.write(&(packet.len() as u32).to_le_bytes()).await?;
        stream.write(packet).await
    }
}

impl<C: Card> Carrier for OverTcp<C> {
    fn rank(&self) -> usize {
        self.tcp.node().0.into()
    }

    fn ranks(&self) -> usize {
        self.peers.len()
    }

    fn most_bytes(&self) -> usize {
        MOST_BYTES
    }

    fn host(&self) -> Host {
        self.host.clone()
    }

    fn has_room(&mut self, to: usize, _: &mpi::Envelope) -> bool {
        match &self.peers[to] {
            Peer::Awaited => false,
            Peer::Here { lacks, .. } => *lacks == 0,
            // `send` reports the reason.
            Peer::Gone => true,
        }
    }

    async fn send(&mut self, to: usize, packet: &Packet) -> Sent {
        let needs = HEAD + packet.length();
        match &mut self.peers[to] {
            Peer::Awaited => Sent::NoRoom,
            Peer::Here { stream, lacks } if stream.room() < needs => {
                *lacks = needs;
                self.tcp.call().await;
                Sent::NoRoom
            }
            Peer::Here { stream, .. } => match Self::write(stream, &packet.to_bytes()).await {
                Ok(()) => Sent::Yes,
                Err(StreamError::Closed) => {
                    self.peers[to] = Peer::Gone;
                    Sent::Unreachable(to)
                }
            },
            Peer::Gone => Sent::Unreachable(to),
        }
    }

    async fn receive(&mut self) -> Option<Received> {
        if !std::mem::take(&mut self.told) && !self.select().await {
            return None;
        }
        self.attend().await;
        let from = self.readable()?;
        self.first = from + 1;
        match self.read(from).await {
            Ok(packet) => packet,
            Err(StreamError::Closed) => {
                self.lose(from);
                None
            }
        }
    }

    fn lost(&mut self) -> Option<usize> {
        self.lost.pop_front()
    }

    /// `event` sleeps in a select. `interrupt` sleeps until a signal, whose handler looks and returns by a system call.
    async fn pause(&mut self) {
        if std::mem::take(&mut self.opened) {
            return;
        }
        match self.wait {
            Wait::Poll => self.host.compute(self.tcp.host().kernel_costs().turn).await,
            Wait::Event => {
                if !self.select().await {
                    self.tcp.sleep(|| self.is_ready()).await;
                }
                self.told = true;
            }
            Wait::Interrupt => {
                self.tcp.call().await;
                self.tcp.sleep(|| self.is_ready()).await;
                self.tcp.call().await;
            }
        }
    }
}
