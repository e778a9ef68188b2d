//! A finding as a list of what happens, for an adapter to do.

use std::time::Duration;

use ::fagus::reassembly::Header;
use ::fagus::ring::Slot;

use super::super::{Wrong, nearest};
use super::model::head;
use super::world::{Action, State, World};
use crate::core::{NoScript, Walk, Walked};

/// When the first step is: all queues are set up by then.
const BEGIN: Duration = Duration::from_millis(4);
/// How much later each one is than the one before.
const APART: Duration = Duration::from_millis(1);

/// One thing that happens.
#[derive(Clone, Debug)]
pub struct Step {
    /// What.
    pub action: Action,
    /// In words.
    pub happens: String,
    /// The ring after it.
    pub ring: String,
}

/// The shortest way to what goes wrong.
#[derive(Clone, Debug)]
pub struct Script {
    /// The world.
    pub world: World,
    /// What goes wrong.
    pub finding: Wrong,
    /// The way there.
    pub steps: Vec<Step>,
}

impl Script {
    /// When a step is; of the one behind the last, when all is over.
    pub fn time_of(&self, step: usize) -> Duration {
        BEGIN + APART * step as u32
    }

    /// The shortest trace to what goes wrong in a world.
    pub fn find(world: &World, limit: usize) -> Result<Self, NoScript> {
        let walked = Walked::new(world, limit, &mut || ())?;
        let finding = nearest(&walked).ok_or(NoScript::NothingFound)?;
        let trace = walked.trace_to(finding).ok_or(NoScript::NothingFound)?;
        let mut before = &trace.start;
        let mut steps = Vec::new();
        for (action, after) in &trace.steps {
            let happens = world.happens(before, *action, after);
            steps.push(Step { action: *action, happens, ring: after.ring() });
            before = after;
        }
        Ok(Script { world: world.clone(), finding, steps })
    }
}

impl State {
    /// What the ring holds, in words.
    fn ring(&self) -> String {
        let slots: Vec<Slot> = self.slots.iter().map(head).collect();
        ring(&slots, &self.completed.iter().copied().collect::<Vec<_>>())
    }
}

/// What a ring holds: of each slot sender, number of the message and of the packet, and which completions wait.
pub fn ring(slots: &[Slot], completed: &[usize]) -> String {
    let slot = |slot: &Slot| match slot {
        Some((from, Header { id, number, .. })) => format!("{from}:{id}.{number}"),
        None => "-".to_string(),
    };
    let slots: Vec<_> = slots.iter().map(slot).collect();
    let completed: Vec<_> = completed.iter().map(ToString::to_string).collect();
    let waits =
        if completed.is_empty() { String::new() } else { format!(", to pull {}", completed.join(" ")) };
    format!("{}{waits}", slots.join(" "))
}
