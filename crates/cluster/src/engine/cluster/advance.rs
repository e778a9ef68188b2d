//! How time passes in a cluster: epoch by epoch, and in each epoch cable by cable.
//!
//! What happens at one cable is felt at another only one lookahead later, and no epoch is longer than that. So a cable goes through
//! all its instants of an epoch at once, while its node is near the processor, and what crosses switches is handed over at the end.
//!
//! A run ends with its last program, and nothing may have happened after that anywhere. So first a witness is sought: a node with a program
//! that may still go on when the epoch ends. Where there is none, all cables go no further than to the last program's last instant.

use prefetch::prefetch;

use super::{CargoOf, Cluster, Place, Progress, pair, stopped};
use crate::engine::error::RunError;
use crate::fabric::{Cable, Crossing, Link, Switch};
use crate::machine::{Machine, UnitOf};
use crate::node::Node;
use crate::{Duration, Time};

impl<M: Machine> Cluster<M> {
    /// Runs until all programs are done, but no longer than `limit`; returns when the last one was done.
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

    /// Runs until programs are done, devices quiescent and links empty, but no longer than `limit`. RTL never says
    /// that it is quiescent; let time pass with [`Cluster::run_until`] there.
    pub fn drain(&mut self, limit: Duration) -> Result<Time, RunError> {
        let limit = self.now + limit;
        while !(self.nodes.iter().all(Node::is_idle) && self.is_network_idle()) {
            if !self.step(limit)? {
                return Err(RunError::Limit { limit, waiting: self.report() });
            }
        }
        Ok(self.now)
    }

    /// Lets time pass until `time`.
    pub fn run_until(&mut self, time: Time) -> Result<(), RunError> {
        while let Some(end) = self.epoch(time) {
            self.pass(end)?;
        }
        Ok(())
    }

    /// Goes on to the next instant at which something happens, or to `limit` if that comes first; tells whether
    /// something happened.
    pub fn step(&mut self, limit: Time) -> Result<bool, RunError> {
        let next = self.next();
        if next > limit {
            self.now = self.now.max(limit);
            return Ok(false);
        }
        self.pass(after(next))?;
        Ok(true)
    }

    /// The next instant at which something happens.
    pub(crate) fn next(&mut self) -> Time {
        while let Some(cable) = self.stale.pop() {
            let due @ [first, second] = [0, 1].map(|end| self.ask(self.now, cable, end));
            self.due[cable] = due;
            self.queue.set(cable, first.min(second));
        }
        self.queue.first().0
    }

    /// Goes through all instants before `end`; if `until_done`, no further than to the end of all programs here.
    pub(crate) fn proceed(&mut self, end: Time, until_done: bool) -> Result<(), RunError> {
        let goes_on = !until_done || self.goes_on_through(end)? || self.unfinished > 0;
        self.pass(if goes_on { end } else { after(self.quit_at) })
    }

    /// Takes what other parts have sent. What that makes cross back goes with the next parcel, whether anything else happens here or not.
    pub(crate) fn take(&mut self, parcel: Vec<Crossing<CargoOf<M>>>) {
        self.crossings.extend(parcel);
        self.cross();
    }

    /// Whether turns of loops that wait may be left out from now on. Nodes that have left some out catch up first.
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

    /// Keeps count of the programs of a node.
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

    /// The end of the epoch that begins with the next instant; if that is later than `limit`, time passes to there.
    fn epoch(&mut self, limit: Time) -> Option<Time> {
        let next = self.next();
        if next > limit {
            self.now = self.now.max(limit);
            return None;
        }
        // A cable without a switch feels nobody.
        if self.ports.is_empty() {
            return Some(after(limit));
        }
        Some((next + <M::Switch as Switch>::lookahead(&M::SWITCH)).min(after(limit)))
    }

    /// Whether a program may still go on somewhere when all instants before `end` have passed. Cables pass as far as it takes to know that.
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

    /// Goes through all instants before `end`, which is not after the end of the epoch.
    fn pass(&mut self, end: Time) -> Result<(), RunError> {
        self.next();
        // Nobody's turn can bring another one's before `end`, so all of them are known.
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

    /// Lets a cable with what is at its ends go through its instants before `end`, but no further than to where no program of the node
    /// `until` may go on.
    fn pass_cable(&mut self, cable: usize, end: Time, until: Option<usize>) -> Result<(), RunError> {
        let [mut first, mut second] = self.due[cable];
        let mut before = self.comes(cable);
        loop {
            let now = first.min(second);
            if now >= end || until.is_some_and(|node| !self.progress[node].may_go_on) {
                self.due[cable] = [first, second];
                self.queue.set(cable, now);
                return Ok(());
            }
            self.now = self.now.max(now);
            // An end that does nothing now is asked again only if what comes to it is something else than before.
            let [acts, answers] = [first <= now, second <= now];
            if acts {
                self.step_end(now, cable, 0)?;
            }
            if answers {
                self.step_end(now, cable, 1)?;
            }
            let after = self.comes(cable);
            if acts || before[0] != after[0] {
                first = self.ask(now, cable, 0);
            }
            if answers || before[1] != after[1] {
                second = self.ask(now, cable, 1);
            }
            before = after;
        }
    }

    /// Brings a cable with what is at its ends near the processor, while another one has its turn.
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

    /// What an end of a cable feels of the other one, for both ends: when the next unit arrives and the next frame is whole, and when it
    /// learns of the other's readiness.
    #[inline]
    fn comes(&self, cable: usize) -> [[Time; 3]; 2] {
        let [there, back] = &self.links[cable];
        let feels = |up: &Link<UnitOf<M>>, down: &Link<UnitOf<M>>| {
            [down.next_arrival(), down.next_frame_end(), up.next_change()]
                .map(|time| time.unwrap_or(Time::END))
        };
        [feels(there, back), feels(back, there)]
    }

    /// What happens at `now` at an end of a cable.
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

    /// Asks an end of a cable when something happens there next.
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

    /// Hands over what crosses switches.
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

    /// Takes what crosses a switch to a port here.
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
