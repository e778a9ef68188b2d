//! Shared memory on a machine: programs of Fagus (crate `fagus`), over carriers of MPI or over unreliable
//! datagrams.

mod library_cost;
mod messages;

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration as Wall;

use anyhow::{Context, anyhow};
use cluster::host::LibraryCost;
use cluster::{Cluster, Duration, Machine, Output, Time};
use fagus::carrier::machine::{Costs, Ended, Gathering, Pace, Place, Station, live};
use fagus::comm::Timers;
use fagus::{Config, Delivery, Dsm, Error};
use npb::Processor;

use crate::carrier::CarrierChoice;
use crate::parallel::Parallel;
use crate::placement::Placement;
pub use library_cost::{ACCESS, BARRIER, DATAGRAM, LOCK, MESSAGE};
use messages::OverMessages;

/// Creates a node's network interface in the program of the node.
pub type StationOpening<M> =
    Box<dyn FnOnce(<M as Machine>::Port) -> Pin<Box<dyn Future<Output = Box<dyn Station>>>>>;

/// A datagram network below shared memory.
pub struct Datagrams<M: Machine> {
    /// Name on the command line.
    pub name: &'static str,
    /// Description for help and reports.
    pub doc: &'static str,
    /// Largest datagram in bytes.
    pub bytes: usize,
    /// Largest number of nodes.
    pub most_nodes: usize,
    /// Prepares the network on a node.
    pub open: fn(&mut Cluster<M>, usize) -> StationOpening<M>,
}

/// A machine whose nodes share memory.
pub trait Shared: Parallel {
    /// Datagram networks, in addition to the carriers of MPI, which carry messages.
    const DATAGRAMS: &'static [Datagrams<Self>] = &[];

    /// Costs of the library's steps; without a measurement the machine charges none.
    fn library(_settings: &Self::Settings) -> SharedLibrary {
        SharedLibrary::default()
    }
}

/// Costs of the library of shared memory on a machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SharedLibrary {
    /// Value of `--library-cost`.
    pub cost: LibraryCost,
    /// Time for each message sent or received, by the costs of the machine.
    pub message: Duration,
    /// Time of an instruction.
    pub instruction: Duration,
}

/// Network below shared memory.
pub enum Medium<M: Shared> {
    /// A carrier of MPI: messages arrive once and in order.
    Messages(CarrierChoice<M>),
    /// Unreliable datagrams, such as UDP.
    Datagrams(&'static Datagrams<M>),
}

impl<M: Shared> Clone for Medium<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Shared> Copy for Medium<M> {}

impl<M: Shared> Medium<M> {
    /// Datagram network with this name, if the machine has it.
    pub fn datagrams(name: &str) -> Option<Medium<M>> {
        M::DATAGRAMS.iter().find(|datagrams| datagrams.name == name).map(Medium::Datagrams)
    }

    /// Name on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Medium::Messages(way) => way.carrier.name,
            Medium::Datagrams(datagrams) => datagrams.name,
        }
    }

    /// Places of the nodes of shared memory on the nodes of a cluster of `nodes` nodes.
    pub fn placement(&self, nodes: usize) -> Placement {
        match self {
            Medium::Messages(way) => way.placement(nodes),
            Medium::Datagrams(_) => Placement::new(nodes, 1),
        }
    }

    /// Largest number of nodes.
    pub fn most_nodes(&self) -> usize {
        match self {
            Medium::Messages(way) => way.carrier.most_ranks,
            Medium::Datagrams(datagrams) => datagrams.most_nodes,
        }
    }
}

/// Virtual time in the type of programs of shared memory.
pub fn wall(time: Time) -> Wall {
    Wall::from_nanos((time - Time::ZERO).ps() / 1000)
}

/// Duration in the type of the engine.
pub fn span(time: Wall) -> Duration {
    Duration::from_ns(time.as_nanos() as u64)
}

/// Processor use of the library: while a program computes, it polls the network once in each period.
pub fn pace<M: Shared>(settings: &M::Settings, medium: Medium<M>, period: Duration) -> Pace {
    let packet = match medium {
        Medium::Messages(_) => MESSAGE,
        Medium::Datagrams(_) => DATAGRAM,
    };
    let SharedLibrary { cost, message, instruction } = M::library(settings);
    let time = |looks, step| cost.time(looks, step, instruction).ps();
    let costs = Costs {
        access_ps: time(Duration::ZERO, ACCESS),
        lock_ps: time(Duration::ZERO, LOCK),
        barrier_ps: time(Duration::ZERO, BARRIER),
        packet_ps: time(message, packet),
    };
    Pace { period: Wall::from_nanos(period.ps() / 1000), costs }
}

/// Runs a program on all nodes of shared memory and returns the results.
pub fn share<M: Shared, R: 'static>(
    cluster: &mut Cluster<M>,
    medium: Medium<M>,
    config: Config,
    pace: Pace,
    program: impl AsyncFn(Dsm) -> Result<R, Error> + Clone + 'static,
) -> anyhow::Result<Vec<Ended<R>>> {
    share_through(cluster, medium, config, pace, Rc::new(|_, station| station), program)
}

/// Wraps the network interface of a node.
pub type Between = Rc<dyn Fn(u16, Box<dyn Station>) -> Box<dyn Station>>;

/// Like [`share`], with a wrapper around each node's network interface.
pub fn share_through<M: Shared, R: 'static>(
    cluster: &mut Cluster<M>,
    medium: Medium<M>,
    config: Config,
    pace: Pace,
    between: Between,
    program: impl AsyncFn(Dsm) -> Result<R, Error> + Clone + 'static,
) -> anyhow::Result<Vec<Ended<R>>> {
    let nodes = medium.placement(cluster.nodes().len()).ranks();
    let gathering = Rc::new(Gathering::default());
    let ends: Vec<Output<_>> = (0..nodes)
        .map(|node| {
            let place = Place { node: node as u16, nodes, gathering: gathering.clone() };
            let (program, between) = (program.clone(), between.clone());
            match medium {
                Medium::Messages(way) => {
                    let options = mpi::Options::default();
                    M::spawn_rank(cluster, node, "fagus", way, options, move |world, processor| async move {
                        let config = settled(config, Delivery::Messages, processor);
                        live(
                            between(node as u16, Box::new(OverMessages::new(world))),
                            place,
                            config,
                            pace,
                            program,
                        )
                        .await
                    })
                }
                Medium::Datagrams(datagrams) => {
                    let open = (datagrams.open)(cluster, node);
                    cluster.spawn_beside(node, "fagus", move |side, cpu| {
                        let port = M::port(side, cpu);
                        async move {
                            let delivery = Delivery::Datagrams(datagrams.bytes);
                            let config = settled(config, delivery, M::processor(&port));
                            live(between(node as u16, open(port).await), place, config, pace, program).await
                        }
                    })
                }
            }
        })
        .collect();
    // Nodes stop at their time limit on their own.
    let ran = cluster.run(span(config.limit) + GRACE);
    if let Some(failed) = gathering.failed() {
        return Err(anyhow!("{failed}"));
    }
    crate::check(cluster, ran)?;
    ends.into_iter().map(|end| end.take().flatten().context("a program has not ended")).collect()
}

/// Time that the machine runs beyond the nodes' limit.
const GRACE: Duration = Duration::from_us(10_000);

/// Retransmission timeout, longer than a library that polls once in 100 us and several messages ahead need; a
/// choice of this project.
const RESEND: Wall = Wall::from_millis(2);

/// Configuration with the values of network and processor, unless the run sets an operation's time.
fn settled(config: Config, delivery: Delivery, processor: Processor) -> Config {
    let operation_ps = if config.operation_ps > 0 { config.operation_ps } else { processor.operation.ps() };
    let timers = Timers { resend: RESEND, ..config.timers };
    Config { delivery, operation_ps, timers, ..config }
}
