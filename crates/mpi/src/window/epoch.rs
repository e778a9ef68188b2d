//! Access epochs of an origin: which calls may begin, use and end them (MPI 5.0, section 12.5). Independent of
//! time and network.

use std::collections::BTreeSet;

use crate::error::Error;

/// The access epoch of a rank on a window.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Epoch {
    /// No epoch is open.
    #[default]
    Closed,
    /// A fence may have opened an epoch; the first access decides.
    Fenced {
        /// Whether there was an access.
        used: bool,
    },
    /// Between start and complete.
    Started(BTreeSet<usize>),
    /// Targets that this rank has locked.
    Locked(BTreeSet<usize>),
    /// All targets are locked.
    LockedAll,
}

impl Epoch {
    /// Whether an epoch of another synchronization may begin now.
    fn may_begin(&self) -> bool {
        matches!(self, Epoch::Closed | Epoch::Fenced { used: false })
    }

    /// Checks an access to `target`.
    pub fn access(&mut self, target: usize) -> Result<(), Error> {
        let inside = match self {
            Epoch::Closed => false,
            Epoch::Fenced { used } => {
                *used = true;
                true
            }
            Epoch::Started(group) => group.contains(&target),
            Epoch::Locked(targets) => targets.contains(&target),
            Epoch::LockedAll => true,
        };
        match inside {
            true => Ok(()),
            false => {
                Err(Error::RmaSync("an access outside of an epoch: fence, start or lock come before it"))
            }
        }
    }

    /// Checks that `target` is locked, as flushes and accesses with requests need.
    pub fn passive(&self, target: usize) -> Result<(), Error> {
        match self {
            Epoch::LockedAll => Ok(()),
            Epoch::Locked(targets) if targets.contains(&target) => Ok(()),
            _ => Err(Error::RmaSync("the call needs a lock of the target")),
        }
    }

    /// Checks that targets are locked, as flushes of all of them need, and returns the targets; `None` for all.
    pub fn all_passive(&self) -> Result<Option<&BTreeSet<usize>>, Error> {
        match self {
            Epoch::LockedAll => Ok(None),
            Epoch::Locked(targets) => Ok(Some(targets)),
            _ => Err(Error::RmaSync("the call needs a lock")),
        }
    }

    /// Checks a fence.
    pub fn fence(&self) -> Result<(), Error> {
        match self {
            Epoch::Closed | Epoch::Fenced { .. } => Ok(()),
            _ => Err(Error::RmaSync("a fence inside of an epoch of start or lock")),
        }
    }

    /// Checks the begin of an epoch by start or lock_all.
    pub fn begin(&self) -> Result<(), Error> {
        match self.may_begin() {
            true => Ok(()),
            false => Err(Error::RmaSync("another epoch is open on this window")),
        }
    }

    /// Checks a lock of `target`.
    pub fn lock(&self, target: usize) -> Result<(), Error> {
        match self {
            Epoch::Locked(targets) if targets.contains(&target) => {
                Err(Error::RmaSync("this rank has locked the target already"))
            }
            Epoch::Locked(_) => Ok(()),
            _ => self.begin(),
        }
    }

    /// Adds a granted lock of `target`.
    pub fn locked(&mut self, target: usize) {
        match self {
            Epoch::Locked(targets) => {
                targets.insert(target);
            }
            _ => *self = Epoch::Locked(BTreeSet::from([target])),
        }
    }

    /// Ends the lock of `target`.
    pub fn unlock(&mut self, target: usize) -> Result<(), Error> {
        match self {
            Epoch::Locked(targets) if targets.contains(&target) => {
                targets.remove(&target);
                if targets.is_empty() {
                    *self = Epoch::Closed;
                }
                Ok(())
            }
            _ => Err(Error::RmaSync("this rank has not locked the target")),
        }
    }

    /// Ends the locks of all targets.
    pub fn unlock_all(&mut self) -> Result<(), Error> {
        match self {
            Epoch::LockedAll => {
                *self = Epoch::Closed;
                Ok(())
            }
            _ => Err(Error::RmaSync("the targets were not locked by MPI_Win_lock_all")),
        }
    }

    /// Ends an epoch of start and returns its targets.
    pub fn complete(&mut self) -> Result<BTreeSet<usize>, Error> {
        match std::mem::take(self) {
            Epoch::Started(group) => Ok(group),
            other => {
                *self = other;
                Err(Error::RmaSync("no access epoch was started"))
            }
        }
    }

    /// Checks that the window may be freed.
    pub fn free(&self) -> Result<(), Error> {
        match self {
            Epoch::Closed | Epoch::Fenced { .. } => Ok(()),
            _ => Err(Error::RmaSync("an access epoch of this rank is open")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn access_needs_an_epoch_with_its_target() {
        assert!(Epoch::Closed.access(0).is_err());
        assert!(Epoch::Started(BTreeSet::from([1])).access(0).is_err());
        assert!(Epoch::Locked(BTreeSet::from([1])).access(0).is_err());
        for mut epoch in [Epoch::Fenced { used: false }, Epoch::LockedAll, Epoch::Locked(BTreeSet::from([0]))]
        {
            assert_eq!(epoch.access(0), Ok(()), "{epoch:?}");
        }
    }

    #[test]
    fn fence_without_access_opens_no_epoch() {
        let mut epoch = Epoch::Fenced { used: false };
        assert_eq!((epoch.begin(), epoch.lock(3)), (Ok(()), Ok(())));
        epoch.access(0).unwrap();
        assert!(epoch.begin().is_err() && epoch.lock(3).is_err());
        assert_eq!((epoch.fence(), epoch.free()), (Ok(()), Ok(())));
    }

    #[test]
    fn locks_end_as_they_began() {
        let mut epoch = Epoch::Closed;
        assert!(epoch.unlock(1).is_err() && epoch.unlock_all().is_err() && epoch.complete().is_err());
        epoch.locked(1);
        epoch.locked(2);
        assert!(epoch.lock(1).is_err() && epoch.begin().is_err() && epoch.fence().is_err());
        assert_eq!((epoch.lock(3), epoch.passive(2)), (Ok(()), Ok(())));
        assert!(epoch.passive(3).is_err() && epoch.free().is_err() && epoch.unlock_all().is_err());
        assert_eq!((epoch.unlock(1), epoch.unlock(2)), (Ok(()), Ok(())));
        assert_eq!(epoch, Epoch::Closed);
        epoch = Epoch::LockedAll;
        assert!(epoch.unlock(1).is_err() && epoch.lock(1).is_err());
        assert_eq!(epoch.unlock_all(), Ok(()));
    }
}
