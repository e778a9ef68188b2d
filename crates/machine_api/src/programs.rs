//! Demonstration programs of MPI.

use std::rc::Rc;

use anyhow::Context;
use cluster::{Cluster, Duration, Time};
use mpi::programs::{Transfer, Turn, Wrong, collectives, messages, ping, pong, put_and_send, splits};
use mpi::{Bytes, Options};

use crate::benchmark::{Benchmark, Timed};
use crate::carrier::CarrierChoice;
use crate::parallel::Parallel;
use crate::traveled::{look, there_and_back};
use crate::work::{Done, LIMIT, Program};

/// Demonstration programs of MPI, on any machine whose nodes are MPI processes.
pub fn parallel_programs<M: Parallel>() -> [Program<M, CarrierChoice<M>>; 8] {
    [
        Program {
            name: "mpi-ping",
            doc: "a message of MPI to the other host and one back, of several sizes",
            processes: 2,
            run: run_ping,
        },
        Program {
            name: "mpi-put",
            doc: "data put into the memory of the other host and flushed, and the same data sent and answered",
            processes: 2,
            run: run_put,
        },
        Program {
            name: "mpi-check",
            doc: "messages, communicators and collective calls of MPI on five hosts, beside what loops make of the same data",
            processes: 5,
            run: run_check,
        },
        Program {
            name: "npb-cg",
            doc: "CG of the NAS Parallel Benchmarks, class S: conjugate gradients, on four hosts",
            processes: 4,
            run: |cluster, way| run_benchmark(cluster, way, Benchmark::Cg),
        },
        Program {
            name: "npb-ep",
            doc: "EP of the NAS Parallel Benchmarks, class S: pairs of random numbers, on four hosts",
            processes: 4,
            run: |cluster, way| run_benchmark(cluster, way, Benchmark::Ep),
        },
        Program {
            name: "npb-ft",
            doc: "FT of the NAS Parallel Benchmarks, class S: Fourier transforms in three dimensions, on four hosts",
            processes: 4,
            run: |cluster, way| run_benchmark(cluster, way, Benchmark::Ft),
        },
        Program {
            name: "npb-is",
            doc: "IS of the NAS Parallel Benchmarks, class S: ranks of integers, on four hosts",
            processes: 4,
            run: |cluster, way| run_benchmark(cluster, way, Benchmark::Is),
        },
        Program {
            name: "npb-mg",
            doc: "MG of the NAS Parallel Benchmarks, class S: a Poisson equation on grids from fine to coarse, on four hosts",
            processes: 4,
            run: |cluster, way| run_benchmark(cluster, way, Benchmark::Mg),
        },
    ]
}

/// Message sizes in bytes, with their names in reports.
const SIZES: [(usize, &str); 5] =
    [(0, "0 B"), (4, "4 B"), (1 << 10, "1 KiB"), (16 << 10, "16 KiB"), (64 << 10, "64 KiB")];
/// Index of the size whose stages are reported; it fits one packet.
const APART: usize = 1;
/// Round trips of each size; the last one counts.
const ROUNDS: usize = 5;

/// Measures half of the round trip for each size.
fn run_ping<M: Parallel>(cluster: &mut Cluster<M>, way: CarrierChoice<M>) -> anyhow::Result<Done> {
    look(cluster)?;
    let options = Options::default();
    let turns = M::spawn_rank(cluster, 0, "ping", way, options.clone(), |world, _| async move {
        let mut all = Vec::new();
        for (size, _) in SIZES {
            all.push(ping(&world, 1, size, ROUNDS).await?);
        }
        world.finalize().await?;
        anyhow::Ok(all)
    });
    let answers = M::spawn_rank(cluster, 1, "pong", way, options, |world, _| async move {
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
    let placement = way.placement(cluster.nodes().len());
    let apart = |_| there_and_back::<M>(&cluster.observations(), begin, SIZES[APART].0, placement);
    let message = Some(way).filter(|way| way.carrier.staged).map(apart).transpose()?;
    Ok(Done {
        about: "half of a round trip of MPI, from the call to send to the end of the call to receive"
            .to_string(),
        right: true,
        phases: SIZES
            .iter()
            .zip(&turns)
            .map(|((_, name), turns)| (*name, Duration::from_ps(last(turns) / 2)))
            .collect(),
        message,
    })
}

/// Transfers of `mpi-put`: bytes and number of messages, with the names of puts and sends.
const TRANSFERS: [(usize, usize, [&str; 2]); 5] = [
    (8, 1, ["put, 8 B", "send, 8 B"]),
    (1 << 10, 1, ["put, 1 KiB", "send, 1 KiB"]),
    (16 << 10, 1, ["put, 16 KiB", "send, 16 KiB"]),
    (64 << 10, 1, ["put, 64 KiB", "send, 64 KiB"]),
    (64 << 10, 8, ["put, 8 times 64 KiB", "send, 8 times 64 KiB"]),
];

/// Times of puts with a flush and of the same sends with an answer, for each transfer.
pub fn time_transfers<M: Parallel>(
    cluster: &mut Cluster<M>,
    way: CarrierChoice<M>,
    transfers: &[Transfer],
) -> anyhow::Result<Vec<[Duration; 2]>> {
    let most = transfers.iter().map(Transfer::room).max().unwrap_or(0);
    let memory = Rc::new(vec![Bytes::new(most), Bytes::new(most)]);
    let ends = [0, 1].map(|rank| {
        let (memory, transfers) = (memory.clone(), transfers.to_vec());
        M::spawn_rank(cluster, rank, "put", way, Options::default(), |world, _| async move {
            let mut all = Vec::new();
            for transfer in transfers {
                // The first transfer of a size warms caches.
                put_and_send(&world, &memory, transfer).await?;
                all.push(put_and_send(&world, &memory, transfer).await?);
            }
            world.finalize().await?;
            anyhow::Ok(all)
        })
    });
    let ran = cluster.run(LIMIT);
    crate::check(cluster, ran)?;
    let [times, other] = ends.map(|end| end.take().context("the program has not ended"));
    other??;
    times?
}

/// Measures puts with a flush, and sends with an answer.
fn run_put<M: Parallel>(cluster: &mut Cluster<M>, way: CarrierChoice<M>) -> anyhow::Result<Done> {
    look(cluster)?;
    let transfers = TRANSFERS.map(|(size, count, _)| Transfer::contiguous(size, count));
    let times = time_transfers(cluster, way, &transfers)?;
    let phases = TRANSFERS.iter().zip(times);
    Ok(Done {
        about:
            "data at the other rank, and the origin knows: by put and flush of MPI, and by send and answer"
                .to_string(),
        right: true,
        phases: phases.flat_map(|((.., names), times)| names.iter().copied().zip(times)).collect(),
        message: None,
    })
}

/// Measures the time of each program on all ranks.
fn run_check<M: Parallel>(cluster: &mut Cluster<M>, way: CarrierChoice<M>) -> anyhow::Result<Done> {
    let placement = way.placement(cluster.nodes().len());
    let ends: Vec<_> = (0..placement.ranks())
        .map(|rank| {
            M::spawn_rank(cluster, rank, "check", way, Options::default(), |world, _| async move {
                let begin = world.now();
                messages(&world, &[0, 4, 1468, 20_000]).await?;
                let messages = world.now();
                splits(&world).await?;
                let splits = world.now();
                collectives(&world, 2).await?;
                let phases = [messages - begin, splits - messages, world.now() - splits];
                Ok::<_, Wrong>(phases)
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
        about: format!("all calls of MPI on {}", placement.describe()),
        right: true,
        phases: names.into_iter().zip(most).collect(),
        message: None,
    })
}

/// Runs a benchmark as a program of `memonet run`.
fn run_benchmark<M: Parallel>(
    cluster: &mut Cluster<M>,
    way: CarrierChoice<M>,
    benchmark: Benchmark,
) -> anyhow::Result<Done> {
    let Timed { time, right, says } = benchmark.run(cluster, way, &Options::default())?;
    let about = format!("NPB {says}, on {}", way.placement(cluster.nodes().len()).describe());
    Ok(Done { about, right, phases: vec![("iterations", time)], message: None })
}
