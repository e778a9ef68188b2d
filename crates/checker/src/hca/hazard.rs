//! A small world for each rule that is left out, and worlds in which nothing may go wrong with the rules of the adapter.

use super::Hca;
use super::defect::Defect;
use super::world::{ALWAYS, Request, World};
use super::wrong::Wrong;
use crate::core::{self, Clean};
use Request::{Add, Read, Send, Write};

/// A rule that is left out.
pub type Hazard = core::Hazard<Hca>;

/// The hazards that a world shows.
pub(super) fn all() -> Vec<Hazard> {
    let kinds = [lost_packets(), misread_answers(), counted_retries(), orders_and_remakes(), atomics()];
    kinds.into_iter().chain([shared_queues(), overlapping()]).flatten().collect()
}

fn world(requests: &[Request], defect: Defect) -> World {
    World { requests: [requests.to_vec(), Vec::new()], defect: Some(defect), ..World::default() }
}

fn losing(losses: u8, requests: &[Request], defect: Defect) -> World {
    World { losses, ..world(requests, defect) }
}

/// Packets that are lost, and what comes again or behind a gap.
fn lost_packets() -> Vec<Hazard> {
    vec![
        Hazard::new(
            "H1",
            "An ACK is lost, the SEND comes again, and the responder does not compare its PSN.",
            "a packet that came before is acknowledged and not executed",
            Wrong::Duplicate,
            losing(1, &[Send(1)], Defect::TakesDuplicates),
        ),
        Hazard::new(
            "H2",
            "A packet in the middle of a SEND is lost, and the responder takes the next one in its place.",
            "a packet behind a gap is answered by a NAK",
            Wrong::Gap,
            losing(1, &[Send(3)], Defect::TakesGaps),
        ),
        Hazard::new(
            "H3",
            "An ACK is lost, and the responder drops what came before without another one.",
            "a packet that came before is acknowledged again",
            Wrong::GivesUp,
            losing(1, &[Send(1)], Defect::DropsDuplicates),
        ),
        Hazard::new(
            "H4",
            "Each packet behind a gap is answered by a NAK, and each NAK counts as a retry.",
            "one NAK for a gap",
            Wrong::GivesUp,
            losing(1, &[Send(4)], Defect::RepeatsNaks),
        ),
        Hazard::new(
            "H5",
            "Data of an RDMA READ are lost, and the READ that asks for them again is acknowledged only.",
            "an RDMA READ that came before is executed again",
            Wrong::GivesUp,
            losing(1, &[Read(1)], Defect::AcknowledgesReads),
        ),
    ]
}

/// ACKs, data and NAKs that are taken for others.
fn misread_answers() -> Vec<Hazard> {
    vec![
        Hazard::new(
            "H6",
            "A time-out is early, and the second ACK of a SEND acknowledges the next one.",
            "an ACK for another request says nothing",
            Wrong::Unexecuted,
            World { early: 1, ..world(&[Send(1), Send(1)], Defect::TakesAnyAck) },
        ),
        Hazard::new(
            "H7",
            "Data of an RDMA READ are lost, and the next ones are written in their place.",
            "data are taken in the order of their PSN",
            Wrong::WrongData,
            losing(1, &[Write(2), Write(1), Read(3)], Defect::TakesAnyData),
        ),
        Hazard::new(
            "H8",
            "The peer has no receive WQE, and its NAK is taken for an ACK.",
            "a NAK acknowledges what precedes its packet",
            Wrong::Unexecuted,
            World { slow: true, ..world(&[Send(1)], Defect::TakesNaksForAcks) },
        ),
    ]
}

/// Retries that are not counted, or counted too long.
fn counted_retries() -> Vec<Hazard> {
    vec![
        Hazard::new(
            "H9",
            "The peer has no receive WQE, and its RNR NAKs are ignored: it counts as dead.",
            "RNR NAKs are waited for and have a counter of their own",
            Wrong::GivesUp,
            World { slow: true, ..world(&[Send(1)], Defect::DropsRnrNaks) },
        ),
        Hazard::new(
            "H10",
            "The retry counter is never reset: losses of one request count for the next.",
            "what acknowledges a packet resets the counter",
            Wrong::GivesUp,
            losing(3, &[Send(1), Send(1)], Defect::KeepsRetries),
        ),
        Hazard::new(
            "H11",
            "The peer is dead, and the request is sent again for ever.",
            "a request fails after as many retries as are allowed",
            Wrong::Livelock,
            World { dead: true, ..world(&[Send(1)], Defect::RetriesForever) },
        ),
    ]
}

/// Packets that overtake others or come again, and connections that are made again.
fn orders_and_remakes() -> Vec<Hazard> {
    vec![
        Hazard::new(
            "H12",
            "A packet of a SEND overtakes the one before it, and the responder takes it.",
            "a packet behind a gap is answered by a NAK",
            Wrong::Gap,
            World { overtakes: 1, ..world(&[Send(3)], Defect::TakesGaps) },
        ),
        Hazard {
            // A link that is full keeps the data of an eager send queue from leaving at once.
            worlds: vec![
                World {
                    early: 1,
                    losses: 1,
                    ..world(&[Write(1), Write(2), Read(3)], Defect::ContinuesReads)
                },
                World {
                    early: 1,
                    losses: 1,
                    room: 3,
                    ..world(&[Write(1), Write(2), Read(4)], Defect::ContinuesReads)
                },
            ],
            ..Hazard::new(
                "H13",
                "An RDMA READ comes again while its data leave, and goes on where they were.",
                "an RDMA READ that came before is executed from its own PSN on",
                Wrong::WrongData,
                World::default(),
            )
        },
        Hazard::new(
            "H14",
            "Receive WQEs come late, and RNR retry 7 is a limit like others.",
            "RNR retry 7 is without end",
            Wrong::GivesUp,
            World { slow: true, ..world(&[Send(1)], Defect::LimitsRnrNaks) },
        ),
        Hazard::new(
            "H15",
            "The connection is made again with the same PSNs, and a packet of the old one is executed.",
            "a connection that is made again has PSNs far from the old ones",
            Wrong::Duplicate,
            World { remakes: 1, ..world(&[Send(1), Send(1)], Defect::ReusesPsns) },
        ),
        Hazard::new(
            "H16",
            "The connection is made again with the same PSNs, and an ACK of the old one ends a request of the new one.",
            "a connection that is made again has PSNs far from the old ones",
            Wrong::Unexecuted,
            World { remakes: 1, ..world(&[Send(1), Send(1)], Defect::ReusesPsns) },
        ),
    ]
}

/// Atomic operations that come again.
fn atomics() -> Vec<Hazard> {
    vec![
        Hazard::new(
            "H17",
            "An original value is lost, and the atomic operation that comes again is executed again.",
            "an atomic operation that came before has its saved answer",
            Wrong::Duplicate,
            losing(1, &[Add], Defect::RepeatsAtomics),
        ),
        Hazard::new(
            "H18",
            "An original value is lost, and the responder has not saved it.",
            "an atomic operation that came before has its saved answer",
            Wrong::GivesUp,
            losing(1, &[Add], Defect::ForgetsAnswers),
        ),
    ]
}

/// Receive queues that queue pairs share.
fn shared_queues() -> Vec<Hazard> {
    vec![Hazard::new(
        "H19",
        "A message takes its WQE of a shared receive queue with its last packet, and another one takes it before.",
        "the first packet of a message takes its WQE",
        Wrong::TwoBuffers,
        World { shared: Some(1), ..world(&[Send(2)], Defect::CountsLast) },
    )]
}

/// Requests that are outstanding together.
fn overlapping() -> Vec<Hazard> {
    vec![
        Hazard::new(
            "H20",
            "Two SENDs are outstanding, and the ACK of the first one ends both.",
            "an ACK ends the requests up to its packet",
            Wrong::Unexecuted,
            World { window: 2, ..world(&[Send(1), Send(1)], Defect::EndsAll) },
        ),
        Hazard::new(
            "H21",
            "The ACK of the first of two SENDs is lost, and that of the second one is ignored.",
            "an ACK of a request acknowledges those before it",
            Wrong::GivesUp,
            World { window: 2, ..losing(1, &[Send(1), Send(1)], Defect::DropsLaterAnswers) },
        ),
        Hazard::new(
            "H22",
            "Data of an RDMA READ and the next one are lost, and the NAK for a gap ends the first one.",
            "data end an RDMA READ, and no NAK for a later one does",
            Wrong::Unexecuted,
            World { window: 3, reads: 3, ..losing(2, &[Read(1), Read(1), Read(1)], Defect::PassesReads) },
        ),
        Hazard::new(
            "H23",
            "An RDMA READ has ended, and the data of the next one are compared with its row.",
            "the last data of an RDMA READ make the next request the oldest one",
            Wrong::Broken,
            World { window: 2, reads: 2, ..world(&[Read(1), Read(1)], Defect::KeepsReads) },
        ),
    ]
}

/// A world with losses, a duplicate and an early time-out.
fn faulty(requests: [&[Request]; 2]) -> World {
    let requests = requests.map(<[Request]>::to_vec);
    World { requests, losses: 2, repeats: 1, early: 1, ..World::default() }
}

/// Worlds in which nothing may go wrong.
pub(super) fn clean() -> Vec<Clean<World>> {
    [clean_services(), clean_overlapping(), clean_extremes()].into_iter().flatten().collect()
}

/// Worlds of each kind of request, with losses and duplicates.
fn clean_services() -> Vec<Clean<World>> {
    vec![
        Clean {
            name: "sends",
            description: "A SEND of three packets and one of one, over loss, duplication and an early time-out.",
            world: faulty([&[Send(3), Send(1)], &[]]),
        },
        Clean {
            name: "reads",
            description: "An RDMA WRITE, an RDMA READ of it, and both again, over the same.",
            world: faulty([&[Write(2), Read(2), Write(1), Read(2)], &[]]),
        },
        Clean {
            name: "mixed",
            description: "An RDMA READ between two SENDs, over the same.",
            world: faulty([&[Send(2), Read(2), Send(1)], &[]]),
        },
        Clean {
            name: "both ways",
            description: "A SEND one way and an RDMA READ the other, over the same.",
            world: faulty([&[Send(2)], &[Read(2)]]),
        },
        Clean {
            name: "atomics",
            description: "Atomic operations around an RDMA WRITE and an RDMA READ, over the same.",
            world: faulty([&[Add, Write(1), Add, Read(2), Add], &[]]),
        },
        Clean {
            name: "slow host",
            description: "Receive WQEs are posted late, over loss, duplication and an early time-out.",
            world: World { slow: true, ..faulty([&[Send(2), Send(1)], &[]]) },
        },
        Clean {
            name: "shared",
            description: "WQEs are posted late into a queue from which another QP takes one, over loss and duplication.",
            world: World {
                slow: true,
                shared: Some(1),
                losses: 1,
                early: 0,
                ..faulty([&[Send(2), Send(1)], &[]])
            },
        },
    ]
}

/// A world in which a queue pair has several requests outstanding, with one fault of each kind.
fn overlapped(window: u8, requests: &[Request]) -> World {
    World { window, losses: 1, ..faulty([requests, &[]]) }
}

/// Worlds in which requests are outstanding together.
fn clean_overlapping() -> Vec<Clean<World>> {
    vec![
        Clean {
            name: "overlapping",
            description: "Three SENDs under way at once, one of two packets, over loss, duplication and an early time-out.",
            world: overlapped(3, &[Send(1), Send(2), Send(1)]),
        },
        Clean {
            name: "overlapping writes",
            description: "RDMA WRITEs under way at once, and an RDMA READ that waits for them, over the same.",
            world: overlapped(3, &[Write(2), Write(1), Read(2)]),
        },
        Clean {
            name: "overlapping atomics",
            description: "A SEND, an atomic operation that waits for it, and a SEND that waits for that, over the same.",
            world: overlapped(3, &[Send(1), Add, Send(1)]),
        },
        Clean {
            name: "overlapping reads",
            description: "RDMA READs under way at once, behind RDMA WRITEs, over the same.",
            world: World { reads: 3, ..overlapped(3, &[Write(2), Write(1), Read(2), Read(1)]) },
        },
        Clean {
            name: "overlapping reads, both ways",
            description: "Two RDMA READs under way at once in each direction, over loss and an early time-out.",
            world: World {
                requests: [vec![Read(1), Read(2)], vec![Read(1), Read(1)]],
                reads: 2,
                repeats: 0,
                ..overlapped(2, &[])
            },
        },
        Clean {
            name: "overlapping reads, SENDs",
            description: "Two RDMA READs under way at once, and a SEND of the peer, over loss and duplication.",
            world: World {
                requests: [vec![Read(2), Read(1)], vec![Send(1)]],
                reads: 2,
                early: 0,
                ..overlapped(2, &[])
            },
        },
        Clean {
            name: "overlapping, slow",
            description: "Two SENDs under way at once, whose receive WQEs are posted late, over the same.",
            world: World { slow: true, ..overlapped(2, &[Send(1), Send(1)]) },
        },
        Clean {
            name: "overlapping, made again",
            description: "Both queue pairs are made again with two SENDs under way, over loss and an early time-out.",
            world: World { remakes: 1, repeats: 0, ..overlapped(2, &[Send(1), Send(1), Send(1)]) },
        },
        Clean {
            name: "overlapping, cut cable",
            description: "The link may lose everything with two SENDs under way: one fails, and the other one is flushed.",
            world: World { losses: ALWAYS, early: 0, ..overlapped(2, &[Send(1), Send(1)]) },
        },
    ]
}

/// Worlds with other orders, connections that are made again, and peers that do not answer.
fn clean_extremes() -> Vec<Clean<World>> {
    vec![
        Clean {
            name: "reordered",
            description: "Packets overtake others, over loss and an early time-out.",
            world: World { overtakes: 2, repeats: 0, ..faulty([&[Send(3), Write(2), Read(2)], &[]]) },
        },
        Clean {
            name: "made again",
            description: "Both queue pairs are made again with packets in flight, over loss, duplication and an early time-out.",
            world: World { remakes: 1, ..faulty([&[Send(2), Send(2), Send(1)], &[]]) },
        },
        Clean {
            name: "cut cable",
            description: "The link may lose everything: requests fail after as many retries as are allowed, and the rest is flushed.",
            world: World { losses: ALWAYS, ..World { early: 0, ..faulty([&[Send(2), Read(1)], &[]]) } },
        },
        Clean {
            name: "dead peer",
            description: "Nobody answers.",
            world: World { dead: true, ..faulty([&[Send(2), Write(1)], &[]]) },
        },
    ]
}
