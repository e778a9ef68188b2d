//! Programs over the carriers in memory and over PM.

mod collectives;
mod dissector;
mod intercommunicators;
mod library_cost;
mod messages;
mod refusals;
mod windows;

use cluster::{Duration, Time};
use mpi::carrier::memory::{Cluster, RunError, Settings};
use mpi::programs::Wrong;
use mpi::{Communicator, Options};

/// Runs one program on `ranks` ranks and returns the time of its end.
fn run<F: Future<Output = Result<(), Wrong>> + 'static>(
    ranks: usize,
    options: &Options,
    program: impl Fn(Communicator) -> F,
) -> Result<Time, RunError> {
    let mut cluster = Cluster::new(ranks, Settings::default(), options.clone());
    let ends: Vec<_> = (0..ranks).map(|rank| cluster.spawn(rank, "program", &program)).collect();
    let end = cluster.run(Duration::from_us(10_000_000))?;
    for end in ends {
        end.take().expect("the program has ended").unwrap();
    }
    Ok(end)
}
