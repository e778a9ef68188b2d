//! What must never happen, and the shortest way there.

use std::hash::Hash;

use stateright::Model;

use crate::core::graph::Graph;
use crate::gigae_pm::verdict::TooManyStates;

/// What must never happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wrong {
    /// A unit is read that is not the one that was sent.
    WrongData,
    /// A message finds no place although its sender had a credit.
    Held,
    /// A header comes that no rule allows.
    Refused,
    /// An entry writes into the window of another task.
    ForeignWindow,
    /// A ring is full and counts as empty: what lies in it is lost.
    Overrun,
    /// Nothing goes on before the progress thread's next period.
    Late,
    /// From here on it can never be completed.
    Deadlock,
}

impl Wrong {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::WrongData => "wrong data",
            Self::Held => "held link",
            Self::Refused => "refused header",
            Self::ForeignWindow => "foreign window",
            Self::Overrun => "overrun",
            Self::Late => "late",
            Self::Deadlock => "deadlock",
        }
    }

    /// What it means.
    pub fn says(self) -> &'static str {
        match self {
            Self::WrongData => "a unit is read that is not the one that was sent",
            Self::Held => "a message finds no place although its sender had a credit",
            Self::Refused => "a header comes that no rule allows",
            Self::ForeignWindow => "an entry writes into the window of another task",
            Self::Overrun => "a ring is full and counts as empty: what lies in it is lost",
            Self::Late => "nothing goes on before the progress thread's next period",
            Self::Deadlock => "from here on it can never be completed",
        }
    }
}

/// A model that says what is wrong with a state.
pub trait Walk: Model<State: Clone + Eq + Hash, Action: Copy> {
    /// What is wrong, leaving aside what can come of it.
    fn wrong(&self, state: &Self::State) -> Option<Wrong>;

    /// All is done.
    fn is_complete(&self, state: &Self::State) -> bool;

    /// What happens, in words.
    fn words(&self, before: &Self::State, action: Self::Action) -> String;

    /// Periods of the progress thread that have passed.
    fn periods(&self, _: &Self::State) -> u8 {
        0
    }
}

/// Something that goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What.
    pub wrong: Wrong,
    /// Events of the shortest way there.
    pub events: usize,
    /// The shortest way in words; of a deadlock the shortest way to where nothing can happen any more, which may be longer.
    pub steps: Vec<String>,
}

/// What exploration found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// States visited.
    pub states: usize,
    /// What goes wrong, the nearest first.
    pub found: Vec<Found>,
    /// Seconds that the slowest complete run waits for the progress thread.
    pub seconds: u32,
}

impl Verdict {
    /// Nothing goes wrong.
    pub fn holds(&self) -> bool {
        self.found.is_empty()
    }

    /// What was found of a kind.
    pub fn find(&self, wrong: Wrong) -> Option<&Found> {
        self.found.iter().find(|found| found.wrong == wrong)
    }

    /// Events until something goes wrong.
    pub fn events_to(&self, wrong: Wrong) -> Option<usize> {
        self.find(wrong).map(|found| found.events)
    }
}

/// Explores a model.
pub(super) fn check<W: Walk>(
    world: &W,
    limit: usize,
    looks: &mut dyn FnMut(),
) -> Result<Verdict, TooManyStates> {
    let graph = Graph::whole(world, limit, looks)?;
    let story = |state| {
        let way = graph.way_to(state);
        let mut before = &way.start;
        let mut steps = Vec::new();
        for (action, after) in &way.steps {
            steps.push(world.words(before, *action));
            before = after;
        }
        steps
    };
    let found = |at: At| Found {
        wrong: at.wrong,
        events: graph.way_to(at.first).steps.len(),
        steps: story(at.shown),
    };
    let mut found: Vec<_> = findings(world, &graph).into_iter().map(found).collect();
    found.sort_by_key(|found| found.events);
    let complete = graph.states.iter().filter(|state| world.is_complete(state));
    let periods = complete.map(|state| world.periods(state)).max().unwrap_or(0);
    let seconds = u32::from(periods) * mpi_de::PROGRESS_SECONDS;
    Ok(Verdict { states: graph.states.len(), found, seconds })
}

/// The shortest way to something wrong, if there is one.
pub(super) fn way<W: Walk>(
    world: &W,
    wrong: Wrong,
    limit: usize,
) -> Result<Option<Vec<W::Action>>, TooManyStates> {
    let graph = Graph::whole(world, limit, &mut || ())?;
    let at = findings(world, &graph).into_iter().find(|at| at.wrong == wrong);
    Ok(at.map(|at| graph.way_to(at.shown).steps.into_iter().map(|(action, _)| action).collect()))
}

/// Where something is wrong.
struct At {
    wrong: Wrong,
    /// The first state in which it is; after it, a deadlock cannot be avoided.
    first: usize,
    /// The state that shows it: of a deadlock, one in which nothing can happen any more.
    shown: usize,
}

/// What is wrong in a graph, and where first.
fn findings<W: Walk>(world: &W, graph: &Graph<W>) -> Vec<At> {
    let mut found: Vec<At> = Vec::new();
    for (state, wrong) in graph.states.iter().map(|state| world.wrong(state)).enumerate() {
        let Some(wrong) = wrong.filter(|wrong| found.iter().all(|at| at.wrong != *wrong)) else { continue };
        found.push(At { wrong, first: state, shown: state });
    }
    // What goes wrong for good is an end too: it is told by its own name.
    let fatal = |wrong| !matches!(wrong, Wrong::Late | Wrong::Held);
    let ends = graph.reaching(|state| world.is_complete(state) || world.wrong(state).is_some_and(fatal));
    if let Some(sealed) = ends.iter().position(|ends| !ends) {
        let rests = |state: &usize| !ends[*state] && graph.successors(*state).is_empty();
        let shown = (0..ends.len()).find(rests).unwrap_or(sealed);
        found.push(At { wrong: Wrong::Deadlock, first: sealed, shown });
    }
    found
}
