//! What a finding says that happens.

use std::time::Duration;

use ::fagus::protocol::Rules;

use super::super::world::{Action, Op, Packet, Said, Transfer, World};
use super::super::{Wrong, nearest};
use crate::core::{NoScript, Walk, Walked};

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
    pub finding: Wrong,
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

    /// The shortest trace to what goes wrong in a world.
    pub fn find(world: &World, limit: usize) -> Result<Self, NoScript> {
        if !world.rules.aside || world.cached || world.objects > 1 || world.transfer != Transfer::Message {
            return Err(NoScript::NotOnMachine(vec![NOT_BY_THE_LIBRARY]));
        }
        let walked = Walked::new(world, limit, &mut || ())?;
        let finding = nearest(&walked).ok_or(NoScript::NothingFound)?;
        let trace = walked.trace_to(finding).ok_or(NoScript::NothingFound)?;
        let mut before = &trace.start;
        let mut steps = Vec::new();
        for (action, after) in &trace.steps {
            let turn = match *action {
                Action::Begin(node) => Turn::Begin(node),
                Action::End(node) => Turn::End(node),
                Action::Arrive { at, again } => Turn::Arrive(flight(&before.channel[at]), again),
            };
            let mut flying: Vec<Flight> = after.channel.iter().map(flight).collect();
            flying.sort_unstable();
            steps.push(Step { turn, happens: world.happens(before, *action, after), flying });
            before = after;
        }
        let home = world.home.unwrap_or(0);
        Ok(Script { rules: world.rules, programs: world.programs.clone(), home, finding, steps })
    }
}

const NOT_BY_THE_LIBRARY: &str = "nodes of the library read all that comes in its order, and owners send copies, so it does not happen to them";

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
