//! A small world for each hazard, with one repair less. Numbers are those of the specification's list; H2 and H7 to H11 are no matter of order, H14 is what the whole protocol is for.

use ::fagus::protocol::{Answers, Rules};
use ::fagus::reassembly::Ids;

use super::Fagus;
use super::packets::{self, PAYLOAD, Receive};
use super::world::{Network, Op, Transfer, World};
use super::wrong::Wrong;
use crate::core::{self, TooManyStates, Verdict, Walked};

/// A world of one kind or the other.
#[derive(Clone, Debug)]
pub enum Which {
    /// Nodes that share objects.
    Objects(World),
    /// Packets that become messages.
    Packets(packets::World),
}

impl Which {
    /// Nodes in it.
    pub fn nodes(&self) -> usize {
        match self {
            Which::Objects(world) => world.programs.len(),
            Which::Packets(world) => world.messages.len() + 1,
        }
    }

    /// With all repairs.
    pub fn repaired(&self) -> Which {
        match self {
            Which::Objects(world) => Which::Objects(world.repaired()),
            Which::Packets(world) => Which::Packets(world.repaired()),
        }
    }

    /// Walks at most `limit` states.
    pub fn check(&self, limit: usize) -> Result<Verdict<Wrong>, TooManyStates> {
        self.check_with(limit, &mut || ())
    }

    /// Walks at most `limit` states and calls `looks` for each.
    pub(super) fn check_with(
        &self,
        limit: usize,
        looks: &mut dyn FnMut(),
    ) -> Result<Verdict<Wrong>, TooManyStates> {
        let mut verdict = match self {
            Which::Objects(world) => Walked::new(world, limit, looks)?.verdict(),
            Which::Packets(world) => Walked::new(world, limit, looks)?.verdict(),
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

/// All of them.
pub(super) fn all() -> Vec<Hazard> {
    let old_answers = |answers| Rules { answers, ..Rules::REPAIRED };
    let grants = Network { repeats: 1, grants_only: true, ..Network::FIFO };
    let packets = |world| Which::Packets(world);
    let one = packets::World {
        receive: Receive::Records,
        room: true,
        slots: 4,
        window: 4,
        ids: Ids { count: 4, forget: Some(2) },
        messages: vec![vec![PAYLOAD + 1]],
        again: 1,
        losses: 0,
    };
    let listed = vec![
        Listed {
            name: "H1",
            says: "The adapter writes a Global Route Header in front of a packet, for which a slot of the paper has no room.",
            repair: "40 bytes more",
            wrong: Wrong::TooLong,
            world: packets(packets::World { room: false, ..one.clone() }),
        },
        Listed {
            name: "H3",
            says: "A packet is lost, and the library waits for it among those that have come.",
            repair: "packets are copied out when they come, and a message that is not whole is forgotten",
            wrong: Wrong::Trap,
            world: packets(packets::World { receive: Receive::Ring, losses: 1, ..one.clone() }),
        },
        Listed {
            name: "H4",
            says: "The library finds an old packet in a slot that is posted, of a message that had the same number.",
            repair: "packets are copied out when they come, not looked for",
            wrong: Wrong::Mixed,
            world: packets(packets::World {
                receive: Receive::Ring,
                ids: Ids { count: 2, forget: None },
                messages: vec![vec![PAYLOAD + 1, 1, PAYLOAD + 1]],
                again: 0,
                ..one.clone()
            }),
        },
        Listed {
            name: "H5",
            says: "Numbers come round while a message is not whole, and one of the same number completes it.",
            repair: "a message that is not whole is forgotten a quarter of all numbers later",
            wrong: Wrong::Mixed,
            world: packets(packets::World {
                ids: Ids { count: 2, forget: None },
                messages: vec![vec![PAYLOAD + 1, PAYLOAD + 1]],
                losses: 1,
                ..one.clone()
            }),
        },
        Listed {
            name: "H6",
            says: "Two nodes send to one that has slots for a message of each, but not for what they have on their way.",
            repair: "windows: what all others may have on their way has slots",
            wrong: Wrong::Overrun,
            world: packets(packets::World {
                slots: 2,
                messages: vec![vec![PAYLOAD + 1], vec![PAYLOAD + 1]],
                ..one.clone()
            }),
        },
        Listed {
            name: "H12",
            says: "The message that tells of an RDMA WRITE overtakes it, and a writer begins with what was there before.",
            repair: "message and data on one connection",
            wrong: Wrong::LostUpdate,
            world: Which::Objects(World {
                programs: vec![vec![Op::Write(0)], vec![Op::Write(0)]],
                transfer: Transfer::Beside,
                ..World::default()
            }),
        },
        Listed {
            name: "H13",
            says: "A node fetches a copy by RDMA READ, of which the owner does not know, and nobody invalidates it.",
            repair: "the owner sends copies",
            wrong: Wrong::Stale,
            world: Which::Objects(World {
                programs: vec![vec![Op::Write(0)], vec![Op::Write(0)], vec![Op::Read(0)]],
                transfer: Transfer::Fetch,
                ..World::default()
            }),
        },
        Listed {
            name: "H15",
            says: "A copy and the invalidation behind it cross, and the old copy stays.",
            repair: "order and versions: a write waits until copies have come, nothing older than an invalidation is taken",
            wrong: Wrong::Stale,
            world: Which::Objects(World {
                rules: Rules { versions: false, ..Rules::REPAIRED },
                programs: vec![vec![Op::Write(0)], vec![Op::Read(0)]],
                network: Network::REORDERING,
                ..World::default()
            }),
        },
        Listed {
            name: "H15-push",
            says: "The same with a copy that nobody asked for.",
            repair: "versions",
            wrong: Wrong::Stale,
            world: Which::Objects(World {
                rules: Rules { versions: false, ..Rules::REPAIRED },
                programs: vec![vec![Op::Push(0, 1), Op::Write(0)], vec![]],
                network: Network::REORDERING,
                ..World::default()
            }),
        },
        Listed {
            name: "H16",
            says: "A grant comes twice, and a node owns old data.",
            repair: "request numbers",
            wrong: Wrong::LostUpdate,
            world: Which::Objects(World {
                rules: old_answers(Answers::Any),
                programs: vec![vec![Op::Write(0), Op::Write(0)], vec![Op::Write(0)]],
                network: grants,
                ..World::default()
            }),
        },
        Listed {
            name: "H16-waiting",
            says: "Grants are taken only by who waits for one, but by the time of the second one that may be so again.",
            repair: "request numbers",
            wrong: Wrong::LostUpdate,
            world: Which::Objects(World {
                rules: old_answers(Answers::IfWaiting),
                programs: vec![vec![Op::Write(0)], vec![Op::Write(0), Op::Write(0)], vec![Op::Write(0)]],
                network: grants,
                home: Some(2),
                ..World::default()
            }),
        },
        Listed {
            name: "H17",
            says: "An owner waits for an acknowledgement that lies behind a request, which it does not read.",
            repair: "requests are put aside",
            wrong: Wrong::Trap,
            world: Which::Objects(World {
                rules: Rules { aside: false, ..Rules::REPAIRED },
                programs: vec![vec![Op::Write(0)], vec![Op::Write(0)]],
                cached: true,
                ..World::default()
            }),
        },
    ];
    listed.into_iter().map(Hazard::from).collect()
}

/// A hazard with its one world.
struct Listed {
    name: &'static str,
    says: &'static str,
    repair: &'static str,
    wrong: Wrong,
    world: Which,
}

impl From<Listed> for Hazard {
    fn from(Listed { name, says, repair, wrong, world }: Listed) -> Self {
        Self { name, says, repair, wrong, worlds: vec![world], mended: Vec::new() }
    }
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
