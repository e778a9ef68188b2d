//! The hazards of the printed rules, each with a small world that shows it (decision 0027).

use ::gigae_pm::protocol::Rules;

use crate::core;
use crate::gigae_pm::GigaePm;
use crate::gigae_pm::network::{Network, Timers};
use crate::gigae_pm::world::{Before, Misreading, World};
use crate::gigae_pm::wrong::Wrong;

/// A hazard of the printed rules.
pub type Hazard = core::Hazard<GigaePm>;

/// A hazard that worlds show by a violation or a trap.
fn shown(
    name: &'static str,
    description: &'static str,
    repair: &'static str,
    wrong: Wrong,
    worlds: Vec<World>,
) -> Hazard {
    Hazard { name, description, repair, wrong, worlds, mended: Vec::new() }
}

/// A hazard that costs time and violates nothing: a kind of step shows it.
fn slow(
    name: &'static str,
    description: &'static str,
    repair: &'static str,
    step: Wrong,
    world: World,
) -> Hazard {
    Hazard::new(name, description, repair, step, World { seeks: Some(step), ..world })
}

/// All hazards that a world can show.
pub(super) fn all() -> Vec<Hazard> {
    let groups = [
        losses_and_full_buffers(),
        rewinds_and_bounds(),
        numbers_and_buffers(),
        shared_channels_and_sessions(),
        order_of_events(),
        peers(),
    ];
    groups.into_iter().flatten().collect()
}

/// One sender, a buffer that is never full, a network without faults, timers that are late.
fn roomy() -> World {
    World { rules: Rules::PRINTED, slots: None, ..World::default() }
}

/// `roomy` with a network that loses frames.
fn lossy() -> World {
    World { network: Network::LOSS, ..roomy() }
}

/// `roomy` with a receive buffer of one message.
fn small() -> World {
    World { slots: Some(1), ..roomy() }
}

/// `lossy` with a receive buffer of one message.
fn small_lossy() -> World {
    World { slots: Some(1), ..lossy() }
}

/// Repairs for a network that loses frames and keeps their order.
fn fifo_repairs() -> Rules {
    Rules::of(&[1, 2, 3, 4, 7, 9])
}

/// Lost frames, and STOP and GO of a full buffer.
fn losses_and_full_buffers() -> Vec<Hazard> {
    vec![
        shown(
            "H1",
            "A timeout of message i sends what follows i, never i itself: the first loss is the last.",
            "F1",
            Wrong::Deadlock,
            vec![lossy(), World { window: 3, ..lossy() }],
        ),
        shown(
            "H2",
            "A message that comes again is not answered, so a lost ACK is never made good.",
            "F2",
            Wrong::Livelock,
            vec![
                World { rules: Rules::of(&[1]), ..lossy() },
                World { rules: Rules::of(&[1, 3, 4, 9]), window: 3, ..small_lossy() },
            ],
        ),
        shown(
            "H3",
            "STOP(k) acknowledges message k, which was discarded: it is gone for good, without any loss on the wire.",
            "F3",
            Wrong::SilentLoss,
            vec![small(), World { window: 3, ..small() }],
        ),
        shown(
            "H4",
            "GO is lost while no timer runs: each side waits for the other.",
            "F4",
            Wrong::Deadlock,
            vec![World { rules: Rules::of(&[1, 2, 3]), ..small_lossy() }],
        ),
        shown(
            "H5",
            "GO is lost, all that was sent is acknowledged, and an ACK does not start a stopped sender again.",
            "F9",
            Wrong::Deadlock,
            vec![World { rules: Rules::of(&[1, 2, 3, 4, 7]), timers: Timers::Premature, ..small_lossy() }],
        ),
    ]
}

/// Rewinds, and bounds of numbers in control frames.
fn rewinds_and_bounds() -> Vec<Hazard> {
    let mixed = |window| World { window, rules: Rules::REPAIRED.without(&[16]), ..small_lossy() };
    vec![
        shown(
            "H6",
            "A rewind and an ACK cross: MsgIdSent is below MsgIdAcked, and S1 sends from a buffer that is free.",
            "F7",
            Wrong::FreedSent,
            vec![
                World { rules: Rules::of(&[1, 2]), timers: Timers::Premature, ..roomy() },
                World { rules: Rules::of(&[1, 2, 3, 4, 9]), window: 3, ..small_lossy() },
            ],
        ),
        slow(
            "H7",
            "LOSE for the first message that is not acknowledged is out of bounds, so a loss is made good by the timer only.",
            "F5",
            Wrong::IgnoredLose,
            World { window: 3, messages: 4, slots: Some(2), rules: fifo_repairs(), ..lossy() },
        ),
        slow(
            "H8",
            "GO is taken, but what was discarded in the meantime is not sent again before the timer expires.",
            "F6",
            Wrong::GoForTheNext,
            World { rules: fifo_repairs(), ..small() },
        ),
        shown(
            "H9",
            "LOSE cannot tell of the loss of the last message: only a timer can, and F1 makes it work.",
            "F1",
            Wrong::Deadlock,
            vec![World { rules: Rules::REPAIRED.without(&[1, 15, 16]), window: 3, ..small_lossy() }],
        ),
        shown(
            "H10",
            "With j < A + N a window of 1 is empty; with j <= A + N and k < A + N a needed ACK is out of bounds.",
            "F15 and F16 together",
            Wrong::Deadlock,
            vec![World { window: 1, ..roomy() }, mixed(1), mixed(2), mixed(3)],
        ),
    ]
}

/// Freed buffers, wrapping numbers, and copies of a message.
fn numbers_and_buffers() -> Vec<Hazard> {
    let numbered = |window, modulus| World {
        window,
        modulus: Some(modulus),
        messages: 4,
        rules: fifo_repairs(),
        timers: Timers::Premature,
        ..small_lossy()
    };
    vec![
        shown(
            "H11",
            "The index of the buffers to free is not bounded: read literally, any ACK frees them all, also of what was lost.",
            "freeing from A + 1 to k only, whatever the rules",
            Wrong::SilentLoss,
            vec![World {
                window: 3,
                rules: Rules::REPAIRED,
                misreading: Some(Misreading::FreesEverything),
                ..lossy()
            }],
        ),
        shown(
            "H12",
            "Numbers on the wire wrap so soon that an old message or ACK passes for a new one.",
            "32 bits, compared as serial numbers",
            Wrong::Duplicate,
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
        shown(
            "H13",
            "MsgIdRecv is counted after the transfer to the host, so a copy that comes in between is accepted too.",
            "F10",
            Wrong::Duplicate,
            vec![World {
                rules: Rules::of(&[1, 2, 7]),
                transfer: true,
                timers: Timers::Premature,
                ..roomy()
            }],
        ),
    ]
}

/// Senders that share a channel, and sessions that begin anew.
fn shared_channels_and_sessions() -> Vec<Hazard> {
    let two = World { senders: 2, messages: 2, ..small() };
    let restart = |before, rules: &[u32]| World { window: 3, before, rules: Rules::of(rules), ..roomy() };
    vec![
        shown(
            "H14",
            "The buffer belongs to the channel, but STOP and GO to a peer: a sender is stopped or forgotten by another's.",
            "F13 and F14 together",
            Wrong::Deadlock,
            vec![
                World { rules: Rules::of(&[1, 2, 3, 7, 9]), network: Network::LOSS, ..two.clone() },
                World { rules: Rules::of(&[1, 2, 3, 7, 9, 13]), ..two },
            ],
        ),
        shown(
            "H15",
            "One side starts anew, or a frame of an earlier session arrives, and nothing tells it from a new one.",
            "F11, and both sides begin at a barrier",
            Wrong::SilentLoss,
            vec![
                restart(Before::Receiver(2), &[2]),
                restart(Before::Receiver(3), &[2]),
                restart(Before::Receiver(2), &[]),
                restart(Before::Sender(2), &[1, 2, 3, 4, 7, 9]),
                restart(Before::Ack(2), &[1, 2, 3, 4, 7, 9]),
            ],
        ),
    ]
}

/// Timers, gaps and control frames in an order that the rules do not expect.
fn order_of_events() -> Vec<Hazard> {
    let overtaken =
        |rules: &[u32]| World { rules: Rules::of(rules), network: Network::REORDERING, ..small() };
    vec![
        slow(
            "H16",
            "Timers of two messages expire before S1 runs: the second takes MsgIdSent forward, and the first message is skipped.",
            "F8",
            Wrong::TimerForward,
            World { window: 3, rules: fifo_repairs(), timers: Timers::Premature, ..roomy() },
        ),
        slow(
            "H17",
            "Every message behind a gap asks for what is missing, and every time all of it is sent again.",
            "F12",
            Wrong::SecondRewind,
            World { window: 3, capacity: 4, rules: Rules::REPAIRED.without(&[12]), ..lossy() },
        ),
        shown(
            "H18",
            "GO overtakes STOP: the sender is stopped last, and no other GO will come.",
            "F4 and F9 together",
            Wrong::Deadlock,
            vec![
                overtaken(&[1, 2, 3, 7, 9]),
                World {
                    network: Network { duplication: true, ..Network::REORDERING },
                    ..overtaken(&[1, 2, 3, 4, 7])
                },
                World { timers: Timers::Premature, ..overtaken(&[1, 2, 3, 4, 7]) },
            ],
        ),
    ]
}

/// Peers that stop each other, are dead, or acknowledge what was never sent.
fn peers() -> Vec<Hazard> {
    vec![
        shown(
            "H19",
            "\"Stop sending\" is taken for the whole channel: two nodes that stop each other cannot say GO.",
            "stopping messages to one peer only, whatever the rules",
            Wrong::Livelock,
            vec![World {
                senders: 2,
                messages: 2,
                mutual: true,
                rules: Rules::REPAIRED,
                misreading: Some(Misreading::StopsChannel),
                ..small()
            }],
        ),
        shown(
            "H20",
            "The peer is dead: what was sent to it is sent again for ever, and nobody is told.",
            "a limit of expiries, after which the peer is reported",
            Wrong::Livelock,
            vec![World { deaf: true, window: 1, rules: Rules::REPAIRED, ..roomy() }],
        ),
        shown(
            "H21",
            "An ACK of a message that was never sent is within the window: it frees what nobody has, and all stands still.",
            "F18",
            Wrong::SilentLoss,
            vec![
                World { window: 4, messages: 2, before: Before::Forged(3), ..roomy() },
                World {
                    window: 3,
                    messages: 2,
                    before: Before::Forged(3),
                    rules: Rules::REPAIRED.without(&[18]),
                    ..roomy()
                },
            ],
        ),
    ]
}
