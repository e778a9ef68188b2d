//! Traces of the checker, played on NIFs of Cenju-3.
//!
//! A [`Script`] is the shortest way to a finding in the world that a NIF makes ([`on_nif`]). [`Script::play`] sets two NIFs up on a
//! cable, with memory, cache lines and libraries beside them, and has happen what the script says; after every step what lies
//! in rings and memory stands beside the state of the checker. When the script is over, whatever can happen does.
//!
//! Any implementation of the NIF will do: model, RTL, or both in lockstep (decision 0035).

mod exchange;
mod player;
mod stage;
mod waiting;

use cenju3::pins::{In, Out};
use hdl::{Nic, NicError};
use mpi_de::Rules;

use super::verdict::{Wrong, way};
use super::{World, exchange::Action as Exchanged, waiting::Action as Waited};
use crate::gigae_pm::verdict::TooManyStates;

pub use player::{Ending, Played, Replay};

/// NIFs of a replay.
pub const NIFS: usize = 2;

/// What to play.
#[derive(Clone, Debug)]
pub struct Script {
    /// The world.
    pub world: World,
    /// What is to go wrong; nothing if all is to end well.
    pub finding: Option<Wrong>,
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    Exchange(Vec<Exchanged>),
    Waiting(Vec<Waited>),
}

/// Why there is no script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoScript {
    /// The NIF does not let it happen: how, as a sentence.
    NotOnNif(&'static str),
    /// It takes another number of PEs than two.
    Pes,
    /// Nothing of the kind is found.
    NothingFound,
    /// The world is too large.
    TooManyStates(TooManyStates),
}

/// The rules of a world as a NIF has them: what is repaired in it cannot be had as printed.
pub fn on_nif(rules: Rules) -> Rules {
    Rules { data_first: true, empties_queue: true, keeps_one_free: true, ..rules }
}

impl Script {
    /// The shortest way to something wrong in a world, as a NIF makes it.
    pub fn find(world: &World, wrong: Wrong, limit: usize) -> Result<Self, NoScript> {
        if matches!(world, World::Exchange(world) if world.sends.len() != NIFS) {
            return Err(NoScript::Pes);
        }
        let rules = world.rules();
        let world = world.under(on_nif(rules));
        let way = match &world {
            World::Exchange(world) => way(world, wrong, limit).map(|way| way.map(Way::Exchange)),
            World::Waiting(world) => way(world, wrong, limit).map(|way| way.map(Way::Waiting)),
            World::Masks(_) => return Err(NoScript::NotOnNif(MASKS)),
            World::Ring(_) => return Err(NoScript::NotOnNif(RING)),
        };
        match way.map_err(NoScript::TooManyStates)? {
            Some(way) => Ok(Self { world, finding: Some(wrong), way }),
            None if !rules.data_first => Err(NoScript::NotOnNif(DATA_FIRST)),
            None => Err(NoScript::NothingFound),
        }
    }

    /// The same way under other rules, with which all is to end well.
    pub fn under(self, rules: Rules) -> Self {
        Self { world: self.world.under(on_nif(rules)), finding: None, ..self }
    }

    /// Plays it on NIFs after reset. Fails if one of them fails.
    pub fn play<N: Nic<In = In, Out = Out>>(&self, nifs: [N; NIFS]) -> Result<Replay, NicError> {
        match (&self.world, &self.way) {
            (World::Exchange(world), Way::Exchange(way)) => {
                player::play(world, way, exchange::Exchanging::new(world, nifs)?)
            }
            (World::Waiting(world), Way::Waiting(way)) => {
                player::play(world, way, waiting::Sleeping::new(world, nifs)?)
            }
            _ => unreachable!("a script is found in its own world"),
        }
    }
}

const MASKS: &str = "the NIF does not change a mask while the user's queue is not empty; it sets bit 1 of Status (decision 0057)";
const RING: &str =
    "the NIF leaves one entry of each queue and ring free, so that full is not empty (decision 0057)";
const DATA_FIRST: &str = "the NIF writes data before their header (decision 0057)";
