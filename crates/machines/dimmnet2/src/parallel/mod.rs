//! MPI after the sketch in chapter 7 of the thesis: envelopes go to the LH Buffer, and data to a place with room.
//!
//! | Message | Path |
//! |---|---|
//! | up to 48 bytes | with its envelope in one BOTF, all of it into the LH Buffer (LHSv1) |
//! | up to 16 KB | the same; data behind the first 48 bytes goes to the sender's ring, packet by packet (IPUSH) |
//! | longer | its envelope is a request; the receiver answers with a place in its SO-DIMM; RVS writes the data there, piece by piece, with an envelope behind each |
//!
//! [`envelope`] defines the fields of an envelope, [`carrier`] sends and receives, [`layout`] divides the memories, and [`landing`]
//! allocates places for long messages.
//!
//! Windows that the library has allocated lie in SO-DIMM, and [`accesses`] are carried out by RVS and RVL without the library of their rank.
//!
//! A board runs one rank, or two in the slots of the network interface ([`ranks`], decision 0098). Messages between two ranks of a board
//! take the same path as all others: the switch sends them back to the board.
//!
//! A full LH Buffer would stop the Receive Controller and with it all senders to the node. Therefore each rank owns a share of every
//! other rank's entries ([`mpi::Credits`]), and a ring has room for the data of all these entries. A rank reports the messages that it
//! has taken in a word of the sender's LLCM, by an RVS, which needs no entry.

mod accesses;
mod carrier;
mod envelope;
mod landing;
mod layout;
mod places;
mod ranks;
mod remote;
mod shape;
mod streaming;
mod windows;

use cluster::{Duration, StageError, Stages, WatchError};
use machine_api::{
    Carrier, CarrierChoice, Offer, Opening, Parallel, ProcessSlot, Variant, Wait, library_cost, one_sided,
};
use mpi::carrier::OneSided;
use mpi::{Communicator, LibraryCost, Options};

use crate::host::cost::Costs;
use crate::paths::Primitive;
use crate::{Cluster, Dimmnet2, Node, paths};
use carrier::Native;
use ranks::{Ranks, Seat};
use remote::Remote;
use streaming::Streaming;

/// Usable entries of an LH Buffer (thesis section 5.1.4).
const ENTRIES: usize = 63;

const WAITS: Offer<Wait> = Offer {
    has: &[Wait::Poll],
    because: "a memory slot has no interrupt line: a host polls (thesis, page 55)",
};

impl Parallel for Dimmnet2 {
    const CARRIERS: &'static [Carrier<Self>] = &[
        Carrier {
            name: "lhs",
            doc: "heads of messages in the LH Buffer, data in rings and where the receiver says",
            // Each rank has an entry in the LH Buffer of every other rank.
            most_ranks: ENTRIES + 1,
            waits: WAITS,
            mtus: Offer {
                has: &[512, 1024, 2048, 4096],
                because: "a BOTF of 512 bytes is never split, and MTU knows no other codes (thesis, table 4.11)",
            },
            staged: true,
            open,
        },
        Carrier {
            name: "rvs",
            doc: "heads of messages in the LH Buffer, long data by RVS through the Prefetch Windows of the receiver",
            most_ranks: ENTRIES + 1,
            waits: WAITS,
            mtus: Offer { has: &[], because: "all its packets are BOTFs, which are never split" },
            staged: true,
            open: open_streaming,
        },
    ];

    const PER_NODE: Offer<usize> = Offer {
        has: &[1, 2],
        because: "the network interface has registers, windows and rings for two processes (thesis, section 4.4)",
    };

    const VARIANTS: &'static [Variant<Self>] = &[
        one_sided::<Self>(|settings, place| settings.one_sided = OneSided::ALL[place]),
        library_cost::<Self>(|settings, place| settings.library = LibraryCost::ALL[place]),
    ];

    fn watch(node: &mut Node) -> Result<(), WatchError> {
        paths::watch(node)
    }

    /// The image in a Write Window becomes the head of a message, as with LHSv1.
    fn way(stages: Stages<'_>, from: ProcessSlot, to: ProcessSlot) -> Result<Stages<'_>, StageError> {
        paths::way(stages, from, to, Primitive::Lhs2)
    }
}

fn open(
    cluster: &mut Cluster,
    rank: usize,
    way: CarrierChoice<Dimmnet2>,
    options: Options,
) -> Opening<Dimmnet2> {
    let (seat, remote, library) = prepare(cluster, rank, way);
    Box::new(move |host| {
        Box::pin(async move {
            let processor = mpi::Host::new(host.processor().clone(), costs(library, host.costs()));
            Communicator::world(Native::open(host, processor, seat, way.mtu, remote).await, options)
        })
    })
}

fn open_streaming(
    cluster: &mut Cluster,
    rank: usize,
    way: CarrierChoice<Dimmnet2>,
    options: Options,
) -> Opening<Dimmnet2> {
    let (seat, remote, library) = prepare(cluster, rank, way);
    Box::new(move |host| {
        Box::pin(async move {
            let processor = mpi::Host::new(host.processor().clone(), costs(library, host.costs()));
            Communicator::world(Streaming::open(host, processor, seat, remote).await, options)
        })
    })
}

/// Place of a rank, its remote accesses and the cost of its library, for all carriers.
fn prepare(cluster: &Cluster, rank: usize, way: CarrierChoice<Dimmnet2>) -> (Seat, Remote, LibraryCost) {
    let ranks = Ranks(way.placement(cluster.nodes().len()));
    (Seat { rank, ranks }, remote(cluster, ranks), library(cluster))
}

/// Remote accesses of a rank, as the settings of the cluster have them.
fn remote(cluster: &Cluster, ranks: Ranks) -> Remote {
    let sides = cluster.nodes().iter().map(cluster::Node::side);
    let one_sided = cluster.nodes().first().map(|node| node.side().one_sided()).unwrap_or_default();
    Remote::new(one_sided, ranks, sides.map(|side| side.board().clone()).collect())
}

/// Cost of the library's steps, as the settings of the cluster have it.
fn library(cluster: &Cluster) -> LibraryCost {
    cluster.nodes().first().map(|node| node.side().library()).unwrap_or_default()
}

/// Costs of the library's steps: words are copied in whole cache lines; a look is a compare and a branch, as a turn of
/// a loop.
fn costs(library: LibraryCost, costs: &Costs) -> mpi::Costs {
    let word = Duration::from_ps(costs.line_copy.ps() / 16);
    mpi::Costs::of_library(library, costs.poll_loop, word, costs.instruction)
}
