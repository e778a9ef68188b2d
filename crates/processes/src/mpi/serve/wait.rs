//! Events that ranks wait for, in the words of a deadlock report.

use mpi::{Communicator, Group};

use crate::mpi::deadlock::Wait;

/// An event that needs all other ranks of a communicator.
pub(super) fn others(communicator: &Communicator, event: &str) -> Wait {
    let own = (0..communicator.size()).filter(|rank| *rank != communicator.rank());
    let own = own.filter_map(|rank| communicator.group().process(rank).ok());
    let remote = communicator.remote_group().into_iter().flat_map(processes);
    Wait { ranks: own.chain(remote).collect(), event: event.to_owned() }
}

/// The arrival of a message.
pub(super) fn message(communicator: &Communicator, source: Option<u32>, tag: Option<u32>) -> Wait {
    let tag = tag.map_or("any tag".to_owned(), |tag| format!("tag {tag}"));
    let remote = remote(communicator);
    match source {
        Some(source) => {
            let ranks = communicator.peers().process(source as usize).into_iter().collect();
            Wait { ranks, event: format!("a message of rank {source}{remote}, {tag}") }
        }
        None => {
            let event = format!("a message of any rank{remote}, {tag}");
            match communicator.remote_group() {
                Some(group) => Wait { ranks: processes(group).collect(), event },
                None => others(communicator, &event),
            }
        }
    }
}

/// The receive of a message of this rank.
pub(super) fn receiver(communicator: &Communicator, to: usize, length: usize, tag: u32) -> Wait {
    let ranks = communicator.peers().process(to).into_iter().collect();
    let remote = remote(communicator);
    Wait { ranks, event: format!("rank {to}{remote} to receive {length} bytes, tag {tag}") }
}

/// Words after a rank of another group.
fn remote(communicator: &Communicator) -> &'static str {
    if communicator.remote_group().is_some() { " of the remote group" } else { "" }
}

/// All processes of a group in the order of their ranks.
pub(super) fn processes(group: &Group) -> impl Iterator<Item = usize> {
    (0..group.size()).map(|rank| group.process(rank).expect("it is a rank of the group"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_of_several_events_needs_one_rank_of_all_of_them() {
        let wait = |ranks: &[usize], event: &str| Wait { ranks: ranks.to_vec(), event: event.into() };
        let three = vec![wait(&[4, 1], "a"), wait(&[2, 4], "b"), wait(&[0], "c")];
        assert_eq!(any_of(three.clone()), wait(&[0, 1, 2, 4], "a or b or c"));
        let four = [three, vec![wait(&[1], "d")]].concat();
        assert_eq!(any_of(four), wait(&[0, 1, 2, 4], "a or b or c or others"));
    }
}
