//! Traces of the checker, played on endpoints with clocks.

use std::time::Duration;

use ::suci::Instant;

use super::step::{Time, is_silent};
use super::world::{Action, State, World};
use super::wrong::Wrong;
use crate::core::{self, Exploration, NoScript, Played};

/// Times that applications and time-outs have their turn before a transfer counts as one that never ends.
const PATIENCE: usize = 200;

/// The end of a replay, after the network has become good and applications have sent and taken everything.
#[derive(Clone, Debug)]
pub struct Ending {
    /// Everything has arrived, and is known to have.
    pub complete: bool,
    /// No packets chase each other.
    pub silent: bool,
    /// Violations on the way.
    pub wrong: Vec<Wrong>,
    /// Blocks that each node has taken, by who sent them.
    pub taken: Vec<Vec<u8>>,
    /// Time from the beginning, by the latest clock.
    pub took: Duration,
}

/// A script as endpoints played it. Times are nanoseconds, by the latest of all clocks.
pub type Replay = core::Replay<Ending>;

impl Replay {
    /// It ends as the checker says, or well if nothing is to go wrong.
    pub fn shows(&self, finding: Option<Wrong>) -> bool {
        let ending = &self.ending;
        match finding {
            None => ending.complete && ending.silent && ending.wrong.is_empty(),
            Some(Wrong::Deadlock | Wrong::Livelock) => !ending.complete,
            Some(Wrong::Storm) => !ending.silent,
            Some(wrong) => ending.wrong.contains(&wrong),
        }
    }
}

/// A trace for endpoints with clocks.
#[derive(Clone, Debug)]
pub struct Script {
    /// The world, under the rules of the endpoints.
    pub world: World,
    /// Its events.
    pub actions: Vec<Action>,
    /// The finding at its end; `None` if all is expected to end well.
    pub finding: Option<Wrong>,
}

impl Script {
    /// The shortest trace to a finding of a kind, or to the nearest one.
    pub fn find(world: &World, wrong: Option<Wrong>, limit: usize) -> Result<Self, NoScript> {
        let exploration = Exploration::new(world, limit, &mut || ())?;
        let (wrong, trace) = exploration.trace(wrong).ok_or(NoScript::NothingFound)?;
        Ok(Self { world: world.clone(), actions: trace.actions(), finding: Some(wrong) })
    }

    /// The same events under other rules, which are expected to bear them.
    pub fn under(self, world: World) -> Self {
        Self { world, finding: None, ..self }
    }

    /// Plays the script on endpoints with clocks.
    pub fn play(&self) -> Replay {
        self.world.play(&self.actions)
    }
}

impl World {
    /// Plays a trace on endpoints with clocks, in step with those of the checker. Then the network is good, and all goes on.
    fn play(&self, actions: &[Action]) -> Replay {
        let (mut checker, mut real) = (self.start(Time::TakenOut), self.start(Time::Real));
        let (mut steps, mut wrong) = (Vec::new(), self.violations(&real));
        for &action in actions {
            let next = self.step(&real, action, Time::Real);
            let happens = self.words(&real, action, Time::Real);
            let skipped = next.is_none();
            if let Some((next, _)) = next {
                real = next;
                note(&mut wrong, self.violations(&real));
            }
            if let Some((next, _)) = self.step(&checker, action, Time::TakenOut) {
                checker = next;
            }
            let (checker, machine) = (self.on_the_way(&checker), self.on_the_way(&real));
            let time = real.clocks.iter().copied().max().unwrap_or_default().nanos();
            let agrees = checker == machine;
            steps.push(Played { happens, skipped, time, checker, machine, agrees });
        }
        Replay { steps, ending: self.end(real, wrong) }
    }

    /// The network loses nothing any more; applications send and take all there is, and ask if they do; time goes on.
    fn end(&self, mut state: State, mut wrong: Vec<Wrong>) -> Ending {
        let mut silent = true;
        for _ in 0..PATIENCE {
            silent = self.falls_silent(&mut state, Time::Real);
            note(&mut wrong, self.violations(&state));
            if !silent || self.has_arrived(&state) || !self.goes_on(&mut state) {
                break;
            }
        }
        Ending {
            complete: self.has_arrived(&state),
            silent,
            wrong,
            taken: state.nodes.iter().map(|node| node.taken.clone()).collect(),
            took: state.clocks.iter().max().map_or(Duration::ZERO, |now| now.since(Instant::ZERO)),
        }
    }

    /// Something happens while nothing is on the way; false if nothing can.
    fn goes_on(&self, state: &mut State) -> bool {
        let before = state.clone();
        let mut try_to = |action| {
            if let Some((next, _)) = self.step(state, action, Time::Real) {
                *state = next;
            }
        };
        for node in self.nodes() {
            try_to(Action::Send(node));
            if self.slow {
                try_to(Action::Take(node));
            }
            if self.asks {
                try_to(Action::Ask(node));
            }
        }
        if is_silent(state) {
            let due = |node: &usize| state.nodes[*node].endpoint.poll_timeout();
            let next = self.nodes().filter(|node| due(node).is_some()).min_by_key(due);
            if let Some((next, _)) = next.and_then(|node| self.step(state, Action::TimeOut(node), Time::Real))
            {
                *state = next;
            }
        }
        *state != before
    }
}

/// Adds violations that are not in the list yet.
fn note(wrong: &mut Vec<Wrong>, more: Vec<Wrong>) {
    for more in more {
        if !wrong.contains(&more) {
            wrong.push(more);
        }
    }
}
