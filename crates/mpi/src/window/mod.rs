//! Windows: one-sided communication in virtual time (MPI 5.0, chapter 12).
//!
//! Accesses are active messages in the context of a communicator that the window has for itself. They use the
//! eager and rendezvous protocols of any carrier. The library of the target carries them out during the calls
//! of its process, message by message in the order in which each origin sent them. So accesses of one origin
//! never overtake each other, every accumulate is atomic, and a flush is a message that its target answers.
//!
//! A carrier may carry out puts and gets by the network alone ([`network`]), which neither overtake messages nor
//! are overtaken by them.
//!
//! ```text
//!   origin                                   target
//!     lock      -- Lock ------------------->   queued behind conflicting locks
//!               <- Granted ----------------
//!     put       -- Put -------------------->   stored
//!     get       -- Get -------------------->   read
//!               <- Answer -----------------
//!     unlock    -- Unlock ----------------->   all before it is done
//!               <- Flushed ----------------
//! ```

mod arrivals;
mod epoch;
mod locks;
mod memory;
mod message;
mod network;
mod origin;
pub mod rules;
mod synchronize;
mod target;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::rc::{Rc, Weak};
use std::task::Poll;

pub use arrivals::Arrivals;
pub use epoch::Epoch;
pub use locks::{LockKind, LockQueue};
pub use memory::{AllBytes, Bytes, Exposed, Memory};
pub use origin::Place as TargetPlace;
pub use synchronize::Flush;

use crate::carrier::Reach;
use crate::collective::Collective;
use crate::communicator::{Communicator, Mode};
use crate::completion;
use crate::error::Error;
use message::Purpose;
use rules::{Signals, Synchronization};

/// Place in the message of a rank without one.
const NO_PLACE: u64 = u64::MAX;

/// A window: memory of each rank that the others access. Clones are the same window.
#[derive(Clone)]
pub struct Window(Rc<Inner>);

struct Inner {
    /// Duplicate of the program's communicator, for the messages of this window alone.
    communicator: Communicator,
    memory: Rc<dyn Memory>,
    /// Length and displacement unit of each rank's memory; no length in a dynamic window.
    extents: Vec<Extent>,
    state: RefCell<State>,
}

#[derive(Clone, Copy)]
struct Extent {
    size: Option<u64>,
    unit: u64,
    /// Place of the memory for remote accesses, if the carrier has assigned one.
    place: Option<u64>,
}

struct State {
    exposed: Exposed,
    rules: Synchronization,
    /// Failures of accesses by target, reported by the next synchronization.
    failures: Vec<Option<Error>>,
    /// Gets whose answers have not arrived: target and completion by number.
    gets: BTreeMap<u32, (usize, Rc<completion::Place>)>,
    next_get: u32,
    /// Messages that are not carried out: purpose and completion.
    arrivals: Arrivals<(u32, Rc<completion::Place>)>,
    freed: bool,
}

impl Window {
    /// Creates a window of memory of the program; all ranks of the communicator call it. `unit` is the length in bytes
    /// of a unit of displacements in this rank's memory (`MPI_Win_create`, `MPI_Win_create_dynamic`).
    pub async fn create(
        of: &Communicator,
        memory: Rc<dyn Memory>,
        exposed: Exposed,
        unit: u64,
    ) -> Result<Window, Error> {
        Window::new(of, memory, exposed, unit, false).await
    }

    /// Creates a window of memory that the library has allocated, so that the carrier may choose its place
    /// (`MPI_Win_allocate`).
    pub async fn allocate(
        of: &Communicator,
        memory: Rc<dyn Memory>,
        exposed: Exposed,
        unit: u64,
    ) -> Result<Window, Error> {
        Window::new(of, memory, exposed, unit, true).await
    }

    async fn new(
        of: &Communicator,
        memory: Rc<dyn Memory>,
        exposed: Exposed,
        unit: u64,
        is_allocated: bool,
    ) -> Result<Window, Error> {
        if unit == 0 {
            return Err(Error::Displacement("the unit of displacements is above zero"));
        }
        let size = match &exposed {
            Exposed::Fixed { size, .. } => Some(*size),
            Exposed::Dynamic(_) => None,
        };
        let communicator = of.duplicate().await?;
        if let Exposed::Fixed { base, .. } = exposed {
            memory.expose(communicator.number(), base);
        }
        let library = communicator.library();
        let has_places = library.reach == Reach::Placed;
        let place = match size.filter(|_| is_allocated && has_places) {
            Some(size) => library.place(size).await,
            None => None,
        };
        let mut own = vec![size.unwrap_or(u64::MAX), unit];
        own.extend(has_places.then_some(place.unwrap_or(NO_PLACE)));
        let words = own.len();
        let own = own.into_iter().flat_map(u64::to_le_bytes).collect();
        let all = communicator.call(Collective::Allgather { bytes: own }).await?;
        let extent = |words: &[[u8; 8]]| Extent {
            size: size.map(|_| u64::from_le_bytes(words[0])),
            unit: u64::from_le_bytes(words[1]),
            place: words.get(2).map(|place| u64::from_le_bytes(*place)).filter(|place| *place != NO_PLACE),
        };
        let ranks = communicator.size();
        let state = State {
            exposed,
            rules: Synchronization::new(ranks),
            failures: vec![None; ranks],
            gets: BTreeMap::new(),
            next_get: 0,
            arrivals: Arrivals::new(ranks),
            freed: false,
        };
        let extents = all.as_chunks::<8>().0.chunks_exact(words).map(extent).collect();
        let window = Window(Rc::new(Inner { communicator, memory, extents, state: RefCell::new(state) }));
        window.progress_with_library();
        // No access arrives at a rank before its library knows the window.
        window.0.communicator.barrier().await?;
        Ok(window)
    }

    /// Communicator of the window, with the ranks of the one that it was created from.
    pub fn communicator(&self) -> &Communicator {
        &self.0.communicator
    }

    /// Adds memory to a dynamic window (`MPI_Win_attach`).
    pub fn attach(&self, base: u64, size: u64) -> Result<(), Error> {
        self.0.state.borrow_mut().exposed.attach(base, size)
    }

    /// Removes memory from a dynamic window (`MPI_Win_detach`).
    pub fn detach(&self, base: u64) -> Result<(), Error> {
        self.0.state.borrow_mut().exposed.detach(base)
    }

    /// Checks that no epoch is open, so that [`free`](Self::free) may be called.
    pub fn check_free(&self) -> Result<(), Error> {
        let rules = &self.0.state.borrow().rules;
        match rules.exposed_to() {
            Ok(_) => Err(Error::RmaSync("an exposure epoch of this rank is open")),
            Err(_) => rules.epoch.free(),
        }
    }

    /// Frees the window; all ranks call it (`MPI_Win_free`).
    pub async fn free(self) -> Result<(), Error> {
        self.check_free()?;
        // No message of the window is in flight when its context is used again.
        let flushed = self.flush_ranks(&(0..self.size()).collect::<Vec<_>>()).await;
        self.0.communicator.barrier().await?;
        self.0.state.borrow_mut().freed = true;
        if let Some(place) = self.0.extents[self.0.communicator.rank()].place {
            self.0.communicator.library().release(place).await;
        }
        self.0.communicator.clone().free();
        flushed
    }

    fn size(&self) -> usize {
        self.0.communicator.size()
    }

    /// Carries out arriving messages whenever the process is in a call of the library.
    fn progress_with_library(&self) {
        let inner: Weak<Inner> = Rc::downgrade(&self.0);
        let mut seen = None;
        let progress = poll_fn(move |_| match inner.upgrade() {
            Some(inner) if !inner.state.borrow().freed => {
                // A program may have hundreds of windows, so those without news cost next to nothing.
                let library = inner.communicator.library();
                let news = (library.arrivals.get(), library.count_dead());
                if seen.replace(news) != Some(news) {
                    inner.take_messages();
                    inner.bury();
                }
                Poll::Pending
            }
            _ => Poll::Ready(()),
        });
        self.0.communicator.library().spawn(progress);
    }
}

impl Inner {
    /// Queues a message of this window.
    fn send(&self, to: usize, purpose: Purpose, body: Vec<u8>) -> Result<(), Error> {
        let context = self.communicator.context();
        self.communicator.post_send(context, Mode::Standard, to, purpose as u32, body).map(|_| ())
    }

    /// Queues messages of synchronization.
    fn signal(&self, signals: Signals) -> Result<(), Error> {
        for (to, signal) in signals {
            let (purpose, body) = message::pack_signal(signal);
            self.send(to, purpose, body)?;
        }
        Ok(())
    }
}

impl std::fmt::Debug for Window {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Window {}", self.0.communicator.number())
    }
}
