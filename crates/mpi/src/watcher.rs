//! What processes wait for, as seen from outside.

use std::rc::{Rc, Weak};

use crate::envelope::Envelope;
use crate::matching::{Pattern, Source, Tag};
use crate::progress::Library;

/// What each process waits for, if none of them can go on: all wait in calls, and nothing is on its way. Where processes poll, time
/// passes all the same, so nobody else would find that out.
pub fn deadlock(watchers: &[Watcher]) -> Option<Vec<Vec<String>>> {
    let libraries: Vec<_> = watchers.iter().map(|watcher| watcher.0.upgrade()).collect();
    let there = || libraries.iter().flatten();
    let on_the_way = there()
        .map(|library| library.packets.get())
        .fold([0, 0], |all, each| [0, 1].map(|i| all[i] + each[i]));
    let stuck = |library: &Rc<Library>| {
        library.idle.get() && library.operations.get() == 0 && library.outbox.borrow().is_empty()
    };
    let dead = there().count() > 0 && there().all(stuck) && on_the_way[0] == on_the_way[1];
    dead.then(|| watchers.iter().map(Watcher::waiting).collect())
}

/// Tells what a process waits for, from outside.
#[derive(Clone)]
pub struct Watcher(pub(crate) Weak<Library>);

impl Watcher {
    /// What the process waits for, in words: receives without messages, messages that were not wanted.
    pub fn waiting(&self) -> Vec<String> {
        let Some(library) = self.0.upgrade() else { return Vec::new() };
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
        receives.chain(asked).collect()
    }
}

fn tag_of(pattern: Pattern) -> u32 {
    match pattern.tag {
        Tag::Is(tag) => tag,
        Tag::Any => 0,
    }
}
