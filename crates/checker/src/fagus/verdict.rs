//! What must never happen in a world, and how it is found.

use std::fmt;
use std::hash::Hash;

use ::fagus::protocol::object::Replica;
use stateright::Model;

use super::world::{Action, Node, Op, Packet, Said, State, World};
use crate::core::graph::Graph;
use crate::gigae_pm::verdict::TooManyStates;

/// What must never happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Violation {
    /// Two nodes own an object.
    TwoOwners,
    /// A node has a copy that is older than what a writer has.
    Stale,
    /// A writer begins with something else than what was written last.
    LostUpdate,
    /// Two nodes have the lock.
    TwoHolders,
    /// A barrier lets a node pass before all have come.
    Early,
    /// Programs read what no order of their steps explains.
    Forbidden,
    /// A packet that nothing is wrong with is longer than its slot.
    TooLong,
    /// A packet comes, and no slot is posted.
    Overrun,
    /// A message is made of packets of two.
    Mixed,
    /// Programs that do not end any more, whatever happens.
    Trap,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Violation::TwoOwners => "two nodes own an object",
            Violation::Stale => "a copy stays that is older than what the owner writes",
            Violation::LostUpdate => "an update is lost: a writer begins with older data",
            Violation::TwoHolders => "two nodes have the lock",
            Violation::Early => "a barrier is passed before all have come",
            Violation::Forbidden => "programs read what no order of their steps explains",
            Violation::TooLong => "a packet does not fit into its slot, as often as it is sent",
            Violation::Overrun => "a packet is dropped, because no slot is posted",
            Violation::Mixed => "a message is delivered that is made of two",
            Violation::Trap => "standstill: programs cannot end any more",
        })
    }
}

/// What came of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// States that were visited.
    pub states: usize,
    /// What was violated, each by its shortest trace, in words; the shortest first.
    pub violations: Vec<(Violation, Vec<String>)>,
}

impl Verdict {
    /// Whether all is well.
    pub fn holds(&self) -> bool {
        self.violations.is_empty()
    }

    /// Events of the shortest way to a violation.
    pub fn events_to(&self, violation: Violation) -> Option<usize> {
        self.violations.iter().find(|(found, _)| *found == violation).map(|(_, steps)| steps.len())
    }
}

/// A model that says what is wrong with its states.
pub trait Walk: Model<State: Clone + Eq + Hash, Action: Copy> {
    /// What is looked for beside a [`Violation::Trap`], which alone is no matter of one state.
    const VIOLATIONS: &[Violation];

    /// Whether a state is what must not be.
    fn shows(&self, violation: Violation, state: &Self::State) -> bool;

    /// All that is to be done is.
    fn is_over(&self, state: &Self::State) -> bool;

    /// What happens, in words.
    fn words(&self, before: &Self::State, action: Self::Action) -> String;

    /// Explores it, at most `limit` states, and tells of every state that it looks at.
    fn walk(&self, limit: usize, looks: &mut dyn FnMut()) -> Result<Verdict, TooManyStates>
    where
        Self: Sized,
    {
        let graph = Graph::whole(self, limit, looks)?;
        let look = |violation, is: &dyn Fn(usize) -> bool| {
            let state = (0..graph.states.len()).find(|state| is(*state))?;
            let way = graph.way_to(state);
            let mut before = &way.start;
            let mut words = Vec::new();
            for (action, after) in &way.steps {
                words.push(self.words(before, *action));
                before = after;
            }
            Some((violation, words))
        };
        let shown =
            |&violation: &Violation| look(violation, &|number| self.shows(violation, &graph.states[number]));
        let mut violations: Vec<_> = Self::VIOLATIONS.iter().filter_map(shown).collect();
        let ends = graph.reaching(|state| self.is_over(state));
        // Where nothing can end from the beginning, the way there says less than anything else.
        if ends[0] || violations.is_empty() {
            violations.extend(look(Violation::Trap, &|number| !ends[number]));
        }
        violations.sort_by_key(|(_, steps)| steps.len());
        Ok(Verdict { states: graph.states.len(), violations })
    }
}

impl World {
    /// Explores the world, at most `limit` states of it.
    pub fn check(&self, limit: usize) -> Result<Verdict, TooManyStates> {
        self.walk(limit, &mut || ())
    }

    fn is_forbidden(&self, state: &State) -> bool {
        let outcome = || state.nodes.iter().map(|node| node.seen.clone()).collect();
        self.is_over(state) && self.forbidden.is_some_and(|forbidden| forbidden(&outcome()))
    }
}

impl Walk for World {
    const VIOLATIONS: &[Violation] = &[
        Violation::Stale,
        Violation::TwoOwners,
        Violation::LostUpdate,
        Violation::TwoHolders,
        Violation::Early,
        Violation::Forbidden,
    ];

    fn shows(&self, violation: Violation, state: &State) -> bool {
        match violation {
            Violation::Stale => state.is_stale(),
            Violation::TwoOwners => state.has_two_owners(),
            Violation::LostUpdate => state.lost,
            Violation::TwoHolders => state.has_two_holders(),
            Violation::Early => state.early,
            Violation::Forbidden => self.is_forbidden(state),
            _ => false,
        }
    }

    fn is_over(&self, state: &State) -> bool {
        state.nodes.iter().zip(&self.programs).all(|(node, program)| node.done == program.len())
    }

    fn words(&self, before: &State, action: Action) -> String {
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
                let Packet { from, to, said } = &before.channel[at];
                let name = match said {
                    Said::Object(number, message) => format!("{} of {}", message.name(), object(*number)),
                    Said::Lock(message) => message.name().to_string(),
                    Said::Barrier(message) => message.name().to_string(),
                    Said::Region(number, _) => format!("RDMA WRITE of {}", object(*number)),
                    Said::Fetch(number, _) => format!("RDMA READ of {}", object(*number)),
                };
                let more = if again { ", and will once more" } else { "" };
                format!("{name} from node {from} reaches node {to}{more}")
            }
        }
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
