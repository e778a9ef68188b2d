//! Deadlocks: the ranks that wait for each other, and where in the program they do.

use std::fmt;

use cluster::Time;

/// The event that a rank waits for in a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Ranks in `MPI_COMM_WORLD`, one of which has to act.
    pub ranks: Vec<usize>,
    /// In words: `a message of rank 1, tag 5`.
    pub event: String,
}

/// A rank that waits forever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedRank {
    /// The rank, in `MPI_COMM_WORLD`.
    pub rank: usize,
    /// The function of MPI that it is in.
    pub function: String,
    /// The event that does not come; none if no rank could cause it.
    pub wait: Option<Wait>,
    /// Virtual time at which the call started.
    pub since: Time,
    /// `file:line in function`; empty where it is not known.
    pub location: String,
}

/// A state from which no rank goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// All ranks that wait.
    pub blocked: Vec<BlockedRank>,
    /// Ranks each of which waits for the next one, and the last for the first; empty if there is no cycle.
    pub cycle: Vec<usize>,
    /// Ranks that had ended before.
    pub ended: Vec<usize>,
}

/// Ranks listed in a report at most.
const MOST_LISTED: usize = 16;

impl Deadlock {
    /// Finds the cycle among these ranks.
    pub(super) fn new(blocked: Vec<BlockedRank>, ended: Vec<usize>) -> Self {
        Deadlock { cycle: find_cycle(&blocked), blocked, ended }
    }
}

impl fmt::Display for Deadlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "deadlock: all ranks wait in calls of MPI, and no message is in flight")?;
        let find = |rank: usize| self.blocked.iter().find(|blocked| blocked.rank == rank);
        if !self.cycle.is_empty() {
            let names: Vec<_> = self.cycle.iter().chain(self.cycle.first()).map(usize::to_string).collect();
            write!(f, "; they wait in a circle: {}", names.join(" -> "))?;
        }
        let others =
            self.blocked.iter().map(|blocked| blocked.rank).filter(|rank| !self.cycle.contains(rank));
        let order: Vec<_> = self.cycle.iter().copied().chain(others).collect();
        for rank in order.iter().take(MOST_LISTED) {
            let Some(BlockedRank { rank, function, wait, since, location }) = find(*rank) else { continue };
            let event = wait.as_ref().map_or("nothing that could come", |wait| &wait.event);
            let location = if location.is_empty() { String::new() } else { format!(" at {location}") };
            write!(f, "\n  rank {rank} waits in {function}{location} for {event}, since {since}")?;
        }
        if order.len() > MOST_LISTED {
            write!(f, "\n  and {} others", order.len() - MOST_LISTED)?;
        }
        if !self.ended.is_empty() {
            let names: Vec<_> = self.ended.iter().take(MOST_LISTED).map(usize::to_string).collect();
            write!(f, "\n  ended already: {}", names.join(", "))?;
        }
        Ok(())
    }
}

/// A cycle of ranks, found by following from each rank the first blocked rank that it waits for.
fn find_cycle(blocked: &[BlockedRank]) -> Vec<usize> {
    let find = |rank: usize| blocked.iter().find(|blocked| blocked.rank == rank);
    let next = |rank: usize| {
        let wait = find(rank)?.wait.as_ref()?;
        wait.ranks.iter().copied().find(|other| find(*other).is_some())
    };
    for start in blocked {
        let mut path = vec![start.rank];
        while let Some(rank) = next(path[path.len() - 1]) {
            if let Some(at) = path.iter().position(|other| *other == rank) {
                return path.split_off(at);
            }
            path.push(rank);
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocked(rank: usize, ranks: &[usize]) -> BlockedRank {
        let wait = Some(Wait { ranks: ranks.to_vec(), event: format!("a message of {ranks:?}") });
        let location = "a.c:7 in main".into();
        BlockedRank { rank, function: "MPI_Recv".into(), wait, since: Time::ZERO, location }
    }

    #[test]
    fn cycle_is_found_behind_ranks_that_only_lead_to_it() {
        assert_eq!(find_cycle(&[blocked(0, &[1]), blocked(1, &[2]), blocked(2, &[1])]), [1, 2]);
        assert_eq!(find_cycle(&[blocked(0, &[0])]), [0]);
        assert_eq!(find_cycle(&[blocked(0, &[1]), blocked(1, &[5])]), [0usize; 0]);
    }

    #[test]
    fn report_names_ranks_functions_and_peers() {
        let text = Deadlock::new(vec![blocked(0, &[1]), blocked(1, &[0])], vec![2]).to_string();
        assert!(text.contains("0 -> 1 -> 0"), "{text}");
        assert!(text.contains("rank 1 waits in MPI_Recv at a.c:7 in main for a message of [0]"), "{text}");
        assert!(text.contains("ended already: 2"), "{text}");
    }
}
