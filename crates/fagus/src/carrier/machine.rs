//! A node on a machine where every step takes time. Its network is a [`Station`]; program, library and
//! network share one processor.
//!
//! ```text
//!   program     calls, computes
//!   Node        its part of objects, locks, barriers       steps without time of their own
//!   live        schedules them on the processor
//!   Station     sends, polls, computes                     each step takes the machine's time
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
use crate::config::{Calls, Config, Delivery, Stats};
use crate::datagram::Datagram;
use crate::dsm::Dsm;
use crate::error::Error;
use crate::handle::Handle;
use crate::node::Node;

/// A step that takes time.
pub type Step<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Interface of a machine to its node.
pub trait Station {
    /// Time since the beginning of the run.
    fn now(&self) -> Duration;

    /// Sends a packet to another node. A datagram network may lose it.
    fn send(&mut self, to: u16, bytes: Vec<u8>) -> Step<'_, Result<(), Error>>;

    /// Polls the network once. Returns a received packet and its sender.
    fn look(&mut self) -> Step<'_, Option<(u16, Vec<u8>)>>;

    /// Waits until a packet may have arrived, at most until the given time.
    fn pause(&mut self, until: Option<Duration>) -> Step<'_, ()>;

    /// Occupies the processor for `time`.
    fn compute(&mut self, time: Duration) -> Step<'_, ()>;

    /// Whether all packets sent have left the machine.
    fn is_quiet(&mut self) -> bool {
        true
    }

    /// A node that the network has declared dead; each is reported once.
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

/// Processor use of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Polling period while the program computes. The paper's library has a thread for this (section 3); the
    /// period is a choice of this project.
    pub period: Duration,
    /// Costs of the library's own steps, in addition to the network's.
    pub costs: Costs,
}

/// Times of the library's own steps in ps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// A call that reads or writes an object, with the end of its guard.
    pub access_ps: u64,
    /// A call that acquires a lock, with its release.
    pub lock_ps: u64,
    /// A call that waits at a barrier.
    pub barrier_ps: u64,
    /// A packet that is sent or received.
    pub packet_ps: u64,
}

/// The library's time on the processor of a node.
struct Meter {
    costs: Costs,
    /// Calls that were charged.
    calls: Calls,
    /// Time that is not yet a whole nanosecond.
    rest_ps: u64,
    spent_ps: u64,
}

impl Meter {
    fn new(costs: Costs) -> Meter {
        Meter { costs, calls: Calls::default(), rest_ps: 0, spent_ps: 0 }
    }

    /// Computes for `ps`, in whole nanoseconds; the rest is added to the next time.
    async fn charge(&mut self, station: &mut impl Station, ps: u64) {
        self.spent_ps += ps;
        self.rest_ps += ps;
        let whole = Duration::from_nanos(self.rest_ps / 1000);
        self.rest_ps %= 1000;
        station.compute(whole).await;
    }

    /// Computes for a packet.
    async fn packet(&mut self, station: &mut impl Station) {
        self.charge(station, self.costs.packet_ps).await;
    }

    /// Computes for the calls since the last time, of all that a node has begun.
    async fn calls(&mut self, station: &mut impl Station, begun: Calls) {
        let before = std::mem::replace(&mut self.calls, begun);
        let Costs { access_ps, lock_ps, barrier_ps, .. } = self.costs;
        let ps = (begun.accesses - before.accesses) * access_ps
            + (begun.locks - before.locks) * lock_ps
            + (begun.barriers - before.barriers) * barrier_ps;
        if ps > 0 {
            self.charge(station, ps).await;
        }
    }
}

/// Shared failure state of a run: all nodes stop after the first error. Each node detects a successful end by
/// itself.
#[derive(Debug, Default)]
pub struct Gathering(RefCell<Option<RunError>>);

impl Gathering {
    /// First error of the run, if any.
    pub fn failed(&self) -> Option<RunError> {
        self.0.borrow().clone()
    }

    /// Records an error. The earliest one is kept; of simultaneous errors that of the lowest node.
    fn fail(&self, node: u16, time: Duration, error: Error) {
        let failed = RunError { node: node.into(), time, error };
        let mut first = self.0.borrow_mut();
        if first.as_ref().is_none_or(|first| (failed.time, failed.node) < (first.time, first.node)) {
            *first = Some(failed);
        }
    }
}

/// Result of a program that has ended.
#[derive(Clone, Debug)]
pub struct Ended<R> {
    /// Value returned by the program.
    pub value: R,
    /// Time of the program's end.
    pub time: Duration,
    /// Counters of the node.
    pub stats: Stats,
    /// Time of the library's own steps in ps.
    pub library_ps: u64,
}

/// Position of a node in the run.
pub struct Place {
    /// Number of the node, 0 to `nodes - 1`.
    pub node: u16,
    /// Number of nodes.
    pub nodes: usize,
    /// Failure state, shared by all nodes.
    pub gathering: Rc<Gathering>,
}

/// Runs a node until the end of the run; `None` if the run has failed.
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
    let (mut mail, mut meter) = (Mail::default(), Meter::new(pace.costs));
    let (mut ended, mut heard) = (None, Duration::ZERO);
    loop {
        let begin = station.now();
        handle.node().serve(begin, &mut mail);
        // Calls of the program may complete at once, without a packet.
        while ended.is_none() && woken.0.swap(false, Ordering::Relaxed) {
            match program.as_mut().poll(&mut Context::from_waker(&waker)) {
                Poll::Pending => {}
                Poll::Ready(Ok(value)) => ended = Some((value, begin)),
                Poll::Ready(Err(error)) => gathering.fail(me, begin, error),
            }
            handle.node().serve(begin, &mut mail);
        }
        if begin > config.limit {
            gathering.fail(me, begin, Error::Limit(config.limit));
        }
        let begun = handle.node().stats().calls;
        meter.calls(&mut station, begun).await;
        let mut busy = send_all(&mut station, &mut mail, me, &mut meter, &gathering).await;
        let since = ended.as_ref().map(|(_, time)| heard.max(*time));
        if gathering.failed().is_some() || over(&handle, &mut station, since, &config) {
            break;
        }
        if let Some(come) = station.look().await {
            meter.packet(&mut station).await;
            mail.come.push_back(come);
            heard = station.now();
            busy = true;
        }
        while let Some(lost) = station.lost() {
            handle.node().bury(lost);
            busy = true;
        }
        handle.node().delay(station.now() - begin);
        if busy {
            continue;
        }
        wait(&mut station, &handle, pace, ended.is_some()).await;
    }
    let stats = handle.node().stats();
    ended.map(|(value, time)| Ended { value, time, stats, library_ps: meter.spent_ps })
}

/// Sends all packets of a node. Returns whether there were any.
async fn send_all(
    station: &mut impl Station,
    mail: &mut Mail,
    me: u16,
    meter: &mut Meter,
    gathering: &Gathering,
) -> bool {
    let any = !mail.leaves.is_empty();
    while let Some((to, bytes)) = mail.leaves.pop_front() {
        meter.packet(station).await;
        if let Err(error) = station.send(to, bytes).await {
            gathering.fail(me, station.now(), error);
        }
    }
    any
}

/// Computes for the program, at most one polling period, or waits for a packet or timeout.
async fn wait(station: &mut impl Station, handle: &Handle, pace: Pace, has_ended: bool) {
    let now = station.now();
    let (computes, wakes) = handle.with(|node| (node.computes(), node.wakes()));
    match computes {
        Some(until) => station.compute(until.saturating_sub(now).min(pace.period)).await,
        None => {
            // No packet announces the end of the waiting time after the program.
            let ends = has_ended.then_some(now + pace.period);
            station.pause(wakes.into_iter().chain(ends).min()).await;
        }
    }
}

/// Whether a node may stop after its program has ended at `since`, the time of the last packet. All programs
/// have ended then, because the last call of each is a barrier. All packets of this node must have arrived;
/// and as acknowledgements may be lost, other nodes may still retransmit.
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

/// Received packets not yet processed, and packets to send.
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
