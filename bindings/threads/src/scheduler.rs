//! The rule by which threads run: one at a time, in the order of their numbers, each until it waits.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

/// Calls without a wait after which another thread runs, so that loops over them end.
pub const SPINS: u32 = 16;

/// Calls without a wait after which time passes, if no other thread can run.
const LONG_SPINS: u32 = 16 * SPINS;

/// Time that passes after many calls without a wait, in ps: 1 us, then twice as much each time, up to 1 s.
const MOMENT_PS: u64 = 1_000_000;
const LONGEST_MOMENT_PS: u64 = 1_000_000_000_000;

/// The virtual time of the process, and the calls of its threads that wait.
pub trait Simulator: Sync {
    /// Virtual time in ps.
    fn now_ps(&self) -> u64;

    /// Waits until the call of a thread [is complete](complete), or until a virtual time. False if no call will be.
    fn wait(&self, until_ps: Option<u64>) -> bool;

    /// Lets virtual time pass until `until_ps`, while no thread is in a call.
    fn pass(&self, until_ps: u64);

    /// Ends the process, whose threads wait for each other.
    fn end_stuck(&self, report: String) -> !;

    /// Whether the process has virtual time before its threads are scheduled, and its first new thread schedules them.
    fn is_of_run(&self) -> bool {
        false
    }

    /// Sleeps until a virtual time. False if a signal of the process ends the sleep.
    fn sleep(&self, until_ps: u64) -> bool {
        sleep_until(until_ps);
        true
    }
}

/// Event that a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The end of its call of the simulator.
    Call,
    /// A change of the object at an address; the text names its kind.
    Object(&'static str, usize),
    /// The end of a thread.
    Join(u32),
    /// Its deadline alone.
    Time,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Call => write!(f, "the end of its call"),
            Event::Object(kind, _) => write!(f, "{kind}"),
            Event::Join(thread) => write!(f, "the end of thread {thread}"),
            Event::Time => write!(f, "a time"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ThreadState {
    /// It runs, or can run.
    Ready,
    Waits(Event),
}

struct Thread {
    state: ThreadState,
    /// Virtual time at which it runs on without its event.
    deadline_ps: Option<u64>,
    has_timed_out: bool,
    /// Order among those that wait.
    ticket: u64,
    turn: Arc<Condvar>,
}

impl Thread {
    fn new() -> Self {
        let (state, turn) = (ThreadState::Ready, Arc::default());
        Thread { state, deadline_ps: None, has_timed_out: false, ticket: 0, turn }
    }
}

/// All threads of the process that run one at a time.
pub(crate) struct Scheduler {
    threads: BTreeMap<u32, Thread>,
    running: Option<u32>,
    next: u32,
    tickets: u64,
    /// Threads that run as the operating system lets them.
    pub free: u32,
    spins: u32,
    moment_ps: u64,
}

/// The thread that calls, one of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Number of the thread, from 0 in the order of creation; free threads have 2^31 and more.
    pub number: u32,
    /// Another thread can run.
    pub may_switch: bool,
}

static SCHEDULER: Mutex<Scheduler> = Mutex::new(Scheduler {
    threads: BTreeMap::new(),
    running: None,
    next: 0,
    tickets: 0,
    free: 0,
    spins: 0,
    moment_ps: MOMENT_PS,
});
static SIMULATOR: OnceLock<&'static dyn Simulator> = OnceLock::new();
static IS_ACTIVE: AtomicBool = AtomicBool::new(false);
/// Threads switch at locks that are free, too: calls of the simulator alone are too rare.
static SWITCHES_AT_LOCKS: AtomicBool = AtomicBool::new(false);
/// A free thread has made a thread ready.
static NEWS: Condvar = Condvar::new();

/// Number of the next free thread that calls.
static FREE_NUMBERS: AtomicU32 = AtomicU32::new(1 << 31);

thread_local! {
    static NUMBER: Cell<Option<u32>> = const { Cell::new(None) };
    static FREE_NUMBER: Cell<Option<u32>> = const { Cell::new(None) };
}

pub(crate) fn lock() -> MutexGuard<'static, Scheduler> {
    SCHEDULER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the calling thread runs by the rule.
pub fn is_scheduled() -> bool {
    IS_ACTIVE.load(Relaxed) && NUMBER.get().is_some()
}

/// The simulator, if the calling thread has virtual time.
pub(crate) fn simulator() -> Option<&'static dyn Simulator> {
    let simulator = *SIMULATOR.get()?;
    (is_scheduled() || simulator.is_of_run()).then_some(simulator)
}

/// Virtual time in ps.
pub(crate) fn now_ps() -> u64 {
    SIMULATOR.get().map_or(0, |simulator| simulator.now_ps())
}

impl Scheduler {
    /// Adds a thread, which can run.
    pub fn add(&mut self) -> u32 {
        let number = self.next;
        self.next += 1;
        self.threads.insert(number, Thread::new());
        number
    }

    /// Removes a thread that has ended, or was not created.
    pub fn remove(&mut self, number: u32) {
        self.threads.remove(&number);
    }

    pub fn has_ended(&self, number: u32) -> bool {
        !self.threads.contains_key(&number)
    }

    fn set(&mut self, number: u32, state: ThreadState) {
        if let Some(thread) = self.threads.get_mut(&number) {
            (thread.state, thread.deadline_ps) = (state, None);
        }
    }

    /// The next thread in the order of numbers that can run; the thread `after` itself is the last.
    fn next_ready(&self, after: u32) -> Option<u32> {
        let later = self.threads.range(after.saturating_add(1)..);
        let mut order = later.chain(self.threads.range(..=after));
        order.find(|(_, thread)| thread.state == ThreadState::Ready).map(|(number, _)| *number)
    }

    fn waits_for_call(&self) -> bool {
        self.threads.values().any(|thread| thread.state == ThreadState::Waits(Event::Call))
    }

    fn deadline_ps(&self) -> Option<u64> {
        self.threads.values().filter_map(|thread| thread.deadline_ps).min()
    }

    fn expire(&mut self, now_ps: u64) {
        for thread in self.threads.values_mut() {
            if thread.deadline_ps.take_if(|deadline| *deadline <= now_ps).is_some() {
                (thread.state, thread.has_timed_out) = (ThreadState::Ready, true);
            }
        }
    }

    /// Makes threads ready that wait for an event: all of them, or the one that has waited longest.
    pub fn wake(&mut self, event: Event, all: bool) {
        let waits = |thread: &Thread| thread.state == ThreadState::Waits(event);
        let mut waiting: Vec<_> = self
            .threads
            .iter()
            .filter(|(_, thread)| waits(thread))
            .map(|(at, thread)| (thread.ticket, *at))
            .collect();
        waiting.sort_unstable();
        waiting.truncate(if all { usize::MAX } else { 1 });
        for (_, number) in &waiting {
            self.set(*number, ThreadState::Ready);
        }
        if !waiting.is_empty() {
            NEWS.notify_all();
        }
    }

    fn hand_over(&mut self, next: u32) -> Arc<Condvar> {
        self.running = Some(next);
        self.threads[&next].turn.clone()
    }

    fn report(&self) -> String {
        let waits = self.threads.iter().filter_map(|(number, thread)| match thread.state {
            ThreadState::Waits(event) => Some(format!("thread {number} waits for {event}")),
            ThreadState::Ready => None,
        });
        format!("the threads of the process wait for each other: {}", waits.collect::<Vec<_>>().join(", "))
    }
}

/// Gives the process virtual time. Its threads are scheduled from the first `pthread_create` on, if it
/// [belongs to a run](Simulator::is_of_run).
pub fn install(simulator: &'static dyn Simulator) {
    let _ = SIMULATOR.set(simulator);
}

/// Schedules the calling thread, as thread 0, and all threads that it starts.
pub fn begin(simulator: &'static dyn Simulator) {
    if SIMULATOR.set(simulator).is_ok() {
        SWITCHES_AT_LOCKS.store(true, Relaxed);
        schedule();
    }
}

/// The process of a run creates its first thread.
pub(crate) fn begin_at_first_thread() {
    if !IS_ACTIVE.load(Relaxed) && SIMULATOR.get().is_some_and(|simulator| simulator.is_of_run()) {
        schedule();
    }
}

fn schedule() {
    crate::thread::know_forks();
    let mut scheduler = lock();
    let number = scheduler.add();
    scheduler.running = Some(number);
    NUMBER.set(Some(number));
    IS_ACTIVE.store(true, Relaxed);
}

/// Ends the rule in a process that a thread has forked: it has no other thread.
pub(crate) extern "C" fn end_in_child() {
    IS_ACTIVE.store(false, Relaxed);
}

/// The calling thread, if it is one of several, or runs freely.
pub fn caller() -> Option<Caller> {
    if !IS_ACTIVE.load(Relaxed) {
        return None;
    }
    let Some(number) = NUMBER.get() else {
        let number = FREE_NUMBER.get().unwrap_or_else(|| FREE_NUMBERS.fetch_add(1, Relaxed));
        FREE_NUMBER.set(Some(number));
        return Some(Caller { number, may_switch: false });
    };
    let scheduler = lock();
    let is_alone = scheduler.threads.len() == 1;
    let mut others = scheduler.threads.iter().filter(|(other, _)| **other != number);
    let may_switch =
        others.any(|(_, thread)| thread.state == ThreadState::Ready || thread.deadline_ps.is_some());
    (!is_alone).then_some(Caller { number, may_switch })
}

/// Whether the calling thread is one of several that run by the rule.
pub fn is_one_of_several() -> bool {
    is_scheduled() && caller().is_some()
}

/// The scheduled thread begins: it waits for its turn.
pub(crate) fn start(number: u32) {
    NUMBER.set(Some(number));
    drop(wait_for_turn(lock(), number));
}

/// The calling thread has ended.
pub(crate) fn end() {
    let number = NUMBER.take();
    let mut scheduler = lock();
    match number {
        Some(number) if IS_ACTIVE.load(Relaxed) => {
            scheduler.remove(number);
            scheduler.wake(Event::Join(number), true);
            let (mut scheduler, next) = choose(scheduler, number);
            let turn = next.map(|next| scheduler.hand_over(next));
            if next.is_none() {
                scheduler.running = None;
            }
            drop(scheduler);
            if let Some(turn) = turn {
                turn.notify_one();
            }
        }
        Some(_) => {}
        None => scheduler.free = scheduler.free.saturating_sub(1),
    }
}

type Guard = MutexGuard<'static, Scheduler>;

fn wait_for_turn(mut scheduler: Guard, number: u32) -> Guard {
    let turn = scheduler.threads[&number].turn.clone();
    while scheduler.running != Some(number) {
        scheduler = turn.wait(scheduler).unwrap_or_else(PoisonError::into_inner);
    }
    scheduler
}

/// The next thread that runs after `after`. While none can run, calls of the simulator or time go on. `None` if all
/// threads have ended.
fn choose(mut scheduler: Guard, after: u32) -> (Guard, Option<u32>) {
    let simulator = SIMULATOR.get().expect("there is one while threads are scheduled");
    loop {
        if let Some(next) = scheduler.next_ready(after) {
            return (scheduler, Some(next));
        }
        let (in_call, deadline) = (scheduler.waits_for_call(), scheduler.deadline_ps());
        if in_call || deadline.is_some() {
            // The simulator reports ends of calls, which takes the lock.
            drop(scheduler);
            let goes_on = match deadline {
                Some(until) if !in_call => {
                    simulator.pass(until);
                    true
                }
                until => simulator.wait(until),
            };
            scheduler = lock();
            if !goes_on {
                scheduler.wake(Event::Call, true);
            }
            scheduler.expire(simulator.now_ps());
        } else if scheduler.threads.is_empty() {
            return (scheduler, None);
        } else if scheduler.free == 0 {
            let report = scheduler.report();
            drop(scheduler);
            simulator.end_stuck(report);
        } else {
            scheduler = NEWS.wait(scheduler).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Lets other threads run until it is this one's turn again, which may be at once.
fn switch(scheduler: Guard, number: u32) -> Guard {
    let (mut scheduler, next) = choose(scheduler, number);
    match next {
        Some(next) if next != number => {
            // The next thread finds the lock free when it wakes up.
            let turn = scheduler.hand_over(next);
            drop(scheduler);
            turn.notify_one();
            wait_for_turn(lock(), number)
        }
        _ => scheduler,
    }
}

/// Waits for an event or a deadline, unless `is_done` holds when the wait begins. False after the deadline.
pub(crate) fn wait(
    event: Event,
    deadline_ps: Option<u64>,
    is_done: impl FnOnce(&mut Scheduler) -> bool,
) -> bool {
    let Some(number) = NUMBER.get() else { return true };
    let mut scheduler = lock();
    if event != Event::Time {
        (scheduler.spins, scheduler.moment_ps) = (0, MOMENT_PS);
    }
    scheduler.tickets += 1;
    let ticket = scheduler.tickets;
    let own = scheduler.threads.get_mut(&number).expect("the thread is scheduled");
    (own.state, own.deadline_ps) = (ThreadState::Waits(event), deadline_ps);
    (own.has_timed_out, own.ticket) = (false, ticket);
    if is_done(&mut scheduler) {
        scheduler.set(number, ThreadState::Ready);
        return true;
    }
    let scheduler = switch(scheduler, number);
    !scheduler.threads[&number].has_timed_out
}

/// Waits until the call of this thread is [complete].
pub fn wait_for_call() {
    wait(Event::Call, None, |_| false);
}

/// Waits until the call of this thread is [complete], or until a virtual time.
pub fn wait_for_call_until(until_ps: u64) {
    wait(Event::Call, Some(until_ps), |_| false);
}

/// Sleeps until a virtual time, while other threads run.
pub fn sleep_until(until_ps: u64) {
    wait(Event::Time, Some(until_ps), |_| false);
}

/// The call of a thread is complete.
pub fn complete(number: u32) {
    let mut scheduler = lock();
    let waits =
        scheduler.threads.get(&number).is_some_and(|own| own.state == ThreadState::Waits(Event::Call));
    if waits {
        scheduler.set(number, ThreadState::Ready);
    }
}

/// Waits until another thread [wakes](wake) those that wait for the object at this address.
pub fn wait_for(kind: &'static str, address: usize) {
    wait(Event::Object(kind, address), None, |_| false);
}

/// Wakes all threads that wait for the object at this address.
pub fn wake(kind: &'static str, address: usize) {
    if IS_ACTIVE.load(Relaxed) {
        lock().wake(Event::Object(kind, address), true);
    }
}

/// Wakes one thread that waits for an object.
pub(crate) fn wake_one(kind: &'static str, address: usize) {
    if IS_ACTIVE.load(Relaxed) {
        lock().wake(Event::Object(kind, address), false);
    }
}

/// Lets all other threads that can run do so.
pub fn yield_now() {
    if let Some(number) = NUMBER.get().filter(|_| IS_ACTIVE.load(Relaxed)) {
        drop(switch(lock(), number));
    }
}

/// Lets all other threads run that can by now, in a signal handler. The thread must have been interrupted in code that
/// holds no lock of this library or of the C library.
pub fn give_way() {
    if let Some(number) = NUMBER.get().filter(|_| IS_ACTIVE.load(Relaxed)) {
        let now = now_ps();
        let mut scheduler = lock();
        scheduler.expire(now);
        drop(switch(scheduler, number));
    }
}

/// Lets virtual time pass, so that calls of the simulator and sleeps go on while threads only look.
fn wait_for_moment(mut scheduler: Guard) {
    let moment = scheduler.moment_ps;
    scheduler.moment_ps = (2 * moment).min(LONGEST_MOMENT_PS);
    drop(scheduler);
    wait(Event::Time, Some(now_ps().saturating_add(moment)), |_| false);
}

/// Lets all other threads that can run do so. While none can, time passes.
pub(crate) fn yield_or_wait() {
    let Some(number) = NUMBER.get().filter(|_| IS_ACTIVE.load(Relaxed)) else { return };
    let mut scheduler = lock();
    scheduler.spins += 1;
    let is_alone = scheduler.next_ready(number) == Some(number);
    let is_due = is_alone || scheduler.spins.is_multiple_of(LONG_SPINS);
    if is_due && (scheduler.waits_for_call() || scheduler.deadline_ps().is_some()) {
        wait_for_moment(scheduler);
    } else {
        drop(switch(scheduler, number));
    }
}

/// Counts a call that does not wait; after [`SPINS`] of them another thread runs, after many of them time passes.
pub fn pass() {
    if !is_scheduled() {
        return;
    }
    let mut scheduler = lock();
    scheduler.spins += 1;
    let spins = scheduler.spins;
    if spins.is_multiple_of(LONG_SPINS) && (scheduler.waits_for_call() || scheduler.deadline_ps().is_some()) {
        wait_for_moment(scheduler);
    } else if spins.is_multiple_of(SPINS) {
        drop(scheduler);
        yield_now();
    }
}

/// Virtual time has passed without a wait: threads whose deadline has come can run. After [`SPINS`] such steps another
/// thread runs.
pub fn step() {
    let Some(number) = NUMBER.get().filter(|_| IS_ACTIVE.load(Relaxed)) else { return };
    let now_ps = now_ps();
    let mut scheduler = lock();
    // A thread that waits makes calls for the whole process.
    if scheduler.threads.get(&number).is_none_or(|own| own.state != ThreadState::Ready) {
        return;
    }
    scheduler.expire(now_ps);
    scheduler.spins = scheduler.spins.wrapping_add(1);
    if scheduler.spins.is_multiple_of(SPINS) {
        drop(scheduler);
        yield_now();
    }
}

/// Tries until it succeeds, and waits for changes of the object between two attempts. False after the deadline.
pub(crate) fn acquire(
    kind: &'static str,
    address: usize,
    deadline_ps: Option<u64>,
    mut attempt: impl FnMut() -> bool,
) -> bool {
    if SWITCHES_AT_LOCKS.load(Relaxed) {
        pass();
    }
    loop {
        let mut is_done = attempt();
        if is_done {
            return true;
        }
        // A free thread may have changed the object since the attempt.
        let woken = wait(Event::Object(kind, address), deadline_ps, |_| {
            is_done = attempt();
            is_done
        });
        if is_done || !woken {
            return is_done || attempt();
        }
    }
}
