//! An endpoint of Suci on a modelled UDP socket, call by call as [`suci::sync`] on a real one.
//!
//! The kernel charges the calls of sockets. The library's own work is its copies: a block into its queue, a part of it
//! into a datagram, a datagram's bytes to their place in the block. Its decisions are charged as a turn of a loop for
//! each datagram (decision 0053), or with the instructions of its code (decision 0103).

use std::collections::VecDeque;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use cluster::host::LibraryStep;
use cluster::{Duration, Time};
use ethernet::{Host as _, UdpCounters, UdpSettings, UdpSocket};
use pm::NodeId;
use suci::{Config, ConnectError, Counters, Endpoint, Event, Instant, Peer, Reason, Rules, SendError};

use crate::driver::{Driver, Host};
use crate::library_cost::{MODERN, PAPER, Steps};
use crate::machine::Port;

/// The port of Suci on every host.
const PORT: u16 = 7_001;
/// Datagrams that are taken before others are sent, as in [`suci::sync`].
const BATCH: usize = 64;

/// Why a program cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// The configuration is invalid.
    #[error(transparent)]
    Config(#[from] suci::ConfigError),
    /// The socket could not be opened.
    #[error(transparent)]
    Bind(#[from] ethernet::BindError),
    /// The node is no peer.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// A block was refused.
    #[error(transparent)]
    Send(#[from] SendError),
    /// A datagram was refused.
    #[error(transparent)]
    Datagram(#[from] ethernet::SendError),
    /// A peer is dead or has closed.
    #[error("node {0} is gone: {1:?}")]
    Gone(u16, Reason),
    /// Received data differs from the data sent.
    #[error("a block of node {0} is not what was sent")]
    Wrong(u16),
}

/// IP address and port of Suci on a node.
pub fn address(node: usize) -> SocketAddr {
    let [high, low] = (node as u16).to_be_bytes();
    SocketAddr::new(IpAddr::V4(Ipv4Addr::new(10, 1, high, low)), PORT)
}

/// The node at an address; `None` for an address of no node.
fn node(address: SocketAddr) -> Option<NodeId> {
    let IpAddr::V4(ip) = address.ip() else { return None };
    let [_, _, high, low] = ip.octets();
    Some(NodeId(u16::from_be_bytes([high, low])))
}

/// Random numbers of a node, the same for the same seed (SplitMix64).
fn randomness(seed: u64, node: usize) -> [u8; 32] {
    let mut state = seed ^ (node as u64 + 1) << 32;
    let mut bytes = [0; 32];
    for word in bytes.chunks_mut(8) {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word.copy_from_slice(&(z ^ z >> 31).to_be_bytes());
    }
    bytes
}

/// A socket of Suci.
pub struct Socket {
    endpoint: Endpoint,
    /// Instructions of the protocol in use.
    steps: Steps,
    udp: UdpSocket<Driver>,
    /// Known peers, by node.
    peers: Vec<Option<Peer>>,
    /// Blocks that have arrived and were not taken.
    blocks: VecDeque<(usize, Vec<u8>)>,
}

impl Socket {
    /// Opens the socket of one of `nodes` nodes. Sets the node's id and the address database in `config`. Datagrams
    /// have to fit into frames.
    pub async fn open(
        port: &Port,
        nodes: usize,
        mut config: Config,
        settings: UdpSettings,
        seed: u64,
    ) -> Result<Self, Stopped> {
        let udp = port.udp();
        let own = usize::from(udp.node().0);
        config.id = own as u16;
        config.database = (0..nodes).filter(|at| *at != own).map(|at| (address(at), at as u16)).collect();
        let endpoint = Endpoint::new(config, randomness(seed, own))?;
        let udp = udp.bind(PORT, settings).await?;
        let steps = if endpoint.config().rules == Rules::Modern { MODERN } else { PAPER };
        let mut socket = Self { endpoint, steps, udp, peers: vec![None; nodes], blocks: VecDeque::new() };
        if socket.endpoint.config().rules != Rules::Modern {
            // All peers are known from the address database; none is accepted.
            for node in (0..nodes).filter(|node| *node != own) {
                socket.peer(node)?;
            }
        }
        Ok(socket)
    }

    /// The host, for time and costs.
    pub fn host(&self) -> &Host {
        self.udp.host()
    }

    /// Virtual time at this point of the program.
    pub fn now(&self) -> Time {
        self.host().processor().now()
    }

    /// Counters of the endpoint and of the socket below it.
    pub fn counters(&self) -> (&Counters, UdpCounters) {
        (self.endpoint.counters(), self.udp.counters())
    }

    fn instant(&self) -> Instant {
        Instant::from_nanos(self.now().ps() / 1_000)
    }

    /// Copies bytes, unless steps of the library take no time.
    async fn words(&self, bytes: usize, word: Duration) {
        if self.host().library().is_off() {
            return;
        }
        self.host().processor().compute(word * bytes.div_ceil(4) as u64).await;
    }

    /// Computes for a step that takes `looks` by the costs of the machine.
    async fn charge(&self, looks: Duration, step: LibraryStep) {
        self.host().library().charge_or(self.host().processor(), looks, step).await;
    }

    /// The peer of a node.
    fn peer(&mut self, to: usize) -> Result<Peer, Stopped> {
        if let Some(peer) = self.peers[to] {
            return Ok(peer);
        }
        let peer = self.endpoint.connect(self.instant(), address(to))?;
        self.peers[to] = Some(peer);
        Ok(peer)
    }

    /// Queues a block. `datagram_write` of the paper (section 4.1).
    pub async fn send(&mut self, to: usize, block: &[u8]) -> Result<(), Stopped> {
        let peer = self.peer(to)?;
        loop {
            match self.endpoint.send(peer, 0, block) {
                Ok(()) => break,
                Err(SendError::Full { .. }) => self.turn(None).await?,
                Err(error) => return Err(error.into()),
            }
        }
        self.words(block.len(), self.host().costs().copy).await;
        self.charge(Duration::ZERO, self.steps.send).await;
        self.give().await
    }

    /// The next block with its sender; with `from`, the next block of that node. `datagram_read` of the paper.
    pub async fn receive(&mut self, from: Option<usize>) -> Result<(usize, Vec<u8>), Stopped> {
        loop {
            let wanted = |(node, _): &(usize, Vec<u8>)| from.is_none_or(|from| from == *node);
            if let Some(block) = self.blocks.iter().position(wanted).and_then(|at| self.blocks.remove(at)) {
                self.charge(Duration::ZERO, self.steps.take).await;
                return Ok(block);
            }
            if !self.events()? {
                self.turn(None).await?;
            }
        }
    }

    /// Computes: no acknowledgement and no retransmission is sent meanwhile.
    pub async fn compute(&self, duration: Duration) {
        if duration > Duration::ZERO {
            self.host().processor().compute(duration).await;
        }
    }

    /// Drives the protocol until `end`, for peers that may have missed an answer.
    pub async fn linger(&mut self, end: Time) -> Result<(), Stopped> {
        while self.now() < end {
            self.events()?;
            self.turn(Some(end)).await?;
        }
        Ok(())
    }

    /// Handles the events of the endpoint; returns whether there were any.
    fn events(&mut self) -> Result<bool, Stopped> {
        let mut any = false;
        while let Some(event) = self.endpoint.poll_event() {
            any = true;
            match event {
                Event::Connected { peer, address, .. } => {
                    let place = node(address).and_then(|node| self.peers.get_mut(usize::from(node.0)));
                    if let Some(place) = place {
                        *place = Some(peer);
                    }
                }
                Event::Block { peer, block, .. } => {
                    if let Some(node) = self.node_of(peer) {
                        self.blocks.push_back((node, block));
                    }
                }
                Event::Closed { peer, reason } => {
                    if let Some(node) = self.node_of(peer) {
                        self.peers[node] = None;
                        return Err(Stopped::Gone(node as u16, reason));
                    }
                }
                Event::Writable { .. }
                | Event::Refused { .. }
                | Event::Restarted { .. }
                | Event::Moved { .. } => {}
            }
        }
        Ok(any)
    }

    /// The node of a peer; `None` if the peer is closed.
    fn node_of(&self, peer: Peer) -> Option<usize> {
        self.peers.iter().position(|known| *known == Some(peer))
    }

    /// One turn: receives datagrams, sends due ones, and waits for the next of either, until `end` at most.
    pub async fn turn(&mut self, end: Option<Time>) -> Result<(), Stopped> {
        let took = self.take().await;
        self.give().await?;
        if took {
            return Ok(());
        }
        let due = self.endpoint.poll_timeout().map(|at| Time::from_ps(at.nanos() * 1_000));
        let end = [due, end].into_iter().flatten().min();
        if self.udp.poll(end).await {
            self.take().await;
        }
        self.give().await
    }

    async fn take(&mut self) -> bool {
        for count in 0..BATCH {
            let Some(arrived) = self.udp.try_receive().await else { return count > 0 };
            let costs = *self.host().costs();
            self.words(arrived.bytes.len(), costs.copy_cached).await;
            self.charge(costs.turn, self.steps.received).await;
            let now = self.instant();
            self.endpoint.input(now, address(arrived.from.0.into()), &arrived.bytes);
        }
        true
    }

    async fn give(&mut self) -> Result<(), Stopped> {
        loop {
            let now = self.instant();
            let Some(transmit) = self.endpoint.poll_transmit(now) else { return Ok(()) };
            let (to, bytes) = (node(transmit.to), transmit.bytes.to_vec());
            let costs = *self.host().costs();
            self.words(bytes.len(), costs.copy_cached).await;
            self.charge(costs.turn, self.steps.sent).await;
            if let Some(to) = to {
                self.udp.send(to, PORT, &bytes).await?;
            }
        }
    }
}
