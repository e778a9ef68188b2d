//! Hosts with channel adapters, two and more.

mod latency;
mod library_cost;
mod parallel;
mod verbs;

use cluster::{AnyNic, Duration};
use hca_machine::{Cluster, Hca, Settings};
use machine_api::{CarrierChoice, Models, Nics, Parallel, spawn_ranks};
use mpi::{Communicator, Options};

/// Limit of virtual time; no test takes a tenth of it.
const LIMIT: Duration = Duration::from_us(20_000_000);

/// `count` freshly reset models.
fn models(count: usize) -> Vec<Box<AnyNic<Hca>>> {
    Models::<Hca>(Settings::default()).open(count).expect("there are always models")
}

/// Runs a program of MPI on each of `ranks` hosts and returns the results.
fn run<T: 'static, F: Future<Output = T> + 'static>(
    settings: &Settings,
    ranks: usize,
    program: impl Fn(Communicator) -> F + Clone + 'static,
) -> Vec<T> {
    let mut cluster = Cluster::with_switch(models(ranks), settings);
    let way = CarrierChoice::over(&Hca::CARRIERS[0]);
    let ends = spawn_ranks(&mut cluster, way, &Options::default(), program);
    let ran = cluster.run(LIMIT);
    ran.unwrap_or_else(|error| panic!("{error}"));
    ends.into_iter().map(|end| end.take().expect("it is done")).collect()
}
