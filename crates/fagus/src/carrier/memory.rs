//! Nodes in one thread, joined by wires of constant delay or by faulty wires. Time is virtual: the same
//! programs and seed give the same run.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use xxhash_rust::xxh3::Xxh3;

use crate::comm::mix;
use crate::config::{Config, Stats, Wires};
use crate::datagram::Datagram;
use crate::dsm::Dsm;
use crate::error::Error;
use crate::handle::Handle;
use crate::node::Node;
use crate::protocol::Nodes;

/// Result of a run.
#[derive(Clone, Debug)]
pub struct Run<R> {
    /// Results of the programs, by node.
    pub values: Vec<R>,
    /// Length of the run in virtual time.
    pub time: Duration,
    /// Sum of the counters of all nodes.
    pub stats: Stats,
    /// Hash of all received packets and their times; equal for identical runs.
    pub fingerprint: Fingerprint,
}

/// Hash of all received packets and their times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub u128);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A failed run; the first error counts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("node {node} at {time:?}: {error}")]
pub struct RunError {
    /// Node that failed first.
    pub node: usize,
    /// Virtual time of the failure.
    pub time: Duration,
    /// Error of the failed call.
    pub error: Error,
}

/// Runs a program on 1 to 64 nodes over wires in memory. The first error of a program ends the run.
pub fn run<R, F>(nodes: usize, config: Config, program: F) -> Result<Run<R>, RunError>
where
    F: AsyncFn(Dsm) -> Result<R, Error>,
{
    if !(1..=Nodes::MOST).contains(&nodes) {
        let error = Error::NoSuch { what: "run of nodes", number: nodes, count: Nodes::MOST };
        return Err(RunError { node: 0, time: Duration::ZERO, error });
    }
    let handles: Vec<_> =
        (0..nodes).map(|me| Handle::new(Node::new(me as u16, nodes, config), Box::new(|_| ()))).collect();
    let wakes: Vec<_> = (0..nodes).map(|_| Arc::new(Woken(AtomicBool::new(true)))).collect();
    let mut programs: Vec<_> = handles.iter().map(|handle| start(&program, handle)).collect();
    let mut network = Network::new(nodes, config);
    let mut values: Vec<Option<R>> = (0..nodes).map(|_| None).collect();
    loop {
        let runs = |network: &Network, values: &[Option<R>], node: usize| {
            !network.is_dead(node as u16) && values[node].is_none()
        };
        for node in 0..nodes {
            if !runs(&network, &values, node) {
                continue;
            }
            match poll_woken(&mut programs[node], &wakes[node]) {
                Poll::Pending => {}
                Poll::Ready(Ok(value)) => values[node] = Some(value),
                Poll::Ready(Err(error)) => {
                    let error = network.tell(error, &handles);
                    return Err(RunError { node, time: network.now, error });
                }
            }
        }
        for (me, handle) in handles.iter().enumerate() {
            network.serve(me as u16, handle);
        }
        let is_woken = |node: usize| wakes[node].0.load(Ordering::Relaxed);
        if (0..nodes).any(|node| runs(&network, &values, node) && is_woken(node)) {
            continue;
        }
        if values.iter().all(Option::is_some) {
            break;
        }
        let next = network.next_event(&handles);
        if next > config.limit {
            return Err(RunError { node: 0, time: network.now, error: Error::Limit(config.limit) });
        }
        network.advance(next);
    }
    let stats = handles.iter().map(|handle| handle.node().stats()).fold(Stats::default(), Stats::and);
    let fingerprint = Fingerprint(network.hash.digest128());
    Ok(Run { values: values.into_iter().flatten().collect(), time: network.now, stats, fingerprint })
}

type Program<'a, R> = Pin<Box<dyn Future<Output = Result<R, Error>> + 'a>>;

/// Program of a node, which ends with the barrier of all nodes.
fn start<'a, R, F>(program: &'a F, handle: &Arc<Handle>) -> Program<'a, R>
where
    F: AsyncFn(Dsm) -> Result<R, Error>,
{
    let dsm = Dsm { handle: handle.clone() };
    Box::pin(async move {
        let value = program(dsm.clone()).await?;
        dsm.leave().await?;
        Ok(value)
    })
}

/// Polls a program until it is no longer woken.
fn poll_woken<R>(program: &mut Program<'_, R>, woken: &Arc<Woken>) -> Poll<Result<R, Error>> {
    let waker = Waker::from(woken.clone());
    while woken.0.swap(false, Ordering::Relaxed) {
        let polled = program.as_mut().poll(&mut Context::from_waker(&waker));
        if polled.is_ready() {
            return polled;
        }
    }
    Poll::Pending
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

struct Packet {
    from: u16,
    to: u16,
    bytes: Vec<u8>,
}

struct Network {
    wires: Wires,
    now: Duration,
    chance: u64,
    sent: u64,
    /// Time from which the wire of each node is idle.
    free: Vec<Duration>,
    coming: BTreeMap<(Duration, u64), Packet>,
    /// Packets that have arrived at each node and are not yet processed.
    inbox: Vec<VecDeque<(u16, Vec<u8>)>>,
    hash: Xxh3,
}

impl Network {
    fn new(nodes: usize, config: Config) -> Network {
        Network {
            wires: config.wires,
            now: Duration::ZERO,
            chance: config.seed,
            sent: 0,
            free: vec![Duration::ZERO; nodes],
            coming: BTreeMap::new(),
            inbox: vec![VecDeque::new(); nodes],
            hash: Xxh3::new(),
        }
    }

    fn is_dead(&self, node: u16) -> bool {
        self.wires.dies.is_some_and(|(dies, time)| dies == node && self.now >= time)
    }

    /// Lets a node process received packets and send.
    fn serve(&mut self, me: u16, handle: &Handle) {
        if !self.is_dead(me) {
            let now = self.now;
            handle.node().serve(now, &mut Wire { network: self, me });
        }
    }

    /// Time of the next arrival or timeout of a live node; `Duration::MAX` if there is none.
    fn next_event(&self, handles: &[Arc<Handle>]) -> Duration {
        let live = handles.iter().zip(0..).filter(|(_, me)| !self.is_dead(*me));
        let timeout = live.filter_map(|(handle, _)| handle.node().wakes()).min();
        let arrival = self.coming.keys().next().map(|(time, _)| *time);
        timeout.into_iter().chain(arrival).min().unwrap_or(Duration::MAX)
    }

    fn advance(&mut self, time: Duration) {
        self.now = self.now.max(time);
        while let Some(entry) = self.coming.first_entry().filter(|entry| entry.key().0 <= self.now) {
            let ((time, _), Packet { from, to, bytes }) = entry.remove_entry();
            if self.is_dead(to) {
                continue;
            }
            self.hash.update(&time.as_nanos().to_le_bytes());
            self.hash.update(&[from.to_le_bytes(), to.to_le_bytes()].concat());
            self.hash.update(&bytes);
            self.inbox[usize::from(to)].push_back((from, bytes));
        }
    }

    /// Adds to a dead node all losses that any other node knows of.
    fn tell(&self, error: Error, handles: &[Arc<Handle>]) -> Error {
        let Error::Dead { node, .. } = error else { return error };
        let others = handles.iter().zip(0..).filter(|(_, other)| !self.is_dead(*other));
        let lost: BTreeSet<_> = others.flat_map(|(handle, _)| handle.node().lost_with(node)).collect();
        Error::Dead { node, lost: lost.into_iter().collect() }
    }

    fn chance(&mut self, thousandths: u32) -> bool {
        self.chance = self.chance.wrapping_add(1);
        mix(self.chance) % 1000 < thousandths.into()
    }
}

struct Wire<'a> {
    network: &'a mut Network,
    me: u16,
}

impl Datagram for Wire<'_> {
    fn send_to(&mut self, to: u16, packet: &[u8]) {
        let network = &mut *self.network;
        let Wires { latency, byte, lose, repeat, delay, .. } = network.wires;
        let free = &mut network.free[usize::from(self.me)];
        *free = (*free).max(network.now) + byte * packet.len() as u32;
        let comes = *free + latency;
        let copies = if network.chance(repeat) { 2 } else { 1 };
        for _ in 0..copies {
            if network.chance(lose) {
                continue;
            }
            let late = if network.chance(delay) {
                latency * (1 + (mix(network.chance) >> 32) as u32 % 8)
            } else {
                Duration::ZERO
            };
            network.sent += 1;
            let packet = Packet { from: self.me, to, bytes: packet.to_vec() };
            network.coming.insert((comes + late, network.sent), packet);
        }
    }

    fn receive_from(&mut self) -> Option<(u16, Vec<u8>)> {
        self.network.inbox[usize::from(self.me)].pop_front()
    }
}
