//! MPI over PM: a packet is a message of PM, which holds senders back when the sixteen slots of the receiver are full.

use lab::Parallel;
use mpi::carrier::OverPm;
use mpi::{Communicator, Host, Options};
use pm::Channel;

use crate::cost::Costs;
use crate::{GigaePm, Port};
use cluster::Machine;

/// The channel of MPI, and its session.
const CHANNEL: Channel = Channel::new(0).expect("there are four");
const SESSION: u16 = 1;

impl Parallel for GigaePm {
    const MOST_RANKS: usize = GigaePm::MOST_NODES;

    async fn world(port: Port, nodes: usize, options: Options) -> Communicator {
        let host = Host::new(port.host().processor().clone(), costs(port.host().costs()));
        let carrier = OverPm::open(port, CHANNEL, SESSION, nodes, host).await;
        Communicator::world(carrier.expect("nobody else has the channel of MPI"), options)
    }
}

/// What the library's steps cost: a word is copied at C1 (paper, table 1), which is three ways over the memory bus (decision 0037), as
/// many as combining two in place takes; a look is a compare and a branch, as the turn of a loop.
fn costs(costs: &Costs) -> mpi::Costs {
    mpi::Costs { look: costs.turn, word: costs.copy }
}
