//! A run: what all its ranks share, how it ends, and who waits for whom.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::{Rc, Weak};

use cluster::{Fingerprint, Time};
use mpi::Watcher;
use xxhash_rust::xxh3::Xxh3;

use crate::mpi::agreement::{Agreement, Talk, What};
use crate::mpi::call::Failure;
use crate::mpi::process::{Death, Ended, Process, Program};
use crate::mpi::profile::{Computing, Departure, Profile};

/// What all ranks of a run share. Clones are the same run.
#[derive(Clone)]
pub struct Run(Rc<Shared>);

struct Shared {
    program: Program,
    computing: Computing,
    go_on: Box<dyn Fn() -> bool>,
    ending: RefCell<Option<Ending>>,
    /// Exit code of the first rank that ended with one that is not 0.
    code: Cell<u8>,
    ranks: RefCell<Vec<Rank>>,
    calls: Cell<u64>,
    sent: Cell<u64>,
    bytes: Cell<u64>,
    /// What tells of the library of each rank that has begun.
    watchers: RefCell<Vec<Watcher>>,
    /// What each rank called. Which of two ranks is answered first depends on what stands behind the pins; what each of them asks does not.
    calls_of: RefCell<Vec<Xxh3>>,
    /// Whether they make the same collective calls.
    agreement: RefCell<Agreement>,
    observers: RefCell<Vec<Box<Observer>>>,
}

/// Is told when a rank begins a call, with the function, and when it runs on, with none.
type Observer = dyn Fn(usize, Time, Option<&str>);

/// What is known of a rank.
#[derive(Clone, Debug, Default)]
struct Rank {
    state: State,
    function: String,
    wait: Option<Wait>,
    since: Time,
    process: Weak<RefCell<Process>>,
}

/// Where a rank is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// It runs on its own, or has not begun.
    #[default]
    Outside,
    /// It is in a call.
    Inside,
    /// It has ended.
    Over,
}

/// What a rank waits for in a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Processes whose step it waits for, by their ranks in the world; of several any one is enough.
    pub of: Vec<usize>,
    /// In words: `a message of rank 1, tag 5`.
    pub what: String,
}

/// Why a run ended before its ranks.
#[derive(Debug, thiserror::Error)]
pub enum Ending {
    /// A rank ended as it should not.
    #[error(transparent)]
    Rank(#[from] Ended),
    /// A rank ended without saying so.
    #[error("MPI_Finalize was not called: {0}")]
    NoFinalize(Death),
    /// A rank wants all to end.
    #[error("rank {rank} called MPI_Abort with code {code}")]
    Abort {
        /// The rank.
        rank: usize,
        /// The exit code that it gave.
        code: i32,
    },
    /// An error of a rank ended all.
    #[error("rank {rank}: {why}")]
    Error {
        /// The rank.
        rank: usize,
        /// Its error class.
        code: i32,
        /// In words.
        why: String,
    },
    /// A rank does something else than in the run that was recorded.
    #[error("this is not the run that was recorded: {departure}{place}")]
    Departed {
        /// What it does.
        departure: Departure,
        /// Where in the program, with words before it; nothing if that is not known.
        place: String,
    },
    /// All ranks wait for each other.
    #[error("{0}")]
    Deadlock(Deadlock),
    /// The program cannot be run.
    #[error("cannot run {program}: {error}")]
    Start {
        /// Its name.
        program: String,
        /// What the operating system says.
        error: std::io::Error,
    },
}

impl Ending {
    /// The exit code of the run.
    pub fn code(&self) -> u8 {
        let code = match self {
            Ending::Rank(Ended::Exit(death)) | Ending::NoFinalize(death) => death.code(),
            Ending::Abort { code, .. } | Ending::Error { code, .. } => *code as u8,
            Ending::Rank(_) | Ending::Departed { .. } | Ending::Deadlock(_) | Ending::Start { .. } => 1,
        };
        code.max(1)
    }
}

impl Run {
    /// A run of this program on so many ranks. `go_on` says whether somebody has ended it from outside.
    pub fn new(
        program: Program,
        ranks: usize,
        computing: Computing,
        go_on: impl Fn() -> bool + 'static,
    ) -> Self {
        Run(Rc::new(Shared {
            program,
            computing,
            go_on: Box::new(go_on),
            ending: RefCell::default(),
            code: Cell::new(0),
            ranks: RefCell::new(vec![Rank::default(); ranks]),
            calls: Cell::new(0),
            sent: Cell::new(0),
            bytes: Cell::new(0),
            watchers: RefCell::default(),
            calls_of: RefCell::new(vec![Xxh3::new(); ranks]),
            agreement: RefCell::default(),
            observers: RefCell::default(),
        }))
    }

    /// Whoever wants to know which rank is in which function from when on. What it does changes nothing of the run.
    pub fn observe(&self, observer: impl Fn(usize, Time, Option<&str>) + 'static) {
        self.0.observers.borrow_mut().push(Box::new(observer));
    }

    fn tell(&self, rank: usize, now: Time, function: Option<&str>) {
        self.0.observers.borrow().iter().for_each(|observer| observer(rank, now, function));
    }

    /// What runs.
    pub fn program(&self) -> &Program {
        &self.0.program
    }

    /// What its ranks have computed so far, if that is recorded.
    pub fn recorded(&self) -> Option<Profile> {
        match &self.0.computing {
            Computing::Recorded(profile, _) => Some(profile.borrow().clone()),
            Computing::Nothing | Computing::Replayed(..) => None,
        }
    }

    pub(crate) fn computing(&self) -> &Computing {
        &self.0.computing
    }

    /// Whether nobody has ended the run.
    pub fn goes_on(&self) -> bool {
        self.0.ending.borrow().is_none() && (self.0.go_on)()
    }

    /// The run is over, for this reason if there is no earlier one.
    pub fn end(&self, ending: Ending) {
        self.0.ending.borrow_mut().get_or_insert(ending);
    }

    /// Why the run ended before its ranks.
    pub fn ending(&self) -> Option<Ending> {
        self.0.ending.take()
    }

    /// Exit code of the first rank that ended with one that is not 0.
    pub fn code(&self) -> u8 {
        self.0.code.get()
    }

    /// Calls of all ranks.
    pub fn calls(&self) -> u64 {
        self.0.calls.get()
    }

    /// Messages that programs have sent, those within collective operations not counted.
    pub fn messages(&self) -> u64 {
        self.0.sent.get()
    }

    /// Bytes of these messages.
    pub fn bytes(&self) -> u64 {
        self.0.bytes.get()
    }

    /// Packets of the library.
    pub fn packets(&self) -> u64 {
        self.0.watchers.borrow().iter().map(Watcher::packets).sum()
    }

    /// Fingerprint of all calls: who asked for what, when, and with which data.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self.0.calls_of.borrow().iter().map(|hash| Fingerprint::from_bits(hash.digest128())))
    }

    pub(crate) fn count_message(&self, bytes: usize) {
        self.0.sent.set(self.0.sent.get() + 1);
        self.0.bytes.set(self.0.bytes.get() + bytes as u64);
    }

    /// A rank calls.
    pub(crate) fn called(&self, rank: usize, function: &str, now: Time, bytes: &[u8]) {
        self.0.calls.set(self.0.calls.get() + 1);
        self.tell(rank, now, Some(function));
        let hash = &mut self.0.calls_of.borrow_mut()[rank];
        for word in [now.ps(), bytes.len() as u64] {
            hash.update(&word.to_le_bytes());
        }
        hash.update(bytes);
        let mut ranks = self.0.ranks.borrow_mut();
        let Rank { state, function: own, wait, since, .. } = &mut ranks[rank];
        (*state, *wait, *since) = (State::Inside, None, now);
        function.clone_into(own);
    }

    /// A rank makes a collective call on a communicator.
    pub(crate) fn agrees(&self, talk: Talk, rank: usize, what: What) -> Result<(), Failure> {
        let function = &self.0.ranks.borrow()[rank].function;
        self.0.agreement.borrow_mut().call(talk, rank, function, what)
    }

    /// A rank does not use a communicator any more.
    pub(crate) fn freed(&self, talk: &Talk, rank: usize) {
        self.0.agreement.borrow_mut().free(talk, rank);
    }

    /// A rank begins. Where hosts poll, time never stands still, so its library tells when it has nothing to do.
    pub(crate) fn watch(&self, watcher: Watcher) {
        let run = Rc::downgrade(&self.0);
        watcher.when_idle(move || {
            if let Some(shared) = run.upgrade() {
                Run(shared).idle();
            }
        });
        self.0.watchers.borrow_mut().push(watcher);
    }

    /// A rank has nothing to do now. If that is so for all, and nothing is on its way, they wait for ever.
    fn idle(&self) {
        let watchers = self.0.watchers.borrow();
        let all_began = watchers.len() == self.0.ranks.borrow().len();
        if all_began && mpi::deadlock(&watchers).is_some() {
            self.stands_still();
        }
    }

    /// All ranks that have not ended are in calls, and nobody goes on: the run is over, unless it was.
    pub fn stands_still(&self) {
        if self.0.ending.borrow().is_none() {
            let deadlock = self.deadlock();
            self.end(Ending::Deadlock(deadlock));
        }
    }

    /// The process of a rank is there.
    pub(crate) fn started(&self, rank: usize, process: &Rc<RefCell<Process>>) {
        self.0.ranks.borrow_mut()[rank].process = Rc::downgrade(process);
    }

    /// What a rank waits for in its call.
    pub(crate) fn waits(&self, rank: usize, wait: Wait) {
        self.0.ranks.borrow_mut()[rank].wait = Some(wait);
    }

    /// A rank runs on.
    pub(crate) fn answered(&self, rank: usize, now: Time) {
        self.tell(rank, now, None);
        self.0.ranks.borrow_mut()[rank].state = State::Outside;
    }

    /// A rank has ended.
    pub(crate) fn over(&self, rank: usize, death: Option<&Death>) {
        self.0.ranks.borrow_mut()[rank].state = State::Over;
        if let Some(code) = death.map(Death::code).filter(|code| *code != 0 && self.0.code.get() == 0) {
            self.0.code.set(code);
        }
    }

    fn deadlock(&self) -> Deadlock {
        let ranks = self.0.ranks.borrow();
        let line = |(rank, of): (usize, &Rank)| {
            let Rank { state, function, wait, since, process } = of;
            let place =
                || process.upgrade().map(|process| process.borrow_mut().place(&mut || self.goes_on()));
            let stuck = || Stuck {
                rank,
                function: function.clone(),
                wait: wait.clone(),
                since: *since,
                place: place().unwrap_or_default(),
            };
            (*state == State::Inside).then(stuck)
        };
        let stuck: Vec<_> = ranks.iter().enumerate().filter_map(line).collect();
        let over = |rank: usize| ranks[rank].state == State::Over;
        Deadlock { cycle: cycle(&stuck), over: (0..ranks.len()).filter(|rank| over(*rank)).collect(), stuck }
    }
}

/// A rank that waits for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The rank.
    pub rank: usize,
    /// The function of MPI in which it is.
    pub function: String,
    /// What it waits for.
    pub wait: Option<Wait>,
    /// Since when.
    pub since: Time,
    /// Where in the program; nothing if that is not known.
    pub place: String,
}

/// Ranks that wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// All that wait.
    pub stuck: Vec<Stuck>,
    /// Ranks each of which waits for the next one, and the last for the first, if there are such.
    pub cycle: Vec<usize>,
    /// Ranks that have ended.
    pub over: Vec<usize>,
}

/// Ranks told at most.
const TOLD: usize = 16;

impl fmt::Display for Deadlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "deadlock: all ranks wait in calls of MPI, and nothing is on its way")?;
        let line = |rank: usize| self.stuck.iter().find(|stuck| stuck.rank == rank);
        if !self.cycle.is_empty() {
            let names: Vec<_> = self.cycle.iter().chain(self.cycle.first()).map(usize::to_string).collect();
            write!(f, "; they wait in a circle: {}", names.join(" -> "))?;
        }
        let others = self.stuck.iter().map(|stuck| stuck.rank).filter(|rank| !self.cycle.contains(rank));
        let order: Vec<_> = self.cycle.iter().copied().chain(others).collect();
        for rank in order.iter().take(TOLD) {
            let Some(Stuck { rank, function, wait, since, place }) = line(*rank) else { continue };
            let what = wait.as_ref().map_or("nothing that could come", |wait| &wait.what);
            let place = if place.is_empty() { String::new() } else { format!(" at {place}") };
            write!(f, "\n  rank {rank} waits in {function}{place} for {what}, since {since}")?;
        }
        if order.len() > TOLD {
            write!(f, "\n  and {} others", order.len() - TOLD)?;
        }
        if !self.over.is_empty() {
            let names: Vec<_> = self.over.iter().take(TOLD).map(usize::to_string).collect();
            write!(f, "\n  ended already: {}", names.join(", "))?;
        }
        Ok(())
    }
}

/// A circle of ranks that wait for each other: found by following, from each rank, the first rank that it waits for.
fn cycle(stuck: &[Stuck]) -> Vec<usize> {
    let next = |rank: usize| {
        let wait = stuck.iter().find(|stuck| stuck.rank == rank)?.wait.as_ref()?;
        wait.of.iter().copied().find(|other| stuck.iter().any(|stuck| stuck.rank == *other))
    };
    for start in stuck {
        let mut path = vec![start.rank];
        while let Some(rank) = next(path[path.len() - 1]) {
            if let Some(at) = path.iter().position(|other| *other == rank) {
                return path.split_off(at);
            }
            path.push(rank);
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stuck(rank: usize, of: &[usize]) -> Stuck {
        let wait = Some(Wait { of: of.to_vec(), what: format!("a message of {of:?}") });
        Stuck { rank, function: "MPI_Recv".into(), wait, since: Time::ZERO, place: "a.c:7 in main".into() }
    }

    #[test]
    fn circle_is_found_behind_ranks_that_only_lead_to_it() {
        assert_eq!(cycle(&[stuck(0, &[1]), stuck(1, &[2]), stuck(2, &[1])]), [1, 2]);
        assert_eq!(cycle(&[stuck(0, &[0])]), [0]);
        assert_eq!(cycle(&[stuck(0, &[1]), stuck(1, &[5])]), [0usize; 0]);
    }

    #[test]
    fn deadlock_names_ranks_functions_and_peers() {
        let stuck = vec![stuck(0, &[1]), stuck(1, &[0])];
        let text = Deadlock { cycle: cycle(&stuck), stuck, over: vec![2] }.to_string();
        assert!(text.contains("0 -> 1 -> 0"), "{text}");
        assert!(text.contains("rank 1 waits in MPI_Recv at a.c:7 in main for a message of [0]"), "{text}");
        assert!(text.contains("ended already: 2"), "{text}");
    }
}
