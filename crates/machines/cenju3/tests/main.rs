//! Processor elements of Cenju-3, alone and with others.

mod latency;
mod network;
mod parallel;
mod progress;
mod throughput;
mod wrong;

use cenju3_machine::{Cenju3, Cluster, Settings};
use cluster::{AnyNic, Duration};
use hdl::Model;
use lab::{Nics, Parallel, Way};
use mpi::{Communicator, Options};

/// Limit of virtual time; no test takes a tenth of it.
const LIMIT: Duration = Duration::from_us(20_000_000);

/// `count` freshly reset models.
fn models(count: usize) -> Vec<Box<AnyNic<Cenju3>>> {
    (0..count).map(|_| Box::new(Model::new(cenju3::Cenju3::default())) as Box<AnyNic<Cenju3>>).collect()
}

/// Fresh models of PEs with these settings.
struct Models(Settings);

impl Nics<Cenju3> for Models {
    fn open(&self, count: usize) -> anyhow::Result<Vec<Box<AnyNic<Cenju3>>>> {
        Ok(models(count))
    }

    fn settings(&self) -> Settings {
        self.0
    }
}

/// Runs a program of MPI on each of `count` PEs and returns the results.
fn run<T: 'static, F: Future<Output = T> + 'static>(
    settings: &Settings,
    ranks: usize,
    program: impl Fn(Communicator) -> F + Clone + 'static,
) -> (Vec<T>, Cluster) {
    let mut cluster = Cluster::with_switch(models(ranks), settings);
    let way = Way { wait: settings.wait, ..Way::over(&Cenju3::CARRIERS[0]) };
    let ends: Vec<_> = (0..ranks)
        .map(|node| {
            let program = program.clone();
            Cenju3::spawn_rank(&mut cluster, node, "rank", way, Options::default(), move |world, _| {
                program(world)
            })
        })
        .collect();
    let ran = cluster.run(LIMIT);
    ran.unwrap_or_else(|error| panic!("{error}"));
    (ends.into_iter().map(|end| end.take().expect("it is done")).collect(), cluster)
}
