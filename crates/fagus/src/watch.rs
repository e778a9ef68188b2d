//! Finds nodes that wait for each other.
//!
//! A node whose program waits tells node 0 what for, and what it holds, again and again. A cycle of these is one only if all still wait
//! in the same calls when they tell it the next time: a node that waits holds what it holds, so at that time all waited at once.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::{Deserialize, Serialize};

/// What a program waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Thing {
    /// An object, to write or to read it.
    Object {
        /// Its number.
        number: u32,
        /// To write it.
        write: bool,
    },
    /// A lock.
    Lock(u32),
    /// A barrier.
    Barrier(u32),
}

/// What a node tells of itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Report {
    /// Number of the call that its program waits in.
    pub call: u64,
    /// What for.
    pub waits: Thing,
    /// What it holds.
    pub holds: Vec<Thing>,
    /// The last barrier that it came to.
    pub round: u32,
}

impl Report {
    /// Whether this node has to wait until that other one goes on.
    fn waits_for(&self, other: &Report) -> bool {
        match self.waits {
            Thing::Barrier(round) => other.round < round,
            Thing::Lock(_) => other.holds.contains(&self.waits),
            // A reader may wait behind a writer that waits for other readers.
            Thing::Object { number, .. } => other
                .holds
                .iter()
                .any(|held| matches!(held, Thing::Object { number: held, .. } if *held == number)),
        }
    }
}

/// What node 0 has heard.
#[derive(Default)]
pub struct Watch {
    /// The last report of each node, and how many there were.
    reports: BTreeMap<u16, (Report, u64)>,
    /// A cycle that may be one: nodes, their calls, and how many reports of each there were.
    suspect: Vec<(u16, u64, u64)>,
}

impl Watch {
    /// Takes a report; a cycle, if there is one: each node with what it waits for, the next one having it.
    pub fn hear(&mut self, from: u16, report: Report) -> Option<Vec<(u16, Thing)>> {
        let count = self.reports.get(&from).map_or(0, |(_, count)| count + 1);
        self.reports.insert(from, (report, count));
        let found = self.cycle(from)?;
        let now: Vec<_> =
            found.iter().map(|node| (*node, self.reports[node].0.call, self.reports[node].1)).collect();
        let mut sorted = now.clone();
        sorted.sort_unstable();
        let calls = |cycle: &[(u16, u64, u64)]| cycle.iter().map(|seen| (seen.0, seen.1)).collect::<Vec<_>>();
        if calls(&self.suspect) != calls(&sorted) {
            self.suspect = sorted;
            return None;
        }
        let again = self.suspect.iter().zip(&sorted).all(|(before, now)| now.2 > before.2);
        again.then(|| found.iter().map(|node| (*node, self.reports[node].0.waits)).collect())
    }

    /// A way from a node over those that it waits for back to it.
    fn cycle(&self, start: u16) -> Option<Vec<u16>> {
        let mut came_from = BTreeMap::new();
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            let (report, _) = &self.reports[&node];
            for (&other, (held, _)) in &self.reports {
                if !report.waits_for(held) {
                    continue;
                }
                if other == start {
                    let mut way = vec![node];
                    while way[way.len() - 1] != start {
                        way.push(came_from[&way[way.len() - 1]]);
                    }
                    way.reverse();
                    return Some(way);
                }
                if let Entry::Vacant(fresh) = came_from.entry(other) {
                    fresh.insert(node);
                    open.push(other);
                }
            }
        }
        None
    }
}
