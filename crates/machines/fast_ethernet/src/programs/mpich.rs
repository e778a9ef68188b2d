//! The programs over MPI: MPICH of the paper, as our library over TCP with the system calls of ch_p4 (decision 0050),
//! and MPICH over SCore, as the same over PM in the driver (decision 0062).
//!
//! One constant for each is the time of a call of MPICH 1.2 beyond that of the modelled library, fitted to rows S-3 and
//! S-4.

use std::cell::Cell;
use std::rc::Rc;

use anyhow::Context;
use cluster::{Duration, Time};
use ethernet::{Host as _, OverTcp};
use machine_api::Wait;
use mpi::collective::Algorithms;
use mpi::{Communicator, Error, Options, Source, Tag};
use pm::Channel;
use pm::carrier::OverPm;

use super::meeting::Meeting;
use super::{LIMIT, Outcome, Program, Totals, message};
use crate::Cluster;
use crate::cost::Costs;
use crate::machine::Port;

/// Carrier of MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Sockets of the kernel, the default of MPICH.
    Tcp,
    /// PM, as in SCore.
    Pm,
}

/// The channel of PM, and its session.
const CHANNEL: (Option<Channel>, u16) = (Channel::new(0), 1);

/// The tag of all messages.
const TAG: u32 = 1;

/// State that all ranks of a run share.
#[derive(Clone)]
struct Run {
    over: Over,
    program: Program,
    size: usize,
    rounds: u32,
    meeting: Meeting,
    /// Time at which rank 0 had all that it waited for.
    end: Rc<Cell<Time>>,
}

/// Runs a program: `rounds` messages of `size` bytes.
pub fn run(
    cluster: &mut Cluster,
    over: Over,
    program: Program,
    size: usize,
    rounds: u32,
) -> anyhow::Result<Outcome> {
    let nodes = cluster.nodes().len();
    let (meeting, end) = (Meeting::new(nodes), Rc::new(Cell::new(Time::ZERO)));
    let run = Run { over, program, size, rounds, meeting, end };
    let ends: Vec<_> = (0..nodes)
        .map(|node| {
            let run = run.clone();
            cluster.spawn(node, "mpi", move |port| async move {
                let world = open(&port, run.over, nodes).await;
                let costs = port.host().costs();
                let call = match run.over {
                    Over::Tcp => costs.mpi_call,
                    Over::Pm => costs.score_call,
                };
                let played = run.play(&Rank { world, call }).await;
                if played.is_err() {
                    run.meeting.fail();
                }
                played
            })
        })
        .collect();
    let ran = cluster.run(LIMIT);
    let mut all = Vec::new();
    for (node, end) in ends.iter().enumerate() {
        all.push(end.take().transpose().with_context(|| format!("rank {node}"))?);
    }
    machine_api::check(cluster, ran)?;
    for end in all {
        end.context("a program has not ended")?;
    }
    let begin = run.meeting.begin().context("no program has begun")?;
    let messages = match program {
        Program::Gather => nodes as u64 - 1,
        Program::PingPong => 2 * u64::from(rounds),
        Program::Burst | Program::Broadcast => rounds.into(),
    };
    super::finish(cluster, run.end.get() - begin, size as u64 * messages, Totals::default())
}

/// The communicator of all hosts.
async fn open(port: &Port, over: Over, nodes: usize) -> Communicator {
    let Costs { turn, copy, .. } = *port.host().costs();
    let host = mpi::Host::new(port.host().processor().clone(), mpi::Costs::of_looks(turn, copy));
    let options = Options { algorithms: Algorithms::MPICH_1_0, ..Options::default() };
    match over {
        Over::Tcp => Communicator::world(OverTcp::open(port.tcp(), nodes, Wait::Event, host).await, options),
        Over::Pm => {
            let (channel, session) = CHANNEL;
            let channel = channel.expect("PM has a channel 0");
            let opened = OverPm::open(port.pm(), channel, session, nodes, host).await;
            Communicator::world(opened.expect("nobody else opens it"), options)
        }
    }
}

/// A rank with the costs of MPICH's calls.
struct Rank {
    world: Communicator,
    /// Time of a call beyond that of the library.
    call: Duration,
}

impl Rank {
    fn number(&self) -> usize {
        self.world.rank()
    }

    async fn send(&self, to: usize, bytes: &[u8]) -> Result<(), Stopped> {
        self.world.compute(self.call).await;
        Ok(self.world.send(to, TAG, bytes).await?)
    }

    async fn take(&self, from: usize, right: &[u8]) -> Result<(), Stopped> {
        self.world.compute(self.call).await;
        let got = self.world.receive(Source::Rank(from), Tag::Is(TAG), right.len()).await?;
        if got.bytes == right { Ok(()) } else { Err(Stopped::Wrong(from)) }
    }
}

/// Why a rank cannot go on.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    /// A call failed.
    #[error(transparent)]
    Call(#[from] Error),
    /// Received data differs from the data sent.
    #[error("a message of rank {0} is not what was sent")]
    Wrong(usize),
}

impl Run {
    async fn play(&self, rank: &Rank) -> Result<(), Stopped> {
        let world = &rank.world;
        world.barrier().await?;
        self.meeting.arrive(world.now());
        while self.meeting.begin().is_none() {
            world.compute(super::meeting::LOOK).await;
        }
        if let Some(begin) = self.meeting.begin() {
            world.compute(begin - world.now()).await;
        }
        match self.program {
            Program::PingPong => self.ping_pong(rank).await?,
            Program::Burst => self.burst(rank).await?,
            Program::Gather => self.gather(rank).await?,
            Program::Broadcast => self.broadcast(rank).await?,
        }
        if rank.number() == 0 {
            self.end.set(world.now());
        }
        Ok(world.finalize().await?)
    }

    async fn ping_pong(&self, rank: &Rank) -> Result<(), Stopped> {
        for number in 0..self.rounds {
            let [there, back] = [0, 1].map(|from| message(from, number, self.size));
            match rank.number() {
                0 => {
                    rank.send(1, &there).await?;
                    rank.take(1, &back).await?;
                }
                1 => {
                    rank.take(0, &there).await?;
                    rank.send(0, &back).await?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    async fn burst(&self, rank: &Rank) -> Result<(), Stopped> {
        for number in 0..self.rounds {
            let bytes = message(0, number, self.size);
            match rank.number() {
                0 => rank.send(1, &bytes).await?,
                1 => rank.take(0, &bytes).await?,
                _ => {}
            }
        }
        match rank.number() {
            0 => rank.take(1, b"done").await,
            1 => rank.send(0, b"done").await,
            _ => Ok(()),
        }
    }

    async fn gather(&self, rank: &Rank) -> Result<(), Stopped> {
        if rank.number() > 0 {
            return rank.send(0, &message(rank.number(), 0, self.size)).await;
        }
        for from in 1..rank.world.size() {
            rank.take(from, &message(from, 0, self.size)).await?;
        }
        Ok(())
    }

    async fn broadcast(&self, rank: &Rank) -> Result<(), Stopped> {
        for number in 0..self.rounds {
            let right = message(0, number, self.size);
            let bytes = if rank.number() == 0 { right.clone() } else { vec![0; self.size] };
            rank.world.compute(rank.call).await;
            if rank.world.broadcast(bytes, 0).await? != right {
                return Err(Stopped::Wrong(0));
            }
        }
        Ok(rank.world.barrier().await?)
    }
}
