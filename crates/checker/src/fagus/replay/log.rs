//! The log of all nodes.

use std::cell::RefCell;
use std::time::Duration;

use super::script::{Flight, Script};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// A message left.
    Leaves(Flight),
    /// A message was taken, and no copy is left.
    Heard(Flight),
    /// A writer dropped its guard.
    HasWritten,
    /// A writer took its guard, with this value in it.
    Writes(u32),
}

/// Events of all nodes, sorted when read. Nodes only write here, so they depend on each other by messages alone.
#[derive(Debug, Default)]
pub struct Log(RefCell<Vec<(Duration, Event)>>);

/// A step of a script as nodes played it.
#[derive(Clone, Debug)]
pub struct Played {
    /// The event in words.
    pub happens: String,
    /// Time since the beginning.
    pub at: Duration,
    /// Messages in flight before the next step, by the checker.
    pub checker: Vec<Flight>,
    /// The same among nodes.
    pub nodes: Vec<Flight>,
}

impl Log {
    pub(super) fn note(&self, now: Duration, event: Event) {
        self.0.borrow_mut().push((now, event));
    }

    fn events(&self) -> Vec<(Duration, Event)> {
        let mut events = self.0.borrow().clone();
        events.sort_unstable();
        events
    }

    /// The steps of a script as nodes played them.
    pub fn played(&self, script: &Script) -> Vec<Played> {
        let events = self.events();
        let flying = |until: Duration| {
            let mut flying: Vec<Flight> = Vec::new();
            for (_, event) in events.iter().take_while(|(time, _)| *time < until) {
                match event {
                    Event::Leaves(flight) => flying.push(*flight),
                    Event::Heard(flight) => {
                        let at = flying.iter().position(|other| other == flight);
                        at.map(|at| flying.remove(at));
                    }
                    Event::HasWritten | Event::Writes(_) => {}
                }
            }
            flying.sort_unstable();
            flying
        };
        let play = |(number, step): (usize, &super::script::Step)| Played {
            happens: step.happens.clone(),
            at: script.time_of(number),
            checker: step.flying.clone(),
            nodes: flying(script.time_of(number + 1)),
        };
        script.steps.iter().enumerate().map(play).collect()
    }

    /// Writes so far; each adds one.
    pub fn written(&self) -> u32 {
        self.0.borrow().iter().filter(|(_, event)| *event == Event::HasWritten).count() as u32
    }

    /// Whether a writer within the script found another value than the number of writes before it.
    pub fn has_lost(&self, script: &Script) -> bool {
        let mut written = 0;
        let mut lost = false;
        for (_, event) in
            self.events().iter().take_while(|(time, _)| *time < script.time_of(script.steps.len()))
        {
            match event {
                Event::HasWritten => written += 1,
                Event::Writes(value) => lost |= *value != written,
                _ => {}
            }
        }
        lost
    }
}
