//! A small world for each hazard.

use mpi_de::{Buffering, Config, Reserve, Rules};

use super::wrong::Wrong;
use super::{Cenju3, Exchange, Masks, Ring, Waiting, World};
use crate::core::{self, Clean, Elsewhere};

/// A hazard of the printed rules, or of some of their repairs.
pub type Hazard = core::Hazard<Cenju3>;

impl Hazard {
    /// The least rules that remove the hazard in its world.
    fn under(self, rules: impl IntoIterator<Item = Rules>) -> Self {
        let worlds: Vec<_> = rules.into_iter().map(|rules| self.world().under(rules)).collect();
        self.mended(worlds)
    }
}

/// The printed rules with these repairs.
macro_rules! with {
    ($($repair:ident),*) => { Rules { $($repair: true,)* ..Rules::PRINTED } };
}

fn exchange(rules: Rules, sends: Vec<Vec<super::Send>>) -> Exchange {
    let default = Exchange::default();
    Exchange { config: Config { rules, ..default.config }, sends, ..default }
}

/// The hazards that a world shows.
pub(super) fn all() -> Vec<Hazard> {
    let groups = [caches_and_masks(), waiting_receivers(), order_of_data(), slots_and_places()];
    groups.into_iter().flatten().collect()
}

/// The sends of one PE with a long message.
fn one_message() -> Vec<Vec<super::Send>> {
    vec![vec![(1, 128)], vec![]]
}

/// Lines of a cache, and masks of a task.
fn caches_and_masks() -> Vec<Hazard> {
    let unread = Rules { replace_after: false, ..with!(data_first, replace_before) };
    vec![
        Hazard::new(
            "H1",
            "A dirty line of a slot is written back over the data that a DMA has brought.",
            "lines are replaced before a slot is announced, and after its header",
            Wrong::WrongData,
            World::Exchange(Exchange { touches: 1, ..exchange(with!(data_first), one_message()) }),
        ).under([with!(data_first, replace_before)]),
        Hazard::new(
            "H2",
            "A line is read before the data come, and stays: replacing lines before the slot is announced is not enough.",
            "lines are replaced after the header, as the paper has it",
            Wrong::WrongData,
            World::Exchange(Exchange { fetches: 1, ..exchange(unread, one_message()) }),
        ).under([with!(data_first)]),
        Hazard::new(
            "H6",
            "Masks are changed while entries are queued, which then write into another task's window.",
            "masks change when the user queue is empty",
            Wrong::ForeignWindow,
            World::Masks(Masks { rules: Rules::PRINTED, tasks: 2, entries: 1 }),
        ).under([with!(empties_queue)]),
    ]
}

/// PEs that do not receive, and threads that sleep.
fn waiting_receivers() -> Vec<Hazard> {
    let slow = exchange(with!(data_first, positions), vec![vec![(1, 3 * mpi_de::UNIT)], vec![]]);
    let serial = Config { buffering: Buffering::Serial, ..slow.config };
    let waiting = Waiting { rules: Rules::PRINTED, messages: 1, progress: false };
    vec![
        Hazard::new(
            "H9",
            "Two PEs send short messages to each other and receive only then: rings and queues fill.",
            "who cannot send takes what has come, or credits, with which a send waits in the library; with these the link is never held",
            Wrong::Deadlock,
            World::Exchange(Exchange {
                places: Some(2),
                ..exchange(Rules::PRINTED, vec![vec![(1, 8); 4], vec![(0, 8); 4]])
            }),
        ).under([with!(drains), with!(credits)]),
        Hazard::new(
            "H10",
            "A receiver that computes answers a rendezvous once in a period of its progress thread.",
            "the NIF interrupts while a rendezvous is pending",
            Wrong::Late,
            World::Exchange(Exchange { computes: Some(1), config: serial, ..slow }),
        ).under([with!(data_first, positions, urgent)]),
        Hazard::new(
            "H12",
            "A message comes between a thread's look and its evc_wait, and the pulse wakes nobody.",
            "events are counted, or the thread arms and looks again",
            Wrong::Deadlock,
            World::Waiting(waiting),
        ).under([with!(counts_events), with!(polls_again)]),
        Hazard::new(
            "H13",
            "The pulse is lost, and the progress thread takes the message that the other thread sleeps for.",
            "events are counted, or the thread arms and looks again; that the progress thread wakes it by a pulse is not enough",
            Wrong::Deadlock,
            World::Waiting(Waiting { progress: true, ..waiting }),
        ).under([with!(counts_events), with!(polls_again)]),
    ]
}

/// Data that are written before or after they are read.
fn order_of_data() -> Vec<Hazard> {
    let two_units = exchange(with!(data_first), vec![vec![(1, 2 * mpi_de::UNIT)], vec![]]);
    let two_units = Exchange { config: Config { receive_slots: 2, ..two_units.config }, ..two_units };
    vec![
        Hazard::new(
            "H14",
            "A send slot gets its next unit while the NIF has not read the one before.",
            "a slot is free when the queue's next-read position has passed its entry",
            Wrong::WrongData,
            World::Exchange(two_units),
        )
        .under([with!(data_first, positions)]),
        Hazard::new(
            "H18",
            "The NIF writes the header before the data, and the receiver reads what was there before.",
            "data first",
            Wrong::WrongData,
            World::Exchange(exchange(Rules::PRINTED, one_message())),
        )
        .under([with!(data_first)]),
    ]
}

/// Slots and places of a ring that run out.
fn slots_and_places() -> Vec<Hazard> {
    let drained = with!(data_first, drains, positions);
    let both = || exchange(drained, vec![vec![(1, 128)], vec![(0, 128)]]);
    let slots = |world: Exchange, send_slots, receive_slots, reserve| {
        World::Exchange(Exchange {
            config: Config { send_slots, receive_slots, reserve, ..world.config },
            ..world
        })
    };
    vec![
        Hazard::new(
            "H19",
            "Sends take the slots before they ask, and no slot is left to receive in.",
            "two pools",
            Wrong::Deadlock,
            slots(both(), 1, 0, Reserve::BeforeRts),
        )
        .under([with!(two_pools, data_first, drains, positions)]),
        Hazard::new(
            "H19-after",
            "Each PE has given its slot to what the other wants to send, and none is left to send from.",
            "two pools",
            Wrong::Deadlock,
            slots(both(), 1, 0, Reserve::AfterCts),
        )
        .under([with!(two_pools, data_first, drains, positions)]),
        Hazard::new(
            "H19-twice",
            "The same with twice the slots and twice the messages: more slots only hide it.",
            "two pools",
            Wrong::Deadlock,
            slots(exchange(drained, vec![vec![(1, 128); 2], vec![(0, 128); 2]]), 2, 0, Reserve::BeforeRts),
        )
        .under([with!(two_pools, data_first, drains, positions)]),
        Hazard::new(
            "H20",
            "All places of a ring are used, its positions are equal, and it counts as empty.",
            "one place stays free",
            Wrong::Overrun,
            World::Ring(Ring { rules: Rules::PRINTED, places: 2, entries: 4 }),
        )
        .under([with!(keeps_one_free)]),
    ]
}

/// Worlds in which nothing may go wrong.
pub(super) fn clean() -> Vec<Clean<World>> {
    let world = |sends| exchange(Rules::REPAIRED, sends);
    vec![
        Clean {
            name: "both ways",
            description: "A long message of two units each way, with one slot a side, a dirty line and an early read.",
            world: World::Exchange(Exchange {
                touches: 1,
                fetches: 1,
                ..world(vec![vec![(1, 8193)], vec![(0, 8193)]])
            }),
        },
        Clean {
            name: "mixed",
            description: "A short message, a long one and a short one each way.",
            world: World::Exchange(world(vec![
                vec![(1, 8), (1, 128), (1, 8)],
                vec![(0, 8), (0, 128), (0, 8)],
            ])),
        },
        Clean {
            name: "in a circle",
            description: "Three PEs send a long message each to the next one, with one slot a side.",
            world: World::Exchange(world(vec![vec![(1, 128)], vec![(2, 128)], vec![(0, 128)]])),
        },
        Clean {
            name: "fan-in",
            description: "Two PEs send a short message and a long one each to a third.",
            world: World::Exchange(world(vec![vec![], vec![(0, 8), (0, 128)], vec![(0, 8), (0, 128)]])),
        },
        Clean {
            name: "waiting",
            description: "A thread waits for four messages beside a progress thread.",
            world: World::Waiting(Waiting { rules: Rules::REPAIRED, messages: 4, progress: true }),
        },
        Clean {
            name: "tasks",
            description: "Three tasks with two entries each share a user queue.",
            world: World::Masks(Masks { rules: Rules::REPAIRED, tasks: 3, entries: 2 }),
        },
    ]
}

/// Hazards that no world shows.
pub(super) const ELSEWHERE: [Elsewhere; 4] = [
    Elsewhere {
        name: "H7",
        description: "A wrong address is folded into the window and not refused.",
        why: "a property of one function, `mpi_de::Window::address`, whose test says so",
    },
    Elsewhere {
        name: "H11",
        description: "Two threads take the same header.",
        why: "a step of `mpi_de::Library` is one call that borrows it alone; two threads cannot be in it",
    },
    Elsewhere {
        name: "H15",
        description: "A short message overtakes the RTS before it.",
        why: "all that is said to a peer leaves in one order through one queue",
    },
    Elsewhere {
        name: "H16",
        description: "A message of exactly 128 bytes.",
        why: "a test of `mpi_de::Library` sends 127 and 128 bytes",
    },
];
