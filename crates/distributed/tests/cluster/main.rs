//! A cluster on one thread, or over the processes of mpirun, with the same results; for `tests`, also with mishaps.
//!
//!     cargo build -p distributed --features mpi --example cluster
//!     target/debug/examples/cluster ring 80
//!     mpirun -n 4 target/debug/examples/cluster ring 80
//!
//! Machines: `ring`, `ring-of-two-switches` and `back-to-back`, which are toys; `dimmnet2` and `gigae_pm`.

/// The machine with which the engine is tested.
#[path = "../../../cluster/tests/relay.rs"]
#[allow(dead_code)]
mod relay;
/// Numbers that go around.
mod ring;
/// Messages that real machines send to their neighbours.
mod traffic;

use std::env;
use std::error::Error;
use std::fmt::Debug;
use std::process::ExitCode;

use cluster::{AnyNic, Cluster, Duration, Machine, Ran, Topology};
use distributed::{DistributedError, Job, World};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What happens on the way, to a node in the middle or to a process in the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mishap {
    /// Nothing does.
    Nothing,
    /// The program of the node ends its process, with this exit code.
    Exits(i32),
    /// It is killed from outside.
    Killed,
    /// It panics.
    Panics,
    /// The device of the node stops.
    DeviceStops,
    /// It cannot be made.
    NoDevice,
    /// A program waits for ever.
    Stalls,
    /// The limit comes before the end.
    Limit,
    /// The process was given another network.
    OtherNetwork,
    /// It was given another workload.
    OtherWorkload,
    /// Process 0 leaves after the first of two runs.
    FirstLeaves,
}

impl Mishap {
    fn named(name: &str) -> Option<Mishap> {
        Some(match name {
            "exits-3" => Mishap::Exits(3),
            "exits-0" => Mishap::Exits(0),
            "killed" => Mishap::Killed,
            "panics" => Mishap::Panics,
            "device-stops" => Mishap::DeviceStops,
            "no-device" => Mishap::NoDevice,
            "stalls" => Mishap::Stalls,
            "limit" => Mishap::Limit,
            "other-network" => Mishap::OtherNetwork,
            "other-workload" => Mishap::OtherWorkload,
            "first-leaves" => Mishap::FirstLeaves,
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
    let [machine, nodes, rest @ ..] = &arguments[..] else { return Err("MACHINE NODES [MISHAP]".into()) };
    let mishap = rest.first().map_or(Some(Mishap::Nothing), |name| Mishap::named(name));
    let mut place = Place {
        world: distributed::started_by_mpirun().map(|_| World::join()).transpose()?,
        mishap: mishap.ok_or("no such mishap")?,
    };
    let nodes: usize = nodes.parse()?;
    let nodes = nodes + usize::from(place.strikes(Mishap::OtherNetwork));
    let run = match machine.as_str() {
        "ring" => ring::run(&mut place, &Topology::star(nodes)),
        "ring-of-two-switches" => ring::run(&mut place, &ring::two_switches(nodes)),
        "back-to-back" => ring::run(&mut place, &Topology::back_to_back()),
        "dimmnet2" => traffic::run::<dimmnet2_machine::Dimmnet2>(&mut place, nodes),
        "gigae_pm" => traffic::run::<gigae_pm_machine::GigaePm>(&mut place, nodes),
        _ => return Err("no such machine".into()),
    };
    let first = run?;
    if place.mishap == Mishap::FirstLeaves && place.world.as_ref().is_some_and(|world| world.rank() > 0) {
        let again = ring::run(&mut place, &Topology::star(nodes))?;
        assert!(again.is_none(), "process 0 has left");
    }
    Ok(first)
}

/// Where the cluster runs.
pub struct Place {
    world: Option<World>,
    mishap: Mishap,
}

impl Place {
    /// Whether this mishap befalls this process.
    fn strikes(&self, mishap: Mishap) -> bool {
        mishap == self.mishap && self.world.as_ref().is_some_and(|world| world.rank() == world.size() / 2)
    }

    /// Runs a cluster here, and tells the results.
    fn run<M: Machine, S, R: Debug + Send + Serialize + DeserializeOwned>(
        &mut self,
        topology: &Topology,
        nic: impl Fn(usize) -> Result<Box<AnyNic<M>>, hdl::NicError> + Sync,
        begin: impl Fn(&mut Cluster<M>) -> S + Sync,
        end: impl Fn(&mut Cluster<M>, S) -> Vec<R> + Sync,
    ) -> Result<Option<String>, Box<dyn Error>> {
        let settings = M::Settings::default();
        let limit = if self.mishap == Mishap::Limit { 20 } else { 1_000_000 };
        let limit = Duration::from_us(limit);
        let workload = if self.strikes(Mishap::OtherWorkload) { "another" } else { "the workload" };
        let tell = |ran: Ran<Vec<R>>| {
            let results: Vec<_> = ran.parts.into_iter().flatten().collect();
            format!("{results:?}\n{} ps, fingerprint {}", ran.end.ps(), ran.fingerprint)
        };
        let ran = match &mut self.world {
            None => Some(cluster::run(topology, &settings, 1, limit, nic, begin, end)?),
            Some(world) => {
                world.run(&Job { topology, settings: &settings, limit, workload }, nic, begin, end)?
            }
        };
        Ok(ran.map(tell))
    }
}
