//! MPI over PM: a packet is a message of PM, which holds senders back when the sixteen slots of the receiver are full.

use lab::Parallel;
use mpi::Host;
use mpi::carrier::{Carrier, OverPm};
use npb::Processor;
use pm::Channel;

use crate::cost::{CACHE_BYTES, Costs};
use crate::{GigaePm, Node, Port, paths};
use cluster::{Machine, StageError, Stages, WatchError};

/// The channel of MPI, and its session.
const CHANNEL: Channel = Channel::new(0).expect("there are four");
const SESSION: u16 = 1;

impl Parallel for GigaePm {
    const MOST_RANKS: usize = GigaePm::MOST_NODES;

    async fn carrier(port: Port, nodes: usize) -> impl Carrier + 'static {
        let host = Host::new(port.host().processor().clone(), costs(port.host().costs()));
        let carrier = OverPm::open(port, CHANNEL, SESSION, nodes, host).await;
        carrier.expect("nobody else has the channel of MPI")
    }

    fn watch(node: &mut Node) -> Result<(), WatchError> {
        paths::watch(node)
    }

    fn way(stages: Stages<'_>, from: usize, to: usize) -> Result<Stages<'_>, StageError> {
        paths::way(stages, from, to)
    }

    /// A Pentium II, with what its cache does not hold in SDRAM (decision 0044).
    fn processor(port: &Port) -> Processor {
        let costs = port.host().costs();
        Processor { operation: costs.operation, word: costs.memory_word(), cache: CACHE_BYTES }
    }
}

/// What the library's steps cost: a word is copied at C1 (paper, table 1), which is three ways over the memory bus (decision 0037), as
/// many as combining two in place takes; a look is a compare and a branch, as the turn of a loop.
fn costs(costs: &Costs) -> mpi::Costs {
    mpi::Costs { look: costs.turn, word: costs.copy }
}
