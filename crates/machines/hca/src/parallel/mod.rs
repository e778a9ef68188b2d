//! MPI over reliable connections: a packet is a SEND, which the adapter holds back while its receiver has no buffer.
//!
//! | Message | Path |
//! |---|---|
//! | up to 8 KiB | with its envelope in one SEND |
//! | longer | a request first; data follows in SENDs of up to 64 KiB when its receiver is ready |
//! | put | an RDMA WRITE for each run of bytes |
//! | get of contiguous data | an RDMA READ |

mod carrier;

use cluster::{StageError, Stages, WatchError};
use machine_api::{
    Carrier, CarrierChoice, Offer, Opening, Parallel, ProcessSlot, Variant, Wait, library_cost, one_sided,
};
use mpi::carrier::OneSided;
use mpi::{Communicator, Host, LibraryCost, Options};

use crate::layout::MOST_HOSTS;
use crate::settings::Bus;
use crate::{Cluster, Hca, Node, Port, paths};
use carrier::OverConnections;

/// The adapter decides on the size of packets.
const FIXED: Offer<u16> = Offer { has: &[], because: "connections are set up with an MTU of 2,048 bytes" };

impl Parallel for Hca {
    const CARRIERS: &'static [Carrier<Self>] = &[Carrier {
        name: "rc",
        doc: "a packet is a SEND of a reliable connection; each pair of ranks has one",
        most_ranks: MOST_HOSTS,
        waits: Offer {
            has: &[Wait::Poll],
            because: "a rank polls its completion queue; no driver takes interrupts here",
        },
        mtus: FIXED,
        staged: true,
        open,
    }];

    const VARIANTS: &'static [Variant<Self>] = &[
        Variant {
            name: "bus",
            doc: "Bus of the adapter: PCI-X of 64 bits at 133 MHz, PCI of 64 bits at 66 MHz or of 32 bits at 33 MHz",
            values: Bus::NAMES,
            set: |settings, place| settings.bus = Bus::ALL[place],
        },
        one_sided::<Self>(|settings, place| settings.one_sided = OneSided::ALL[place]),
        library_cost::<Self>(|settings, place| settings.library = LibraryCost::ALL[place]),
    ];

    fn watch(node: &mut Node) -> Result<(), WatchError> {
        paths::watch(node)
    }

    fn way(stages: Stages<'_>, from: ProcessSlot, to: ProcessSlot) -> Result<Stages<'_>, StageError> {
        paths::way(stages, from.node, to.node)
    }
}

fn open(cluster: &mut Cluster, _: usize, _: CarrierChoice<Hca>, options: Options) -> Opening<Hca> {
    let memories: Vec<_> = cluster.nodes().iter().map(|node| node.side().bus().clone()).collect();
    Box::new(move |port| {
        Box::pin(async move {
            let host = library_host(&port);
            let one_sided = port.host().settings().one_sided;
            Communicator::world(OverConnections::open(port, host, one_sided, memories).await, options)
        })
    })
}

/// The processor, with costs of the library's steps besides those of verbs.
fn library_host(port: &Port) -> Host {
    let costs = port.host().costs();
    let library = port.host().settings().library;
    let costs = mpi::Costs::of_library(library, costs.turn, costs.word, costs.instruction);
    Host::new(port.host().processor().clone(), costs)
}
