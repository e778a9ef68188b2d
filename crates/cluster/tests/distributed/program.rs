//! A cluster on one thread or over the processes of mpirun, with the same results; for tests, also with injected failures.
//!
//!     cargo build -p cluster --features distributed --example distributed
//!     target/debug/examples/distributed ring 80
//!     mpirun -n 4 target/debug/examples/distributed ring 80
//!
//! Networks: `ring`, `ring-of-two-switches` and `back-to-back`.

/// The machine of the engine's tests.
#[path = "../relay.rs"]
#[allow(dead_code)]
mod relay;
/// Numbers that travel around a ring.
mod ring;

use std::env;
use std::error::Error;
use std::fmt::Debug;
use std::process::ExitCode;

use cluster::distributed::{DistributedError, Job, World};
use cluster::{AnyNic, Cluster, Duration, Machine, Ran, Topology};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A failure that is injected into the middle node or the middle process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// No failure.
    Nothing,
    /// The program of the node exits with this code.
    Exits(i32),
    /// The process is killed.
    Killed,
    /// The program of the node panics.
    Panics,
    /// The device of the node stops.
    DeviceStops,
    /// The device of the node cannot be made.
    NoDevice,
    /// The program of the node waits forever.
    Stalls,
    /// The limit of virtual time ends the run.
    Limit,
    /// The process was given another network.
    OtherNetwork,
    /// The process was given another workload.
    OtherWorkload,
    /// Process 0 leaves after the first of two runs.
    FirstLeaves,
}

impl Failure {
    fn named(name: &str) -> Option<Failure> {
        Some(match name {
            "exits-3" => Failure::Exits(3),
            "exits-0" => Failure::Exits(0),
            "killed" => Failure::Killed,
            "panics" => Failure::Panics,
            "device-stops" => Failure::DeviceStops,
            "no-device" => Failure::NoDevice,
            "stalls" => Failure::Stalls,
            "limit" => Failure::Limit,
            "other-network" => Failure::OtherNetwork,
            "other-workload" => Failure::OtherWorkload,
            "first-leaves" => Failure::FirstLeaves,
            _ => return None,
        })
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(Some(text)) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Ok(None) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cluster: {error}");
            let usage = error.downcast_ref::<DistributedError>().is_none_or(DistributedError::is_usage);
            ExitCode::from(if usage { 2 } else { 1 })
        }
    }
}

fn run() -> Result<Option<String>, Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [network, nodes, rest @ ..] = &arguments[..] else { return Err("NETWORK NODES [FAILURE]".into()) };
    let failure = rest.first().map_or(Some(Failure::Nothing), |name| Failure::named(name));
    let mut place = Place {
        world: cluster::started_by_mpirun().map(|_| World::join()).transpose()?,
        failure: failure.ok_or("no such failure")?,
    };
    let nodes: usize = nodes.parse()?;
    let nodes = nodes + usize::from(place.has(Failure::OtherNetwork));
    let run = match network.as_str() {
        "ring" => ring::run(&mut place, &Topology::star(nodes)),
        "ring-of-two-switches" => ring::run(&mut place, &ring::two_switches(nodes)),
        "back-to-back" => ring::run(&mut place, &Topology::back_to_back()),
        _ => return Err("no such network".into()),
    };
    let first = run?;
    if place.failure == Failure::FirstLeaves && place.world.as_ref().is_some_and(|world| world.rank() > 0) {
        let again = ring::run(&mut place, &Topology::star(nodes))?;
        assert!(again.is_none(), "process 0 has left");
    }
    Ok(first)
}

/// One thread, or the processes of mpirun.
pub struct Place {
    world: Option<World>,
    failure: Failure,
}

impl Place {
    /// Whether this failure is injected into this process.
    fn has(&self, failure: Failure) -> bool {
        failure == self.failure && self.world.as_ref().is_some_and(|world| world.rank() == world.size() / 2)
    }

    /// Runs a cluster; its results as text, in process 0 alone.
    fn run<M: Machine, S, R: Debug + Send + Serialize + DeserializeOwned>(
        &mut self,
        topology: &Topology,
        nic: impl Fn(usize) -> Result<Box<AnyNic<M>>, hdl::NicError> + Sync,
        begin: impl Fn(&mut Cluster<M>) -> S + Sync,
        end: impl Fn(&mut Cluster<M>, S) -> Vec<R> + Sync,
    ) -> Result<Option<String>, Box<dyn Error>> {
        let settings = M::Settings::default();
        let limit = if self.failure == Failure::Limit { 20 } else { 1_000_000 };
        let limit = Duration::from_us(limit);
        let workload = if self.has(Failure::OtherWorkload) { "another" } else { "the workload" };
        let text = |ran: Ran<Vec<R>>| {
            let results: Vec<_> = ran.parts.into_iter().flatten().collect();
            format!("{results:?}\n{} ps, fingerprint {}", ran.end.ps(), ran.fingerprint)
        };
        let ran = match &mut self.world {
            None => Some(cluster::run(topology, &settings, 1, limit, nic, begin, end)?),
            Some(world) => {
                world.run(&Job { topology, settings: &settings, limit, workload }, nic, begin, end)?
            }
        };
        Ok(ran.map(text))
    }
}
