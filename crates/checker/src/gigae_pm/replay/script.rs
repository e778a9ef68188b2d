//! A script: a trace that a card can follow, and what is expected of it.

use ::gigae_pm::protocol::Rules;

use crate::gigae_pm::verdict::{TooManyStates, Trace, Trap};
use crate::gigae_pm::witness::Witness;
use crate::gigae_pm::world::{Action, Grain, Violation, World};

/// In what a world is not that of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Something may come between two messages that S1 sends, and every message has a timer.
    Grain,
    /// The receiver takes frames during a transfer to the host.
    Transfer,
    /// Numbers on the wire are short.
    Modulus,
    /// A sentence of the appendix is taken for something else.
    Misreading,
}

impl Difference {
    const ALL: [Self; 4] = [Self::Grain, Self::Transfer, Self::Modulus, Self::Misreading];

    /// What the card does instead, as a sentence.
    pub const fn says(self) -> &'static str {
        match self {
            Self::Grain => {
                "its firmware runs S1 to the end after every rule, and has one timer for the oldest message of a peer"
            }
            Self::Transfer => {
                "its firmware is one thread: a message is in host memory before the next frame is looked at"
            }
            Self::Modulus => "its numbers have 32 bits",
            Self::Misreading => {
                "it frees what an ACK names and no more, and stops sending messages to one peer only"
            }
        }
    }

    /// The world without this difference.
    fn mend(self, world: World) -> World {
        match self {
            Self::Grain => World { grain: Grain::Firmware, ..world },
            Self::Transfer => World { transfer: false, ..world },
            Self::Modulus => World { modulus: None, ..world },
            Self::Misreading => World { misreading: None, ..world },
        }
    }
}

/// What a trace ends in.
#[derive(Clone, Copy, Debug)]
pub enum Finding {
    /// A violation.
    Violation(Violation),
    /// A state from which no completion can be reached.
    Trap(Trap),
    /// A step that was looked for.
    Witness(Witness),
}

impl Finding {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Violation(violation) => violation.name(),
            Self::Trap(trap) => trap.name(),
            Self::Witness(witness) => witness.kind,
        }
    }

    /// The nearest violation of a world, or its nearest trap, or what is looked for; with the way there.
    fn first(
        world: &World,
        witness: Option<&Witness>,
        limit: usize,
    ) -> Result<Option<(Self, Trace)>, TooManyStates> {
        if let Some(witness) = witness {
            let trace = world.sight(witness, limit)?.trace;
            return Ok(trace.map(|trace| (Self::Witness(*witness), trace)));
        }
        let verdict = world.check(limit)?;
        let violation = verdict.violations.into_iter().min_by_key(|(_, trace)| trace.steps.len());
        let trap = verdict.trap.map(|(trap, trace)| (Self::Trap(trap), trace));
        Ok(violation.map(|(violation, trace)| (Self::Violation(violation), trace)).or(trap))
    }
}

/// What happens, step by step, to cards that follow the rules of a world.
#[derive(Clone, Debug)]
pub struct Script {
    /// The world, as that of a card.
    pub world: World,
    /// What happens.
    pub actions: Vec<Action>,
    /// What it ends in; nothing if all is expected to end well.
    pub finding: Option<Finding>,
}

/// Why there is no script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoScript {
    /// Nothing goes wrong in the world.
    NothingFound,
    /// A card cannot show it, because of these differences alone or, if there are none, because of all together.
    NotOnCard(Vec<Difference>),
    /// The world is too large.
    TooManyStates(TooManyStates),
}

impl World {
    /// The world as the firmware of the card makes it.
    pub fn on_card(&self) -> Self {
        Difference::ALL.into_iter().fold(self.clone(), |world, difference| difference.mend(world))
    }
}

impl Script {
    /// The shortest way to what goes wrong, or to what is looked for, on a card.
    pub fn find(world: &World, witness: Option<&Witness>, limit: usize) -> Result<Self, NoScript> {
        let first = |world: &World| Finding::first(world, witness, limit).map_err(NoScript::TooManyStates);
        let on_card = world.on_card();
        if let Some((finding, trace)) = first(&on_card)? {
            let actions = trace.steps.into_iter().map(|(action, _)| action).collect();
            return Ok(Self { world: on_card, actions, finding: Some(finding) });
        }
        if first(world)?.is_none() {
            return Err(NoScript::NothingFound);
        }
        let mut reasons = Vec::new();
        for difference in Difference::ALL {
            if first(&difference.mend(world.clone()))?.is_none() {
                reasons.push(difference);
            }
        }
        Err(NoScript::NotOnCard(reasons))
    }

    /// The same happens to cards with other rules, which are expected to bear it.
    pub fn under(self, rules: Rules) -> Self {
        Self { world: World { rules, ..self.world }, finding: None, ..self }
    }
}
