//! What a finding says that happens.

use std::time::Duration;

use ::fagus::protocol::Rules;

use super::super::verdict::{Violation, Walk};
use super::super::world::{Action, Op, Packet, Said, State, Transfer, World};
use crate::core::graph::Graph;
use crate::gigae_pm::verdict::TooManyStates;

/// When the first step is: all nodes have declared what they share by then.
const BEGIN: Duration = Duration::from_millis(4);
/// How much later each one is than the one before: longer than some messages take on any machine.
const APART: Duration = Duration::from_millis(1);

/// A message on its way: from, to, what it is called.
pub type Flight = (u16, u16, &'static str);

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The program of a node begins its next step.
    Begin(usize),
    /// It drops its guard.
    End(usize),
    /// A message comes; if it is to come once more, a copy stays on its way.
    Arrive(Flight, bool),
}

/// What happens, and what the checker knows after it.
#[derive(Clone, Debug)]
pub struct Step {
    /// What.
    pub turn: Turn,
    /// In words.
    pub happens: String,
    /// What is on its way after it, in order.
    pub flying: Vec<Flight>,
}

/// The shortest way to what goes wrong in a world of one object.
#[derive(Clone, Debug)]
pub struct Script {
    /// Rules of all nodes.
    pub rules: Rules,
    /// Their programs.
    pub programs: Vec<Vec<Op>>,
    /// The home of the object.
    pub home: u16,
    /// What goes wrong.
    pub finding: Violation,
    /// The way there.
    pub steps: Vec<Step>,
}

impl Script {
    /// When a step is; of the one behind the last, when all that is held back may come.
    pub fn time_of(&self, step: usize) -> Duration {
        BEGIN + APART * step as u32
    }

    /// When all of that is over, too.
    pub fn end(&self) -> Duration {
        self.time_of(self.steps.len() + 2)
    }

    /// The shortest way to something that goes wrong in a world, the first of all. None if nothing does, or if nodes of the library cannot be made to do it.
    pub fn of(world: &World, limit: usize) -> Result<Option<Script>, TooManyStates> {
        if !world.rules.aside || world.cached || world.objects > 1 || world.transfer != Transfer::Message {
            return Ok(None);
        }
        let Some((finding, _)) = world.check(limit)?.violations.into_iter().next() else { return Ok(None) };
        let graph = Graph::whole(world, limit, &mut || ())?;
        let shows = |state: &State| world.shows(finding, state);
        let Some(state) = (0..graph.states.len()).find(|state| shows(&graph.states[*state])) else {
            return Ok(None);
        };
        let way = graph.way_to(state);
        let mut before = &way.start;
        let mut steps = Vec::new();
        for (action, after) in &way.steps {
            let turn = match *action {
                Action::Begin(node) => Turn::Begin(node),
                Action::End(node) => Turn::End(node),
                Action::Arrive { at, again } => Turn::Arrive(flight(&before.channel[at]), again),
            };
            let mut flying: Vec<Flight> = after.channel.iter().map(flight).collect();
            flying.sort_unstable();
            steps.push(Step { turn, happens: world.words(before, *action), flying });
            before = after;
        }
        let home = world.home.unwrap_or(0);
        Ok(Some(Script { rules: world.rules, programs: world.programs.clone(), home, finding, steps }))
    }
}

fn flight(packet: &Packet) -> Flight {
    let name = match &packet.said {
        Said::Object(_, message) => message.name(),
        Said::Lock(message) => message.name(),
        Said::Barrier(message) => message.name(),
        Said::Region(..) => "REGION",
        Said::Fetch(..) => "FETCH",
    };
    (packet.from, packet.to, name)
}
