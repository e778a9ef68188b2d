//! The script of a finding.

use std::time::Duration;

use ::fagus::protocol::Rules;

use super::super::world::{Action, Body, Op, Packet, Transfer, World};
use super::super::{Wrong, nearest};
use crate::core::{Exploration, NoScript, Walk};

/// Time of the first step, when all nodes have declared their shared objects.
const BEGIN: Duration = Duration::from_millis(4);
/// From each step to the next: longer than a few messages take on any machine.
const APART: Duration = Duration::from_millis(1);

/// A message in flight: from, to, name.
pub type Flight = (u16, u16, &'static str);

/// An event of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cue {
    /// The program of a node begins its next step.
    Begin(usize),
    /// It drops its guard.
    End(usize),
    /// A message arrives; if the flag is set, a copy stays in flight.
    Arrive(Flight, bool),
}

/// A step of a script.
#[derive(Clone, Debug)]
pub struct Step {
    /// The event.
    pub cue: Cue,
    /// The event in words.
    pub happens: String,
    /// Messages in flight after it, sorted.
    pub flying: Vec<Flight>,
}

/// The shortest trace to a finding in a world of one object.
#[derive(Clone, Debug)]
pub struct Script {
    /// Repairs that all nodes have.
    pub rules: Rules,
    /// The program of each node.
    pub programs: Vec<Vec<Op>>,
    /// The node that is home of the object.
    pub home: u16,
    /// The finding at its end.
    pub finding: Wrong,
    /// The events, in order.
    pub steps: Vec<Step>,
}

impl Script {
    /// Time of a step; for the index past the last one, the time when all messages may arrive.
    pub fn time_of(&self, step: usize) -> Duration {
        BEGIN + APART * step as u32
    }

    /// Time at which those messages have arrived.
    pub fn end(&self) -> Duration {
        self.time_of(self.steps.len() + 2)
    }

    /// The shortest trace to what goes wrong in a world.
    pub fn find(world: &World, limit: usize) -> Result<Self, NoScript> {
        if !world.rules.aside || world.cached || world.objects > 1 || world.transfer != Transfer::Message {
            return Err(NoScript::NotOnMachine(vec![NOT_BY_THE_LIBRARY]));
        }
        let exploration = Exploration::new(world, limit, &mut || ())?;
        let (finding, trace) = nearest(&exploration)?;
        let mut before = &trace.start;
        let mut steps = Vec::new();
        for (action, after) in &trace.steps {
            let cue = match *action {
                Action::Begin(node) => Cue::Begin(node),
                Action::End(node) => Cue::End(node),
                Action::Arrive { at, again } => Cue::Arrive(flight(&before.channel[at]), again),
            };
            let mut flying: Vec<Flight> = after.channel.iter().map(flight).collect();
            flying.sort_unstable();
            steps.push(Step { cue, happens: world.happens(before, *action, after), flying });
            before = after;
        }
        let home = world.home.unwrap_or(0);
        Ok(Script { rules: world.rules, programs: world.programs.clone(), home, finding, steps })
    }
}

const NOT_BY_THE_LIBRARY: &str = "nodes of the library read all that comes in its order, and owners send copies, so it does not happen to them";

fn flight(packet: &Packet) -> Flight {
    let name = match &packet.body {
        Body::Object(_, message) => message.name(),
        Body::Lock(message) => message.name(),
        Body::Barrier(message) => message.name(),
        Body::Region(..) => "REGION",
        Body::Fetch(..) => "FETCH",
    };
    (packet.from, packet.to, name)
}
