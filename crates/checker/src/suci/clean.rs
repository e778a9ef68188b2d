//! Worlds in which nothing may go wrong with repaired rules and with our own.

use ::suci::Rules;

use super::world::{Class, Faults, Network, World};
use crate::core;

/// A world of Suci in which nothing may go wrong.
pub type Clean = core::Clean<World>;

impl Clean {
    /// Those for the paper's rules with all repairs: whatever the network does, it does as often as it likes.
    pub fn repaired() -> Vec<Self> {
        let (bad, worst) = (on(Network::BAD), on(Network::WORST));
        let pair = |network| Network { room: 2, ..network };
        vec![
            Self {
                name: "tight",
                description: "Three blocks into memory for one, over loss, repetition and early time-outs.",
                world: World { window: 1, blocks: vec![vec![], vec![1; 3]], ..bad.clone() },
            },
            Self {
                name: "slow reader",
                description: "A block of two packets and one of one, which nobody takes at once.",
                world: World { slow: true, blocks: vec![vec![], vec![2, 1]], ..bad.clone() },
            },
            Self {
                name: "any order",
                description: "Two blocks over loss, repetition, early time-outs and packets that overtake each other.",
                world: worst.clone(),
            },
            Self {
                name: "two senders",
                description: "A block each of two senders, over loss, repetition and early time-outs.",
                world: World {
                    blocks: vec![vec![], vec![1], vec![1]],
                    network: pair(Network::BAD),
                    ..bad.clone()
                },
            },
            Self {
                name: "both ways",
                description: "A block each way, over the same and packets that overtake each other.",
                world: World { blocks: vec![vec![1], vec![1]], network: pair(Network::WORST), ..worst },
            },
            Self {
                name: "restart",
                description: "Loss and repetition, and a sender that is restarted.",
                world: World { restarts: 1, ..bad.clone() },
            },
            Self {
                name: "permits",
                description: "Packets and permits are lost, repeated and late; two packets together are congestion.",
                world: World {
                    network: Network {
                        early: 1,
                        repeats: Faults::of(Class::Permits, 1),
                        ..Network::losing(Faults::of(Class::Data, 1), Faults::of(Class::Permits, 1))
                    },
                    congested: 1,
                    budget: 1,
                    asks: true,
                    ..bad
                },
            },
        ]
    }

    /// Those for our own: of everything bad there is one in each world.
    pub fn modern() -> Vec<Self> {
        let bad = on(Network::BAD).under(Rules::MODERN);
        let worst = on(Network::WORST).under(Rules::MODERN);
        vec![
            Self {
                name: "meeting",
                description: "A call, its cookie and its answer, with a block behind them, over loss, repetition and an early time-out.",
                world: World { strangers: true, blocks: vec![vec![], vec![1]], ..bad.clone() },
            },
            Self {
                name: "two blocks",
                description: "The same with two blocks of a peer that is known.",
                world: bad.clone(),
            },
            Self {
                name: "any order",
                description: "One block over the same, and packets that overtake each other.",
                world: World { blocks: vec![vec![], vec![1]], ..worst },
            },
            Self {
                name: "slow reader",
                description: "A block of two packets and one of one into memory for two, which nobody takes at once.",
                world: World { slow: true, blocks: vec![vec![], vec![2, 1]], ..without_repeats(&bad) },
            },
            Self {
                name: "two senders",
                description: "A block each of two senders that share permits for one packet, over loss and an early time-out.",
                world: World {
                    blocks: vec![vec![], vec![1], vec![1]],
                    budget: 1,
                    buffer: Some(3),
                    ..without_repeats(&bad)
                },
            },
        ]
    }

    /// Worlds that take minutes.
    pub fn large() -> Vec<Self> {
        let modern = |network: Network| on(network).under(Rules::MODERN);
        vec![
            Self {
                name: "repaired, tight, any order",
                description: "Three blocks into memory for one, over everything bad.",
                world: World { window: 1, blocks: vec![vec![], vec![1; 3]], ..on(Network::WORST) },
            },
            Self {
                name: "repaired, two packets, any order",
                description: "A block of two packets and one of one, over everything bad.",
                world: World { blocks: vec![vec![], vec![2, 1]], ..on(Network::WORST) },
            },
            Self {
                name: "repaired, two senders, any order",
                description: "A block each of two senders, over everything bad.",
                world: World { blocks: vec![vec![], vec![1], vec![1]], ..on(Network::WORST) },
            },
            Self {
                name: "modern, any order",
                description: "Two blocks over one of everything bad.",
                world: modern(Network::WORST),
            },
            Self {
                name: "modern, two senders, any order",
                description: "A block each of two senders, over a loss, an early time-out, and packets that overtake each other.",
                world: World {
                    blocks: vec![vec![], vec![1], vec![1]],
                    ..without_repeats(&modern(Network::WORST))
                },
            },
        ]
    }
}

fn on(network: Network) -> World {
    World { network, ..World::default() }
}

fn without_repeats(world: &World) -> World {
    World { network: Network { repeats: Faults::NONE, ..world.network }, ..world.clone() }
}
