//! What a rank waits for, in the words of a report.

use mpi::Communicator;

use crate::mpi::run::Wait;

/// A wait for the others of a communicator.
pub(super) fn others(on: &Communicator, what: &str) -> Wait {
    let others =
        (0..on.size()).filter(|rank| *rank != on.rank()).filter_map(|rank| on.group().process(rank).ok());
    Wait { of: others.collect(), what: what.to_owned() }
}

/// A wait for a message.
pub(super) fn message(on: &Communicator, from: Option<u32>, tag: Option<u32>) -> Wait {
    let tag = tag.map_or("any tag".to_owned(), |tag| format!("tag {tag}"));
    match from {
        Some(from) => {
            let of = on.group().process(from as usize).into_iter().collect();
            Wait { of, what: format!("a message of rank {from}, {tag}") }
        }
        None => others(on, &format!("a message of any rank, {tag}")),
    }
}

/// A wait for any of several.
pub(super) fn any_of(waits: Vec<Wait>) -> Wait {
    let mut of: Vec<_> = waits.iter().flat_map(|wait| wait.of.clone()).collect();
    of.sort_unstable();
    of.dedup();
    let what: Vec<_> = waits.iter().take(3).map(|wait| wait.what.as_str()).collect();
    let more = if waits.len() > 3 { " or others" } else { "" };
    Wait { of, what: format!("{}{more}", what.join(" or ")) }
}
