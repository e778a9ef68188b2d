//! Kinds of findings, and which of them a state shows.

use ::fagus::protocol::object::Replica;

use super::world::{Action, Body, Node, Op, Packet, State, World};
use crate::core::{Trap, Walk, kinds};

kinds! {
    /// A kind of finding.
    pub enum Wrong {
        Stale = "stale copy": "a copy stays that is older than what the owner writes",
        TwoOwners = "two owners": "two nodes own an object",
        LostUpdate = "lost update": "an update is lost: a writer begins with older data",
        TwoHolders = "two holders": "two nodes have the lock",
        Early = "early barrier": "a barrier is passed before all have come",
        Forbidden = "forbidden outcome": "programs read what no order of their steps explains",
        TooLong = "long packet": "a packet does not fit into its slot, as often as it is sent",
        Overrun = "overrun": "a packet is dropped, because no slot is posted",
        Mixed = "mixed message": "a message is delivered that is made of two",
        Trap (trap) = "standstill": "standstill: programs cannot end any more",
    }
}

impl Walk for World {
    type Wrong = Wrong;

    const TELLS_REST: bool = false;

    fn wrong(&self, state: &State) -> Vec<Wrong> {
        let shown = [
            (state.is_stale(), Wrong::Stale),
            (state.has_two_owners(), Wrong::TwoOwners),
            (state.lost, Wrong::LostUpdate),
            (state.has_two_holders(), Wrong::TwoHolders),
            (state.early, Wrong::Early),
            (self.is_forbidden(state), Wrong::Forbidden),
        ];
        shown.into_iter().filter(|(is, _)| *is).map(|(_, wrong)| wrong).collect()
    }

    /// All programs have ended.
    fn is_complete(&self, state: &State) -> bool {
        state.nodes.iter().zip(&self.programs).all(|(node, program)| node.done == program.len())
    }

    fn trap(_: Trap) -> Wrong {
        Wrong::Trap
    }

    fn happens(&self, before: &State, action: Action, _: &State) -> String {
        let object = |number: usize| ["x", "y", "z"][number.min(2)];
        match action {
            Action::Begin(node) => match self.programs[node][before.nodes[node].done] {
                Op::Read(what) => format!("node {node} begins to read {}", object(what)),
                Op::Write(what) => format!("node {node} begins to write {}", object(what)),
                Op::Push(what, to) => format!("node {node} pushes {} to node {to}", object(what)),
                Op::Lock => format!("node {node} wants the lock"),
                Op::Unlock => format!("node {node} gives the lock back"),
                Op::Barrier => format!("node {node} comes to a barrier"),
            },
            Action::End(node) => format!("node {node} drops its guard"),
            Action::Arrive { at, again } => {
                let Packet { from, to, body } = &before.channel[at];
                let name = match body {
                    Body::Object(number, message) => format!("{} of {}", message.name(), object(*number)),
                    Body::Lock(message) => message.name().to_string(),
                    Body::Barrier(message) => message.name().to_string(),
                    Body::Region(number, _) => format!("RDMA WRITE of {}", object(*number)),
                    Body::Fetch(number, _) => format!("RDMA READ of {}", object(*number)),
                };
                let more = if again { ", and will once more" } else { "" };
                format!("{name} from node {from} reaches node {to}{more}")
            }
        }
    }
}

impl World {
    fn is_forbidden(&self, state: &State) -> bool {
        let outcome = || state.nodes.iter().map(|node| node.seen.clone()).collect();
        self.is_complete(state) && self.forbidden.is_some_and(|forbidden| forbidden(&outcome()))
    }
}

impl State {
    fn owners(&self, object: usize) -> impl Iterator<Item = &Replica<u8>> {
        self.nodes.iter().map(move |node| &node.replicas[object]).filter(|replica| replica.is_owner())
    }

    fn objects(&self) -> std::ops::Range<usize> {
        0..self.written.len()
    }

    fn has_two_owners(&self) -> bool {
        self.objects().any(|object| self.owners(object).count() > 1)
    }

    /// An owner writes, or has written, what a copy does not have.
    fn is_stale(&self) -> bool {
        self.objects().any(|object| {
            let newest = self.owners(object).map(Replica::version).max().unwrap_or(0);
            let copy = |node: &Node| {
                let replica = &node.replicas[object];
                !replica.is_owner() && replica.data().is_some() && replica.version() < newest
            };
            self.nodes.iter().any(copy)
        })
    }

    fn has_two_holders(&self) -> bool {
        self.nodes.iter().filter(|node| node.holder.has()).count() > 1
    }
}
