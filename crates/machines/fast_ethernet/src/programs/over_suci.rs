//! The programs over Suci.

use std::cell::Cell;
use std::rc::Rc;

use anyhow::Context;
use cluster::{Duration, Time};
use ethernet::{DATAGRAM_BYTES, UdpSettings};
use suci::{Config, Rules, Security};

use super::meeting::{LOOK, Meeting};
use super::{LIMIT, Outcome, Program, Totals, children, message, parent};
use crate::Cluster;
use crate::suci_socket::{Socket, Stopped};

/// Bytes of a block: a longer message is several. A block of this size fills a window.
pub const BLOCK: usize = 64 << 10;
/// Memory for blocks from one peer: Suci's default, the size of the UDP socket's buffer (section 4.2), in which a block
/// fits.
const WINDOW: usize = BLOCK + 64;
/// Bytes of an answer.
const ANSWER: usize = 4;

/// Settings of Suci.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The protocol.
    pub rules: Rules,
    /// Receivers grant permits for data in flight to them. Under the paper's rules a sender asks for a permit only
    /// before it repeats much.
    pub permits: bool,
    /// Seed of the endpoints' random numbers.
    pub seed: u64,
    /// Time for which node 0 computes in a gather before it reads.
    pub asleep: Duration,
}

impl Setup {
    fn config(&self) -> Config {
        let mut config = Config::new(self.rules, Security::Trusted);
        config.datagram = DATAGRAM_BYTES;
        // Larger datagrams are not probed: the cable carries none.
        config.largest_datagram = DATAGRAM_BYTES;
        config.window = WINDOW;
        config.largest_block = BLOCK;
        config.queue = 4 * WINDOW;
        config.initial_rtt = core::time::Duration::from_millis(5);
        // A socket of UDP holds 29 full frames (H18).
        config.budget = 28 * DATAGRAM_BYTES;
        if !self.permits {
            // A sender with all of this unscheduled needs no permit; by the paper's rules none is refused either.
            config.unscheduled = u32::MAX as usize;
            config.budget = u32::MAX as usize;
            config.congested = usize::MAX;
        }
        config
    }
}

/// State that all programs of a run share.
#[derive(Clone)]
struct Run {
    program: Program,
    nodes: usize,
    size: usize,
    rounds: u32,
    setup: Setup,
    meeting: Meeting,
    /// Time at which node 0 had all that it waited for.
    end: Rc<Cell<Time>>,
}

/// Runs a program: `rounds` messages of `size` bytes.
pub fn run(
    cluster: &mut Cluster,
    program: Program,
    size: usize,
    rounds: u32,
    setup: Setup,
) -> anyhow::Result<Outcome> {
    let nodes = cluster.nodes().len();
    let (meeting, end) = (Meeting::new(nodes), Rc::new(Cell::new(Time::ZERO)));
    let run = Run { program, nodes, size, rounds, setup, meeting, end };
    let all: Vec<_> = (0..nodes)
        .map(|node| {
            let run = run.clone();
            cluster.spawn(node, "suci", move |port| async move {
                let socket = Socket::open(
                    &port,
                    run.nodes,
                    run.setup.config(),
                    UdpSettings::default(),
                    run.setup.seed,
                );
                let played = match socket.await {
                    Ok(mut socket) => run.play(&mut socket, node).await.map(|()| {
                        let (endpoint, kernel) = socket.counters();
                        (endpoint.clone(), kernel)
                    }),
                    Err(stopped) => Err(stopped),
                };
                if played.is_err() {
                    run.meeting.fail();
                }
                played
            })
        })
        .collect();
    let ran = cluster.run(LIMIT);
    let mut ends = Vec::new();
    for (node, end) in all.iter().enumerate() {
        // The error of one node explains why others did not end.
        ends.push(end.take().transpose().with_context(|| format!("node {node}"))?);
    }
    machine_api::check(cluster, ran)?;
    let mut counters = Totals::default();
    for end in ends {
        let (endpoint, kernel) = end.context("a program has not ended")?;
        counters.sent += endpoint.sent;
        counters.received += endpoint.received;
        counters.again += endpoint.lost;
        counters.timeouts += endpoint.timeouts;
        counters.dropped_by_kernels += kernel.dropped;
        counters.most_charged = counters.most_charged.max(kernel.most_charged);
    }
    let begin = run.meeting.begin().context("no program has begun")?;
    super::finish(cluster, run.end.get() - begin, size as u64 * run.messages(), counters)
}

impl Run {
    /// Messages that one receiver gets.
    fn messages(&self) -> u64 {
        match self.program {
            Program::Gather => self.nodes as u64 - 1,
            Program::PingPong => 2 * u64::from(self.rounds),
            _ => self.rounds.into(),
        }
    }

    /// The part of a node.
    async fn play(&self, socket: &mut Socket, node: usize) -> Result<(), Stopped> {
        self.greet(socket, node).await?;
        self.meeting.arrive(socket.now());
        let begin = loop {
            match self.meeting.begin() {
                Some(begin) => break begin,
                None => socket.linger(socket.now() + LOOK).await?,
            }
        };
        socket.linger(begin).await?;
        match self.program {
            Program::PingPong => self.ping_pong(socket, node).await?,
            Program::Burst => self.burst(socket, node).await?,
            Program::Gather => self.gather(socket, node).await?,
            Program::Broadcast => self.broadcast(socket, node).await?,
        }
        if node == 0 {
            self.end.set(socket.now());
        }
        self.meeting.leave();
        while !self.meeting.is_over() {
            socket.linger(socket.now() + LOOK).await?;
        }
        Ok(())
    }

    /// Every node sends to its later destinations, so that connections exist.
    async fn greet(&self, socket: &mut Socket, node: usize) -> Result<(), Stopped> {
        let above = match self.program {
            Program::Broadcast => |node| parent(node),
            _ => |_| 0,
        };
        if node > 0 {
            socket.send(above(node), &message(node, 0, ANSWER)).await?;
        }
        for from in (1..self.nodes).filter(|from| above(*from) == node && *from != node) {
            socket.receive(Some(from)).await?;
            socket.send(from, &message(node, 0, ANSWER)).await?;
        }
        if node > 0 {
            socket.receive(Some(above(node))).await?;
        }
        Ok(())
    }

    /// Sends a message, in as many blocks as it takes.
    async fn send(&self, socket: &mut Socket, to: usize, message: &[u8]) -> Result<(), Stopped> {
        for block in message.chunks(BLOCK) {
            socket.send(to, block).await?;
        }
        Ok(())
    }

    /// Receives a message of a node.
    async fn take(&self, socket: &mut Socket, from: usize, number: u32) -> Result<Vec<u8>, Stopped> {
        let mut all = Vec::with_capacity(self.size);
        while all.len() < self.size {
            all.extend(socket.receive(Some(from)).await?.1);
        }
        let source = if self.program == Program::Broadcast { 0 } else { from };
        if all == message(source, number, self.size) { Ok(all) } else { Err(Stopped::Wrong(from as u16)) }
    }

    async fn ping_pong(&self, socket: &mut Socket, node: usize) -> Result<(), Stopped> {
        for number in 0..self.rounds {
            match node {
                0 => {
                    self.send(socket, 1, &message(0, number, self.size)).await?;
                    self.take(socket, 1, number).await?;
                }
                1 => {
                    self.take(socket, 0, number).await?;
                    self.send(socket, 0, &message(1, number, self.size)).await?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    async fn burst(&self, socket: &mut Socket, node: usize) -> Result<(), Stopped> {
        match node {
            0 => {
                for number in 0..self.rounds {
                    self.send(socket, 1, &message(0, number, self.size)).await?;
                }
                socket.receive(Some(1)).await?;
            }
            1 => {
                for number in 0..self.rounds {
                    self.take(socket, 0, number).await?;
                }
                socket.send(0, &message(1, 0, ANSWER)).await?;
            }
            _ => {}
        }
        Ok(())
    }

    async fn gather(&self, socket: &mut Socket, node: usize) -> Result<(), Stopped> {
        if node > 0 {
            return self.send(socket, 0, &message(node, 0, self.size)).await;
        }
        socket.compute(self.setup.asleep).await;
        for from in 1..self.nodes {
            self.take(socket, from, 0).await?;
        }
        Ok(())
    }

    /// Block by block, so that a node forwards the first while the second is in flight.
    async fn broadcast(&self, socket: &mut Socket, node: usize) -> Result<(), Stopped> {
        for number in 0..self.rounds {
            let right = message(0, number, self.size);
            for part in right.chunks(BLOCK) {
                if node > 0 && socket.receive(Some(parent(node))).await?.1 != part {
                    return Err(Stopped::Wrong(parent(node) as u16));
                }
                for child in children(node, self.nodes) {
                    socket.send(child, part).await?;
                }
            }
        }
        for child in children(node, self.nodes) {
            socket.receive(Some(child)).await?;
        }
        if node > 0 {
            socket.send(parent(node), &message(node, 0, ANSWER)).await?;
        }
        Ok(())
    }
}
