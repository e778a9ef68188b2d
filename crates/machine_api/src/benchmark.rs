//! NAS Parallel Benchmarks on a machine.

use anyhow::Context;
use cluster::{Cluster, Duration};
use mpi::{Communicator, Options};
use npb::{Processor, cg, ep, ft, is, mg};

use crate::carrier::CarrierChoice;
use crate::parallel::Parallel;
use crate::work::LIMIT;

/// A benchmark of class S.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Benchmark {
    /// Conjugate gradient.
    Cg,
    /// Pairs of random numbers.
    Ep,
    /// Fourier transforms.
    Ft,
    /// Integer sort.
    Is,
    /// Grids from fine to coarse.
    Mg,
}

/// Result of a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed {
    /// Time that the benchmark reports, without initialization.
    pub time: Duration,
    /// Whether its verification passed.
    pub right: bool,
    /// Result in words, for the report.
    pub says: String,
}

impl Benchmark {
    /// Runs the benchmark on all ranks of a cluster with these options of MPI.
    pub fn run<M: Parallel>(
        self,
        cluster: &mut Cluster<M>,
        way: CarrierChoice<M>,
        options: &Options,
    ) -> anyhow::Result<Timed> {
        let ends: Vec<_> = (0..way.placement(cluster.nodes().len()).ranks())
            .map(|rank| {
                M::spawn_rank(
                    cluster,
                    rank,
                    "benchmark",
                    way,
                    options.clone(),
                    move |world, processor| async move {
                        let timed = self.of_rank(&world, processor).await?;
                        world.finalize().await?;
                        Ok::<_, npb::Error>(timed)
                    },
                )
            })
            .collect();
        let ran = cluster.run(LIMIT);
        crate::check(cluster, ran)?;
        let mut first = None;
        for end in ends {
            let timed = end.take().context("the benchmark has not ended")??;
            // All ranks have the same result except for their work.
            first = first.or(Some(timed));
        }
        first.context("a cluster has nodes")
    }

    async fn of_rank(self, world: &Communicator, processor: Processor) -> Result<Timed, npb::Error> {
        Ok(match self {
            Benchmark::Cg => {
                let report = cg::run(world, &cg::S, processor).await?;
                let cg::Report { zeta, residual, right, time, .. } = report;
                Timed { time, right, says: format!("CG class S: zeta {zeta:.13}, residual {residual:.1e}") }
            }
            Benchmark::Ep => {
                let ep::Report { sums: [x, y], right, time, .. } = ep::run(world, &ep::S, processor).await?;
                Timed { time, right, says: format!("EP class S: sums {x:.9}, {y:.9}") }
            }
            Benchmark::Ft => {
                let ft::Report { checksums, right, time, .. } = ft::run(world, &ft::S, processor).await?;
                let [re, im] = checksums[checksums.len() - 1];
                Timed { time, right, says: format!("FT class S: last checksum {re:.10} {im:+.10} i") }
            }
            Benchmark::Is => {
                let report = is::run(world, &is::S, processor).await?;
                let says = format!("IS class S: {} of 50 published ranks are right", report.ranks_right);
                Timed { time: report.time, right: report.right(), says }
            }
            Benchmark::Mg => {
                let mg::Report { norm, right, time, .. } = mg::run(world, &mg::S, processor).await?;
                Timed { time, right, says: format!("MG class S: norm of the residual {norm:.12e}") }
            }
        })
    }
}
