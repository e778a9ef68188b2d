//! The four kinds of worlds, as one type.

use mpi_de::Rules;

use super::wrong::Wrong;
use super::{Exchange, Masks, Ring, Waiting};
use crate::core::{Exploration, Judged, OnVisit};

/// A world to explore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum World {
    /// PEs that send to each other.
    Exchange(Exchange),
    /// A thread that waits.
    Waiting(Waiting),
    /// Tasks that share a user queue.
    Masks(Masks),
    /// A library and its NIF at both ends of a ring.
    Ring(Ring),
}

impl World {
    /// Walks at most `limit` states.
    pub fn check(&self, limit: usize) -> Judged<Wrong> {
        self.check_with(limit, &mut || ())
    }

    /// Walks at most `limit` states and calls `on_visit` for each.
    pub(super) fn check_with(&self, limit: usize, on_visit: OnVisit<'_>) -> Judged<Wrong> {
        Ok(match self {
            Self::Exchange(world) => Exploration::new(world, limit, on_visit)?.verdict(),
            Self::Waiting(world) => Exploration::new(world, limit, on_visit)?.verdict(),
            Self::Masks(world) => Exploration::new(world, limit, on_visit)?.verdict(),
            Self::Ring(world) => Exploration::new(world, limit, on_visit)?.verdict(),
        })
    }

    /// The rules of its libraries and hosts.
    pub fn rules(&self) -> Rules {
        match self {
            Self::Exchange(world) => world.config.rules,
            Self::Waiting(world) => world.rules,
            Self::Masks(world) => world.rules,
            Self::Ring(world) => world.rules,
        }
    }

    /// The same world with other rules. Where a pool becomes two, each side has as many slots as it had.
    pub fn under(&self, rules: Rules) -> Self {
        let mut world = self.clone();
        match &mut world {
            Self::Exchange(Exchange { config, .. }) => {
                config.rules = rules;
                if rules.two_pools && config.receive_slots == 0 {
                    config.receive_slots = config.send_slots;
                }
            }
            Self::Waiting(world) => world.rules = rules,
            Self::Masks(world) => world.rules = rules,
            Self::Ring(world) => world.rules = rules,
        }
        world
    }

    /// PEs; 1 where the world is within one PE.
    pub fn pes(&self) -> usize {
        match self {
            Self::Exchange(world) => world.sends.len(),
            _ => 1,
        }
    }

    /// Name of the variant, as in the JSON report.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Exchange(_) => "exchange",
            Self::Waiting(_) => "waiting",
            Self::Masks(_) => "masks",
            Self::Ring(_) => "ring",
        }
    }
}
