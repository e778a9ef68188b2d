//! Hosts with channel adapters, two and more.

mod latency;
mod parallel;
mod verbs;

use cluster::{AnyNic, Duration};
use hca_machine::{Cluster, Hca, Settings};
use hdl::Model;
use lab::{Nics, Parallel, Way};
use mpi::{Communicator, Options};

/// Limit of virtual time; no test takes a tenth of it.
const LIMIT: Duration = Duration::from_us(20_000_000);

/// `count` freshly reset models.
fn models(count: usize) -> Vec<Box<AnyNic<Hca>>> {
    (0..count).map(|_| Box::new(Model::new(hca::Hca::default())) as Box<AnyNic<Hca>>).collect()
}

/// Fresh models with these settings.
struct Models(Settings);

impl Nics<Hca> for Models {
    fn open(&self, count: usize) -> anyhow::Result<Vec<Box<AnyNic<Hca>>>> {
        Ok(models(count))
    }

    fn settings(&self) -> Settings {
        self.0
    }
}

/// Runs a program of MPI on each of `count` hosts and returns the results.
fn run<T: 'static, F: Future<Output = T> + 'static>(
    settings: &Settings,
    ranks: usize,
    program: impl Fn(Communicator) -> F + Clone + 'static,
) -> Vec<T> {
    let mut cluster = Cluster::with_switch(models(ranks), settings);
    let ends: Vec<_> = (0..ranks)
        .map(|node| {
            let (way, program) = (Way::over(&Hca::CARRIERS[0]), program.clone());
            Hca::spawn_rank(&mut cluster, node, "rank", way, Options::default(), move |world, _| {
                program(world)
            })
        })
        .collect();
    let ran = cluster.run(LIMIT);
    ran.unwrap_or_else(|error| panic!("{error}"));
    ends.into_iter().map(|end| end.take().expect("it is done")).collect()
}
