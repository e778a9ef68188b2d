//! A node on a machine in which every step takes time: its network is a [`Station`], and program, library and network share one processor.
//!
//! ```text
//!   program     calls, computes
//!   Node        its part of objects, locks, barriers       steps that take no time by themselves
//!   live        lets each of them have the processor
//!   Station     sends, looks, computes                     each step takes the machine's time
//! ```

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use super::memory::RunError;
use crate::config::{Config, Delivery, Stats};
use crate::datagram::Datagram;
use crate::dsm::{Dsm, Handle};
use crate::error::Error;
use crate::node::Node;

/// A step that takes time.
pub type Step<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// What a node has of a machine.
pub trait Station {
    /// The time, from the beginning of the run.
    fn now(&self) -> Duration;

    /// Sends bytes to another node. A network of datagrams may lose them.
    fn send(&mut self, to: u16, bytes: Vec<u8>) -> Step<'_, Result<(), Error>>;

    /// One look: what has come, and who sent it.
    fn look(&mut self) -> Step<'_, Option<(u16, Vec<u8>)>>;

    /// Lets time pass until something may have come, or until then.
    fn pause(&mut self, until: Option<Duration>) -> Step<'_, ()>;

    /// Has the processor for so long.
    fn compute(&mut self, time: Duration) -> Step<'_, ()>;

    /// All that was sent has left.
    fn is_quiet(&mut self) -> bool {
        true
    }

    /// A node that the network has given up; each is named once.
    fn lost(&mut self) -> Option<u16> {
        None
    }
}

impl Station for Box<dyn Station> {
    fn now(&self) -> Duration {
        (**self).now()
    }

    fn send(&mut self, to: u16, bytes: Vec<u8>) -> Step<'_, Result<(), Error>> {
        (**self).send(to, bytes)
    }

    fn look(&mut self) -> Step<'_, Option<(u16, Vec<u8>)>> {
        (**self).look()
    }

    fn pause(&mut self, until: Option<Duration>) -> Step<'_, ()> {
        (**self).pause(until)
    }

    fn compute(&mut self, time: Duration) -> Step<'_, ()> {
        (**self).compute(time)
    }

    fn is_quiet(&mut self) -> bool {
        (**self).is_quiet()
    }

    fn lost(&mut self) -> Option<u16> {
        (**self).lost()
    }
}

/// When the library has the processor, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// While the program computes, the library looks at the network so often. The paper's library has a thread for that (section 3); its
    /// period is ours.
    pub period: Duration,
    /// What the library does for a message that leaves or has come, beside what its network costs.
    pub message: Duration,
}

/// Why a run has failed: the same for all nodes, which stop then. That a run ends well each finds out by itself.
#[derive(Debug, Default)]
pub struct Gathering(RefCell<Option<RunError>>);

impl Gathering {
    /// Why the run has failed, if it has.
    pub fn failed(&self) -> Option<RunError> {
        self.0.borrow().clone()
    }

    /// The first that is wrong counts, of those at one time the one of the lowest node.
    fn fail(&self, node: u16, time: Duration, error: Error) {
        let failed = RunError { node: node.into(), time, error };
        let mut first = self.0.borrow_mut();
        if first.as_ref().is_none_or(|first| (failed.time, failed.node) < (first.time, first.node)) {
            *first = Some(failed);
        }
    }
}

/// A program that has ended.
#[derive(Clone, Debug)]
pub struct Ended<R> {
    /// What it returned.
    pub value: R,
    /// When.
    pub time: Duration,
    /// What its node counted.
    pub stats: Stats,
}

/// Where a node stands among all.
pub struct Place {
    /// Its number.
    pub node: u16,
    /// How many there are.
    pub nodes: usize,
    /// All of them.
    pub gathering: Rc<Gathering>,
}

/// A node from its first step until the run is over; None if the run has failed.
pub async fn live<R>(
    mut station: impl Station,
    place: Place,
    config: Config,
    pace: Pace,
    program: impl AsyncFnOnce(Dsm) -> Result<R, Error>,
) -> Option<Ended<R>> {
    let Place { node: me, nodes, gathering } = place;
    let handle = Handle::new(Node::new(me, nodes, config), Box::new(|_| ()));
    let dsm = Dsm { handle: handle.clone() };
    let mut program = pin!(async move {
        let value = program(dsm.clone()).await?;
        dsm.leave().await?;
        Ok(value)
    });
    let woken = Arc::new(Woken(AtomicBool::new(true)));
    let waker = Waker::from(woken.clone());
    let mut mail = Mail::default();
    let mut ended = None;
    let mut heard = Duration::ZERO;
    loop {
        let begin = station.now();
        handle.node().serve(begin, &mut mail);
        // What a program calls may be there at once.
        while ended.is_none() && woken.0.swap(false, Ordering::Relaxed) {
            match program.as_mut().poll(&mut Context::from_waker(&waker)) {
                Poll::Pending => {}
                Poll::Ready(Ok(value)) => {
                    ended = Some((value, begin));
                }
                Poll::Ready(Err(error)) => gathering.fail(me, begin, error),
            }
            handle.node().serve(begin, &mut mail);
        }
        if begin > config.limit {
            gathering.fail(me, begin, Error::Limit(config.limit));
        }
        let mut busy = !mail.leaves.is_empty();
        while let Some((to, bytes)) = mail.leaves.pop_front() {
            station.compute(pace.message).await;
            if let Err(error) = station.send(to, bytes).await {
                gathering.fail(me, station.now(), error);
            }
        }
        if gathering.failed().is_some()
            || over(&handle, &mut station, ended.as_ref().map(|(_, time)| heard.max(*time)), &config)
        {
            break;
        }
        if let Some(come) = station.look().await {
            station.compute(pace.message).await;
            mail.come.push_back(come);
            heard = station.now();
            busy = true;
        }
        while let Some(lost) = station.lost() {
            handle.node().bury(lost);
            busy = true;
        }
        let now = station.now();
        handle.node().delay(now - begin);
        if busy {
            continue;
        }
        let (computes, wakes) = handle.with(|node| (node.computes(), node.wakes()));
        match computes {
            Some(until) => station.compute(until.saturating_sub(now).min(pace.period)).await,
            None => {
                // That enough time has passed since the end is told by nobody.
                let ends = ended.is_some().then_some(now + pace.period);
                station.pause(wakes.into_iter().chain(ends).min()).await;
            }
        }
    }
    let stats = handle.node().stats();
    ended.map(|(value, time)| Ended { value, time, stats })
}

/// Whether a node whose program has ended, and which has heard nothing since, may go. All programs have ended then, for the last call of each is a barrier. What this node
/// has said is to have come; and where acknowledgements are lost, another node may say once more what it was not told has come.
fn over(handle: &Handle, station: &mut impl Station, since: Option<Duration>, config: &Config) -> bool {
    let Some(since) = since else { return false };
    let stays = match config.delivery {
        Delivery::Datagrams(_) => config.timers.resend * 2,
        Delivery::Messages => Duration::ZERO,
    };
    let node = handle.node();
    (node.is_quiet() || node.failed().is_some()) && station.is_quiet() && station.now() >= since + stays
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What has come and was not read, and what is to leave.
#[derive(Default)]
struct Mail {
    come: VecDeque<(u16, Vec<u8>)>,
    leaves: VecDeque<(u16, Vec<u8>)>,
}

impl Datagram for Mail {
    fn send_to(&mut self, to: u16, packet: &[u8]) {
        self.leaves.push_back((to, packet.to_vec()));
    }

    fn receive_from(&mut self) -> Option<(u16, Vec<u8>)> {
        self.come.pop_front()
    }
}
