//! Plays the actions of a world on NIFs, and then everything that can happen.

use hdl::NicError;

use crate::cenju3::wrong::Wrong;
use crate::core::{self, Testbed, Walk};

/// Most actions after the script, until all is done or nothing can be done: more than any world here takes.
const MOST: usize = 1000;

/// A world on NIFs, which play on after the script.
pub trait NifTestbed<W: Walk>: Testbed<W> {
    /// A violation so far.
    fn wrong(&self) -> Option<Wrong>;
    /// Whether NIFs do nothing any more, even with new entries and more time.
    fn is_still(&mut self) -> Result<bool, NicError>;
}

/// The end of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// All messages were sent, have come and were taken.
    pub complete: bool,
    /// A violation on the way.
    pub wrong: Option<Wrong>,
    /// NIFs do nothing any more, even with new entries.
    pub still: bool,
    /// NIFs and hosts have the checker's state.
    pub agrees: bool,
    /// Cycles since reset, without the wait that shows whether NIFs do nothing.
    pub cycles: u64,
}

/// A script as NIFs played it. Times are cycles since reset.
pub type Replay = core::Replay<Ending>;

impl Replay {
    /// Whether NIFs and hosts did what the checker says, after the script too.
    pub fn agrees_to_the_end(&self) -> bool {
        self.ending.agrees && self.agrees()
    }

    /// Whether they ended as a finding says, or well if there is none.
    pub fn shows(&self, finding: Option<Wrong>) -> bool {
        let Ending { complete, wrong, still, .. } = self.ending;
        self.agrees_to_the_end()
            && match finding {
                None => complete && wrong.is_none(),
                Some(Wrong::Deadlock) => still && !complete && wrong.is_none(),
                Some(finding) => wrong == Some(finding),
            }
    }
}

/// Plays actions, and then whatever can happen, until nothing can.
pub fn play<W: Walk<Action: PartialEq>>(
    world: &W,
    actions: &[W::Action],
    mut testbed: impl NifTestbed<W>,
) -> Result<Replay, NicError> {
    let (steps, mut state) = core::play(world, actions, &mut testbed)?;
    for _ in 0..MOST {
        let mut possible = Vec::new();
        world.actions(&state, &mut possible);
        let mut next = possible.into_iter();
        let next = next.find_map(|action| world.next_state(&state, action).map(|next| (action, next)));
        let Some((action, next)) = next else { break };
        testbed.act(&state, action)?;
        state = next;
    }
    let (agrees, wrong, cycles) = (testbed.agrees(&state)?, testbed.wrong(), testbed.time());
    let still = testbed.is_still()?;
    let complete = world.is_complete(&state);
    Ok(Replay { steps, ending: Ending { complete, wrong, still, agrees, cycles } })
}
