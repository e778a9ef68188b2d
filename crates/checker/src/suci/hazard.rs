//! A small world for each hazard.

use ::suci::Rules;
use ::suci::paper::Repairs;

use super::Suci;
use super::world::{ALWAYS, Class, Faults, Network, World};
use super::wrong::Wrong;
use crate::core::{self, Elsewhere};

/// A hazard of the paper's rules, or of some of their repairs.
pub type Hazard = core::Hazard<Suci>;

/// The printed rules with these repairs.
macro_rules! with {
    ($($repair:ident),*) => { Repairs { $($repair: true,)* ..Repairs::NONE } };
}

/// The rules as printed.
fn printed() -> World {
    World { rules: Rules::PRINTED, ..World::default() }
}

/// `printed` with one packet.
fn one() -> World {
    World { blocks: vec![vec![], vec![1]], ..printed() }
}

/// `printed` with memory for one packet, and a receiver that takes blocks late.
fn tight() -> World {
    World { window: 1, slow: true, ..printed() }
}

/// `printed` where one packet without an Ack is congestion, and applications may ask to send again.
fn asks() -> World {
    World { congested: 1, budget: 1, asks: true, ..printed() }
}

/// `asks` with two senders of one packet each; only the packet of the second has to arrive.
fn two() -> World {
    World { blocks: vec![vec![], vec![1], vec![1]], only: Some(2), ..asks() }
}

/// `tight` where whole blocks count.
fn counts() -> World {
    tight().under(Rules::Paper(with!(count_whole)))
}

/// A network that loses up to `most` packets of a class.
fn losing(class: Class, most: u8) -> Network {
    Network::losing(Faults::of(class, most), Faults::NONE)
}

impl Hazard {
    /// The hazards that a world shows.
    pub(super) fn listed() -> Vec<Self> {
        let groups = [
            Self::lost_and_overtaken_packets(),
            Self::full_receivers(),
            Self::requests_and_blocks(),
            Self::restarts_and_refusals(),
            Self::permits(),
        ];
        groups.into_iter().flatten().collect()
    }

    /// Packets and Acks that are lost or overtaken.
    fn lost_and_overtaken_packets() -> Vec<Self> {
        vec![
            Self::shown(
                "H1",
                "The last packet is lost, and nothing ever says so.",
                "timer",
                Wrong::Deadlock,
                World { network: losing(Class::Any, ALWAYS), ..one() },
                with!(timer),
            ),
            Self::shown(
                "H1-ack",
                "An Ack is lost: the block has come, and its sender never learns.",
                "timer",
                Wrong::Deadlock,
                World { network: losing(Class::Acks, ALWAYS), ..one() },
                with!(timer),
            ),
            Self::shown(
                "H2",
                "What follows a lost packet is discarded, and a Nack has only the lost one sent again.",
                "go_back",
                Wrong::Deadlock,
                World { network: losing(Class::First, 1), ..printed() },
                with!(go_back),
            ),
            Self::shown(
                "H3",
                "There is no room for a packet, and those behind it are discarded for good, although nothing is lost.",
                "go_back",
                Wrong::Deadlock,
                World {
                    blocks: vec![vec![], vec![1; 3]],
                    ..tight().under(Rules::Paper(with!(count_whole, probe)))
                },
                with!(count_whole, probe, go_back),
            ),
            Self::shown(
                "H4",
                "A packet overtakes another, and is discarded for good.",
                "go_back and timer: the Nack may come when the Ack has freed its packet",
                Wrong::Deadlock,
                World { network: Network { reorders: true, ..Network::FIFO }, ..printed() },
                with!(go_back, timer),
            ),
        ]
    }

    /// Receivers without room, and what tells of room.
    fn full_receivers() -> Vec<Self> {
        vec![
            Self::shown(
                "H5",
                "While there is no room, a packet and its Nack chase each other.",
                "pace",
                Wrong::Storm,
                counts(),
                with!(count_whole, pace),
            ),
            Self::shown(
                "H6",
                "A packet that has come is sent again and not acknowledged, because another one is waited for.",
                "answer_old, and permits that do not run out",
                Wrong::Livelock,
                World {
                    network: Network::losing(Faults::of(Class::Data, 1), Faults::of(Class::Replies, 2)),
                    blocks: vec![vec![], vec![1; 3]],
                    window: 3,
                    ..asks()
                },
                with!(answer_old, permits),
            ),
            Self::shown(
                "H8",
                "The window is closed, and nobody tells that it has opened.",
                "probe",
                Wrong::Deadlock,
                counts(),
                with!(count_whole, probe),
            ),
            Self::shown(
                "H8-update",
                "It is told, and that is lost.",
                "probe and limit: a block waits in the queue, and its sender asks",
                Wrong::Deadlock,
                World {
                    network: losing(Class::Acks, 1),
                    ..tight().under(Rules::Paper(with!(count_whole, probe, timer)))
                },
                with!(count_whole, probe, timer, limit),
            ),
        ]
    }

    /// Lost requests, and blocks and windows that do not fit.
    fn requests_and_blocks() -> Vec<Self> {
        vec![
            Self::shown(
                "H9",
                "A request to send again is lost, and its answer is waited for.",
                "permits",
                Wrong::Deadlock,
                World {
                    network: Network::losing(Faults::of(Class::Data, 1), Faults::of(Class::Requests, 1)),
                    blocks: vec![vec![], vec![1]],
                    ..asks()
                },
                with!(permits),
            ),
            Self::shown(
                "H10",
                "A block is larger than the window, and can never be whole.",
                "refuse",
                Wrong::Storm,
                World { window: 1, blocks: vec![vec![], vec![2]], ..printed() },
                with!(refuse),
            ),
            Self::shown(
                "H11",
                "Blocks that nobody takes pile up, because they do not count.",
                "count_whole",
                Wrong::Memory,
                tight(),
                with!(count_whole),
            ),
            Self::shown(
                "H12",
                "More is on the way than the window that was told.",
                "limit",
                Wrong::Overrun,
                World { window: 1, ..printed() },
                with!(limit),
            ),
        ]
    }

    /// Restarted senders, refused requests, and the charge of the kernel.
    fn restarts_and_refusals() -> Vec<Self> {
        vec![
            Self::shown(
                "H16",
                "A sender is restarted, and what it sends counts as old.",
                "epochs",
                Wrong::SilentLoss,
                World { restarts: 1, ..printed() },
                with!(epochs, timer),
            ),
            Self::shown(
                "H17",
                "A request is refused, and never made again.",
                "permits",
                Wrong::Deadlock,
                World { network: Network { early: 1, ..losing(Class::Data, 2) }, ..two() },
                with!(permits),
            ),
            Self {
                name: "H18",
                description: "The kernel charges more for a packet than its bytes: the socket buffer overflows within the window.",
                repair: "a socket buffer of twice the bytes, which `suci::sync` asks for",
                wrong: Wrong::Overflow,
                worlds: vec![World { buffer: Some(1), ..printed() }],
                mended: vec![World { buffer: Some(2), ..printed().under(Rules::Paper(with!(limit))) }],
            },
        ]
    }

    /// Permits that are lost or repeated, and senders without them.
    fn permits() -> Vec<Self> {
        vec![
            Self::shown(
                "H19",
                "A permit is lost, and what it permitted is taken from the others for ever.",
                "permits",
                Wrong::Deadlock,
                World {
                    network: Network::losing(Faults::of(Class::Data, 3), Faults::of(Class::PermitsToOne, 1)),
                    blocks: vec![vec![], vec![1, 1], vec![1]],
                    budget: 2,
                    ..two()
                },
                with!(permits),
            ),
            Self::shown(
                "H20",
                "A permit comes twice, and twice as much is sent.",
                "permits",
                Wrong::Unpermitted,
                World {
                    network: Network {
                        repeats: Faults::of(Class::Permits, 1),
                        early: 1,
                        ..losing(Class::Data, 2)
                    },
                    ..asks()
                },
                with!(permits),
            ),
            Self {
                name: "H21",
                description: "Each of two senders keeps to its window, and both together overflow the socket buffer.",
                repair: "permits of our own rules",
                wrong: Wrong::Overflow,
                worlds: vec![World {
                    blocks: vec![vec![], vec![1; 3], vec![1; 3]],
                    window: 3,
                    budget: 1,
                    buffer: Some(3),
                    ..printed()
                }],
                mended: Vec::new(),
            },
        ]
    }

    fn shown(
        name: &'static str,
        description: &'static str,
        repair: &'static str,
        wrong: Wrong,
        world: World,
        repairs: Repairs,
    ) -> Self {
        let mended = vec![world.under(Rules::Paper(repairs))];
        Self { name, description, repair, wrong, worlds: vec![world], mended }
    }

    /// The same world with our own rules.
    pub fn modern(&self) -> World {
        self.mended.first().unwrap_or(self.world()).under(Rules::MODERN)
    }
}

/// Hazards that no world shows.
pub(super) const ELSEWHERE: [Elsewhere; 4] = [
    Elsewhere {
        name: "H7",
        description: "A packet that came is acknowledged by a number that does not free it.",
        why: "no switch gives that reading of R3: without `cumulative` each packet is answered by its own number, with it an Ack frees all before it; both are walked",
    },
    Elsewhere {
        name: "H13",
        description: "An error of `datagram_ready` is taken for a block.",
        why: "a matter of C, where -1 is true; here it is a Result, which cannot be taken for one",
    },
    Elsewhere {
        name: "H14",
        description: "A packet that is 2^32 numbers late counts as new.",
        why: "a matter of width: so many packets lie between; a test gives the receiver's function such a number. Our own numbers are never used again",
    },
    Elsewhere {
        name: "H15",
        description: "A Nack comes when its packet is freed.",
        why: "it is ignored, and does no harm by itself; that is why H4 takes a timer",
    },
];
