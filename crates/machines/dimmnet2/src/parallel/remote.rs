//! State of the accesses of a rank to windows in SO-DIMM ([accesses](super::accesses)). No time and no network.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use mpi::carrier::{OneSided, Reach};

use super::layout::{self, REGION, SLOTS};
use super::places::Places;
use super::ranks::Ranks;
use crate::host::Memory as Board;

/// Remote accesses of a rank.
pub struct Remote {
    one_sided: OneSided,
    ranks: Ranks,
    /// Boards of all nodes, to which the simulator shows the bytes of windows.
    boards: Vec<Rc<Board>>,
    /// Places of own windows.
    pub places: Places,
    /// Packets for own windows are accepted.
    pub is_open: bool,
    /// Lists at each target, by their places.
    pub lists: BTreeMap<(usize, u32), Vec<u32>>,
    /// Puts to each target that no RVL follows.
    pub unsettled: BTreeMap<usize, usize>,
    /// RVLs in progress, by the offset of their data.
    pub reading: BTreeMap<u32, Reading>,
    /// Complete puts and gets, with the data of gets.
    pub finished: VecDeque<(usize, Vec<u8>)>,
}

/// An RVL in progress.
pub struct Reading {
    /// The rank that was asked.
    pub target: usize,
    /// Puts that are complete with it.
    pub puts: usize,
    /// Bytes of a get; 0 if only the puts matter.
    pub bytes: usize,
}

impl Remote {
    pub fn new(one_sided: OneSided, ranks: Ranks, boards: Vec<Rc<Board>>) -> Remote {
        Remote {
            one_sided,
            ranks,
            boards,
            places: Places::new(ranks.regions().windows.clone()),
            is_open: ranks.share_boards(),
            lists: BTreeMap::new(),
            unsettled: BTreeMap::new(),
            reading: BTreeMap::new(),
            finished: VecDeque::new(),
        }
    }

    /// Shows the board of a rank bytes at an offset in the region of its windows.
    pub fn show(&self, rank: usize, offset: u64, bytes: &[u8]) {
        let region = REGION * u64::from(self.ranks.owner_of_windows(rank).wid);
        self.boards[self.ranks.node(rank)].show(region + offset, bytes);
    }

    pub fn reach(&self) -> Reach {
        self.one_sided.reach(Reach::Placed)
    }

    /// Whether no RVL is in progress.
    pub fn is_idle(&self) -> bool {
        self.reading.is_empty()
    }

    /// A free place for the data of an RVL, by its number.
    pub fn slot(&self) -> Option<u32> {
        (0..SLOTS).find(|slot| !self.reading.contains_key(&layout::arriving(*slot)))
    }

    /// Whether puts to a target are not known to be complete and no RVL follows them.
    pub fn is_unsettled(&self, target: usize) -> bool {
        self.unsettled.get(&target).is_some_and(|puts| *puts > 0)
    }
}
