//! The processes of mpirun: join, run, leave.

use crate::{AnyNic, Cluster, Machine, Parts, Ran, gather};
use hdl::NicError;
use rsmpi::Threading;
use rsmpi::environment::Universe;
use rsmpi::topology::SimpleCommunicator;
use rsmpi::traits::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::agreement::{self, Intention, WORDS, agree};
use super::error::{DistributedError, JoinError};
use super::exchange::MpiExchange;
use super::job::Job;
use super::results;
use crate::{Launch, started_by_mpirun};

/// Exit code of a Rust program after a panic.
const PANICKED: i32 = 101;

/// This process among those that mpirun started. There is one, and MPI ends when it is dropped.
///
/// A process that fails reports it at the next meeting, and one that panics aborts all others. If one is killed, mpirun ends
/// the others.
pub struct World {
    version: u64,
    /// The first process that has left; then there are no further meetings.
    left: Option<usize>,
    world: SimpleCommunicator,
    /// Dropped last, which ends MPI.
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

    /// Number of this process. Process 0 gets all results.
    pub fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    /// Number of processes.
    pub fn size(&self) -> usize {
        self.world.size() as usize
    }

    /// Runs a cluster until all programs are done, a part in each process, as [`crate::run`] does on threads.
    ///
    /// Process 0 gets the results or the error. All others get none.
    pub fn run<M: Machine, S, R: Serialize + DeserializeOwned>(
        &mut self,
        job: &Job<'_, M>,
        nic: impl FnMut(usize) -> Result<Box<AnyNic<M>>, NicError>,
        begin: impl FnOnce(&mut Cluster<M>) -> S,
        end: impl FnOnce(&mut Cluster<M>, S) -> R,
    ) -> Result<Option<Ran<R>>, DistributedError> {
        match self.run_together(job, nic, begin, end) {
            // Process 0 reports this error, or an earlier one.
            Err(_) if self.rank() > 0 => Ok(None),
            done => done,
        }
    }

    /// Tells the others that this process refuses to run. Returns whether it has to print the reason: if all have the same
    /// reason, as with an invalid argument, process 0 alone prints it.
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
        let mut exchange = MpiExchange::<M::Switch>::new(&self.world);
        let brought = parts.run(self.rank(), &mut exchange, nic, begin, end);
        self.send_results(results::pack(self.rank(), brought))
    }

    /// Compares the intention of this process with those of all others.
    fn meet(&mut self, intention: Intention) -> Result<(), DistributedError> {
        if let Some(rank) = self.left {
            return Err(DistributedError::Left { rank });
        }
        agree(&self.tell(intention))
    }

    /// Intentions of all processes, by number.
    fn tell(&mut self, intention: Intention) -> Vec<Intention> {
        let mut all = vec![0; WORDS * self.size()];
        self.world.all_gather_into(&intention.to_words()[..], &mut all[..]);
        let all: Vec<_> = all.chunks_exact(WORDS).map(Intention::from_words).collect();
        self.left = all.iter().position(|one| *one == Intention::Leave);
        all
    }

    /// Sends encoded results to process 0, which combines them.
    fn send_results<R: DeserializeOwned>(&self, mine: Vec<u8>) -> Result<Option<Ran<R>>, DistributedError> {
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
            // MPI ends when all processes have arrived, and the others wait for this one elsewhere.
            self.world.abort(PANICKED);
        }
        // Others that go on learn that this process does not.
        let _ = self.meet(Intention::Leave);
    }
}
