//! Events that ranks wait for, in the words of a deadlock report.

use mpi::Communicator;

use crate::mpi::deadlock::Wait;

/// An event that needs all other ranks of a communicator.
pub(super) fn others(communicator: &Communicator, event: &str) -> Wait {
    let others = (0..communicator.size()).filter(|rank| *rank != communicator.rank());
    let ranks = others.filter_map(|rank| communicator.group().process(rank).ok());
    Wait { ranks: ranks.collect(), event: event.to_owned() }
}

/// The arrival of a message.
pub(super) fn message(communicator: &Communicator, source: Option<u32>, tag: Option<u32>) -> Wait {
    let tag = tag.map_or("any tag".to_owned(), |tag| format!("tag {tag}"));
    match source {
        Some(source) => {
            let ranks = communicator.group().process(source as usize).into_iter().collect();
            Wait { ranks, event: format!("a message of rank {source}, {tag}") }
        }
        None => others(communicator, &format!("a message of any rank, {tag}")),
    }
}

/// Any of several events; the text lists at most three.
pub(super) fn any_of(waits: Vec<Wait>) -> Wait {
    let mut ranks: Vec<_> = waits.iter().flat_map(|wait| wait.ranks.clone()).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let events: Vec<_> = waits.iter().take(3).map(|wait| wait.event.as_str()).collect();
    let more = if waits.len() > 3 { " or others" } else { "" };
    Wait { ranks, event: format!("{}{more}", events.join(" or ")) }
}
