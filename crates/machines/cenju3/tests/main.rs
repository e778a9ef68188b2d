//! Processor elements of Cenju-3, alone and with others.

mod latency;
mod network;
mod parallel;
mod progress;
mod throughput;
mod wrong;

use cenju3_machine::{Cenju3, Cluster, Settings};
use cluster::{AnyNic, Duration};
use machine_api::{CarrierChoice, Models, Nics, Parallel, spawn_ranks};
use mpi::{Communicator, Options};

/// Limit of virtual time; no test takes a tenth of it.
const LIMIT: Duration = Duration::from_us(20_000_000);

/// `count` freshly reset models.
fn models(count: usize) -> Vec<Box<AnyNic<Cenju3>>> {
    Models::<Cenju3>(Settings::default()).open(count).expect("there are always models")
}

/// Runs a program of MPI on each of `ranks` PEs and returns the results.
fn run<T: 'static, F: Future<Output = T> + 'static>(
    settings: &Settings,
    ranks: usize,
    program: impl Fn(Communicator) -> F + Clone + 'static,
) -> (Vec<T>, Cluster) {
    let mut cluster = Cluster::with_switch(models(ranks), settings);
    let way = CarrierChoice { wait: settings.wait, ..CarrierChoice::over(&Cenju3::CARRIERS[0]) };
    let ends = spawn_ranks(&mut cluster, way, &Options::default(), program);
    let ran = cluster.run(LIMIT);
    ran.unwrap_or_else(|error| panic!("{error}"));
    (ends.into_iter().map(|end| end.take().expect("it is done")).collect(), cluster)
}
