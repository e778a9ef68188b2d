//! MPI over PM, whose messages are pushed into rings by IPUSH.
//!
//! A full ring would stop the Receive Controller, and with it all packets of others. So the library holds senders back: a pair has as
//! many places of each other as a ring has room for.

use lab::Parallel;
use mpi::carrier::{Carrier, OverPm};
use pm::Channel;

use crate::host::cost::Costs;
use crate::programs::Process;
use crate::programs::pm::{Port, RING_MESSAGES};
use crate::{Dimmnet2, Host};
use cluster::Duration;

/// The process that runs MPI on each node.
const PROCESS: Process = Process { wid: false, pgid: 1 };
/// The channel of MPI, and its session.
const CHANNEL: Channel = Channel::new(0).expect("there are four");
const SESSION: u16 = 1;

impl Parallel for Dimmnet2 {
    const MOST_RANKS: usize = 64;

    async fn carrier(host: Host, nodes: usize) -> impl Carrier + 'static {
        let processor = mpi::Host::new(host.processor().clone(), costs(host.costs()));
        let port = Port::initialise(host, PROCESS, nodes as u16).await;
        let carrier = OverPm::open(port, CHANNEL, SESSION, nodes, processor).await;
        let carrier = carrier.expect("nobody else has the channel of MPI");
        carrier.with_slots(RING_MESSAGES * (nodes - 1))
    }
}

/// What the library's steps cost: words are copied in whole lines of the cache, and a look is a compare and a branch, as the turn of a
/// loop.
fn costs(costs: &Costs) -> mpi::Costs {
    mpi::Costs { look: costs.poll_loop, word: Duration::from_ps(costs.line_copy.ps() / 16) }
}
