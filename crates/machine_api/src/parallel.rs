//! MPI programs on a machine.

use std::future::Future;

use cluster::{Cluster, Duration, Machine, Node, Output, StageError, Stages, WatchError};
use mpi::{Communicator, Options};
use npb::Processor;

use crate::carrier::{Carrier, CarrierChoice, Offer};
use crate::placement::ProcessSlot;
use crate::variant::Variant;

/// A machine whose nodes run MPI processes.
pub trait Parallel: Machine<Port: 'static> {
    /// MPI carriers; the first one is the default.
    const CARRIERS: &'static [Carrier<Self>];

    /// Settings that a run can choose, other than carrier and waiting.
    const VARIANTS: &'static [Variant<Self>] = &[];

    /// Numbers of processes that a node can run, of MPI and of the other host libraries.
    const PER_NODE: Offer<usize> = Offer {
        has: &[1],
        because: "its host libraries give the network interface of a node to one process",
    };

    /// Starts a rank: a program on its node, with the communicator of all processes and its processor. All
    /// ranks must be started before the run begins.
    fn spawn_rank<F, T>(
        cluster: &mut Cluster<Self>,
        rank: usize,
        name: &'static str,
        way: CarrierChoice<Self>,
        options: Options,
        program: impl FnOnce(Communicator, Processor) -> F + 'static,
    ) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
    {
        let node = way.placement(cluster.topology().nodes()).node(rank);
        let open = (way.carrier.open)(cluster, rank, way, options);
        cluster.spawn_beside(node, name, move |side, cpu| {
            let port = Self::port(side, cpu.clone());
            async move {
                if way.apart > Duration::ZERO {
                    cpu.compute(way.apart * rank as u64).await;
                }
                let processor = Self::processor(&port);
                program(open(port).await, processor).await
            }
        })
    }

    /// Processor model of programs. Without published measurements computation takes no time.
    fn processor(_port: &Self::Port) -> Processor {
        Processor::INSTANT
    }

    /// Sets watches on the internal points of a node that an MPI message passes.
    fn watch(node: &mut Node<Self>) -> Result<(), WatchError>;

    /// Stages of a message of one packet from process to process, from its acceptance by the carrier until a poll
    /// of the receiver's carrier has found it. Called only for carriers with stages.
    fn way(stages: Stages<'_>, from: ProcessSlot, to: ProcessSlot) -> Result<Stages<'_>, StageError>;
}

/// Starts all ranks of a cluster.
pub fn spawn_ranks<M: Parallel, T: 'static, F: Future<Output = T> + 'static>(
    cluster: &mut Cluster<M>,
    way: CarrierChoice<M>,
    options: &Options,
    program: impl Fn(Communicator) -> F + Clone + 'static,
) -> Vec<Output<T>> {
    let ranks = 0..way.placement(cluster.topology().nodes()).ranks();
    ranks
        .map(|rank| {
            let program = program.clone();
            M::spawn_rank(cluster, rank, "rank", way, options.clone(), move |world, _| program(world))
        })
        .collect()
}
