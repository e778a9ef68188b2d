//! Checks of a node that has waited for long: for dead nodes and deadlocks.

use super::{Call, Node, Object};
use crate::error::Error;
use crate::watch::{Report, Thing};
use crate::wire::Message;

impl Node {
    /// Handles expired timers.
    pub(super) fn tick(&mut self) {
        if self.failed.is_some() {
            return;
        }
        if let Some(node) = self.mail.dead(self.now) {
            return self.bury(node);
        }
        let Some(waiting) = &mut self.waiting else { return };
        match waiting.call {
            Call::Until(time) if time <= self.now => return self.complete(Ok(())),
            Call::Until(_) => return,
            _ if self.now < waiting.reported + self.config.patience => return,
            _ => waiting.reported = self.now,
        }
        let waits = match waiting.call {
            Call::Read(number) => Thing::Object { number, write: false },
            Call::Write(number) => Thing::Object { number, write: true },
            Call::Lock(number) => Thing::Lock(number),
            Call::Barrier(_) | Call::Until(_) => Thing::Barrier(self.arrival.round()),
        };
        let round = self.arrival.round();
        let report = Report { call: self.calls, waits, holds: self.holds(), round };
        self.send(0, Message::Report(report));
        // Pings silent nodes, one of which may be dead and hold what this node waits for.
        for to in self.others() {
            if self.mail.is_silent(to, self.now, self.config.patience) {
                self.send(to, Message::Ping);
            }
        }
    }

    /// Handles a dead node: informs the others and fails.
    pub fn bury(&mut self, node: u16) {
        if self.failed.is_some() {
            return;
        }
        let lost = self.lost_with(node);
        for to in self.others().filter(|to| *to != node) {
            self.send(to, Message::Dead(node, lost.clone()));
        }
        self.fail(Error::Dead { node, lost });
    }

    fn holds(&self) -> Vec<Thing> {
        let objects = self.objects.iter().zip(0..).filter(|(object, _)| object.replica.guards().any());
        let objects =
            objects.map(|(object, number)| Thing::Object { number, write: object.replica.guards().writing });
        let locks = self.locks.iter().zip(0..).filter(|((holder, _), _)| holder.has());
        objects.chain(locks.map(|(_, number)| Thing::Lock(number))).collect()
    }

    /// Names of the objects that a node owns or is home of, as far as this node knows.
    pub(crate) fn lost_with(&self, node: u16) -> Vec<String> {
        let lost = |object: &&Object| match &object.home {
            Some(home) => home.owner() == node || home.next_owner() == Some(node),
            None => object.replica.home() == node,
        };
        self.objects.iter().filter(lost).map(|object| object.name.clone()).collect()
    }

    pub(super) fn words(&self, cycle: &[(u16, Thing)]) -> String {
        let what = |thing: Thing| match thing {
            Thing::Object { number, write } => {
                let name = self.objects.get(number as usize).map_or("an object", |object| &object.name);
                format!("to {} {name}", if write { "write" } else { "read" })
            }
            Thing::Lock(number) => format!("for lock {number}"),
            Thing::Barrier(round) => format!("at barrier {round}"),
        };
        let next = cycle.iter().cycle().skip(1);
        let link = |((node, thing), (next, _)): (&(u16, Thing), &(u16, Thing))| {
            format!("node {node} waits {} until node {next} goes on", what(*thing))
        };
        cycle.iter().zip(next).map(link).collect::<Vec<_>>().join("; ")
    }
}
