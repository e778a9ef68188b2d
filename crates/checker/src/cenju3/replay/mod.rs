//! Traces of the checker, played on NIFs of Cenju-3.
//!
//! A [`Script`] is the shortest trace to a finding under the rules that a NIF allows ([`on_nif`]). [`Script::play`] connects two
//! NIFs by a cable and gives them memory, cache lines and libraries. After each step of the script it compares rings and memory
//! with the state of the checker. After the last one, everything that can happen does.
//!
//! Any implementation of the NIF will do: model, RTL, or both in lockstep (decision 0035).

mod exchange;
mod player;
mod stage;
mod waiting;

use cenju3::pins::{In, Out};
use hdl::{Nic, NicError};
use mpi_de::Rules;

use super::{World, Wrong, exchange::Action as Exchanged, waiting::Action as Waited};
use crate::core::{Exploration, NoScript};

pub use player::{Ending, Replay};

/// NIFs of a replay.
pub const NIFS: usize = 2;

/// A trace for NIFs.
#[derive(Clone, Debug)]
pub struct Script {
    /// The world, under the rules that a NIF allows.
    pub world: World,
    /// The finding at its end; `None` if all is expected to end well.
    pub finding: Option<Wrong>,
    way: Actions,
}

#[derive(Clone, Debug)]
enum Actions {
    Exchange(Vec<Exchanged>),
    Waiting(Vec<Waited>),
}

/// The rules of a world on a NIF, which has three of the repairs built in.
pub fn on_nif(rules: Rules) -> Rules {
    Rules { data_first: true, empties_queue: true, keeps_one_free: true, ..rules }
}

impl Script {
    /// The shortest trace to a finding of a world, as a NIF makes it.
    pub fn find(world: &World, wrong: Option<Wrong>, limit: usize) -> Result<Self, NoScript> {
        if matches!(world, World::Exchange(world) if world.sends.len() != NIFS) {
            return Err(NoScript::NotOnMachine(vec![PES]));
        }
        let rules = world.rules();
        let world = world.under(on_nif(rules));
        let found = match &world {
            World::Exchange(world) => Exploration::new(world, limit, &mut || ())?
                .trace(wrong)
                .map(|(wrong, trace)| (wrong, Actions::Exchange(trace.actions()))),
            World::Waiting(world) => Exploration::new(world, limit, &mut || ())?
                .trace(wrong)
                .map(|(wrong, trace)| (wrong, Actions::Waiting(trace.actions()))),
            World::Masks(_) => return Err(NoScript::NotOnMachine(vec![MASKS])),
            World::Ring(_) => return Err(NoScript::NotOnMachine(vec![RING])),
        };
        match found {
            Some((wrong, way)) => Ok(Self { world, finding: Some(wrong), way }),
            None if !rules.data_first => Err(NoScript::NotOnMachine(vec![DATA_FIRST])),
            None => Err(NoScript::NothingFound),
        }
    }

    /// The same trace under other rules, which are expected to bear it.
    pub fn under(self, rules: Rules) -> Self {
        Self { world: self.world.under(on_nif(rules)), finding: None, ..self }
    }

    /// Plays the script on NIFs after reset.
    pub fn play<N: Nic<In = In, Out = Out>>(&self, nifs: [N; NIFS]) -> Result<Replay, NicError> {
        match (&self.world, &self.way) {
            (World::Exchange(world), Actions::Exchange(way)) => {
                player::play(world, way, exchange::ExchangeTestbed::new(world, nifs)?)
            }
            (World::Waiting(world), Actions::Waiting(way)) => {
                player::play(world, way, waiting::WaitingTestbed::new(world, nifs)?)
            }
            _ => unreachable!("a script is found in its own world"),
        }
    }
}

const PES: &str = "a replay takes a world of two PEs";
const MASKS: &str = "the NIF does not change a mask while the user's queue is not empty; it sets bit 1 of Status (decision 0057)";
const RING: &str =
    "the NIF leaves one entry of each queue and ring free, so that full is not empty (decision 0057)";
const DATA_FIRST: &str = "the NIF writes data before their header (decision 0057)";
