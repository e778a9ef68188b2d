//! MPI on this machine, over PM or over TCP/IP.

use cluster::{Machine, StageError, Stages, WatchError};
use machine_api::{
    Carrier, CarrierChoice, Offer, Opening, Parallel, ProcessSlot, Variant, Wait, library_cost,
};
use mpi::{Communicator, Host, LibraryCost, Options};
use npb::Processor;
use pm::Channel;
use pm::carrier::OverPm;

use crate::cost::{CACHE_BYTES, Costs};
use crate::machine::kernel;
use crate::tcp::Tcp;
use crate::{Cluster, GigaePm, Node, Port, paths};
use ethernet::{MOST_RANKS, OverTcp};

/// The channel of MPI, and its session.
const CHANNEL: Channel = Channel::new(0).expect("there are four");
const SESSION: u16 = 1;

/// Ethernet fixes the size of frames.
const FIXED: Offer<u16> = Offer { has: &[], because: "a frame of Ethernet carries 1,500 bytes (IEEE 802.3)" };

impl Parallel for GigaePm {
    const CARRIERS: &'static [Carrier<Self>] = &[
        Carrier {
            name: "pm",
            doc: "a packet is a message of PM, which holds senders back when the sixteen slots of the receiver are full",
            most_ranks: GigaePm::MOST_NODES,
            waits: Offer {
                has: &[Wait::Poll],
                because: "the card interrupts for no message of PM: a host polls for it (paper, section 4.7)",
            },
            mtus: FIXED,
            staged: true,
            open: over_pm,
        },
        Carrier {
            name: "tcp",
            doc: "a stream of TCP/IP for each pair of ranks, through the kernel",
            most_ranks: MOST_RANKS,
            waits: Offer { has: &[Wait::Event, Wait::Poll, Wait::Interrupt], because: "there are no others" },
            mtus: FIXED,
            staged: false,
            open: over_tcp,
        },
    ];

    const VARIANTS: &'static [Variant<Self>] =
        &[library_cost::<Self>(|settings, place| settings.library = LibraryCost::ALL[place])];

    fn watch(node: &mut Node) -> Result<(), WatchError> {
        paths::watch(node)
    }

    fn way(stages: Stages<'_>, from: ProcessSlot, to: ProcessSlot) -> Result<Stages<'_>, StageError> {
        paths::way(stages, from.node, to.node)
    }

    /// A Pentium II with SDRAM behind its cache (decision 0044).
    fn processor(port: &Port) -> Processor {
        let costs = port.host().costs();
        Processor { operation: costs.operation, word: costs.memory_word(), cache: CACHE_BYTES }
    }
}

fn over_pm(cluster: &mut Cluster, _: usize, _: CarrierChoice<GigaePm>, options: Options) -> Opening<GigaePm> {
    let nodes = cluster.nodes().len();
    Box::new(move |port| {
        Box::pin(async move {
            let host = library_host(&port);
            let carrier = OverPm::open(port, CHANNEL, SESSION, nodes, host).await;
            Communicator::world(carrier.expect("nobody else has the channel of MPI"), options)
        })
    })
}

fn over_tcp(
    cluster: &mut Cluster,
    node: usize,
    way: CarrierChoice<GigaePm>,
    options: Options,
) -> Opening<GigaePm> {
    let (nodes, kernel) = (cluster.nodes().len(), kernel(cluster, node));
    Box::new(move |port| {
        Box::pin(async move {
            port.driver().up(port.host()).await;
            let host = library_host(&port);
            let tcp = Tcp::new(port.host().clone(), kernel);
            Communicator::world(OverTcp::open(tcp, nodes, way.wait, host).await, options)
        })
    })
}

/// The processor, with costs of the library's steps: a word is copied at C1 (paper, table 1), three transfers on the
/// memory bus (decision 0037), as many as combining two words in place takes; a look is a compare and a branch, as a
/// turn of a loop.
fn library_host(port: &Port) -> Host {
    let Costs { turn, copy, instruction, .. } = *port.host().costs();
    let library = port.driver().library_cost();
    Host::new(port.host().processor().clone(), mpi::Costs::of_library(library, turn, copy, instruction))
}
