//! The hazards of the printed rules, each with a small world that shows it (decision 0027).

use gigae_pm::protocol::Rules;

use crate::network::{Network, Timers};
use crate::world::{Before, World};

/// A hazard of the printed rules.
#[derive(Clone, Debug)]
pub struct Hazard {
    /// Name, H and a number.
    pub name: &'static str,
    /// What goes wrong.
    pub says: &'static str,
    /// The repair.
    pub repair: &'static str,
    /// Worlds that show it: the smallest first. Rules that would only hide it behind another hazard are repaired.
    pub worlds: Vec<World>,
}

/// The hazard of that name.
pub fn find(name: &str) -> Option<Hazard> {
    all().into_iter().find(|hazard| hazard.name.eq_ignore_ascii_case(name))
}

/// All hazards that a world can show.
pub fn all() -> Vec<Hazard> {
    // One sender, a buffer that is never full, a network without faults, timers that are late.
    let roomy = World { rules: Rules::PRINTED, slots: None, ..World::default() };
    let lossy = World { network: Network::LOSS, ..roomy.clone() };
    let small = World { slots: Some(1), ..roomy.clone() };
    let small_lossy = World { slots: Some(1), ..lossy.clone() };
    // What is needed on networks that lose and keep order.
    let fifo_repairs = Rules::of(&[1, 2, 3, 4, 7, 9]);
    let mixed = |window| World { window, rules: Rules::REPAIRED.without(&[16]), ..small_lossy.clone() };
    let numbered = |window, modulus| World {
        window,
        modulus: Some(modulus),
        messages: 4,
        rules: fifo_repairs,
        timers: Timers::Premature,
        ..small_lossy.clone()
    };
    let two = World { senders: 2, messages: 2, ..small.clone() };
    let restart =
        |before, rules: &[u32]| World { window: 3, before, rules: Rules::of(rules), ..roomy.clone() };
    let overtaken =
        |rules: &[u32]| World { rules: Rules::of(rules), network: Network::REORDERING, ..small.clone() };
    vec![
        Hazard {
            name: "H1",
            says: "A timeout of message i sends what follows i, never i itself: the first loss is the last.",
            repair: "F1",
            worlds: vec![lossy.clone(), World { window: 3, ..lossy.clone() }],
        },
        Hazard {
            name: "H2",
            says: "A message that comes again is not answered, so a lost ACK is never made good.",
            repair: "F2",
            worlds: vec![
                World { rules: Rules::of(&[1]), ..lossy.clone() },
                World { rules: Rules::of(&[1, 3, 4, 9]), window: 3, ..small_lossy.clone() },
            ],
        },
        Hazard {
            name: "H3",
            says: "STOP(k) acknowledges message k, which was discarded: it is gone for good, without any loss on the wire.",
            repair: "F3",
            worlds: vec![small.clone(), World { window: 3, ..small.clone() }],
        },
        Hazard {
            name: "H4",
            says: "GO is lost while no timer runs: each side waits for the other.",
            repair: "F4",
            worlds: vec![World { rules: Rules::of(&[1, 2, 3]), ..small_lossy.clone() }],
        },
        Hazard {
            name: "H5",
            says: "GO is lost, all that was sent is acknowledged, and an ACK does not start a stopped sender again.",
            repair: "F9",
            worlds: vec![World {
                rules: Rules::of(&[1, 2, 3, 4, 7]),
                timers: Timers::Premature,
                ..small_lossy.clone()
            }],
        },
        Hazard {
            name: "H6",
            says: "A rewind and an ACK cross: MsgIdSent is below MsgIdAcked, and S1 sends from a buffer that is free.",
            repair: "F7",
            worlds: vec![
                World { rules: Rules::of(&[1, 2]), timers: Timers::Premature, ..roomy.clone() },
                World { rules: Rules::of(&[1, 2, 3, 4, 9]), window: 3, ..small_lossy.clone() },
            ],
        },
        Hazard {
            name: "H9",
            says: "LOSE cannot tell of the loss of the last message: only a timer can, and F1 makes it work.",
            repair: "F1",
            worlds: vec![World {
                rules: Rules::REPAIRED.without(&[1, 15, 16]),
                window: 3,
                ..small_lossy.clone()
            }],
        },
        Hazard {
            name: "H10",
            says: "With j < A + N a window of 1 is empty; with j <= A + N and k < A + N a needed ACK is out of bounds.",
            repair: "F15 and F16 together",
            worlds: vec![World { window: 1, ..roomy.clone() }, mixed(1), mixed(2), mixed(3)],
        },
        Hazard {
            name: "H12",
            says: "Numbers on the wire wrap so soon that an old message or ACK passes for a new one.",
            repair: "32 bits, compared as serial numbers",
            worlds: vec![
                numbered(3, 2),
                numbered(4, 3),
                World {
                    slots: None,
                    messages: 5,
                    network: Network::REORDERING_LOSS,
                    timers: Timers::Late,
                    ..numbered(3, 4)
                },
            ],
        },
        Hazard {
            name: "H13",
            says: "MsgIdRecv is counted after the transfer to the host, so a copy that comes in between is accepted too.",
            repair: "F10",
            worlds: vec![World {
                rules: Rules::of(&[1, 2, 7]),
                transfer: true,
                timers: Timers::Premature,
                ..roomy.clone()
            }],
        },
        Hazard {
            name: "H14",
            says: "The buffer belongs to the channel, but STOP and GO to a peer: a sender is stopped or forgotten by another's.",
            repair: "F13 and F14 together",
            worlds: vec![
                World { rules: Rules::of(&[1, 2, 3, 7, 9]), network: Network::LOSS, ..two.clone() },
                World { rules: Rules::of(&[1, 2, 3, 7, 9, 13]), ..two },
            ],
        },
        Hazard {
            name: "H15",
            says: "One side starts anew, or a frame of an earlier session arrives, and nothing tells it from a new one.",
            repair: "F11, and both sides begin at a barrier",
            worlds: vec![
                restart(Before::Receiver(2), &[2]),
                restart(Before::Receiver(3), &[2]),
                restart(Before::Receiver(2), &[]),
                restart(Before::Sender(2), &[1, 2, 3, 4, 7, 9]),
                restart(Before::Ack(2), &[1, 2, 3, 4, 7, 9]),
            ],
        },
        Hazard {
            name: "H18",
            says: "GO overtakes STOP: the sender is stopped last, and no other GO will come.",
            repair: "F4 and F9 together",
            worlds: vec![
                overtaken(&[1, 2, 3, 7, 9]),
                World {
                    network: Network { duplication: true, ..Network::REORDERING },
                    ..overtaken(&[1, 2, 3, 4, 7])
                },
                World { timers: Timers::Premature, ..overtaken(&[1, 2, 3, 4, 7]) },
            ],
        },
    ]
}
