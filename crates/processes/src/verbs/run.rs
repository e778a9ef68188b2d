//! A run of guests: how it ends, and what it leaves behind.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use cluster::{Fingerprint, Time};
use xxhash_rust::xxh3::Xxh3;

use crate::verbs::beside::Beside;
use crate::verbs::process::{Death, Ended, Program};

/// What all guests of a run share. Clones are the same run.
#[derive(Clone)]
pub struct Run(Rc<Shared>);

struct Shared {
    programs: Vec<Program>,
    go_on: Box<dyn Fn() -> bool>,
    ending: RefCell<Option<Ending>>,
    guests: RefCell<Vec<Guest>>,
    beside: RefCell<Beside>,
    calls: Cell<u64>,
    messages: Cell<u64>,
    bytes: Cell<u64>,
}

/// What is known of a guest.
struct Guest {
    /// In which function it is, and since when.
    inside: Option<(String, Time)>,
    code: Option<u8>,
    /// Which of two guests is answered first depends on what stands behind the pins; what each of them asks does not.
    calls: Xxh3,
}

/// Why a run ended before its guests.
#[derive(Debug, thiserror::Error)]
pub enum Ending {
    /// A guest ended as it should not.
    #[error(transparent)]
    Guest(#[from] Ended),
    /// Those that are left wait for words of each other.
    #[error("{0} for what nobody will say: all programs that have not ended wait in sockets")]
    Standstill(String),
    /// A program cannot be run.
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
        match self {
            Ending::Guest(Ended::Exit(death)) => death.code().max(1),
            Ending::Guest(_) | Ending::Standstill(_) | Ending::Start { .. } => 1,
        }
    }
}

impl Run {
    /// A run of these programs, one on each host. `go_on` says whether somebody has ended it from outside.
    pub fn new(programs: Vec<Program>, go_on: impl Fn() -> bool + 'static) -> Self {
        let guest = |_: &Program| Guest { inside: None, code: None, calls: Xxh3::new() };
        Run(Rc::new(Shared {
            guests: RefCell::new(programs.iter().map(guest).collect()),
            beside: RefCell::new(Beside::new(programs.len())),
            programs,
            go_on: Box::new(go_on),
            ending: RefCell::default(),
            calls: Cell::new(0),
            messages: Cell::new(0),
            bytes: Cell::new(0),
        }))
    }

    pub(crate) fn program(&self, host: usize) -> &Program {
        &self.0.programs[host]
    }

    pub(crate) fn beside(&self) -> &RefCell<Beside> {
        &self.0.beside
    }

    /// Whether nobody has ended the run.
    pub fn goes_on(&self) -> bool {
        self.0.ending.borrow().is_none() && (self.0.go_on)()
    }

    /// The run is over, for this reason if there is no earlier one.
    pub fn end(&self, ending: Ending) {
        self.0.ending.borrow_mut().get_or_insert(ending);
    }

    /// Why the run ended before its guests.
    pub fn ending(&self) -> Option<Ending> {
        self.0.ending.take()
    }

    /// Exit codes, by host; none for a program that has not ended by itself.
    pub fn codes(&self) -> Vec<Option<u8>> {
        self.0.guests.borrow().iter().map(|guest| guest.code).collect()
    }

    /// Calls of all guests.
    pub fn calls(&self) -> u64 {
        self.0.calls.get()
    }

    /// Messages that guests have received.
    pub fn messages(&self) -> u64 {
        self.0.messages.get()
    }

    /// Bytes of these messages.
    pub fn bytes(&self) -> u64 {
        self.0.bytes.get()
    }

    /// Fingerprint of all calls: who asked for what, when, and with which data.
    pub fn fingerprint(&self) -> Fingerprint {
        let guests = self.0.guests.borrow();
        Fingerprint::of(guests.iter().map(|guest| Fingerprint::from_bits(guest.calls.digest128())))
    }

    /// Where guests are that have not ended, in words: for a run whose time is over.
    pub fn places(&self) -> String {
        let guests = self.0.guests.borrow();
        let place = |(host, guest): (usize, &Guest)| {
            let (function, since) = guest.inside.as_ref()?;
            guest
                .code
                .is_none()
                .then(|| format!("the program of host {host} is in {function}, since {since}"))
        };
        guests.iter().enumerate().filter_map(place).collect::<Vec<_>>().join("; ")
    }

    pub(crate) fn count_message(&self, bytes: u32) {
        self.0.messages.set(self.0.messages.get() + 1);
        self.0.bytes.set(self.0.bytes.get() + u64::from(bytes));
    }

    /// A guest calls.
    pub(crate) fn called(&self, host: usize, function: &str, now: Time, bytes: &[u8]) {
        self.0.calls.set(self.0.calls.get() + 1);
        let guest = &mut self.0.guests.borrow_mut()[host];
        for word in [now.ps(), bytes.len() as u64] {
            guest.calls.update(&word.to_le_bytes());
        }
        guest.calls.update(bytes);
        guest.inside = Some((function.to_owned(), now));
    }

    /// A guest has ended by itself.
    pub(crate) fn over(&self, death: &Death, now: Time) {
        self.0.guests.borrow_mut()[death.host].code = Some(death.code());
        self.0.beside.borrow_mut().over(death.host, now);
    }

    /// All that are left wait for words that nobody will say.
    pub(crate) fn stands_still(&self) {
        let hosts: Vec<_> = self.0.beside.borrow().waiting().map(|host| host.to_string()).collect();
        let who = match hosts.as_slice() {
            [one] => format!("the program of host {one} waits"),
            several => format!("the programs of hosts {} wait", several.join(", ")),
        };
        self.end(Ending::Standstill(who));
    }
}
