//! Shared memory on a machine: programs of Fagus (crate `fagus`), over carriers of MPI or over datagrams that may be lost.

mod messages;

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration as Wall;

use anyhow::anyhow;
use cluster::{Cluster, Duration, Machine, Output, Time};
use fagus::carrier::machine::{Ended, Gathering, Pace, Place, Station, live};
use fagus::comm::Timers;
use fagus::{Config, Delivery, Dsm, Error};
use npb::Processor;

use crate::carrier::Way;
use crate::parallel::Parallel;
use messages::OverMessages;

/// Becomes a node's end of the network, in a program of the node.
pub type StationOpening<M> =
    Box<dyn FnOnce(<M as Machine>::Port) -> Pin<Box<dyn Future<Output = Box<dyn Station>>>>>;

/// A network of datagrams below shared memory.
pub struct Datagrams<M: Machine> {
    /// As it is typed.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Bytes of a datagram at most.
    pub bytes: usize,
    /// Most nodes that there may be.
    pub most_nodes: usize,
    /// Makes one ready for a node.
    pub open: fn(&mut Cluster<M>, usize) -> StationOpening<M>,
}

/// A machine whose nodes share memory.
pub trait Shared: Parallel {
    /// Networks of datagrams, beside the carriers of MPI, which carry messages.
    const DATAGRAMS: &'static [Datagrams<Self>] = &[];

    /// What the library of shared memory does for a message that leaves or has come, beside what its network costs. Nothing where nobody has measured it.
    fn library(_settings: &Self::Settings) -> Duration {
        Duration::ZERO
    }
}

/// What carries what nodes tell each other.
pub enum Medium<M: Shared> {
    /// A carrier of MPI: once and in order.
    Messages(Way<M>),
    /// Datagrams.
    Datagrams(&'static Datagrams<M>),
}

impl<M: Shared> Clone for Medium<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Shared> Copy for Medium<M> {}

impl<M: Shared> Medium<M> {
    /// The datagrams of that name, if the machine has them.
    pub fn datagrams(name: &str) -> Option<Medium<M>> {
        M::DATAGRAMS.iter().find(|datagrams| datagrams.name == name).map(Medium::Datagrams)
    }

    /// As it is typed.
    pub fn name(&self) -> &'static str {
        match self {
            Medium::Messages(way) => way.carrier.name,
            Medium::Datagrams(datagrams) => datagrams.name,
        }
    }

    /// Most nodes that there may be.
    pub fn most_nodes(&self) -> usize {
        match self {
            Medium::Messages(way) => way.carrier.most_ranks,
            Medium::Datagrams(datagrams) => datagrams.most_nodes,
        }
    }
}

/// Virtual time as programs of shared memory have it.
pub fn wall(time: Time) -> Wall {
    Wall::from_nanos((time - Time::ZERO).ps() / 1000)
}

/// Time that they let pass.
pub fn span(time: Wall) -> Duration {
    Duration::from_ns(time.as_nanos() as u64)
}

/// What all nodes of a run have come to.
pub struct SharedRun<R> {
    /// What each has.
    pub nodes: Vec<Ended<R>>,
}

/// When the library has the processor: while a program computes it looks at the network once in a period.
pub fn pace<M: Shared>(settings: &M::Settings, period: Duration) -> Pace {
    let wall = |time: Duration| Wall::from_nanos(time.ps() / 1000);
    Pace { period: wall(period), message: wall(M::library(settings)) }
}

/// Runs a program on all nodes of a cluster.
pub fn share<M: Shared, R: 'static>(
    cluster: &mut Cluster<M>,
    medium: Medium<M>,
    config: Config,
    pace: Pace,
    program: impl AsyncFn(Dsm) -> Result<R, Error> + Clone + 'static,
) -> anyhow::Result<SharedRun<R>> {
    share_through(cluster, medium, config, pace, Rc::new(|_, station| station), program)
}

/// What a node has in place of its end of the network, and may use.
pub type Between = Rc<dyn Fn(u16, Box<dyn Station>) -> Box<dyn Station>>;

/// The same with something between nodes and their network.
pub fn share_through<M: Shared, R: 'static>(
    cluster: &mut Cluster<M>,
    medium: Medium<M>,
    config: Config,
    pace: Pace,
    between: Between,
    program: impl AsyncFn(Dsm) -> Result<R, Error> + Clone + 'static,
) -> anyhow::Result<SharedRun<R>> {
    let nodes = cluster.nodes().len();
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
    let ran = cluster.run(span(config.limit));
    if let Some(failed) = gathering.failed() {
        return Err(anyhow!("{failed}"));
    }
    crate::check(cluster, ran)?;
    let ended =
        ends.into_iter().map(|end| end.take().flatten().ok_or_else(|| anyhow!("a program has not ended")));
    Ok(SharedRun { nodes: ended.collect::<anyhow::Result<_>>()? })
}

/// How long an acknowledgement is waited for: longer than a library that looks once in 100 us and some messages before take. Ours.
const RESEND: Wall = Wall::from_millis(2);

/// The run as its network and processor have it, unless it says what an operation takes.
fn settled(config: Config, delivery: Delivery, processor: Processor) -> Config {
    let operation_ps = if config.operation_ps > 0 { config.operation_ps } else { processor.operation.ps() };
    let timers = Timers { resend: RESEND, ..config.timers };
    Config { delivery, operation_ps, timers, ..config }
}
