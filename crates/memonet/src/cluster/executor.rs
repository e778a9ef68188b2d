//! Execution of a cluster's parts: on threads, or in the processes that mpirun started.

#[cfg(feature = "distributed")]
use std::cell::RefCell;

#[cfg(feature = "distributed")]
use cluster::distributed::{Job as MpiJob, World};
use cluster::{AnyNic, Cluster, Duration, Machine, Ran, Topology};
use hdl::NicError;

use super::part::Part;
use crate::usage;

/// A cluster to run.
pub struct Job<'a, M: Machine> {
    pub topology: &'a Topology,
    pub settings: &'a M::Settings,
    pub limit: Duration,
    /// Text of everything that determines the run; the processes compare it.
    #[cfg_attr(not(feature = "distributed"), allow(dead_code))]
    pub words: &'a str,
}

/// Executor of a cluster's parts.
pub enum Executor {
    /// At most this number of threads.
    Threads(usize),
    /// MPI processes, one part in each.
    #[cfg(feature = "distributed")]
    Processes(RefCell<World>),
}

impl Executor {
    /// The processes if mpirun started this one, otherwise threads.
    #[cfg(feature = "distributed")]
    pub fn find(threads: usize) -> anyhow::Result<Self> {
        match cluster::started_by_mpirun() {
            None => Ok(Executor::Threads(threads)),
            Some(_) => Ok(Executor::Processes(RefCell::new(World::join()?))),
        }
    }

    /// Threads; an error if mpirun started this process among several.
    #[cfg(not(feature = "distributed"))]
    pub fn find(threads: usize) -> anyhow::Result<Self> {
        match cluster::refuse_copies() {
            Ok(()) => Ok(Executor::Threads(threads)),
            Err(copies) => Err(usage::refused(copies)),
        }
    }

    /// Fails if `threads` threads are not available.
    #[cfg_attr(not(feature = "distributed"), allow(unused_variables))]
    pub fn check(&self, threads: usize) -> anyhow::Result<()> {
        match self {
            #[cfg(feature = "distributed")]
            Executor::Processes(_) if threads > 1 => {
                Err(usage::conflict("--threads <THREADS>", "mpirun, whose processes have one thread each"))
            }
            _ => Ok(()),
        }
    }

    /// Fails if processes share the run: only the first one knows the results, and `option` needs them in all.
    #[cfg_attr(not(feature = "distributed"), allow(unused_variables))]
    pub fn check_alone(&self, option: &str) -> anyhow::Result<()> {
        match self {
            Executor::Threads(_) => Ok(()),
            #[cfg(feature = "distributed")]
            Executor::Processes(_) => Err(usage::conflict(option, "mpirun; run it in one process")),
        }
    }

    /// Returns the result of a command. An error common to all processes is reported by the first process
    /// only.
    pub fn report_once<T>(&self, result: anyhow::Result<Option<T>>) -> anyhow::Result<Option<T>> {
        match (self, result) {
            #[cfg(feature = "distributed")]
            (Executor::Processes(world), Err(error)) => {
                match world.borrow_mut().refuse(&format!("{error:#}")) {
                    true => Err(error),
                    false => Ok(None),
                }
            }
            (_, result) => result,
        }
    }

    /// Runs a cluster. Of several processes, only the first gets the results.
    pub fn run<M: Machine, S>(
        &self,
        job: &Job<'_, M>,
        nic: impl Fn(usize) -> Result<Box<AnyNic<M>>, NicError> + Sync,
        begin: impl Fn(&mut Cluster<M>) -> S + Sync,
        end: impl Fn(&mut Cluster<M>, S) -> Part + Sync,
    ) -> anyhow::Result<Option<Ran<Part>>> {
        match self {
            Executor::Threads(threads) => {
                let Job { topology, settings, limit, .. } = *job;
                Ok(Some(cluster::run(topology, settings, *threads, limit, nic, begin, end)?))
            }
            #[cfg(feature = "distributed")]
            Executor::Processes(world) => {
                let Job { topology, settings, limit, words } = *job;
                let job = MpiJob { topology, settings, limit, workload: words };
                let ran = world.borrow_mut().run(&job, nic, begin, end);
                ran.map_err(|error| if error.is_usage() { usage::refused(error) } else { error.into() })
            }
        }
    }
}
