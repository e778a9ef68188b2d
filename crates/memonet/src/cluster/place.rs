//! Where the parts of a cluster run: on threads, or in the processes that mpirun started.

#[cfg(feature = "distributed")]
use std::cell::RefCell;

#[cfg(feature = "distributed")]
use cluster::distributed::{Job as MpiJob, World};
use cluster::{AnyNic, Cluster, Duration, Machine, Ran, Topology};
use hdl::NicError;

use super::part::Part;
use crate::usage;

/// What runs.
pub struct Job<'a, M: Machine> {
    pub topology: &'a Topology,
    pub settings: &'a M::Settings,
    pub limit: Duration,
    /// All that decides what happens, in words: processes compare it.
    #[cfg_attr(not(feature = "distributed"), allow(dead_code))]
    pub words: &'a str,
}

/// Where parts run.
pub enum Place {
    /// On so many threads at most.
    Threads(usize),
    /// In processes of MPI, one part in each.
    #[cfg(feature = "distributed")]
    Processes(RefCell<World>),
}

impl Place {
    /// The processes that mpirun started, if it did, or else threads.
    #[cfg(feature = "distributed")]
    pub fn find(threads: usize) -> anyhow::Result<Self> {
        match cluster::started_by_mpirun() {
            None => Ok(Place::Threads(threads)),
            Some(_) => Ok(Place::Processes(RefCell::new(World::join()?))),
        }
    }

    /// Threads, unless mpirun started this process and others like it.
    #[cfg(not(feature = "distributed"))]
    pub fn find(threads: usize) -> anyhow::Result<Self> {
        match cluster::refuse_copies() {
            Ok(()) => Ok(Place::Threads(threads)),
            Err(copies) => Err(usage::refused(copies)),
        }
    }

    /// Whether so many threads can be had there.
    #[cfg_attr(not(feature = "distributed"), allow(unused_variables))]
    pub fn check(&self, threads: usize) -> anyhow::Result<()> {
        match self {
            #[cfg(feature = "distributed")]
            Place::Processes(_) if threads > 1 => {
                Err(usage::conflict("--threads <THREADS>", "mpirun, whose processes have one thread each"))
            }
            _ => Ok(()),
        }
    }

    /// What a command brings, or why it brings nothing: a reason that all processes have is told by the first one.
    pub fn once<T>(&self, brought: anyhow::Result<Option<T>>) -> anyhow::Result<Option<T>> {
        match (self, brought) {
            #[cfg(feature = "distributed")]
            (Place::Processes(world), Err(error)) => match world.borrow_mut().refuse(&format!("{error:#}")) {
                true => Err(error),
                false => Ok(None),
            },
            (_, brought) => brought,
        }
    }

    /// Runs a cluster there; of several processes the first one gets the results.
    pub fn run<M: Machine, S>(
        &self,
        job: &Job<'_, M>,
        nic: impl Fn(usize) -> Result<Box<AnyNic<M>>, NicError> + Sync,
        begin: impl Fn(&mut Cluster<M>) -> S + Sync,
        end: impl Fn(&mut Cluster<M>, S) -> Part + Sync,
    ) -> anyhow::Result<Option<Ran<Part>>> {
        match self {
            Place::Threads(threads) => {
                let Job { topology, settings, limit, .. } = *job;
                Ok(Some(cluster::run(topology, settings, *threads, limit, nic, begin, end)?))
            }
            #[cfg(feature = "distributed")]
            Place::Processes(world) => {
                let Job { topology, settings, limit, words } = *job;
                let job = MpiJob { topology, settings, limit, workload: words };
                let ran = world.borrow_mut().run(&job, nic, begin, end);
                ran.map_err(|error| if error.is_usage() { usage::refused(error) } else { error.into() })
            }
        }
    }
}
