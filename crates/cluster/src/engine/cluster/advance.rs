//! Progress of virtual time: epoch by epoch, and within each epoch cable by cable.
//!
//! An event at one cable affects another cable one lookahead later at the earliest, and no epoch is longer
//! than that. Each cable therefore executes all its instants of an epoch at once, while its node is in the
//! cache; crossings of switches are delivered at the end.
//!
//! A run ends with its last program, and no later event may have happened anywhere. Therefore each epoch
//! first looks for a witness: a node with a program that can still continue at the end of the epoch. Without
//! a witness, all cables stop at the last instant of the last program.

use std::cmp::Ordering;

use prefetch::prefetch;

use super::{CargoOf, Cluster, Place, Progress, pair, stopped};
use crate::engine::error::RunError;
use crate::fabric::{Cable, Crossing, Switch};
use crate::machine::Machine;
use crate::node::Node;
use crate::{Duration, Time};

impl<M: Machine> Cluster<M> {
    /// Runs until all programs are finished, for at most `limit`; returns the time at which the last one
    /// finished.
    pub fn run(&mut self, limit: Duration) -> Result<Time, RunError> {
        self.set_leaping(true)?;
        let limit = self.now + limit;
        while self.unfinished > 0 {
            if self.hopeful == 0 {
                return Err(RunError::Stalled { time: self.now, waiting: self.report() });
            }
            let Some(end) = self.epoch(limit) else {
                self.set_leaping(false)?;
                return Err(RunError::Limit { limit, waiting: self.report() });
            };
            let end = if self.goes_on_through(end)? { end } else { after(self.quit_at) };
            self.pass(end)?;
        }
        self.set_leaping(false)?;
        Ok(self.now)
    }

    /// Runs until programs are finished, devices quiescent and links empty, for at most `limit`. RTL never
    /// reports that it is quiescent; use [`Cluster::run_until`] there.
    pub fn drain(&mut self, limit: Duration) -> Result<Time, RunError> {
        let limit = self.now + limit;
        while !(self.nodes.iter().all(Node::is_idle) && self.is_network_idle()) {
            if !self.step(limit)? {
                return Err(RunError::Limit { limit, waiting: self.report() });
            }
        }
        Ok(self.now)
    }

    /// Executes all events up to and including `time`.
    pub fn run_until(&mut self, time: Time) -> Result<(), RunError> {
        while let Some(end) = self.epoch(time) {
            self.pass(end)?;
        }
        Ok(())
    }

    /// Advances to the next event, or to `limit` if that is earlier; returns whether an event happened.
    pub fn step(&mut self, limit: Time) -> Result<bool, RunError> {
        let next = self.next();
        if next > limit {
            self.now = self.now.max(limit);
            return Ok(false);
        }
        self.pass(after(next))?;
        Ok(true)
    }

    /// Time of the next event.
    pub(crate) fn next(&mut self) -> Time {
        while let Some(cable) = self.stale.pop() {
            let due @ [first, second] = [0, 1].map(|end| self.ask(self.now, cable, end));
            self.due[cable] = due;
            self.queue.set(cable, first.min(second));
        }
        self.queue.first().0
    }

    /// Executes all instants before `end`; if `until_done`, at most up to the end of all local programs.
    pub(crate) fn proceed(&mut self, end: Time, until_done: bool) -> Result<(), RunError> {
        let goes_on = !until_done || self.goes_on_through(end)? || self.unfinished > 0;
        self.pass(if goes_on { end } else { after(self.quit_at) })
    }

    /// Receives crossings from other parts. Any replies to them are sent with the next parcel.
    pub(crate) fn take(&mut self, parcel: Vec<Crossing<CargoOf<M>>>) {
        self.crossings.extend(parcel);
        self.cross();
    }

    /// Enables or disables the skipping of polling iterations. Nodes that have skipped some catch up first.
    pub(crate) fn set_leaping(&mut self, leaping: bool) -> Result<(), RunError> {
        let now = self.now;
        for at in 0..self.nodes.len() {
            let (cable, end) = self.place_of(at);
            let (up, down) = pair(&mut self.links[cable], end);
            let node = &mut self.nodes[at];
            let set = node.set_leaping(leaping, now, &mut Cable { up, down });
            if set.map_err(|source| stopped(at + self.first, now, source))? {
                self.note_progress(now, at);
                self.stale.push(cable);
            }
        }
        Ok(())
    }

    /// Updates the counts of unfinished programs for a node.
    pub(super) fn note_progress(&mut self, now: Time, node: usize) {
        let at = Progress { done: self.nodes[node].done(), may_go_on: self.nodes[node].may_go_on() };
        let before = std::mem::replace(&mut self.progress[node], at);
        self.unfinished = self.unfinished + usize::from(!at.done) - usize::from(!before.done);
        self.hopeful = self.hopeful + usize::from(at.may_go_on) - usize::from(before.may_go_on);
        if at.done && !before.done {
            self.done_at = self.done_at.max(now);
        }
        if !at.may_go_on && before.may_go_on {
            self.quit_at = self.quit_at.max(now);
        }
    }

    /// End of the epoch that begins at the next event; `None` if that is after `limit`, to which time then
    /// advances.
    fn epoch(&mut self, limit: Time) -> Option<Time> {
        let next = self.next();
        if next > limit {
            self.now = self.now.max(limit);
            return None;
        }
        // Without a switch there is a single cable, which nothing else affects.
        if self.ports.is_empty() {
            return Some(after(limit));
        }
        Some((next + <M::Switch as Switch>::lookahead(&M::SWITCH)).min(after(limit)))
    }

    /// Whether a program can still continue after all instants before `end`. Cables advance as far as needed
    /// to decide that.
    fn goes_on_through(&mut self, end: Time) -> Result<bool, RunError> {
        self.next();
        while self.hopeful > 0 {
            while !self.progress[self.witness].may_go_on {
                self.witness = (self.witness + 1) % self.nodes.len();
            }
            self.pass_cable(self.cable_of[self.witness], end, Some(self.witness))?;
            if self.progress[self.witness].may_go_on {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Executes all instants before `end`, which is not after the end of the epoch.
    fn pass(&mut self, end: Time) -> Result<(), RunError> {
        self.next();
        // No event in this epoch creates one at another cable before `end`, so the set of cables is complete.
        let mut turns = std::mem::take(&mut self.turns);
        self.queue.before(end, &mut turns);
        let mut following = turns.iter().skip(1);
        for cable in &turns {
            if let Some(next) = following.next() {
                self.fetch(*next as usize);
            }
            self.pass_cable(*cable as usize, end, None)?;
        }
        turns.clear();
        self.turns = turns;
        self.cross();
        Ok(())
    }

    /// Executes the instants of a cable and its ends before `end`; with `until`, only while a program of that
    /// node can continue.
    fn pass_cable(&mut self, cable: usize, end: Time, until: Option<usize>) -> Result<(), RunError> {
        loop {
            let due @ [first, second] = self.due[cable];
            let now = first.min(second);
            if now >= end || until.is_some_and(|node| !self.progress[node].may_go_on) {
                self.queue.set(cable, now);
                return Ok(());
            }
            match first.cmp(&second) {
                Ordering::Less => self.stretch(cable, 0, due, end)?,
                Ordering::Greater => self.stretch(cable, 1, due, end)?,
                Ordering::Equal => {
                    self.now = self.now.max(now);
                    self.step_end(now, cable, 0)?;
                    self.step_end(now, cable, 1)?;
                    self.due[cable] = [0, 1].map(|end| self.ask(now, cable, end));
                }
            }
        }
    }

    /// Executes the instants of one end before `end` and before the next one of the other end. That is asked
    /// again only if its incoming events have changed.
    #[inline]
    fn stretch(&mut self, cable: usize, at: usize, due: [Time; 2], end: Time) -> Result<(), RunError> {
        let (mut now, other) = (due[at], 1 - at);
        let (up, down) = pair(&mut self.links[cable], at);
        let mut ends = Cable { up, down };
        let felt = ends.felt();
        let (next, changed) = match self.cables[cable][at] {
            Place::Port(port) => {
                let port = &mut self.ports[port];
                port.step(now, &mut ends, &self.routes, &mut self.crossings);
                (port.next(&ends).unwrap_or(Time::END), ends.felt() != felt)
            }
            Place::Node(node) => {
                let passed = self.nodes[node].stretch(&mut now, end.min(due[other]), felt, &mut ends);
                let (next, went_on) = passed.map_err(|source| stopped(node + self.first, now, source))?;
                let changed = ends.felt() != felt;
                if went_on {
                    self.note_progress(now, node);
                }
                (next, changed)
            }
        };
        self.now = self.now.max(now);
        self.due[cable][at] = next.max(now);
        if changed {
            self.due[cable][other] = self.ask(now, cable, other);
        }
        Ok(())
    }

    /// Prefetches a cable and its ends while another cable is executed.
    #[inline]
    fn fetch(&self, cable: usize) {
        prefetch(&self.links[cable]);
        for place in self.cables[cable] {
            match place {
                Place::Node(node) => {
                    prefetch(&self.nodes[node]);
                    prefetch(self.nodes[node].nic());
                }
                Place::Port(port) => prefetch(&self.ports[port]),
            }
        }
    }

    /// Executes the events of `now` at an end of a cable.
    #[inline]
    fn step_end(&mut self, now: Time, cable: usize, end: usize) -> Result<(), RunError> {
        let (up, down) = pair(&mut self.links[cable], end);
        let mut ends = Cable { up, down };
        match self.cables[cable][end] {
            Place::Port(port) => {
                self.ports[port].step(now, &mut ends, &self.routes, &mut self.crossings);
            }
            Place::Node(node) => {
                let stepped = self.nodes[node].step(now, &mut ends);
                if stepped.map_err(|source| stopped(node + self.first, now, source))? {
                    self.note_progress(now, node);
                }
            }
        }
        Ok(())
    }

    /// Time of the next event at an end of a cable.
    #[inline]
    fn ask(&mut self, now: Time, cable: usize, end: usize) -> Time {
        let (up, down) = pair(&mut self.links[cable], end);
        let ends = Cable { up, down };
        let due = match self.cables[cable][end] {
            Place::Node(node) => self.nodes[node].next_event(now, &ends),
            Place::Port(port) => self.ports[port].next(&ends).unwrap_or(Time::END),
        };
        due.max(now)
    }

    /// Delivers crossings of switches.
    fn cross(&mut self) {
        while !self.crossings.is_empty() {
            let mut crossings = std::mem::take(&mut self.crossings);
            for crossing in crossings.drain(..) {
                if self.port_at[crossing.to as usize].is_some() {
                    self.deliver(crossing);
                } else {
                    self.outbox.push(crossing);
                }
            }
            if self.crossings.is_empty() {
                self.crossings = crossings;
            }
        }
    }

    /// Delivers a crossing to a local port.
    fn deliver(&mut self, crossing: Crossing<CargoOf<M>>) {
        debug_assert!(crossing.at > self.now, "what crosses a switch is there before it counts");
        let (cable, end) = self.port_at[crossing.to as usize].expect("it goes to a port that is here");
        let (cable, end) = (cable as usize, usize::from(end));
        let Place::Port(port) = self.cables[cable][end] else { unreachable!("a port is at that end") };
        let (up, down) = pair(&mut self.links[cable], end);
        self.ports[port].deliver(crossing, &mut Cable { up, down }, &mut self.crossings);
        self.stale.push(cable);
    }
}

/// The first instant after `time`.
fn after(time: Time) -> Time {
    Time::from_ps(time.ps().saturating_add(1))
}
