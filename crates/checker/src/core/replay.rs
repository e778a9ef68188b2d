//! Replay of a model's actions on a machine, with its state compared after each action.

use hdl::NicError;

use super::walk::Walk;

/// A machine that replays a model's actions.
pub trait Testbed<W: Walk> {
    /// Carries out an action; `before` is the checker's state.
    fn act(&mut self, before: &W::State, action: W::Action) -> Result<(), NicError>;
    /// Whether the machine's state equals the checker's.
    fn agrees(&mut self, state: &W::State) -> Result<bool, NicError>;
    /// The machine's state, in the words of [`Walk::knowledge`]. Parts that no machine has come from the checker's `state`.
    fn knowledge(&mut self, state: &W::State) -> Result<Vec<String>, NicError>;
    /// Time since reset, in cycles or picoseconds.
    fn time(&self) -> u64;
}

/// A replayed step of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The event in words.
    pub happens: String,
    /// The rules do not allow the event in this state, so it was left out.
    pub skipped: bool,
    /// Time of the machine after the event, in cycles, nanoseconds or picoseconds.
    pub time: u64,
    /// The checker's state after the event, in words.
    pub checker: Vec<String>,
    /// The machine's state after the event, in the same words.
    pub machine: Vec<String>,
    /// The two states are equal, including parts that the words omit.
    pub agrees: bool,
}

/// A replayed script.
#[derive(Clone, Debug)]
pub struct Replay<E> {
    /// The steps, in order.
    pub steps: Vec<Played>,
    /// Outcome after the last step, when all faults have ceased.
    pub ending: E,
}

impl<E> Replay<E> {
    /// Whether the machine had the checker's state after every step.
    pub fn agrees(&self) -> bool {
        self.steps.iter().all(|step| step.agrees)
    }
}

/// Replays actions from the initial state of a model and leaves out those that cannot happen. Returns the steps, the first of
/// which is the initial state, and the checker's last state.
pub fn play<W: Walk<Action: PartialEq>>(
    model: &W,
    actions: &[W::Action],
    testbed: &mut impl Testbed<W>,
) -> Result<(Vec<Played>, W::State), NicError> {
    let mut state = model.init_states().into_iter().next().expect("a model begins somewhere");
    let mut steps = vec![note(model, testbed, &state, "at the beginning".into(), false)?];
    for &action in actions {
        let mut possible = Vec::new();
        model.actions(&state, &mut possible);
        let next = possible.contains(&action).then(|| model.next_state(&state, action)).flatten();
        let skipped = next.is_none();
        let happens = match next {
            Some(next) => {
                testbed.act(&state, action)?;
                let before = std::mem::replace(&mut state, next);
                model.happens(&before, action, &state)
            }
            None => model.skipped(&state, action),
        };
        steps.push(note(model, testbed, &state, happens, skipped)?);
    }
    Ok((steps, state))
}

fn note<W: Walk>(
    model: &W,
    testbed: &mut impl Testbed<W>,
    state: &W::State,
    happens: String,
    skipped: bool,
) -> Result<Played, NicError> {
    let (agrees, machine) = (testbed.agrees(state)?, testbed.knowledge(state)?);
    Ok(Played { happens, skipped, time: testbed.time(), checker: model.knowledge(state), machine, agrees })
}
