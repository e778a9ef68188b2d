//! Synchronization: fences, exposure and access epochs, locks and flushes.

use std::future::poll_fn;
use std::task::Poll;

use super::rules::{Call, Condition, Step, Waiting};
use super::{Epoch, LockKind, Window};
use crate::error::Error;

/// Which accesses a flush completes, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flush {
    /// At the target too.
    Whole,
    /// At the origin alone: its buffers may be used again.
    Local,
}

impl Window {
    /// Completes all accesses of all ranks and begins the next epoch, unless none follows (`MPI_Win_fence`).
    pub async fn fence(&self, is_last: bool) -> Result<(), Error> {
        let _call = self.0.communicator.host().call("MPI_Win_fence");
        let checked = self.0.state.borrow().rules.epoch.fence();
        checked?;
        let flushed = self.flush_ranks(&self.all()).await;
        self.0.communicator.barrier().await?;
        let next = if is_last { Epoch::Closed } else { Epoch::Fenced { used: false } };
        self.0.state.borrow_mut().rules.epoch = next;
        flushed
    }

    /// Exposes the memory of this rank to a group of origins. Unchecked, they do not wait for it
    /// (`MPI_Win_post`).
    pub async fn post(&self, group: &[usize], is_unchecked: bool) -> Result<(), Error> {
        let _call = self.0.communicator.host().call("MPI_Win_post");
        self.check(group)?;
        let posts = self.0.state.borrow_mut().rules.post(group, is_unchecked)?;
        self.0.signal(posts)?;
        self.0.communicator.library().flush().await;
        Ok(())
    }

    /// Begins an access epoch: waits until all of the group have exposed their memory, unless unchecked
    /// (`MPI_Win_start`).
    pub async fn start(&self, group: &[usize], is_unchecked: bool) -> Result<(), Error> {
        let _call = self.0.communicator.host().call("MPI_Win_start");
        self.check(group)?;
        let checked = self.0.state.borrow().rules.epoch.begin();
        checked?;
        if !is_unchecked {
            self.run(Call::Start, group).await?;
        }
        self.0.state.borrow_mut().rules.started(group, is_unchecked);
        Ok(())
    }

    /// Ends an access epoch; its accesses are complete at this origin (`MPI_Win_complete`).
    pub async fn complete(&self) -> Result<(), Error> {
        let _call = self.0.communicator.host().call("MPI_Win_complete");
        let group = self.0.state.borrow_mut().rules.epoch.complete()?;
        let group: Vec<_> = group.into_iter().collect();
        self.run(Call::Complete, &group).await?;
        self.failure_of(&group)
    }

    /// Waits until all origins have ended their access epochs, which ends the exposure epoch
    /// (`MPI_Win_wait`).
    pub async fn wait(&self) -> Result<(), Error> {
        let _call = self.0.communicator.host().call("MPI_Win_wait");
        let group = self.exposed_to()?;
        self.run(Call::Wait, &group).await?;
        self.0.state.borrow_mut().rules.end_exposure();
        Ok(())
    }

    /// Takes one progress step; whether the exposure epoch has ended (`MPI_Win_test`).
    pub async fn test(&self) -> Result<bool, Error> {
        let _call = self.0.communicator.host().call("MPI_Win_test");
        let group = self.exposed_to()?;
        self.0.communicator.library().turn().await;
        let rules = &mut self.0.state.borrow_mut().rules;
        let ended = group.iter().all(|origin| rules.holds(Condition::Completed, *origin));
        if ended {
            rules.end_exposure();
        }
        Ok(ended)
    }

    /// Ranks for which the exposure epoch is open.
    pub fn exposed_to(&self) -> Result<Vec<usize>, Error> {
        self.0.state.borrow().rules.exposed_to()
    }

    /// Locks the memory of a target, and waits for it. Unchecked, no other rank holds a conflicting lock, so
    /// the target is not asked (`MPI_Win_lock`).
    pub async fn lock(&self, target: usize, kind: LockKind, is_unchecked: bool) -> Result<(), Error> {
        let _call = self.0.communicator.host().call("MPI_Win_lock");
        self.check(&[target])?;
        let checked = self.0.state.borrow().rules.epoch.lock(target);
        checked?;
        self.lock_ranks(&[target], kind, is_unchecked).await?;
        self.0.state.borrow_mut().rules.epoch.locked(target);
        Ok(())
    }

    /// Locks the memory of all ranks, shared (`MPI_Win_lock_all`).
    pub async fn lock_all(&self, is_unchecked: bool) -> Result<(), Error> {
        let _call = self.0.communicator.host().call("MPI_Win_lock_all");
        let checked = self.0.state.borrow().rules.epoch.begin();
        checked?;
        self.lock_ranks(&self.all(), LockKind::Shared, is_unchecked).await?;
        self.0.state.borrow_mut().rules.epoch = Epoch::LockedAll;
        Ok(())
    }

    /// Locks all targets or none.
    async fn lock_ranks(&self, targets: &[usize], kind: LockKind, is_unchecked: bool) -> Result<(), Error> {
        if is_unchecked {
            self.0.state.borrow_mut().rules.lock_unchecked(targets);
            return Ok(());
        }
        let locked = self.run(Call::Lock(kind), targets).await;
        let refused = |target: &usize| self.0.state.borrow().rules.is_refused(*target);
        let end = match locked {
            Ok(()) if !targets.iter().any(refused) => return Ok(()),
            Ok(()) => Err(Error::RmaConflict("the target exposes its memory to an epoch of start")),
            Err(error) => Err(error),
        };
        // Targets that are dead are named by the first error.
        let _ = self.run(Call::Withdraw, targets).await;
        end
    }

    /// Completes all accesses to a target and ends its lock (`MPI_Win_unlock`).
    pub async fn unlock(&self, target: usize) -> Result<(), Error> {
        let _call = self.0.communicator.host().call("MPI_Win_unlock");
        self.check(&[target])?;
        self.0.state.borrow_mut().rules.epoch.unlock(target)?;
        self.unlock_ranks(&[target]).await
    }

    /// Completes all accesses and ends the locks of all ranks (`MPI_Win_unlock_all`).
    pub async fn unlock_all(&self) -> Result<(), Error> {
        let _call = self.0.communicator.host().call("MPI_Win_unlock_all");
        self.0.state.borrow_mut().rules.epoch.unlock_all()?;
        self.unlock_ranks(&self.all()).await
    }

    async fn unlock_ranks(&self, targets: &[usize]) -> Result<(), Error> {
        self.run(Call::Unlock, targets).await?;
        self.failure_of(targets)
    }

    /// Completes all accesses to a target (`MPI_Win_flush`, `MPI_Win_flush_local`).
    pub async fn flush(&self, target: usize, flush: Flush) -> Result<(), Error> {
        let _call = self.0.communicator.host().call("MPI_Win_flush");
        self.check(&[target])?;
        let checked = self.0.state.borrow().rules.epoch.passive(target);
        checked?;
        self.flush_as(&[target], flush).await
    }

    /// Completes all accesses to all locked targets (`MPI_Win_flush_all`, `MPI_Win_flush_local_all`).
    pub async fn flush_all(&self, flush: Flush) -> Result<(), Error> {
        let _call = self.0.communicator.host().call("MPI_Win_flush_all");
        let targets = match self.0.state.borrow().rules.epoch.all_passive()? {
            Some(targets) => targets.iter().copied().collect(),
            None => self.all(),
        };
        self.flush_as(&targets, flush).await
    }

    async fn flush_as(&self, targets: &[usize], flush: Flush) -> Result<(), Error> {
        match flush {
            Flush::Whole => self.flush_ranks(targets).await,
            // The library has copied the data of all puts.
            Flush::Local => {
                self.run(Call::FlushLocal, targets).await?;
                self.failure_of(targets)
            }
        }
    }

    /// Takes one progress step; memory and window hold the same data at any time (`MPI_Win_sync`).
    pub async fn synchronize(&self) {
        self.0.communicator.library().turn().await;
    }

    /// Waits until all accesses to these targets are done; an error if one of them has failed.
    pub(super) async fn flush_ranks(&self, targets: &[usize]) -> Result<(), Error> {
        self.run(Call::Flush, targets).await?;
        self.failure_of(targets)
    }

    /// Executes the steps of a call.
    async fn run(&self, call: Call, targets: &[usize]) -> Result<(), Error> {
        let (mut targets, mut ended) = (targets.to_vec(), Ok(()));
        for step in call.steps() {
            match *step {
                Step::Send => {
                    let signals = self.0.state.borrow_mut().rules.send(call, &targets);
                    self.0.signal(signals)?;
                }
                Step::Leave => self.0.communicator.library().flush().await,
                Step::Await(condition) => {
                    if condition == Condition::Written {
                        self.settle(&targets).await;
                    }
                    while let Err(error) = self.wait_for(&targets, condition).await {
                        ended = ended.and(Err(error));
                        if !call.outlives_dead() {
                            return ended;
                        }
                        let rules = &self.0.state.borrow().rules;
                        targets.retain(|target| !rules.is_dead(*target));
                    }
                }
            }
        }
        ended
    }

    /// Waits until the network has carried out its accesses to these targets.
    pub(super) async fn settled(&self, targets: &[usize]) -> Result<(), Error> {
        self.settle(targets).await;
        self.wait_for(targets, Condition::Written).await
    }

    /// Has the network acknowledge its writes. The wait after it reports a dead target.
    async fn settle(&self, targets: &[usize]) {
        let communicator = &self.0.communicator;
        for &target in targets {
            let is_writing = self.0.state.borrow().rules.is_writing(target);
            if let Ok(process) = communicator.group().process(target)
                && is_writing
            {
                let _ = communicator.library().settle(process).await;
            }
        }
    }

    /// Takes the failures of accesses to these targets and returns the first.
    fn failure_of(&self, targets: &[usize]) -> Result<(), Error> {
        let mut state = self.0.state.borrow_mut();
        let failures: Vec<_> = targets.iter().filter_map(|target| state.failures[*target].take()).collect();
        failures.first().map_or(Ok(()), |failure| Err(*failure))
    }

    /// Waits until a condition holds for each of these ranks; an error if the network has declared one dead.
    async fn wait_for(&self, ranks: &[usize], condition: Condition) -> Result<(), Error> {
        let library = self.0.communicator.library();
        let wait = poll_fn(|_| match self.0.state.borrow().rules.wait(condition, ranks) {
            Waiting::Over => Poll::Ready(Ok(())),
            Waiting::ForDead(rank) => Poll::Ready(Err(self.0.reason_of_death(rank))),
            Waiting::For(rank) => {
                library.window_wait.replace(Some(format!("rank {rank} {} on a window", condition.event())));
                Poll::Pending
            }
        });
        let done = self.0.communicator.drive(wait).await;
        library.window_wait.replace(None);
        done
    }

    /// Checks that all of these are ranks of the window, each named once.
    fn check(&self, ranks: &[usize]) -> Result<(), Error> {
        for (at, rank) in ranks.iter().enumerate() {
            self.0.communicator.group().process(*rank)?;
            if ranks[..at].contains(rank) {
                return Err(Error::Group("a rank is named twice"));
            }
        }
        Ok(())
    }

    fn all(&self) -> Vec<usize> {
        (0..self.size()).collect()
    }
}
