//! Deadlock detection.
//!
//! A waiting node repeatedly reports to node 0 the call it waits in and the guards and locks it holds. A
//! cycle counts as a deadlock only if all its nodes report the same calls again: a waiting node releases
//! nothing, so all were waiting at the same time.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::{Deserialize, Serialize};

/// Resource that a program waits for or holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Thing {
    /// Guard of an object.
    Object {
        /// Number of the object.
        number: u32,
        /// Whether it is a write guard.
        write: bool,
    },
    /// Lock by number.
    Lock(u32),
    /// Barrier by number.
    Barrier(u32),
}

/// Report of a waiting node.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Report {
    /// Number of the pending call.
    pub call: u64,
    /// Resource that the call waits for.
    pub waits: Thing,
    /// Resources that the program holds.
    pub holds: Vec<Thing>,
    /// Last barrier that the node has reached.
    pub round: u32,
}

impl Report {
    /// Whether this node waits for a resource that the other one holds.
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

/// Reports at node 0.
#[derive(Default)]
pub struct Watch {
    /// Last report of each node, and the number of its reports.
    reports: BTreeMap<u16, (Report, u64)>,
    /// Suspected cycle: nodes, their calls, and the number of reports of each.
    suspect: Vec<(u16, u64, u64)>,
}

impl Watch {
    /// Handles a report. Returns a cycle, if there is one: each node with the resource that it waits for and
    /// the next node holds.
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

    /// A path from a node along its waiting relations back to itself.
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
