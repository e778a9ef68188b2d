//! The hazards of the printed rules, each with a small world that shows it (decision 0027).

use ::gigae_pm::protocol::Rules;

use crate::gigae_pm::network::{Network, Timers};
use crate::gigae_pm::witness::Witness;
use crate::gigae_pm::world::{Before, Misreading, World};

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
    /// The step that shows it, where nothing is violated and only time is lost.
    pub witness: Option<Witness>,
}

impl Hazard {
    /// A hazard that ends in a violation or a trap.
    fn new(name: &'static str, says: &'static str, repair: &'static str, worlds: Vec<World>) -> Self {
        Self { name, says, repair, worlds, witness: None }
    }

    /// A hazard that costs time.
    fn slow(
        name: &'static str,
        says: &'static str,
        repair: &'static str,
        world: World,
        witness: Witness,
    ) -> Self {
        Self { witness: Some(witness), ..Self::new(name, says, repair, vec![world]) }
    }
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
        Hazard::new(
            "H1",
            "A timeout of message i sends what follows i, never i itself: the first loss is the last.",
            "F1",
            vec![lossy.clone(), World { window: 3, ..lossy.clone() }],
        ),
        Hazard::new(
            "H2",
            "A message that comes again is not answered, so a lost ACK is never made good.",
            "F2",
            vec![
                World { rules: Rules::of(&[1]), ..lossy.clone() },
                World { rules: Rules::of(&[1, 3, 4, 9]), window: 3, ..small_lossy.clone() },
            ],
        ),
        Hazard::new(
            "H3",
            "STOP(k) acknowledges message k, which was discarded: it is gone for good, without any loss on the wire.",
            "F3",
            vec![small.clone(), World { window: 3, ..small.clone() }],
        ),
        Hazard::new(
            "H4",
            "GO is lost while no timer runs: each side waits for the other.",
            "F4",
            vec![World { rules: Rules::of(&[1, 2, 3]), ..small_lossy.clone() }],
        ),
        Hazard::new(
            "H5",
            "GO is lost, all that was sent is acknowledged, and an ACK does not start a stopped sender again.",
            "F9",
            vec![World {
                rules: Rules::of(&[1, 2, 3, 4, 7]),
                timers: Timers::Premature,
                ..small_lossy.clone()
            }],
        ),
        Hazard::new(
            "H6",
            "A rewind and an ACK cross: MsgIdSent is below MsgIdAcked, and S1 sends from a buffer that is free.",
            "F7",
            vec![
                World { rules: Rules::of(&[1, 2]), timers: Timers::Premature, ..roomy.clone() },
                World { rules: Rules::of(&[1, 2, 3, 4, 9]), window: 3, ..small_lossy.clone() },
            ],
        ),
        Hazard::slow(
            "H7",
            "LOSE for the first message that is not acknowledged is out of bounds, so a loss is made good by the timer only.",
            "F5",
            World { window: 3, messages: 4, slots: Some(2), rules: fifo_repairs, ..lossy.clone() },
            Witness::IGNORED_LOSE,
        ),
        Hazard::slow(
            "H8",
            "GO is taken, but what was discarded in the meantime is not sent again before the timer expires.",
            "F6",
            World { rules: fifo_repairs, ..small.clone() },
            Witness::GO_FOR_THE_NEXT,
        ),
        Hazard::new(
            "H9",
            "LOSE cannot tell of the loss of the last message: only a timer can, and F1 makes it work.",
            "F1",
            vec![World { rules: Rules::REPAIRED.without(&[1, 15, 16]), window: 3, ..small_lossy.clone() }],
        ),
        Hazard::new(
            "H10",
            "With j < A + N a window of 1 is empty; with j <= A + N and k < A + N a needed ACK is out of bounds.",
            "F15 and F16 together",
            vec![World { window: 1, ..roomy.clone() }, mixed(1), mixed(2), mixed(3)],
        ),
        Hazard::new(
            "H11",
            "The index of the buffers to free is not bounded: read literally, any ACK frees them all, also of what was lost.",
            "freeing from A + 1 to k only, whatever the rules",
            vec![World {
                window: 3,
                rules: Rules::REPAIRED,
                misreading: Some(Misreading::FreesEverything),
                ..lossy.clone()
            }],
        ),
        Hazard::new(
            "H12",
            "Numbers on the wire wrap so soon that an old message or ACK passes for a new one.",
            "32 bits, compared as serial numbers",
            vec![
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
        ),
        Hazard::new(
            "H13",
            "MsgIdRecv is counted after the transfer to the host, so a copy that comes in between is accepted too.",
            "F10",
            vec![World {
                rules: Rules::of(&[1, 2, 7]),
                transfer: true,
                timers: Timers::Premature,
                ..roomy.clone()
            }],
        ),
        Hazard::new(
            "H14",
            "The buffer belongs to the channel, but STOP and GO to a peer: a sender is stopped or forgotten by another's.",
            "F13 and F14 together",
            vec![
                World { rules: Rules::of(&[1, 2, 3, 7, 9]), network: Network::LOSS, ..two.clone() },
                World { rules: Rules::of(&[1, 2, 3, 7, 9, 13]), ..two },
            ],
        ),
        Hazard::new(
            "H15",
            "One side starts anew, or a frame of an earlier session arrives, and nothing tells it from a new one.",
            "F11, and both sides begin at a barrier",
            vec![
                restart(Before::Receiver(2), &[2]),
                restart(Before::Receiver(3), &[2]),
                restart(Before::Receiver(2), &[]),
                restart(Before::Sender(2), &[1, 2, 3, 4, 7, 9]),
                restart(Before::Ack(2), &[1, 2, 3, 4, 7, 9]),
            ],
        ),
        Hazard::slow(
            "H16",
            "Timers of two messages expire before S1 runs: the second takes MsgIdSent forward, and the first message is skipped.",
            "F8",
            World { window: 3, rules: fifo_repairs, timers: Timers::Premature, ..roomy.clone() },
            Witness::TIMER_FORWARD,
        ),
        Hazard::slow(
            "H17",
            "Every message behind a gap asks for what is missing, and every time all of it is sent again.",
            "F12",
            World { window: 3, capacity: 4, rules: Rules::REPAIRED.without(&[12]), ..lossy.clone() },
            Witness::SECOND_REWIND,
        ),
        Hazard::new(
            "H18",
            "GO overtakes STOP: the sender is stopped last, and no other GO will come.",
            "F4 and F9 together",
            vec![
                overtaken(&[1, 2, 3, 7, 9]),
                World {
                    network: Network { duplication: true, ..Network::REORDERING },
                    ..overtaken(&[1, 2, 3, 4, 7])
                },
                World { timers: Timers::Premature, ..overtaken(&[1, 2, 3, 4, 7]) },
            ],
        ),
        Hazard::new(
            "H19",
            "\"Stop sending\" is taken for the whole channel: two nodes that stop each other cannot say GO.",
            "stopping messages to one peer only, whatever the rules",
            vec![World {
                senders: 2,
                messages: 2,
                mutual: true,
                rules: Rules::REPAIRED,
                misreading: Some(Misreading::StopsChannel),
                ..small.clone()
            }],
        ),
        Hazard::new(
            "H20",
            "The peer is dead: what was sent to it is sent again for ever, and nobody is told.",
            "a limit of expiries, after which the peer is reported",
            vec![World { deaf: true, window: 1, rules: Rules::REPAIRED, ..roomy.clone() }],
        ),
        Hazard::new(
            "H21",
            "An ACK of a message that was never sent is within the window: it frees what nobody has, and all stands still.",
            "F18",
            vec![
                World { window: 4, messages: 2, before: Before::Forged(3), ..roomy.clone() },
                World {
                    window: 3,
                    messages: 2,
                    before: Before::Forged(3),
                    rules: Rules::REPAIRED.without(&[18]),
                    ..roomy.clone()
                },
            ],
        ),
    ]
}
