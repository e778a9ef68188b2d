//! All kernels over carriers in memory.

mod cg;
mod class_b;
mod ep;
mod ft;
mod is;
mod mg;

use cluster::{Duration, Time};
use mpi::carrier::memory::{Cluster, Settings};
use mpi::{Communicator, Options};
use npb::{Error, Processor};

/// A processor of the time of the benchmarks, approximately.
const PROCESSOR: Processor =
    Processor { operation: Duration::from_ns(3), word: Duration::from_ns(10), cache: 512 << 10 };

/// Runs a program on `ranks` ranks; returns their results and the number of packets sent.
fn run<T: 'static, F: Future<Output = Result<T, Error>> + 'static>(
    ranks: usize,
    program: impl Fn(Communicator) -> F,
) -> (Vec<Result<T, Error>>, Time, u64) {
    let mut cluster = Cluster::new(ranks, Settings::default(), Options::default());
    let ends: Vec<_> = (0..ranks).map(|rank| cluster.spawn(rank, "benchmark", &program)).collect();
    let end = cluster.run(Duration::from_us(100_000_000)).unwrap();
    let ends = ends.into_iter().map(|end| end.take().expect("the program has ended")).collect();
    (ends, end, cluster.packets())
}
