//! Carrier in memory: processes joined by wires of constant latency and bandwidth.
//!
//! A wire sends the packets of its process one after another, byte by byte; each arrives `latency` after its
//! last byte has left. Runs are deterministic. A waiting process costs no simulation time. If all processes
//! wait and no packet is in flight, the run ends with the list of pending operations.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use cluster::host::Executor;
use cluster::{Cpu, Duration, Output, Signal, Time, Waiting};

use super::{Carrier, Packet, Received, Sent};
use crate::communicator::Communicator;
use crate::envelope::Envelope;
use crate::host::{Costs, Host};
use crate::options::Options;
use crate::watcher::Watcher;

/// Parameters of the wires and hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// From the last byte leaving the sender until the packet can be received.
    pub latency: Duration,
    /// Transmission time of one byte.
    pub byte: Duration,
    /// Processor time for each packet, at the sender and at the receiver.
    pub overhead: Duration,
    /// Largest packet in bytes, envelope included. A message travels in one piece unless it is longer.
    pub most_bytes: usize,
    /// Processor time for steps of the library.
    pub costs: Costs,
}

impl Default for Settings {
    /// A generic network: 10 us latency, 125 MB/s, 1 us overhead on either side, messages in one piece, and a
    /// host that copies 400 MB/s.
    fn default() -> Self {
        Settings {
            latency: Duration::from_us(10),
            byte: Duration::from_ns(8),
            overhead: Duration::from_us(1),
            most_bytes: usize::MAX,
            costs: Costs::of_looks(Duration::from_ns(10), Duration::from_ns(10)),
        }
    }
}

/// Reasons why a run ended before its programs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// All processes wait and no packet is in flight: a deadlock.
    #[error("all processes wait at {at}: {}", waiting.join("; "))]
    Stalled {
        /// Time at which the last process began to wait.
        at: Time,
        /// Pending operations of each process, one sentence a process.
        waiting: Vec<String>,
    },
    /// The time limit of the run was reached.
    #[error("programs still run at {0}")]
    Limit(Time),
}

/// Processes joined by wires, with their programs.
pub struct Cluster {
    network: Rc<RefCell<Network>>,
    settings: Settings,
    options: Options,
    executors: Vec<Executor>,
    watchers: Vec<Option<Watcher>>,
    now: Time,
}

struct Network {
    /// Time from which the wire of each process is idle.
    free: Vec<Time>,
    /// Packets in flight to each process, ordered by arrival time, then by the order of sending.
    coming: Vec<BTreeMap<(Time, u64), Received>>,
    /// Packets sent so far by all processes; breaks ties in `coming`.
    sent: u64,
    /// Raised for a process when a packet is sent to it.
    news: Vec<Rc<Signal>>,
}

impl Cluster {
    /// Creates `ranks` processes, 1 to 65,536: an envelope has 16 bits for a rank.
    pub fn new(ranks: usize, settings: Settings, options: Options) -> Cluster {
        assert!((1..=1 << 16).contains(&ranks), "there are 1 to 65,536 processes, not {ranks}");
        assert!(settings.most_bytes > Envelope::BYTES, "a packet has room for more than its envelope");
        let network = Network {
            free: vec![Time::ZERO; ranks],
            coming: (0..ranks).map(|_| BTreeMap::new()).collect(),
            sent: 0,
            news: (0..ranks).map(|_| Rc::default()).collect(),
        };
        Cluster {
            network: Rc::new(RefCell::new(network)),
            settings,
            options,
            executors: (0..ranks).map(Executor::alone).collect(),
            watchers: (0..ranks).map(|_| None).collect(),
            now: Time::ZERO,
        }
    }

    /// Starts the program of a process with the communicator of all processes (`MPI_COMM_WORLD`).
    pub fn spawn<F, T>(
        &mut self,
        rank: usize,
        name: &'static str,
        program: impl FnOnce(Communicator) -> F,
    ) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
    {
        let (network, settings, options) =
            (self.network.clone(), self.settings.clone(), self.options.clone());
        let ranks = self.executors.len();
        let watcher = &mut self.watchers[rank];
        self.executors[rank].spawn(name, |cpu| {
            let world = Communicator::world(Wire { network, settings, cpu, rank, ranks }, options);
            *watcher = Some(world.watcher());
            program(world)
        })
    }

    /// Runs until all programs have ended, at most for `limit`. Returns the time of the end.
    pub fn run(&mut self, limit: Duration) -> Result<Time, RunError> {
        let end = self.now + limit;
        while !self.executors.iter().all(Executor::done) {
            let Some(next) = self.executors.iter().filter_map(Executor::next_wake).min() else {
                return Err(RunError::Stalled { at: self.now, waiting: self.waiting() });
            };
            if next > end {
                return Err(RunError::Limit(end));
            }
            self.now = next;
            for executor in self.executors.iter_mut().filter(|executor| executor.next_wake() == Some(next)) {
                executor.run(next);
            }
        }
        Ok(self.now)
    }

    /// Packets sent so far by all processes.
    pub fn packets(&self) -> u64 {
        self.network.borrow().sent
    }

    fn waiting(&self) -> Vec<String> {
        let processes = self.executors.iter().zip(&self.watchers).enumerate();
        let pending = |watcher: &Option<Watcher>| watcher.as_ref().map_or_else(Vec::new, Watcher::waiting);
        processes
            .filter(|(_, (executor, _))| !executor.done())
            .map(|(rank, (_, watcher))| match pending(watcher) {
                waits if waits.is_empty() => format!("process {rank} for nothing that could come"),
                waits => format!("process {rank} for {}", waits.join(", ")),
            })
            .collect()
    }
}

/// The carrier of one process.
struct Wire {
    network: Rc<RefCell<Network>>,
    settings: Settings,
    cpu: Cpu,
    rank: usize,
    ranks: usize,
}

impl Wire {
    /// Arrival time of the next packet in flight to this process.
    fn next(&self) -> Option<Time> {
        self.network.borrow().coming[self.rank].first_key_value().map(|((time, _), _)| *time)
    }
}

impl Carrier for Wire {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn most_bytes(&self) -> usize {
        self.settings.most_bytes
    }

    /// A packet that is not in flight yet leaves now at the earliest.
    fn quiet_until(&self) -> Option<Time> {
        let shortest = self.settings.byte * Envelope::BYTES as u64 + self.settings.latency;
        let sent_now = self.cpu.now() + shortest;
        Some(self.next().map_or(sent_now, |next| next.min(sent_now)))
    }

    fn host(&self) -> Host {
        Host::new(self.cpu.clone(), self.settings.costs)
    }

    async fn send(&mut self, to: usize, packet: &Packet) -> Sent {
        self.cpu.compute(self.settings.overhead).await;
        let mut network = self.network.borrow_mut();
        network.sent += 1;
        let left = network.free[self.rank].max(self.cpu.now()) + self.settings.byte * packet.length() as u64;
        network.free[self.rank] = left;
        let order = (left + self.settings.latency, network.sent);
        network.coming[to].insert(order, Received { from: self.rank, packet: Some(packet.clone()) });
        network.news[to].raise(&self.cpu);
        Sent::Yes
    }

    async fn receive(&mut self) -> Option<Received> {
        if self.next()? > self.cpu.now() {
            return None;
        }
        let (_, packet) = self.network.borrow_mut().coming[self.rank].pop_first()?;
        self.cpu.compute(self.settings.overhead).await;
        Some(packet)
    }

    async fn pause(&mut self) {
        let news = self.network.borrow().news[self.rank].clone();
        let mut news = pin!(news.wait(&self.cpu, "a packet"));
        let comes = self.next();
        let mut arrival = pin!(async {
            match comes {
                Some(time) => self.cpu.until(time, Waiting::For("a packet on its way")).await,
                None => std::future::pending().await,
            }
        });
        poll_fn(|context| match (news.as_mut().poll(context), arrival.as_mut().poll(context)) {
            (Poll::Pending, Poll::Pending) => Poll::Pending,
            _ => Poll::Ready(()),
        })
        .await;
    }
}
