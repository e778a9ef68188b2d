//! The processes that ranks are: their boards and slots, and where their windows lie.
//!
//! | Ranks of a board | Slot of messages | Slot of windows |
//! |---|---|---|
//! | one | 0 | 1, which no other process uses |
//! | two | 0 and 1, in the order of ranks | its own |

use machine_api::Placement;

use super::layout::Regions;
use super::windows::Ring;
use crate::programs::Process;
use crate::programs::botf::Peer;

/// The process group of all ranks.
const PGID: u8 = 1;

/// The ranks of a run.
#[derive(Clone, Copy, Debug)]
pub struct Ranks(pub Placement);

impl Ranks {
    /// Number of ranks.
    pub fn count(self) -> usize {
        self.0.ranks()
    }

    /// Whether boards have two processes.
    pub fn share_boards(self) -> bool {
        self.0.shares_nodes()
    }

    /// Number of the board on which a rank runs.
    pub fn node(self, rank: usize) -> usize {
        self.0.node(rank)
    }

    /// Slot and group of a rank.
    pub fn process(self, rank: usize) -> Process {
        Process { wid: self.peer(rank).wid, pgid: PGID }
    }

    /// The process that gets messages for a rank.
    pub fn peer(self, rank: usize) -> Peer {
        Peer::of(self.0.process(rank))
    }

    /// The process in whose region the windows of a rank lie.
    pub fn owner_of_windows(self, rank: usize) -> Peer {
        let Peer { lid, wid } = self.peer(rank);
        Peer { lid, wid: if self.share_boards() { wid } else { !wid } }
    }

    /// The Prefetch Windows through which long messages for a rank pass.
    pub fn ring(self, rank: usize) -> Ring {
        Ring { wid: self.process(rank).wid, has_both_slots: !self.share_boards() }
    }

    /// Division of the regions of a rank.
    pub fn regions(self) -> &'static Regions {
        if self.share_boards() { &Regions::SHARED_BOARD } else { &Regions::OWN_BOARD }
    }
}

/// A rank among all.
#[derive(Clone, Copy, Debug)]
pub struct Seat {
    /// Number of the rank.
    pub rank: usize,
    /// All ranks of the run.
    pub ranks: Ranks,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lid;

    #[test]
    fn windows_lie_in_the_free_slot_or_in_the_own_one() {
        let slots = |per_node| {
            let ranks = Ranks(Placement::new(4, per_node));
            let slot = |rank| (ranks.peer(rank).wid, ranks.owner_of_windows(rank).wid);
            [slot(0), slot(1)]
        };
        assert_eq!(slots(1), [(false, true), (false, true)]);
        assert_eq!(slots(2), [(false, false), (true, true)]);
    }

    #[test]
    fn two_ranks_have_one_lid() {
        let ranks = Ranks(Placement::new(4, 2));
        let lids: Vec<_> = (0..4).map(|rank| ranks.peer(rank).lid).collect();
        assert_eq!(lids, [lid(0), lid(0), lid(1), lid(1)]);
    }
}
