//! How a machine carries packets of MPI: over PM, which both have.

use std::future::Future;

use cluster::Duration;
use dimmnet2_machine::Dimmnet2;
use dimmnet2_machine::programs::Process;
use dimmnet2_machine::programs::pm::Port;
use gigae_pm_machine::GigaePm;
use mpi::carrier::{Carrier, OverPm};
use mpi::{Costs, Host};
use pm::Channel;

use crate::machines::Built;

/// A machine whose nodes can be ranks.
pub trait Ranked: Built {
    /// The way of a rank to the network, of so many ranks.
    fn carrier(port: Self::Port, ranks: usize) -> impl Future<Output = impl Carrier + 'static> + 'static;
}

/// The channel of all ranks, and the number of their session.
const CHANNEL: Channel = Channel::new(0).expect("every node has channels");
const SESSION: u16 = 1;

impl Ranked for GigaePm {
    async fn carrier(port: Self::Port, ranks: usize) -> impl Carrier + 'static {
        let costs = port.host().costs();
        // A look is a turn of a loop, a word is copied as PM copies it.
        let costs = Costs { look: costs.turn, word: costs.copy };
        let host = Host::new(port.host().processor().clone(), costs);
        OverPm::open(port, CHANNEL, SESSION, ranks, host).await.expect("nobody else has opened the channel")
    }
}

/// The slot and the process group of all ranks.
const PROCESS: Process = Process { wid: false, pgid: 1 };

/// Words of 4 bytes in a cached line of 64.
const LINE_WORDS: u64 = 16;

impl Ranked for Dimmnet2 {
    async fn carrier(port: Self::Port, ranks: usize) -> impl Carrier + 'static {
        let costs = port.costs();
        // A look is a turn of a polling loop, a word a part of a cached line.
        let costs =
            Costs { look: costs.poll_loop, word: Duration::from_ps(costs.line_copy.ps() / LINE_WORDS) };
        let host = Host::new(port.cpu().clone(), costs);
        let endpoint = Port::initialise(port, PROCESS, ranks as u16).await;
        OverPm::open(endpoint, CHANNEL, SESSION, ranks, host)
            .await
            .expect("nobody else has opened the channel")
    }
}
