//! Synchronization: fences, exposure and access epochs, locks and flushes.

use std::future::poll_fn;
use std::task::Poll;

use super::message::{self, Purpose};
use super::{Epoch, LockKind, State, Window};
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
        let checked = self.0.state.borrow().epoch.fence();
        checked?;
        let flushed = self.flush_ranks(&self.all()).await;
        self.0.communicator.barrier().await?;
        let next = if is_last { Epoch::Closed } else { Epoch::Fenced { used: false } };
        self.0.state.borrow_mut().epoch = next;
        flushed
    }

    /// Exposes the memory of this rank to a group of origins. Unchecked, they do not wait for it
    /// (`MPI_Win_post`).
    pub async fn post(&self, group: &[usize], is_unchecked: bool) -> Result<(), Error> {
        self.check(group)?;
        {
            let mut state = self.0.state.borrow_mut();
            if state.exposure.is_some() {
                return Err(Error::RmaSync("an exposure epoch of this rank is open"));
            }
            if matches!(state.epoch, Epoch::Fenced { used: true }) {
                return Err(Error::RmaSync("an epoch of a fence is open"));
            }
            if !state.locks.is_idle() {
                return Err(Error::RmaConflict("another rank has locked the memory of this rank"));
            }
            state.exposure = Some(group.iter().copied().collect());
        }
        for &origin in group.iter().filter(|_| !is_unchecked) {
            self.0.send(origin, Purpose::Post, Vec::new())?;
        }
        self.0.communicator.library().flush().await;
        Ok(())
    }

    /// Begins an access epoch: waits until all of the group have exposed their memory, unless unchecked
    /// (`MPI_Win_start`).
    pub async fn start(&self, group: &[usize], is_unchecked: bool) -> Result<(), Error> {
        self.check(group)?;
        let checked = self.0.state.borrow().epoch.begin();
        checked?;
        if !is_unchecked {
            self.wait_for(group, "to expose its memory", |state, target| state.targets[target].posts > 0)
                .await?;
        }
        let mut state = self.0.state.borrow_mut();
        for &target in group.iter().filter(|_| !is_unchecked) {
            state.targets[target].posts -= 1;
        }
        state.epoch = Epoch::Started(group.iter().copied().collect());
        Ok(())
    }

    /// Ends an access epoch; its accesses are complete at this origin (`MPI_Win_complete`).
    pub async fn complete(&self) -> Result<(), Error> {
        let group = self.0.state.borrow_mut().epoch.complete()?;
        let group: Vec<_> = group.into_iter().collect();
        self.settled(&group).await?;
        for &target in &group {
            self.0.send(target, Purpose::Complete, Vec::new())?;
            self.0.state.borrow_mut().targets[target].is_dirty = false;
        }
        self.0.communicator.library().flush().await;
        self.answered(&group).await?;
        self.failure_of(&group)
    }

    /// Waits until all origins have ended their access epochs, which ends the exposure epoch
    /// (`MPI_Win_wait`).
    pub async fn wait(&self) -> Result<(), Error> {
        let group = self.exposed_to()?;
        self.wait_for(&group, "to end its access epoch", |state, origin| state.targets[origin].completes > 0)
            .await?;
        self.end_exposure(&group);
        Ok(())
    }

    /// Takes one progress step; whether the exposure epoch has ended (`MPI_Win_test`).
    pub async fn test(&self) -> Result<bool, Error> {
        let group = self.exposed_to()?;
        self.0.communicator.library().turn().await;
        let ended = group.iter().all(|origin| self.0.state.borrow().targets[*origin].completes > 0);
        if ended {
            self.end_exposure(&group);
        }
        Ok(ended)
    }

    /// Ranks for which the exposure epoch is open.
    pub fn exposed_to(&self) -> Result<Vec<usize>, Error> {
        let state = self.0.state.borrow();
        let group = state.exposure.as_ref().map(|group| group.iter().copied().collect());
        group.ok_or(Error::RmaSync("no exposure epoch is open"))
    }

    fn end_exposure(&self, group: &[usize]) {
        let mut state = self.0.state.borrow_mut();
        state.exposure = None;
        for &origin in group {
            state.targets[origin].completes -= 1;
        }
    }

    /// Locks the memory of a target, and waits for it. Unchecked, no other rank holds a conflicting lock, so
    /// the target is not asked (`MPI_Win_lock`).
    pub async fn lock(&self, target: usize, kind: LockKind, is_unchecked: bool) -> Result<(), Error> {
        self.check(&[target])?;
        let checked = self.0.state.borrow().epoch.lock(target);
        checked?;
        self.lock_ranks(&[target], kind, is_unchecked).await?;
        self.0.state.borrow_mut().epoch.locked(target);
        Ok(())
    }

    /// Locks the memory of all ranks, shared (`MPI_Win_lock_all`).
    pub async fn lock_all(&self, is_unchecked: bool) -> Result<(), Error> {
        let checked = self.0.state.borrow().epoch.begin();
        checked?;
        self.lock_ranks(&self.all(), LockKind::Shared, is_unchecked).await?;
        self.0.state.borrow_mut().epoch = Epoch::LockedAll;
        Ok(())
    }

    async fn lock_ranks(&self, targets: &[usize], kind: LockKind, is_unchecked: bool) -> Result<(), Error> {
        for &target in targets {
            let state = &mut self.0.state.borrow_mut().targets[target];
            (state.lock, state.is_unchecked) = (None, is_unchecked);
        }
        if is_unchecked {
            return Ok(());
        }
        for &target in targets {
            self.0.send(target, Purpose::Lock, message::pack_lock(kind))?;
        }
        self.wait_for(targets, "to grant a lock", |state, target| state.targets[target].lock.is_some())
            .await?;
        let refused = |target: &usize| self.0.state.borrow().targets[*target].lock == Some(false);
        if !targets.iter().any(refused) {
            return Ok(());
        }
        for &target in targets.iter().filter(|target| !refused(target)) {
            self.0.send(target, Purpose::Unlock, Vec::new())?;
            self.0.state.borrow_mut().targets[target].flushes += 1;
        }
        self.flushed(targets).await?;
        Err(Error::RmaConflict("the target exposes its memory to an epoch of start"))
    }

    /// Completes all accesses to a target and ends its lock (`MPI_Win_unlock`).
    pub async fn unlock(&self, target: usize) -> Result<(), Error> {
        self.check(&[target])?;
        self.0.state.borrow_mut().epoch.unlock(target)?;
        self.unlock_ranks(&[target]).await
    }

    /// Completes all accesses and ends the locks of all ranks (`MPI_Win_unlock_all`).
    pub async fn unlock_all(&self) -> Result<(), Error> {
        self.0.state.borrow_mut().epoch.unlock_all()?;
        self.unlock_ranks(&self.all()).await
    }

    async fn unlock_ranks(&self, targets: &[usize]) -> Result<(), Error> {
        self.settled(targets).await?;
        for &target in targets {
            let is_unchecked = self.0.state.borrow().targets[target].is_unchecked;
            if !is_unchecked {
                self.0.send(target, Purpose::Unlock, Vec::new())?;
                let state = &mut self.0.state.borrow_mut().targets[target];
                state.flushes = state.flushes.wrapping_add(1);
                state.is_dirty = false;
            }
        }
        self.flush_ranks(targets).await
    }

    /// Completes all accesses to a target (`MPI_Win_flush`, `MPI_Win_flush_local`).
    pub async fn flush(&self, target: usize, flush: Flush) -> Result<(), Error> {
        self.check(&[target])?;
        let checked = self.0.state.borrow().epoch.passive(target);
        checked?;
        self.flush_as(&[target], flush).await
    }

    /// Completes all accesses to all locked targets (`MPI_Win_flush_all`, `MPI_Win_flush_local_all`).
    pub async fn flush_all(&self, flush: Flush) -> Result<(), Error> {
        let targets = match self.0.state.borrow().epoch.all_passive()? {
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
                self.answered(targets).await?;
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
        for &target in targets {
            let is_dirty = std::mem::take(&mut self.0.state.borrow_mut().targets[target].is_dirty);
            if is_dirty {
                self.0.send(target, Purpose::Flush, Vec::new())?;
                let state = &mut self.0.state.borrow_mut().targets[target];
                state.flushes = state.flushes.wrapping_add(1);
            }
        }
        self.flushed(targets).await?;
        self.answered(targets).await?;
        self.settled(targets).await?;
        self.failure_of(targets)
    }

    /// Waits until the network has carried out its accesses to these targets.
    pub(super) async fn settled(&self, targets: &[usize]) -> Result<(), Error> {
        let Window(inner) = self;
        for &target in targets {
            let is_writing = inner.state.borrow().targets[target].writing > 0;
            if is_writing {
                let process = inner.communicator.group().process(target)?;
                inner.communicator.library().settle(process).await?;
            }
        }
        let all_done = |state: &State, target: usize| {
            state.targets[target].writing == 0 && state.targets[target].reading == 0
        };
        self.wait_for(targets, "to acknowledge data", all_done).await
    }

    async fn flushed(&self, targets: &[usize]) -> Result<(), Error> {
        let all_done =
            |state: &State, target: usize| state.targets[target].flushes == state.targets[target].flushed;
        self.wait_for(targets, "to carry out accesses", all_done).await
    }

    /// Waits for the answers of these targets to gets.
    async fn answered(&self, targets: &[usize]) -> Result<(), Error> {
        let all_here = |state: &State, target: usize| {
            let no_answer = state.gets.values().all(|(waits_for, _)| *waits_for != target);
            no_answer && state.targets[target].reading == 0
        };
        self.wait_for(targets, "to answer a get", all_here).await
    }

    /// Takes the failures of accesses to these targets and returns the first.
    fn failure_of(&self, targets: &[usize]) -> Result<(), Error> {
        let mut state = self.0.state.borrow_mut();
        let failures: Vec<_> =
            targets.iter().filter_map(|target| state.targets[*target].failure.take()).collect();
        failures.first().map_or(Ok(()), |failure| Err(*failure))
    }

    /// Waits until `holds` is true of each of these ranks; an error if the network has declared one dead.
    async fn wait_for(
        &self,
        ranks: &[usize],
        event: &str,
        holds: impl Fn(&State, usize) -> bool,
    ) -> Result<(), Error> {
        let communicator = &self.0.communicator;
        let library = communicator.library();
        let next = || {
            let state = self.0.state.borrow();
            let missing = ranks.iter().copied().find(|rank| !holds(&state, *rank));
            missing
                .map(|rank| (rank, communicator.group().process(rank).ok().and_then(|it| library.dead(it))))
        };
        let wait = poll_fn(|_| match next() {
            None => Poll::Ready(Ok(())),
            Some((_, Some(error))) => Poll::Ready(Err(error)),
            Some((rank, None)) => {
                library.window_wait.replace(Some(format!("rank {rank} {event} on a window")));
                Poll::Pending
            }
        });
        let done = communicator.drive(wait).await;
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
