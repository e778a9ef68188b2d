//! MPI/DE: MPI over the NIF (paper, sections 5 and 6).
//!
//! | Message | Path |
//! |---|---|
//! | below 128 bytes | with its envelope as a message of the NIF, into the receiver's message buffer |
//! | 128 bytes and longer | RTS and CTS are messages of the NIF; the CTS names units of the receiver's window, and data goes there by DMA in units of 8 KB |
//!
//! [`letter`] defines the words of an entry, [`units`] allocates units, and [`carrier`] sends and receives. A full message buffer would
//! stall the link and all senders behind it; therefore each rank has places at every other one ([`mpi::Credits`], hazard H9).

mod carrier;
mod letter;
mod units;

use cluster::{Machine, StageError, Stages, WatchError};
use machine_api::{
    Carrier, CarrierChoice, Offer, Opening, Parallel, ProcessSlot, Variant, Wait, library_cost,
};
use mpi::{Communicator, Host, LibraryCost, Options};

use crate::cost::Costs;
use crate::settings::{Buffering, Nif, PROGRESS, PROGRESS_SHORT};
use crate::{Cenju3, Cluster, Node, Port, paths};
use carrier::MpiDe;

/// Most ranks: each has places in the message buffer of every other one (hazard H9).
const MOST_RANKS: usize = 32;

/// The NIF decides on the size of packets.
const FIXED: Offer<u16> = Offer { has: &[], because: "the NIF cuts data into segments itself" };

impl Parallel for Cenju3 {
    const CARRIERS: &'static [Carrier<Self>] = &[Carrier {
        name: "mpi_de",
        doc: "messages below 128 bytes into the receiver's message buffer, longer ones by DMA into units of its window",
        most_ranks: MOST_RANKS,
        waits: Offer { has: &[Wait::Poll, Wait::Event, Wait::Interrupt], because: "there are no others" },
        mtus: FIXED,
        staged: true,
        open,
    }];

    const VARIANTS: &'static [Variant<Self>] = &[
        Variant {
            name: "nif",
            doc: "ROM of the network interface; the user queue of the new one needs no kernel call",
            values: &["new", "old"],
            set: |settings, place| settings.nif = [Nif::New, Nif::Old][place],
        },
        Variant {
            name: "wait",
            doc: "How a rank waits inside a call",
            values: &["poll", "event", "interrupt"],
            set: |settings, place| settings.wait = [Wait::Poll, Wait::Event, Wait::Interrupt][place],
        },
        Variant {
            name: "copy",
            doc: "Copies between the buffers of the program and those of MPI; without them only the times are right",
            values: &["on", "off"],
            set: |settings, place| settings.copy = place == 0,
        },
        Variant {
            name: "buffering",
            doc: "How units of 8 KB follow each other: `double` copies one while the one before it is transferred, `serial` after it",
            values: &["double", "serial"],
            set: |settings, place| settings.buffering = [Buffering::Double, Buffering::Serial][place],
        },
        Variant {
            name: "progress",
            doc: "How often a progress thread polls MPI while a rank computes; the paper's polls every second",
            values: &["off", "1s", "10ms"],
            set: |settings, place| settings.progress = [None, Some(PROGRESS), Some(PROGRESS_SHORT)][place],
        },
        library_cost::<Self>(|settings, place| settings.library = LibraryCost::ALL[place]),
    ];

    fn watch(node: &mut Node) -> Result<(), WatchError> {
        paths::watch(node)
    }

    fn way(stages: Stages<'_>, from: ProcessSlot, to: ProcessSlot) -> Result<Stages<'_>, StageError> {
        paths::way(stages, from.node, to.node)
    }
}

fn open(cluster: &mut Cluster, _: usize, way: CarrierChoice<Cenju3>, options: Options) -> Opening<Cenju3> {
    let nodes = cluster.nodes().len();
    debug_assert!(nodes <= Cenju3::MOST_NODES);
    Box::new(move |port| {
        Box::pin(async move {
            let host = library_host(&port);
            let options = Options { progress: port.settings().thread(), ..options };
            Communicator::world(MpiDe::open(port, host, nodes, way.wait).await, options)
        })
    })
}

/// The processor, with costs of the library's steps besides those of the carrier.
fn library_host(port: &Port) -> Host {
    let Costs { turn, word, instruction, .. } = *port.host().costs();
    let costs = mpi::Costs::of_library(port.settings().library, turn, word, instruction);
    Host::new(port.host().processor().clone(), costs)
}
