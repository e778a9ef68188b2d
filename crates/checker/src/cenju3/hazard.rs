//! A small world for each hazard.

use mpi_de::{Buffering, Config, Reserve, Rules};

use super::wrong::Wrong;
use super::{Cenju3, Exchange, Masks, Ring, Waiting, World};
use crate::core::{self, Clean, Elsewhere};

/// A hazard of the printed rules, or of some of their repairs.
pub type Hazard = core::Hazard<Cenju3>;

/// Repairs beside the printed rules.
macro_rules! with {
    ($($repair:ident),*) => { Rules { $($repair: true,)* ..Rules::PRINTED } };
}

fn exchange(rules: Rules, sends: Vec<Vec<super::Send>>) -> Exchange {
    let default = Exchange::default();
    Exchange { config: Config { rules, ..default.config }, sends, ..default }
}

/// All of them.
pub(super) fn all() -> Vec<Hazard> {
    let one = vec![vec![(1, 128)], vec![]];
    let drained = with!(data_first, drains, positions);
    let both = || exchange(drained, vec![vec![(1, 128)], vec![(0, 128)]]);
    let slots = |world: Exchange, send_slots, receive_slots, reserve| {
        World::Exchange(Exchange {
            config: Config { send_slots, receive_slots, reserve, ..world.config },
            ..world
        })
    };
    let unread = Rules { replace_after: false, ..with!(data_first, replace_before) };
    let slow = exchange(with!(data_first, positions), vec![vec![(1, 3 * mpi_de::UNIT)], vec![]]);
    let serial = Config { buffering: Buffering::Serial, ..slow.config };
    let waiting = Waiting { rules: Rules::PRINTED, messages: 1, progress: false };
    let two_units = exchange(with!(data_first), vec![vec![(1, 2 * mpi_de::UNIT)], vec![]]);
    let two_units = Exchange { config: Config { receive_slots: 2, ..two_units.config }, ..two_units };
    let listed = vec![
        Listed {
            name: "H1",
            says: "A dirty line of a slot is written back over the data that a DMA has brought.",
            repair: "lines are replaced before a slot is announced, and after its header",
            wrong: Wrong::WrongData,
            world: World::Exchange(Exchange { touches: 1, ..exchange(with!(data_first), one.clone()) }),
            mended: vec![with!(data_first, replace_before)],
        },
        Listed {
            name: "H2",
            says: "A line is read before the data come, and stays: replacing lines before the slot is announced is not enough.",
            repair: "lines are replaced after the header, as the paper has it",
            wrong: Wrong::WrongData,
            world: World::Exchange(Exchange { fetches: 1, ..exchange(unread, one.clone()) }),
            mended: vec![with!(data_first)],
        },
        Listed {
            name: "H6",
            says: "Masks are changed while entries are queued, which then write into another task's window.",
            repair: "masks change when the user queue is empty",
            wrong: Wrong::ForeignWindow,
            world: World::Masks(Masks { rules: Rules::PRINTED, tasks: 2, entries: 1 }),
            mended: vec![with!(empties_queue)],
        },
        Listed {
            name: "H9",
            says: "Two PEs send short messages to each other and receive only then: rings and queues fill.",
            repair: "who cannot send takes what has come, or credits, with which a send waits in the library; with these the link is never held",
            wrong: Wrong::Deadlock,
            world: World::Exchange(Exchange {
                places: Some(2),
                ..exchange(Rules::PRINTED, vec![vec![(1, 8); 4], vec![(0, 8); 4]])
            }),
            mended: vec![with!(drains), with!(credits)],
        },
        Listed {
            name: "H10",
            says: "A receiver that computes answers a rendezvous once in a period of its progress thread.",
            repair: "the NIF interrupts while a rendezvous is pending",
            wrong: Wrong::Late,
            world: World::Exchange(Exchange { computes: Some(1), config: serial, ..slow }),
            mended: vec![with!(data_first, positions, urgent)],
        },
        Listed {
            name: "H12",
            says: "A message comes between a thread's look and its evc_wait, and the pulse wakes nobody.",
            repair: "events are counted, or the thread arms and looks again",
            wrong: Wrong::Deadlock,
            world: World::Waiting(waiting),
            mended: vec![with!(counts_events), with!(polls_again)],
        },
        Listed {
            name: "H13",
            says: "The pulse is lost, and the progress thread takes the message that the other thread sleeps for.",
            repair: "events are counted, or the thread arms and looks again; that the progress thread wakes it by a pulse is not enough",
            wrong: Wrong::Deadlock,
            world: World::Waiting(Waiting { progress: true, ..waiting }),
            mended: vec![with!(counts_events), with!(polls_again)],
        },
        Listed {
            name: "H14",
            says: "A send slot gets its next unit while the NIF has not read the one before.",
            repair: "a slot is free when the queue's next-read position has passed its entry",
            wrong: Wrong::WrongData,
            world: World::Exchange(two_units),
            mended: vec![with!(data_first, positions)],
        },
        Listed {
            name: "H18",
            says: "The NIF writes the header before the data, and the receiver reads what was there before.",
            repair: "data first",
            wrong: Wrong::WrongData,
            world: World::Exchange(exchange(Rules::PRINTED, one)),
            mended: vec![with!(data_first)],
        },
        Listed {
            name: "H19",
            says: "Sends take the slots before they ask, and no slot is left to receive in.",
            repair: "two pools",
            wrong: Wrong::Deadlock,
            world: slots(both(), 1, 0, Reserve::BeforeRts),
            mended: vec![with!(two_pools, data_first, drains, positions)],
        },
        Listed {
            name: "H19-after",
            says: "Each PE has given its slot to what the other wants to send, and none is left to send from.",
            repair: "two pools",
            wrong: Wrong::Deadlock,
            world: slots(both(), 1, 0, Reserve::AfterCts),
            mended: vec![with!(two_pools, data_first, drains, positions)],
        },
        Listed {
            name: "H19-twice",
            says: "The same with twice the slots and twice the messages: more slots only hide it.",
            repair: "two pools",
            wrong: Wrong::Deadlock,
            world: slots(
                exchange(drained, vec![vec![(1, 128); 2], vec![(0, 128); 2]]),
                2,
                0,
                Reserve::BeforeRts,
            ),
            mended: vec![with!(two_pools, data_first, drains, positions)],
        },
        Listed {
            name: "H20",
            says: "All places of a ring are used, its positions are equal, and it counts as empty.",
            repair: "one place stays free",
            wrong: Wrong::Overrun,
            world: World::Ring(Ring { rules: Rules::PRINTED, places: 2, entries: 4 }),
            mended: vec![with!(keeps_one_free)],
        },
    ];
    listed.into_iter().map(Hazard::from).collect()
}

/// A hazard with the repairs that remove it.
struct Listed {
    name: &'static str,
    says: &'static str,
    repair: &'static str,
    wrong: Wrong,
    world: World,
    mended: Vec<Rules>,
}

impl From<Listed> for Hazard {
    fn from(Listed { name, says, repair, wrong, world, mended }: Listed) -> Self {
        let mended = mended.into_iter().map(|rules| world.under(rules)).collect();
        Self { name, says, repair, wrong, worlds: vec![world], mended }
    }
}

/// Worlds in which nothing may go wrong.
pub(super) fn clean() -> Vec<Clean<World>> {
    let world = |sends| exchange(Rules::REPAIRED, sends);
    vec![
        Clean {
            name: "both ways",
            says: "A long message of two units each way, with one slot a side, a dirty line and an early read.",
            world: World::Exchange(Exchange {
                touches: 1,
                fetches: 1,
                ..world(vec![vec![(1, 8193)], vec![(0, 8193)]])
            }),
        },
        Clean {
            name: "mixed",
            says: "A short message, a long one and a short one each way.",
            world: World::Exchange(world(vec![
                vec![(1, 8), (1, 128), (1, 8)],
                vec![(0, 8), (0, 128), (0, 8)],
            ])),
        },
        Clean {
            name: "in a circle",
            says: "Three PEs send a long message each to the next one, with one slot a side.",
            world: World::Exchange(world(vec![vec![(1, 128)], vec![(2, 128)], vec![(0, 128)]])),
        },
        Clean {
            name: "fan-in",
            says: "Two PEs send a short message and a long one each to a third.",
            world: World::Exchange(world(vec![vec![], vec![(0, 8), (0, 128)], vec![(0, 8), (0, 128)]])),
        },
        Clean {
            name: "waiting",
            says: "A thread waits for four messages beside a progress thread.",
            world: World::Waiting(Waiting { rules: Rules::REPAIRED, messages: 4, progress: true }),
        },
        Clean {
            name: "tasks",
            says: "Three tasks with two entries each share a user queue.",
            world: World::Masks(Masks { rules: Rules::REPAIRED, tasks: 3, entries: 2 }),
        },
    ]
}

/// Those that no world shows.
pub(super) const ELSEWHERE: [Elsewhere; 4] = [
    Elsewhere {
        name: "H7",
        says: "A wrong address is folded into the window and not refused.",
        why: "a property of one function, `mpi_de::Window::address`, whose test says so",
    },
    Elsewhere {
        name: "H11",
        says: "Two threads take the same header.",
        why: "a step of `mpi_de::Library` is one call that borrows it alone; two threads cannot be in it",
    },
    Elsewhere {
        name: "H15",
        says: "A short message overtakes the RTS before it.",
        why: "all that is said to a peer leaves in one order through one queue",
    },
    Elsewhere {
        name: "H16",
        says: "A message of exactly 128 bytes.",
        why: "a test of `mpi_de::Library` sends 127 and 128 bytes",
    },
];
