//! A finding as a list of events, for adapters to play.

use std::time::Duration;

use ::fagus::reassembly::Header;
use ::fagus::ring::Slot;

use super::super::{Wrong, nearest};
use super::model::head;
use super::world::{Action, State, World};
use crate::core::{Exploration, NoScript, Walk};

/// Time of the first step, when all queues are set up.
const BEGIN: Duration = Duration::from_millis(4);
/// From each step to the next.
const APART: Duration = Duration::from_millis(1);

/// An event of a script.
#[derive(Clone, Debug)]
pub struct Step {
    /// The event.
    pub action: Action,
    /// The event in words.
    pub happens: String,
    /// The ring after it, as [`ring`] describes it.
    pub ring: String,
}

/// The shortest trace to a finding.
#[derive(Clone, Debug)]
pub struct Script {
    /// Parameters of the adapter, the cable and the library.
    pub world: World,
    /// The finding at its end.
    pub finding: Wrong,
    /// The events, in order.
    pub steps: Vec<Step>,
}

impl Script {
    /// Time of a step; for the index past the last one, the end.
    pub fn time_of(&self, step: usize) -> Duration {
        BEGIN + APART * step as u32
    }

    /// The shortest trace to what goes wrong in a world.
    pub fn find(world: &World, limit: usize) -> Result<Self, NoScript> {
        let exploration = Exploration::new(world, limit, &mut || ())?;
        let (finding, trace) = nearest(&exploration)?;
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
    fn ring(&self) -> String {
        let slots: Vec<Slot> = self.slots.iter().map(head).collect();
        ring(&slots, &self.completed.iter().copied().collect::<Vec<_>>())
    }
}

/// The contents of a ring: for each slot `sender:message.packet`, and the slots whose completions wait.
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
