//! Programs of MPI on a machine.

use std::future::Future;

use anyhow::Context;
use cluster::{Cluster, Duration, Machine, Node, StageError, Stages, Time, WatchError};
use mpi::carrier::Carrier;
use mpi::programs::{Turn, collectives, messages, ping, pong, splits};
use mpi::{Communicator, Options};
use npb::Processor;

use crate::benchmark::{Benchmark, run_benchmark};
use crate::traveled::{look, there_and_back};
use crate::work::{Done, Program};

/// A machine whose nodes are processes of MPI.
pub trait Parallel: Machine<Port: 'static> {
    /// Most processes that there may be.
    const MOST_RANKS: usize;

    /// How packets of MPI travel from one of so many nodes. All call it before they do anything else.
    fn carrier(port: Self::Port, nodes: usize) -> impl Future<Output = impl Carrier + 'static> + 'static;

    /// The communicator of all so many nodes, at one of them.
    fn world(
        port: Self::Port,
        nodes: usize,
        options: Options,
    ) -> impl Future<Output = Communicator> + 'static {
        async move { Communicator::world(Self::carrier(port, nodes).await, options) }
    }

    /// What a program computes with between calls. Without published measurements computation takes no time.
    fn processor(_port: &Self::Port) -> Processor {
        Processor::INSTANT
    }

    /// Sets watches on the inner points of a node that a message of MPI comes past.
    fn watch(node: &mut Node<Self>) -> Result<(), WatchError>;

    /// The stages of a message that goes in one packet, from node to node: from when the carrier has it to when a look of the receiver's
    /// carrier has found it.
    fn way(stages: Stages<'_>, from: usize, to: usize) -> Result<Stages<'_>, StageError>;

    /// Programs of MPI that show how it runs here.
    const PARALLEL: &'static [Program<Self>] = &[
        Program {
            name: "mpi-ping",
            doc: "a message of MPI to the other host and one back, of several sizes",
            nodes: 2,
            run: run_ping,
        },
        Program {
            name: "mpi-check",
            doc: "messages, communicators and collective calls of MPI on five hosts, beside what loops make of the same data",
            nodes: 5,
            run: run_check,
        },
        Program {
            name: "npb-cg",
            doc: "CG of the NAS Parallel Benchmarks, class S: conjugate gradients, on four hosts",
            nodes: 4,
            run: |cluster, _seed| run_benchmark(cluster, Benchmark::Cg),
        },
        Program {
            name: "npb-is",
            doc: "IS of the NAS Parallel Benchmarks, class S: ranks of integers, on four hosts",
            nodes: 4,
            run: |cluster, _seed| run_benchmark(cluster, Benchmark::Is),
        },
    ];
}

/// All programs end long before this.
pub(crate) const LIMIT: Duration = Duration::from_us(10_000_000);

/// Bytes of the messages, with what they are called in a report.
const SIZES: [(usize, &str); 5] =
    [(0, "0 B"), (4, "4 B"), (1 << 10, "1 KiB"), (16 << 10, "16 KiB"), (64 << 10, "64 KiB")];
/// Which of them is taken apart: it goes in one packet.
const APART: usize = 1;
/// Round trips of each size; the last one counts.
const ROUNDS: usize = 5;

/// The time of half a round trip for each size.
fn run_ping<M: Parallel>(cluster: &mut Cluster<M>, _seed: u64) -> anyhow::Result<Done> {
    look(cluster)?;
    let turns = cluster.spawn(0, "ping", |port| async move {
        let world = M::world(port, 2, Options::default()).await;
        let mut all = Vec::new();
        for (size, _) in SIZES {
            all.push(ping(&world, 1, size, ROUNDS).await?);
        }
        world.finalize().await?;
        anyhow::Ok(all)
    });
    let answers = cluster.spawn(1, "pong", |port| async move {
        let world = M::world(port, 2, Options::default()).await;
        for (size, _) in SIZES {
            pong(&world, 0, size, ROUNDS).await?;
        }
        anyhow::Ok(world.finalize().await?)
    });
    let ran = cluster.run(LIMIT);
    crate::check(cluster, ran)?;
    answers.take().context("the program has not ended")??;
    let turns = turns.take().context("the program has not ended")??;
    let last = |turns: &[Turn]| turns.last().map_or(0, |turn| (turn.end - turn.begin).ps());
    let begin = turns[APART].last().map_or(Time::ZERO, |turn| turn.begin);
    let message = there_and_back::<M>(&cluster.observations(), begin, SIZES[APART].0)?;
    Ok(Done {
        about: "half of a round trip of MPI, from the call to send to the end of the call to receive"
            .to_string(),
        right: true,
        phases: SIZES
            .iter()
            .zip(&turns)
            .map(|((_, name), turns)| (*name, Duration::from_ps(last(turns) / 2)))
            .collect(),
        message: Some(message),
    })
}

/// The time of each program on all ranks.
fn run_check<M: Parallel>(cluster: &mut Cluster<M>, _seed: u64) -> anyhow::Result<Done> {
    let ranks = cluster.nodes().len();
    let ends: Vec<_> = (0..ranks)
        .map(|node| {
            cluster.spawn(node, "check", move |port| async move {
                let world = M::world(port, ranks, Options::default()).await;
                let begin = world.now();
                messages(&world, &[0, 4, 1468, 20_000]).await?;
                let messages = world.now();
                splits(&world).await?;
                let splits = world.now();
                collectives(&world, 2).await?;
                let phases = [messages - begin, splits - messages, world.now() - splits];
                Ok::<_, mpi::programs::Wrong>(phases)
            })
        })
        .collect();
    let ran = cluster.run(LIMIT);
    crate::check(cluster, ran)?;
    let mut most = [Duration::ZERO; 3];
    for end in ends {
        let phases = end.take().context("the program has not ended")??;
        most = std::array::from_fn(|i| most[i].max(phases[i]));
    }
    let names = ["messages", "splits", "collectives"];
    Ok(Done {
        about: format!("all calls of MPI on {ranks} hosts"),
        right: true,
        phases: names.into_iter().zip(most).collect(),
        message: None,
    })
}
