//! Executor of one host's programs; virtual time is its only source of wake-ups.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use super::cpu::{Cpu, Shared, Task as State, Waiting};
use super::position::{Position, Spent};
use crate::Time;

/// Place of a program's result.
#[derive(Debug)]
pub struct Output<T>(Rc<RefCell<Option<T>>>);

impl<T> Output<T> {
    /// Takes the result if the program is finished and the result has not been taken.
    pub fn take(&self) -> Option<T> {
        self.0.borrow_mut().take()
    }
}

/// Report on an unfinished program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskReport {
    /// Node of the program.
    pub node: usize,
    /// Name of the program.
    pub name: &'static str,
    /// Reason for which it waits.
    pub waiting: Waiting,
    /// Start of the wait.
    pub since: Time,
}

impl fmt::Display for TaskReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` on node {} waits for {} since {}", self.name, self.node, self.waiting, self.since)
    }
}

struct Task {
    name: &'static str,
    state: Rc<State>,
    /// `None` once the program is finished; the task is then removed.
    future: Option<Pin<Box<dyn Future<Output = ()>>>>,
}

/// The programs of one host, in the order in which they were spawned.
pub struct Executor {
    shared: Rc<Shared>,
    tasks: Vec<Task>,
    /// Time at which the next program continues. Programs change it while they run, signals at any time.
    first_wake: Rc<Cell<Option<Time>>>,
    /// Number of unfinished programs.
    running: usize,
}

impl Executor {
    pub(crate) fn new(shared: Rc<Shared>) -> Self {
        Executor { shared, tasks: Vec::new(), first_wake: Rc::default(), running: 0 }
    }

    /// The programs of a host without a device; the creator runs them.
    pub fn alone(node: usize) -> Self {
        Executor::new(Rc::new(Shared::new(node)))
    }

    /// Adds a program that starts at the present time.
    pub fn spawn<F, T>(&mut self, name: &'static str, program: impl FnOnce(Cpu) -> F) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
    {
        let state = Rc::new(State::starting_at(self.shared.now.get(), self.first_wake.clone()));
        let output = Rc::new(RefCell::new(None));
        let (result, future) = (output.clone(), program(Cpu::new(self.shared.clone(), state.clone())));
        let future = Box::pin(async move {
            let value = future.await;
            *result.borrow_mut() = Some(value);
        });
        self.tasks.push(Task { name, state, future: Some(future) });
        self.running += 1;
        Output(output)
    }

    /// Time at which the next program continues.
    pub fn next_wake(&self) -> Option<Time> {
        self.first_wake.get()
    }

    /// Whether a program continues by `now`.
    pub(crate) fn is_due(&self, now: Time) -> bool {
        self.next_wake().is_some_and(|wake| wake <= now)
    }

    /// Whether no program continues by the passing of time alone.
    pub(crate) fn is_waiting(&self) -> bool {
        self.first_wake.get().is_none()
    }

    /// Whether a program can continue at some time, or at the signal of another.
    pub fn may_go_on(&self) -> bool {
        let signal = |task: &Task| matches!(task.state.waiting(), (Waiting::Signal(_), _));
        self.first_wake.get().is_some() || self.stands() || self.tasks.iter().any(signal)
    }

    /// Whether a program is suspended at the end of a polling iteration.
    pub(crate) fn stands(&self) -> bool {
        self.tasks.iter().any(|task| task.state.stands().is_some())
    }

    /// Number of the polling iteration at whose end a program is suspended; the lowest one of several programs.
    pub(crate) fn turn(&self) -> Option<u32> {
        self.tasks.iter().filter_map(|task| task.state.stands()).min()
    }

    /// Whether there is one program alone.
    pub(crate) fn is_single(&self) -> bool {
        self.tasks.len() == 1
    }

    /// Positions of all programs, relative to `now`.
    pub(crate) fn positions(&self, now: Time) -> Vec<Position> {
        self.tasks.iter().map(|task| task.state.position(now)).collect()
    }

    /// Suspends the programs that are within polling iterations, until they are [released](Executor::release).
    pub(crate) fn hold(&mut self, spent: &[Spent], now: Time) {
        for (task, spent) in self.tasks.iter().zip(spent) {
            if *spent == Spent::WithinIterations {
                task.state.hold(now);
            }
        }
        self.find_first_wake();
    }

    /// Ends a suspension: the iterations from `since` to `now` were skipped.
    pub(crate) fn release(&mut self, since: Time, now: Time) {
        self.tasks.iter().for_each(|task| task.state.release(since, now));
    }

    /// Makes programs that are suspended at the end of an iteration continue at `now`.
    pub(crate) fn go_on(&mut self, now: Time) {
        for task in self.tasks.iter().filter(|task| task.state.stands().is_some()) {
            task.state.wake_at(now);
        }
    }

    /// Runs every program that is due until it waits again. Time must not decrease.
    pub fn run(&mut self, now: Time) {
        self.shared.now.set(now);
        for task in &mut self.tasks {
            if task.state.wake().is_none_or(|wake| wake > now) {
                continue;
            }
            task.state.awake();
            let future = task.future.as_mut().expect("only a program that is not done wakes up");
            if let Poll::Ready(()) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                task.future = None;
                task.state.awake();
                self.running -= 1;
            }
        }
        // A shell spawns a program per command: finished ones must not accumulate.
        self.tasks.retain(|task| task.future.is_some());
        self.find_first_wake();
    }

    fn find_first_wake(&self) {
        self.first_wake.set(self.tasks.iter().filter_map(|task| task.state.wake()).min());
    }

    /// Whether all programs are finished.
    pub fn done(&self) -> bool {
        self.running == 0
    }

    /// Reports on all unfinished programs.
    pub fn report(&self) -> impl Iterator<Item = TaskReport> {
        let node = self.shared.node;
        self.tasks.iter().filter(|task| task.future.is_some()).map(move |task| {
            let (waiting, since) = task.state.waiting();
            TaskReport { node, name: task.name, waiting, since }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Duration, Signal};

    fn executor() -> Executor {
        Executor::new(Rc::new(Shared::new(0)))
    }

    /// Runs all programs to their ends and returns the last instant at which one continued.
    fn run(executor: &mut Executor) -> Time {
        let mut now = Time::ZERO;
        while let Some(wake) = executor.next_wake() {
            now = wake;
            executor.run(now);
        }
        now
    }

    #[test]
    fn programs_run_by_time_and_then_by_spawn_order() {
        let mut executor = executor();
        let order = Rc::new(RefCell::new(Vec::new()));
        for (name, step) in [("slow", 30), ("fast", 20), ("fast too", 20)] {
            let order = order.clone();
            executor.spawn(name, move |host| async move {
                for _ in 0..3 {
                    host.compute(Duration::from_ns(step)).await;
                    order.borrow_mut().push((host.now().ps() / 1_000, name));
                }
            });
        }
        assert_eq!(run(&mut executor), Time::from_ps(90_000));
        assert!(executor.done());
        let expected = [
            (20, "fast"),
            (20, "fast too"),
            (30, "slow"),
            (40, "fast"),
            (40, "fast too"),
            (60, "slow"),
            (60, "fast"),
            (60, "fast too"),
            (90, "slow"),
        ];
        assert_eq!(*order.borrow(), expected);
    }

    #[test]
    fn result_is_available_when_the_program_is_finished() {
        let mut executor = executor();
        let output = executor.spawn("answer", |host| async move {
            host.compute(Duration::from_ns(1)).await;
            42
        });
        executor.run(Time::ZERO);
        assert_eq!(output.take(), None);
        let report: Vec<_> = executor.report().map(|task| task.to_string()).collect();
        assert_eq!(report, ["`answer` on node 0 waits for its own computing since 0.000000 us"]);
        run(&mut executor);
        assert_eq!((output.take(), output.take()), (Some(42), None));
    }

    #[test]
    fn signal_wakes_waiting_programs_at_no_cost() {
        let mut executor = executor();
        let (signal, woken) = (Rc::new(Signal::default()), Rc::new(RefCell::new(Vec::new())));
        for name in ["first", "second"] {
            let (signal, woken) = (signal.clone(), woken.clone());
            executor.spawn(name, move |host| async move {
                for _ in 0..2 {
                    signal.wait(&host, "the other program").await;
                    woken.borrow_mut().push((host.now().ps() / 1_000, name));
                }
            });
        }
        let raiser = signal.clone();
        executor.spawn("raiser", move |host| async move {
            for _ in 0..2 {
                host.compute(Duration::from_ns(7)).await;
                raiser.raise(&host);
            }
        });
        executor.run(Time::ZERO);
        let report = executor.report().next().unwrap().to_string();
        assert_eq!(report, "`first` on node 0 waits for the other program since 0.000000 us");
        run(&mut executor);
        assert!(executor.done());
        assert_eq!(*woken.borrow(), [(7, "first"), (7, "second"), (14, "first"), (14, "second")]);
    }

    #[test]
    fn program_may_continue_if_it_waits_for_a_signal() {
        let mut executor = executor();
        executor.spawn::<_, ()>("stuck", |_| std::future::pending());
        executor.run(Time::ZERO);
        assert!(!executor.may_go_on());
        let signal = Rc::new(Signal::default());
        executor.spawn("waits", |host| async move { signal.wait(&host, "news").await });
        executor.run(Time::ZERO);
        assert!(executor.may_go_on());
    }

    #[test]
    fn program_that_waits_for_nothing_in_virtual_time_never_wakes() {
        let mut executor = executor();
        executor.spawn::<_, ()>("stuck", |_| std::future::pending());
        executor.run(Time::ZERO);
        assert_eq!(executor.next_wake(), None);
        assert!(!executor.done());
        assert_eq!(executor.report().next().unwrap().waiting, Waiting::Nothing);
    }
}
