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

impl Hazard {
    /// The hazards that a world shows.
    pub(super) fn listed() -> Vec<Self> {
        let printed = World { rules: Rules::PRINTED, ..World::default() };
        let one = World { blocks: vec![vec![], vec![1]], ..printed.clone() };
        let tight = World { window: 1, slow: true, ..printed.clone() };
        let asks = World { congested: 1, budget: 1, asks: true, ..printed.clone() };
        let two = World { blocks: vec![vec![], vec![1], vec![1]], only: Some(2), ..asks.clone() };
        let losing = |class, most| Network::losing(Faults::of(class, most), Faults::NONE);
        let early = |network| Network { early: 1, ..network };
        let counts = tight.under(Rules::Paper(with!(count_whole)));
        let any = losing(Class::Any, ALWAYS);
        vec![
            Self::shown(
                "H1",
                "The last packet is lost, and nothing ever says so.",
                "timer",
                Wrong::Deadlock,
                World { network: any, ..one.clone() },
                with!(timer),
            ),
            Self::shown(
                "H1-ack",
                "An Ack is lost: the block has come, and its sender never learns.",
                "timer",
                Wrong::Deadlock,
                World { network: losing(Class::Acks, ALWAYS), ..one.clone() },
                with!(timer),
            ),
            Self::shown(
                "H2",
                "What follows a lost packet is discarded, and a Nack has only the lost one sent again.",
                "go_back",
                Wrong::Deadlock,
                World { network: losing(Class::First, 1), ..printed.clone() },
                with!(go_back),
            ),
            Self::shown(
                "H3",
                "There is no room for a packet, and those behind it are discarded for good, although nothing is lost.",
                "go_back",
                Wrong::Deadlock,
                World {
                    blocks: vec![vec![], vec![1; 3]],
                    ..tight.under(Rules::Paper(with!(count_whole, probe)))
                },
                with!(count_whole, probe, go_back),
            ),
            Self::shown(
                "H4",
                "A packet overtakes another, and is discarded for good.",
                "go_back and timer: the Nack may come when the Ack has freed its packet",
                Wrong::Deadlock,
                World { network: Network { reorders: true, ..Network::FIFO }, ..printed.clone() },
                with!(go_back, timer),
            ),
            Self::shown(
                "H5",
                "While there is no room, a packet and its Nack chase each other.",
                "pace",
                Wrong::Storm,
                counts.clone(),
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
                    ..asks.clone()
                },
                with!(answer_old, permits),
            ),
            Self::shown(
                "H8",
                "The window is closed, and nobody tells that it has opened.",
                "probe",
                Wrong::Deadlock,
                counts.clone(),
                with!(count_whole, probe),
            ),
            Self::shown(
                "H8-update",
                "It is told, and that is lost.",
                "probe and limit: a block waits in the queue, and its sender asks",
                Wrong::Deadlock,
                World {
                    network: losing(Class::Acks, 1),
                    ..tight.under(Rules::Paper(with!(count_whole, probe, timer)))
                },
                with!(count_whole, probe, timer, limit),
            ),
            Self::shown(
                "H9",
                "A request to send again is lost, and its answer is waited for.",
                "permits",
                Wrong::Deadlock,
                World {
                    network: Network::losing(Faults::of(Class::Data, 1), Faults::of(Class::Requests, 1)),
                    blocks: vec![vec![], vec![1]],
                    ..asks.clone()
                },
                with!(permits),
            ),
            Self::shown(
                "H10",
                "A block is larger than the window, and can never be whole.",
                "refuse",
                Wrong::Storm,
                World { window: 1, blocks: vec![vec![], vec![2]], ..printed.clone() },
                with!(refuse),
            ),
            Self::shown(
                "H11",
                "Blocks that nobody takes pile up, because they do not count.",
                "count_whole",
                Wrong::Memory,
                tight.clone(),
                with!(count_whole),
            ),
            Self::shown(
                "H12",
                "More is on the way than the window that was told.",
                "limit",
                Wrong::Overrun,
                World { window: 1, ..printed.clone() },
                with!(limit),
            ),
            Self::shown(
                "H16",
                "A sender is restarted, and what it sends counts as old.",
                "epochs",
                Wrong::SilentLoss,
                World { restarts: 1, ..printed.clone() },
                with!(epochs, timer),
            ),
            Self::shown(
                "H17",
                "A request is refused, and never made again.",
                "permits",
                Wrong::Deadlock,
                World { network: early(losing(Class::Data, 2)), ..two.clone() },
                with!(permits),
            ),
            Self {
                name: "H18",
                description: "The kernel charges more for a packet than its bytes: the socket buffer overflows within the window.",
                repair: "a socket buffer of twice the bytes, which `suci::sync` asks for",
                wrong: Wrong::Overflow,
                worlds: vec![World { buffer: Some(1), ..printed.clone() }],
                mended: vec![World { buffer: Some(2), ..printed.under(Rules::Paper(with!(limit))) }],
            },
            Self::shown(
                "H19",
                "A permit is lost, and what it permitted is taken from the others for ever.",
                "permits",
                Wrong::Deadlock,
                World {
                    network: Network::losing(Faults::of(Class::Data, 3), Faults::of(Class::PermitsToOne, 1)),
                    blocks: vec![vec![], vec![1, 1], vec![1]],
                    budget: 2,
                    ..two.clone()
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
                    ..asks.clone()
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
                    ..printed.clone()
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
