//! Traces of the checker, played on channel adapters.
//!
//! A [`Script`] is the shortest trace in the world whose send queues are eager, as those of adapters are
//! ([`World::on_adapter`]). [`Script::play`] sets up a queue pair on each of two adapters. The cable between them holds
//! every packet until the script lets it arrive, come twice, overtake, or get lost; deadlines are far enough away to
//! pass only where the script says so. After every step the rows of both queue pairs and the packets on the cable are
//! compared with the state of the checker.
//!
//! An adapter has all rules. So link or hosts leave a rule out where they can ([`Switch`]): the link changes or drops the
//! packets that the rule is about, or the hosts choose the same PSNs again. Where neither can, the same deliveries are
//! played under the rules of the adapter, which must withstand them: faults cease, and every request completes.
//!
//! Any implementation of the adapter will do: model, RTL, or both in lockstep (decision 0035).

mod link;
mod program;
mod script;
mod stage;
mod view;

use ::hca::pins::{In, Out};
use hdl::{Nic, NicError};

pub use script::{Script, Switch};

use super::world::{Action, SIDES, State, World};
use super::wrong::Wrong;
use crate::core::{self, Testbed};
use stage::Stage;
use view::View;

/// A script as adapters played it. Times are picoseconds since reset.
pub type Replay = core::Replay<Ending>;

/// The observations of the hosts after the last step; without a finding, after faults have ceased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Requests that were completed: queue pair, number from 0, and status.
    pub completed: Vec<(usize, u8, ::hca::layout::Status)>,
    /// Every request that was not given up has its completion, as it has to.
    pub complete: bool,
    /// The first violation that a host has observed.
    pub wrong: Option<Wrong>,
    /// Picoseconds from the last step to the end.
    pub took: u64,
}

impl Replay {
    /// Whether the adapters ended as a finding says, or well if there is none.
    pub fn shows(&self, finding: Option<Wrong>) -> bool {
        self.agrees() && self.ending.wrong == finding && (finding.is_some() || self.ending.complete)
    }
}

impl Script {
    /// Plays the script on two adapters after reset. Fails if an adapter fails, or sends what the monitor on the cable does
    /// not allow.
    pub fn play<N: Nic<In = In, Out = Out>>(&self, adapters: [N; 2]) -> Result<Replay, NicError> {
        let mut player = Player { world: &self.world, stage: Stage::new(&self.world, adapters)? };
        let (steps, _) = core::play(&self.world, &self.actions, &mut player)?;
        let begin = player.stage.now();
        if self.finding.is_none() {
            player.stage.end(&self.world)?;
        }
        player.stage.check()?;
        let took = player.stage.now() - begin;
        Ok(Replay { steps, ending: player.stage.ending(&self.world, took) })
    }
}

/// Plays a script.
struct Player<'a, N> {
    world: &'a World,
    stage: Stage<N>,
}

impl<N: Nic<In = In, Out = Out>> Player<'_, N> {
    /// A packet that is held arrives, as the link passes it on.
    fn arrive(&mut self, before: &State, from: usize, at: usize, again: bool) -> Result<(), NicError> {
        let words = self.stage.take(from, at, again)?;
        let packet = before.wires[from][at];
        if !(self.world.dead && from == 0) {
            let passed = link::passes(self.world, before, from, packet, &words)?;
            self.stage.deliver(from, passed);
        }
        Ok(())
    }
}

impl<N: Nic<In = In, Out = Out>> Testbed<World> for Player<'_, N> {
    fn act(&mut self, before: &State, action: Action) -> Result<(), NicError> {
        match action {
            Action::Turn(_) => return Err("send queues of adapters are eager".into()),
            Action::TimeOut(me) => self.stage.time_out(me)?,
            Action::Arrive(from) => self.arrive(before, from, 0, false)?,
            Action::Repeat(from) => self.arrive(before, from, 0, true)?,
            Action::Overtake(from) => self.arrive(before, from, 1, false)?,
            Action::Lose(from) => drop(self.stage.take(from, 0, false)?),
            Action::Remake => self.stage.remake(self.world)?,
            Action::Post(me) => self.stage.post(me),
            Action::Share(me) => self.stage.share(me),
        }
        self.stage.rest(self.world)?;
        Ok(())
    }

    fn agrees(&mut self, state: &State) -> Result<bool, NicError> {
        Ok(self.stage.view(self.world, state)? == View::of(self.world, state))
    }

    fn knowledge(&mut self, state: &State) -> Result<Vec<String>, NicError> {
        Ok(self.stage.view(self.world, state)?.words(self.world))
    }

    fn time(&self) -> u64 {
        self.stage.now()
    }
}

/// Both ends, in words: see [`knowledge`](core::Walk::knowledge).
pub(super) fn words(world: &World, state: &State) -> Vec<String> {
    View::of(world, state).words(world)
}

/// Whether a queue pair has requests.
fn requests(world: &World) -> impl Iterator<Item = usize> + '_ {
    SIDES.into_iter().filter(|me| !world.requests[*me].is_empty())
}
