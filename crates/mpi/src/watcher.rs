//! Pending operations of processes, seen from outside.

use std::rc::{Rc, Weak};

use cluster::Duration;

use crate::envelope::Envelope;
use crate::matching::{Pattern, Source, Tag};
use crate::progress::Library;
use crate::signs::Signs;

/// Pending operations of each process if none can proceed: all wait in calls and no packet is in flight. A
/// polling process advances the time, so the engine does not detect this deadlock.
pub fn deadlock(watchers: &[Watcher]) -> Option<Vec<Vec<String>>> {
    let sent = || watchers.iter().map(|watcher| watcher.signs.sent.get()).sum::<u64>();
    let received = || watchers.iter().map(|watcher| watcher.signs.received.get()).sum::<u64>();
    let ended = |watcher: &Watcher| watcher.library.strong_count() == 0;
    let stuck = |watcher: &Watcher| ended(watcher) || watcher.is_stuck();
    let dead = !watchers.iter().all(ended) && watchers.iter().all(stuck) && sent() == received();
    dead.then(|| watchers.iter().map(Watcher::waiting).collect())
}

/// Reports the pending operations of a process from outside.
#[derive(Clone)]
pub struct Watcher {
    pub(crate) library: Weak<Library>,
    pub(crate) signs: Rc<Signs>,
}

impl Watcher {
    /// Sets the callback for a process that waits in a call with nothing to do.
    pub fn when_idle(&self, told: impl Fn() + 'static) {
        self.signs.when_idle(told);
    }

    /// Packets sent by the process to others so far.
    pub fn packets(&self) -> u64 {
        self.signs.sent.get()
    }

    /// Processor time that the process has spent in the library's own steps and copies, without its carrier.
    pub fn library_time(&self) -> Duration {
        self.signs.spent.get()
    }

    fn is_stuck(&self) -> bool {
        let empty = |library: Rc<Library>| library.outbox.borrow().is_empty() && !library.is_accessing();
        self.signs.is_idle() && self.signs.operations.get() == 0 && self.library.upgrade().is_none_or(empty)
    }

    /// Pending operations, one sentence each: receives without messages, rendezvous messages without receives,
    /// and the synchronization of a window.
    pub fn waiting(&self) -> Vec<String> {
        let Some(library) = self.library.upgrade() else { return Vec::new() };
        let (inbox, outbox) = (library.inbox.borrow(), library.outbox.borrow());
        let receives = inbox.waiting().map(|(context, pattern)| {
            let source = match pattern.source {
                Source::Any => "anybody".to_string(),
                Source::Rank(rank) => format!("rank {rank}"),
            };
            let tag = match pattern.tag {
                Tag::Any => "of any tag".to_string(),
                Tag::Is(tag) => format!("of tag {tag}"),
            };
            match context % 2 {
                0 => format!("a message of {source} {tag}"),
                _ => format!("{source} in collective call {}", tag_of(pattern)),
            }
        });
        let asked = outbox.asked().map(|(to, Envelope { tag, length, .. })| {
            format!("process {to} to receive {length} bytes of tag {tag}")
        });
        receives.chain(asked).chain(library.window_wait.borrow().clone()).collect()
    }
}

fn tag_of(pattern: Pattern) -> u32 {
    match pattern.tag {
        Tag::Is(tag) => tag,
        Tag::Any => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended() -> Watcher {
        Watcher { library: Weak::new(), signs: Rc::default() }
    }

    #[test]
    fn processes_that_have_ended_are_no_deadlock() {
        assert_eq!(deadlock(&[]), None);
        assert_eq!(deadlock(&[ended(), ended()]), None);
    }

    #[test]
    fn process_is_stuck_only_if_it_waits_and_no_operation_runs() {
        let watcher = ended();
        assert!(!watcher.is_stuck());
        watcher.signs.idle();
        assert!(watcher.is_stuck());
        watcher.signs.operations.set(1);
        assert!(!watcher.is_stuck());
        watcher.signs.operations.set(0);
        watcher.signs.busy();
        assert!(!watcher.is_stuck());
    }
}
