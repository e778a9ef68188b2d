//! A script: a trace that a card can follow, and its expected finding.

use ::gigae_pm::protocol::Rules;

use crate::core::NoScript;
use crate::gigae_pm::world::{Action, Grain, World};
use crate::gigae_pm::wrong::Wrong;

/// A difference between a world and a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Something may come between two messages that S1 sends, and every message has a timer.
    Grain,
    /// The receiver takes frames during a transfer to the host.
    Transfer,
    /// Numbers on the wire are short.
    Modulus,
    /// A sentence of the appendix is misread.
    Misreading,
}

impl Difference {
    const ALL: [Self; 4] = [Self::Grain, Self::Transfer, Self::Modulus, Self::Misreading];

    /// The behaviour of the card, as a sentence.
    pub const fn description(self) -> &'static str {
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

/// Events for cards that follow the rules of a world.
#[derive(Clone, Debug)]
pub struct Script {
    /// The world without its differences from a card.
    pub world: World,
    /// The events, in order.
    pub actions: Vec<Action>,
    /// The finding at its end; `None` if all is expected to end well.
    pub finding: Option<Wrong>,
}

impl World {
    /// The world without its differences from a card.
    pub fn on_card(&self) -> Self {
        Difference::ALL.into_iter().fold(self.clone(), |world, difference| difference.mend(world))
    }
}

impl Script {
    /// The shortest trace, in steps of the card, to what the world seeks or else to what goes wrong in it.
    pub fn find(world: &World, limit: usize) -> Result<Self, NoScript> {
        let on_card = world.on_card();
        if let Some((finding, trace)) = on_card.first_finding(limit)? {
            return Ok(Self { world: on_card, actions: trace.actions(), finding: Some(finding) });
        }
        if world.first_finding(limit)?.is_none() {
            return Err(NoScript::NothingFound);
        }
        let mut reasons = Vec::new();
        for difference in Difference::ALL {
            if difference.mend(world.clone()).first_finding(limit)?.is_none() {
                reasons.push(difference.description());
            }
        }
        Err(NoScript::NotOnMachine(reasons))
    }

    /// The same events under other rules, which are expected to bear them.
    pub fn under(self, rules: Rules) -> Self {
        Self { world: World { rules, ..self.world }, finding: None, ..self }
    }
}
