//! Programs of hosts that are written outside of the simulator, step by step.
//!
//! A session records the steps of a program, and repeats them without its source when it returns to the past.

use std::cell::{Cell, RefCell};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use cluster::{Cpu, Time};
use machine_api::{Driven, Step, StepAnswer, StepResult};

/// Source of a program's steps.
pub trait ProgramSource {
    /// The step after an answer; `None` ends the program. The first call has no answer.
    fn next(&mut self, now: Time, answer: Option<StepResult>) -> Option<Step>;

    /// Whether the program ended by an error.
    fn has_failed(&self) -> bool;
}

/// Whether a program still takes steps, and otherwise how and when it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramState {
    /// The program has not ended.
    Running,
    /// The program ended at this time.
    Ended(Time),
    /// Its source failed at this time.
    Failed(Time),
    /// The program was closed before its end.
    Closed,
    /// The repetition of its past gave another answer at this time.
    Strayed(Time),
}

/// A program of a session. Clones are the same program.
#[derive(Clone)]
pub struct HostProgram {
    recorded: Rc<RefCell<Recorded>>,
    /// Ends of all programs of the session.
    ends: Rc<Cell<usize>>,
}

struct Recorded {
    /// `None` once the program has ended.
    source: Option<Box<dyn ProgramSource>>,
    /// Steps so far, with the mark of the answer to each that is over.
    steps: Vec<(Step, Option<u64>)>,
    state: ProgramState,
}

impl HostProgram {
    /// A program that adds 1 to `ends` when it ends.
    pub(crate) fn new(source: Box<dyn ProgramSource>, ends: Rc<Cell<usize>>) -> Self {
        let recorded = Recorded { source: Some(source), steps: Vec::new(), state: ProgramState::Running };
        HostProgram { recorded: Rc::new(RefCell::new(recorded)), ends }
    }

    /// Running, or how the program ended and when.
    pub fn state(&self) -> ProgramState {
        self.recorded.borrow().state
    }

    /// Whether the program has not ended.
    pub(crate) fn is_running(&self) -> bool {
        self.state() == ProgramState::Running
    }

    /// Whether the program has ended otherwise than by its end.
    pub(crate) fn was_cut_off(&self) -> bool {
        !matches!(self.state(), ProgramState::Running | ProgramState::Ended(_))
    }

    fn end(&self, recorded: &mut Recorded, state: ProgramState) {
        recorded.state = state;
        self.ends.set(self.ends.get() + 1);
    }

    /// Ends the program after its present step.
    pub fn close(&self) {
        let mut recorded = self.recorded.borrow_mut();
        if recorded.state == ProgramState::Running {
            self.end(&mut recorded, ProgramState::Closed);
        }
        let source = recorded.source.take();
        drop(recorded);
        drop(source);
    }

    /// The program on a host: takes steps until it ends.
    pub(crate) async fn run<M: Driven>(self, cpu: Cpu, mut port: M::Port, seat: M::Seat) {
        let mut answer = None;
        for number in 0.. {
            let Some(step) = self.next(number, cpu.now(), answer) else { return };
            answer = Some(match step {
                Step::Compute(duration) => {
                    cpu.compute(duration).await;
                    Ok(StepAnswer::Done)
                }
                step => M::step(&mut port, &seat, &step).await,
            });
        }
    }

    /// Step `number`: a recorded one, or a new one of the source.
    fn next(&self, number: usize, now: Time, answer: Option<StepResult>) -> Option<Step> {
        let recorded = &mut *self.recorded.borrow_mut();
        if let Some(answer) = &answer {
            let mark = mark(now, answer);
            let before = recorded.steps[number - 1].1.replace(mark);
            if before.is_some_and(|before| before != mark) {
                self.end(recorded, ProgramState::Strayed(now));
                recorded.source = None;
                return None;
            }
        }
        if let Some((step, _)) = recorded.steps.get(number) {
            return Some(step.clone());
        }
        let source = recorded.source.as_mut()?;
        if let Some(step) = source.next(now, answer) {
            recorded.steps.push((step.clone(), None));
            return Some(step);
        }
        let failed = source.has_failed();
        self.end(recorded, if failed { ProgramState::Failed(now) } else { ProgramState::Ended(now) });
        recorded.source = None;
        None
    }
}

/// A number that tells answers and their times apart.
fn mark(now: Time, answer: &StepResult) -> u64 {
    let mut hasher = DefaultHasher::new();
    now.ps().hash(&mut hasher);
    answer.hash(&mut hasher);
    hasher.finish()
}
