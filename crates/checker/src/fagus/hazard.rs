//! A small world for each hazard, with one repair less. Numbers are those of the specification's list. H2 and H7 to H11 do not depend
//! on the order of events, and H14 is the purpose of the whole protocol.

use ::fagus::protocol::{Answers, Rules};
use ::fagus::reassembly::Ids;

use super::Fagus;
use super::packets::{self, PAYLOAD, Receive};
use super::world::{Network, Op, Transfer, World};
use super::wrong::Wrong;
use crate::core::{self, Exploration, Judged, OnVisit};

/// A world of one kind or the other.
#[derive(Clone, Debug)]
pub enum AnyWorld {
    /// Nodes that share objects.
    Objects(World),
    /// Packets that become messages.
    Packets(packets::World),
}

impl AnyWorld {
    /// Nodes; of packets, the senders and one receiver.
    pub fn nodes(&self) -> usize {
        match self {
            AnyWorld::Objects(world) => world.programs.len(),
            AnyWorld::Packets(world) => world.messages.len() + 1,
        }
    }

    /// With all repairs.
    pub fn repaired(&self) -> AnyWorld {
        match self {
            AnyWorld::Objects(world) => AnyWorld::Objects(world.repaired()),
            AnyWorld::Packets(world) => AnyWorld::Packets(world.repaired()),
        }
    }

    /// Walks at most `limit` states.
    pub fn check(&self, limit: usize) -> Judged<Wrong> {
        self.check_with(limit, &mut || ())
    }

    /// Walks at most `limit` states and calls `on_visit` for each.
    pub(super) fn check_with(&self, limit: usize, on_visit: OnVisit<'_>) -> Judged<Wrong> {
        let mut verdict = match self {
            AnyWorld::Objects(world) => Exploration::new(world, limit, on_visit)?.verdict(),
            AnyWorld::Packets(world) => Exploration::new(world, limit, on_visit)?.verdict(),
        };
        // Where programs can never end, the trace of nothing says less than any other finding.
        if verdict.findings.len() > 1 {
            verdict.findings.retain(|finding| finding.wrong != Wrong::Trap || finding.events > 0);
        }
        Ok(verdict)
    }
}

/// A hazard of shared memory.
pub type Hazard = core::Hazard<Fagus>;

/// The hazards that a world shows.
pub(super) fn all() -> Vec<Hazard> {
    [packets_and_messages(), stale_copies(), late_grants()].into_iter().flatten().collect()
}

/// One message of two packets, with an adapter that repeats one packet.
fn one() -> packets::World {
    packets::World {
        receive: Receive::Records,
        room: true,
        slots: 4,
        window: 4,
        ids: Ids { count: 4, forget: Some(2) },
        messages: vec![vec![PAYLOAD + 1]],
        again: 1,
        losses: 0,
    }
}

/// Packets that become messages.
fn packets_and_messages() -> Vec<Hazard> {
    let packets = |world| AnyWorld::Packets(world);
    vec![
        Hazard::new(
            "H1",
            "The adapter writes a Global Route Header in front of a packet, for which a slot of the paper has no room.",
            "40 bytes more",
            Wrong::TooLong,
            packets(packets::World { room: false, ..one() }),
        ),
        Hazard::new(
            "H3",
            "A packet is lost, and the library waits for it among those that have come.",
            "packets are copied out when they come, and a message that is not whole is forgotten",
            Wrong::Trap,
            packets(packets::World { receive: Receive::Ring, losses: 1, ..one() }),
        ),
        Hazard::new(
            "H4",
            "The library finds an old packet in a slot that is posted, of a message that had the same number.",
            "packets are copied out when they come, not looked for",
            Wrong::Mixed,
            packets(packets::World {
                receive: Receive::Ring,
                ids: Ids { count: 2, forget: None },
                messages: vec![vec![PAYLOAD + 1, 1, PAYLOAD + 1]],
                again: 0,
                ..one()
            }),
        ),
        Hazard::new(
            "H5",
            "Numbers come round while a message is not whole, and one of the same number completes it.",
            "a message that is not whole is forgotten a quarter of all numbers later",
            Wrong::Mixed,
            packets(packets::World {
                ids: Ids { count: 2, forget: None },
                messages: vec![vec![PAYLOAD + 1, PAYLOAD + 1]],
                losses: 1,
                ..one()
            }),
        ),
        Hazard::new(
            "H6",
            "Two nodes send to one that has slots for a message of each, but not for what they have on their way.",
            "windows: what all others may have on their way has slots",
            Wrong::Overrun,
            packets(packets::World {
                slots: 2,
                messages: vec![vec![PAYLOAD + 1], vec![PAYLOAD + 1]],
                ..one()
            }),
        ),
    ]
}

/// Copies and data that overtake messages about them.
fn stale_copies() -> Vec<Hazard> {
    vec![
        Hazard::new(
            "H12",
            "The message that tells of an RDMA WRITE overtakes it, and a writer begins with what was there before.",
            "message and data on one connection",
            Wrong::LostUpdate,
            AnyWorld::Objects(World {
                programs: vec![vec![Op::Write(0)], vec![Op::Write(0)]],
                transfer: Transfer::Beside,
                ..World::default()
            }),
        ),
        Hazard::new(
            "H13",
            "A node fetches a copy by RDMA READ, of which the owner does not know, and nobody invalidates it.",
            "the owner sends copies",
            Wrong::Stale,
            AnyWorld::Objects(World {
                programs: vec![vec![Op::Write(0)], vec![Op::Write(0)], vec![Op::Read(0)]],
                transfer: Transfer::Fetch,
                ..World::default()
            }),
        ),
        Hazard::new(
            "H15",
            "A copy and the invalidation behind it cross, and the old copy stays.",
            "order and versions: a write waits until copies have come, nothing older than an invalidation is taken",
            Wrong::Stale,
            AnyWorld::Objects(World {
                rules: Rules { versions: false, ..Rules::REPAIRED },
                programs: vec![vec![Op::Write(0)], vec![Op::Read(0)]],
                network: Network::REORDERING,
                ..World::default()
            }),
        ),
        Hazard::new(
            "H15-push",
            "The same with a copy that nobody asked for.",
            "versions",
            Wrong::Stale,
            AnyWorld::Objects(World {
                rules: Rules { versions: false, ..Rules::REPAIRED },
                programs: vec![vec![Op::Push(0, 1), Op::Write(0)], vec![]],
                network: Network::REORDERING,
                ..World::default()
            }),
        ),
    ]
}

/// Grants that come again, and an owner that waits.
fn late_grants() -> Vec<Hazard> {
    let old_answers = |answers| Rules { answers, ..Rules::REPAIRED };
    let grants = Network { repeats: 1, grants_only: true, ..Network::FIFO };
    vec![
        Hazard::new(
            "H16",
            "A grant comes twice, and a node owns old data.",
            "request numbers",
            Wrong::LostUpdate,
            AnyWorld::Objects(World {
                rules: old_answers(Answers::Any),
                programs: vec![vec![Op::Write(0), Op::Write(0)], vec![Op::Write(0)]],
                network: grants,
                ..World::default()
            }),
        ),
        Hazard::new(
            "H16-waiting",
            "Grants are taken only by who waits for one, but by the time of the second one that may be so again.",
            "request numbers",
            Wrong::LostUpdate,
            AnyWorld::Objects(World {
                rules: old_answers(Answers::IfWaiting),
                programs: vec![vec![Op::Write(0)], vec![Op::Write(0), Op::Write(0)], vec![Op::Write(0)]],
                network: grants,
                home: Some(2),
                ..World::default()
            }),
        ),
        Hazard::new(
            "H17",
            "An owner waits for an acknowledgement that lies behind a request, which it does not read.",
            "requests are put aside",
            Wrong::Trap,
            AnyWorld::Objects(World {
                rules: Rules { aside: false, ..Rules::REPAIRED },
                programs: vec![vec![Op::Write(0)], vec![Op::Write(0)]],
                cached: true,
                ..World::default()
            }),
        ),
    ]
}

impl World {
    /// With all repairs.
    pub fn repaired(&self) -> World {
        let transfer = match self.transfer {
            Transfer::Message | Transfer::Fetch => Transfer::Message,
            Transfer::Behind | Transfer::Beside => Transfer::Behind,
        };
        World { rules: Rules::REPAIRED, transfer, ..self.clone() }
    }
}
