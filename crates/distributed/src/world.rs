//! All processes together.

use cluster::{AnyNic, Cluster, Duration, Machine, Parts, Ran, Topology, gather};
use hdl::NicError;
use rsmpi::Threading;
use rsmpi::environment::Universe;
use rsmpi::topology::SimpleCommunicator;
use rsmpi::traits::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::agreement::{self, Intention, WORDS, agree};
use crate::error::{DistributedError, JoinError};
use crate::exchange::Mail;
use crate::launch::{Launch, started_by_mpirun};
use crate::results;

/// What Rust's programs exit with after a panic.
const PANICKED: i32 = 101;

/// What all processes run together. They must all say the same.
pub struct Job<'a, M: Machine> {
    /// Nodes, switches and cables.
    pub topology: &'a Topology,
    /// Settings of all machines.
    pub settings: &'a M::Settings,
    /// No longer than this, in virtual time.
    pub limit: Duration,
    /// Whatever else decides what happens, in words: programs, settings, seeds. It is only compared.
    pub workload: &'a str,
}

/// A process among those that mpirun started. Exists once, and MPI ends with it.
///
/// A process that fails or panics does not leave the others waiting: it tells them when they meet, or it aborts all of them. Of one that is
/// killed mpirun learns, and ends the others.
pub struct World {
    version: u64,
    /// The first process that has left, if one has: then nobody meets any more.
    left: Option<usize>,
    world: SimpleCommunicator,
    /// Last, for MPI ends when it goes.
    _universe: Universe,
}

impl World {
    /// Joins the other processes. All calls of this crate must come from the thread that calls this.
    pub fn join() -> Result<Self, JoinError> {
        let version = agreement::version().map_err(JoinError::Executable)?;
        // Only this thread calls MPI, whatever other threads do.
        let begun = rsmpi::initialize_with_threading(Threading::Funneled);
        let (universe, threading) = begun.ok_or(JoinError::Again)?;
        let world = universe.world();
        let joined = World { version, left: None, world, _universe: universe };
        if threading < Threading::Funneled {
            return Err(JoinError::OneThread);
        }
        match started_by_mpirun() {
            Some(Launch { size: started, .. }) if started != joined.size() => {
                Err(JoinError::OtherMpi { started, found: joined.size() })
            }
            _ => Ok(joined),
        }
    }

    /// The number of this process. Process 0 gets all results and tells them.
    pub fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    /// How many processes there are.
    pub fn size(&self) -> usize {
        self.world.size() as usize
    }

    /// Runs a cluster until all programs are done, a part in each process, as [`cluster::run`] does on threads.
    ///
    /// Process 0 gets the results, or the reason why there are none. All others get nothing, whatever happens.
    pub fn run<M: Machine, S, R: Serialize + DeserializeOwned>(
        &mut self,
        job: &Job<'_, M>,
        nic: impl FnMut(usize) -> Result<Box<AnyNic<M>>, NicError>,
        begin: impl FnOnce(&mut Cluster<M>) -> S,
        end: impl FnOnce(&mut Cluster<M>, S) -> R,
    ) -> Result<Option<Ran<R>>, DistributedError> {
        match self.run_together(job, nic, begin, end) {
            // Process 0 has it too, or something better.
            Err(_) if self.rank() > 0 => Ok(None),
            done => done,
        }
    }

    /// Tells the others that this process runs nothing more, and why. Whether it is for this one to say so: if all have the same
    /// reason, as where all were given the same wrong argument, process 0 does.
    pub fn refuse(&mut self, reason: &str) -> bool {
        if self.left.is_some() {
            return true;
        }
        let mine = Intention::refuse(reason);
        let all = self.tell(mine);
        self.rank() == 0 || all.iter().any(|one| *one != mine)
    }

    fn run_together<M: Machine, S, R: Serialize + DeserializeOwned>(
        &mut self,
        job: &Job<'_, M>,
        nic: impl FnMut(usize) -> Result<Box<AnyNic<M>>, NicError>,
        begin: impl FnOnce(&mut Cluster<M>) -> S,
        end: impl FnOnce(&mut Cluster<M>, S) -> R,
    ) -> Result<Option<Ran<R>>, DistributedError> {
        self.meet(Intention::run(self.version, job))?;
        let processes = self.size();
        let parts = Parts::<M>::new(job.topology, job.settings, processes, job.limit)?;
        if parts.count() < processes {
            return Err(DistributedError::TooManyProcesses { most: parts.count(), processes });
        }
        let mut mail = Mail::<M::Switch>::new(&self.world);
        let brought = parts.run(self.rank(), &mut mail, nic, begin, end);
        self.bring(results::pack(self.rank(), brought))
    }

    /// Tells all others what this process is about to do, and learns it of them.
    fn meet(&mut self, intention: Intention) -> Result<(), DistributedError> {
        if let Some(rank) = self.left {
            return Err(DistributedError::Left { rank });
        }
        agree(&self.tell(intention))
    }

    /// What all intend, each in its place.
    fn tell(&mut self, intention: Intention) -> Vec<Intention> {
        let mut all = vec![0; WORDS * self.size()];
        self.world.all_gather_into(&intention.to_words()[..], &mut all[..]);
        let all: Vec<_> = all.chunks_exact(WORDS).map(Intention::from_words).collect();
        self.left = all.iter().position(|one| *one == Intention::Leave);
        all
    }

    /// Brings results to process 0, which makes one of all.
    fn bring<R: DeserializeOwned>(&self, mine: Vec<u8>) -> Result<Option<Ran<R>>, DistributedError> {
        if self.rank() > 0 {
            self.world.process_at_rank(0).send(&mine[..]);
            return Ok(None);
        }
        let mut all = vec![mine];
        all.extend((1..self.world.size()).map(|rank| self.world.process_at_rank(rank).receive_vec().0));
        let read = |(rank, bytes): (usize, &Vec<u8>)| {
            results::unpack(bytes).map_err(|reason| DistributedError::Results { rank, reason })
        };
        let brought = all.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
        Ok(Some(gather(brought)?))
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // MPI ends only when all processes are there, and the others wait for this one elsewhere.
            self.world.abort(PANICKED);
        }
        // The others may want to go on. They learn that this one does not.
        let _ = self.meet(Intention::Leave);
    }
}
