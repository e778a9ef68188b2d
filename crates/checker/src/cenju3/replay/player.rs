//! Plays the actions of a world in the checker and on NIFs, and compares the two.

use hdl::NicError;

use crate::cenju3::wrong::Wrong;
use crate::core::Walk;

/// Actions after the script until all is done or nothing can be done: more than any world here takes.
const MOST: usize = 1000;

/// A world on NIFs.
pub trait Testbed<W: Walk> {
    /// Something happens.
    fn act(&mut self, action: W::Action) -> Result<(), NicError>;
    /// The checker's state in words, a line each.
    fn words(&self, state: &W::State) -> Vec<String>;
    /// The state of NIFs, memories and libraries in the same words.
    fn seen(&mut self) -> Result<Vec<String>, NicError>;
    /// Whether they have the checker's state.
    fn agrees(&mut self, state: &W::State) -> Result<bool, NicError>;
    /// A violation so far.
    fn wrong(&self) -> Option<Wrong>;
    /// Cycles since reset.
    fn cycles(&self) -> u64;
    /// Whether NIFs do nothing any more, even with new entries and more time.
    fn is_still(&mut self) -> Result<bool, NicError>;
}

/// A step, as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The event in words.
    pub happens: String,
    /// It could not happen under the rules, and did not.
    pub skipped: bool,
    /// Cycles of the NIFs after it, since reset.
    pub cycles: u64,
    /// The checker's state after it.
    pub checker: Vec<String>,
    /// The state of NIFs and hosts after it.
    pub nifs: Vec<String>,
    /// The two are the same, including what words leave out.
    pub agrees: bool,
}

/// The end of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// All messages were sent, have come and were taken.
    pub complete: bool,
    /// A violation on the way.
    pub wrong: Option<Wrong>,
    /// NIFs do nothing any more, whatever they are given.
    pub still: bool,
    /// NIFs and hosts are where the checker is.
    pub agrees: bool,
    /// Cycles since reset, before it was seen whether they do nothing.
    pub cycles: u64,
}

/// How a script went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The beginning, and every step.
    pub steps: Vec<Played>,
    /// The end, after everything that could happen.
    pub ending: Ending,
}

impl Replay {
    /// Whether NIFs and hosts did what the checker says.
    pub fn agrees(&self) -> bool {
        self.ending.agrees && self.steps.iter().all(|step| step.agrees)
    }

    /// Whether they ended as a finding says, or well if there is none.
    pub fn shows(&self, finding: Option<Wrong>) -> bool {
        let Ending { complete, wrong, still, .. } = self.ending;
        self.agrees()
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
    mut testbed: impl Testbed<W>,
) -> Result<Replay, NicError> {
    let mut state = world.init_states().into_iter().next().expect("a world begins somewhere");
    let mut steps = vec![note(&mut testbed, &state, "at the beginning".into(), false)?];
    let possible = |state: &W::State| {
        let mut possible = Vec::new();
        world.actions(state, &mut possible);
        possible
    };
    for action in actions {
        let next = possible(&state).contains(action).then(|| world.next_state(&state, *action)).flatten();
        // The words of this protocol do not depend on the state after it.
        let (happens, skipped) = (world.happens(&state, *action, &state), next.is_none());
        if let Some(next) = next {
            testbed.act(*action)?;
            state = next;
        }
        steps.push(note(&mut testbed, &state, happens, skipped)?);
    }
    for _ in 0..MOST {
        let Some((action, next)) = possible(&state)
            .into_iter()
            .find_map(|action| world.next_state(&state, action).map(|next| (action, next)))
        else {
            break;
        };
        testbed.act(action)?;
        state = next;
    }
    let (agrees, wrong, cycles) = (testbed.agrees(&state)?, testbed.wrong(), testbed.cycles());
    let still = testbed.is_still()?;
    let complete = world.is_complete(&state);
    Ok(Replay { steps, ending: Ending { complete, wrong, still, agrees, cycles } })
}

fn note<W: Walk>(
    testbed: &mut impl Testbed<W>,
    state: &W::State,
    happens: String,
    skipped: bool,
) -> Result<Played, NicError> {
    let (agrees, nifs) = (testbed.agrees(state)?, testbed.seen()?);
    Ok(Played { happens, skipped, cycles: testbed.cycles(), checker: testbed.words(state), nifs, agrees })
}
