//! Sender: one rule of the sender, applied to the control structure of a peer (paper appendix,
//! rules S1, S2, LOSE, STOP, GO, ACK).
//!
//! One event applies one rule. The printed rules end in "execute S1"; here S1 is the event `Offer`,
//! which sends one message, and the firmware repeats it until nothing is sent. Events that occur
//! between two of these steps are part of the protocol, so a model checker must see them (decision
//! 0027).
//!
//! Combinational: outputs depend on inputs of the same cycle. The state is in the control
//! structure, which lies in NIC memory.

use hdl::{Bundle, Item, Package};

use super::control::{Control, Sending};
use super::precedes;
use super::rules::Rules;

hdl::codes! {
    /// Event of a sender. Control frames have the codes of their kind of frame.
    pub enum Cause in sender_pkg, width 3 {
        /// No event.
        Nothing = 0,
        /// S1: sends the next message if there is one and the window is open.
        Offer = 1,
        /// ACK(r, k) arrives.
        Ack = 2,
        /// LOSE(r, k) arrives.
        Lose = 3,
        /// STOP(r, k) arrives.
        Stop = 4,
        /// GO(r, k) arrives.
        Go = 5,
        /// S2: the timer of message i may have expired.
        Timer = 6,
    }
}

hdl::bundle! {
    /// Input pins of the Sender.
    pub struct In in sender_pkg {
        /// Control structure of the peer.
        control: Control,
        /// Repairs of the printed rules.
        rules: Rules,
        /// Event, a `Cause`.
        cause: u8 : 3,
        /// Number k of a control frame; i of a timer, unless `one_timer` is set.
        number: u32,
        /// Session that a control frame names.
        epoch: u16,
        /// Message `sent` + 1 is available.
        offered: bool,
        /// N, the window: messages without an ACK (decision 0027); less than 2^15.
        window: u16 : 15,
        /// Time, in the unit of `timeout`.
        now: u32,
        /// T: time from sending a message to sending it again.
        timeout: u32,
        /// m: expiries in a row after which the peer is dead; 0 for never.
        limit: u8,
    }
}

hdl::bundle! {
    /// Output pins of the Sender.
    pub struct Out in sender_pkg {
        /// Control structure of the peer after the event.
        control: Control,
        /// Sends message `number`.
        send: bool,
        /// Message to send.
        number: u32,
        /// Send buffers to free, counted from message `acked` + 1 of the structure before the
        /// event.
        freed: u32,
        /// The rule applied: a timer had expired, a control frame was of this session and within
        /// its bounds.
        taken: bool,
        /// The peer was found dead; high once.
        report_dead: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/protocol/sender_pkg",
    source: file!(),
    items: &[Item::Codes(Cause::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

/// Output pins for the input pins of the same cycle.
#[inline]
pub fn apply(pins: &In) -> Out {
    let q = &pins.control;
    let facts = Facts::of(pins);
    let effects = Effects::of(pins, &facts);
    let Effects { applies, offers, expires, acknowledges, probes, k, .. } = effects;
    Out {
        control: after(pins, &facts, &effects),
        send: applies && (offers || probes),
        number: if applies && probes { facts.oldest } else { facts.next },
        freed: if applies && acknowledges { k.wrapping_sub(q.acked) } else { 0 },
        taken: applies && !offers,
        report_dead: applies && expires && facts.gives_up,
    }
}

/// Comparisons that the rules need, computed in parallel.
struct Facts {
    /// Message after the last one sent.
    next: u32,
    /// Oldest message without an ACK.
    oldest: u32,
    /// The window admits message `next`.
    open: bool,
    /// Distance of `number` from the last acknowledged message.
    distance: u32,
    /// A control frame names a message from the last acknowledged one to the end of the window.
    from_acked: bool,
    /// A control frame names a message from the oldest unacknowledged one to the end of the window.
    from_oldest: bool,
    /// A control frame counts: of this session, for a message that was sent, from a peer that lives.
    heard: bool,
    /// Message that the rule names.
    named: u32,
    /// Message before `named`.
    before: u32,
    /// Expiries in a row, with this one.
    expiries: u8,
    /// `expiries` reaches the limit.
    gives_up: bool,
}

impl Facts {
    #[inline(always)]
    fn of(pins: &In) -> Self {
        let q = &pins.control;
        let next = q.sent.wrapping_add(1);
        let oldest = q.acked.wrapping_add(1);

        // Bounds of S1 and of control frames; a distance is negative if a rewind or an old frame went
        // below A.
        let window = u32::from(pins.window);
        let ahead = next.wrapping_sub(q.acked);
        let open = precedes(ahead, window) || pins.rules.wide_window && ahead == window;
        let distance = pins.number.wrapping_sub(q.acked);
        let above = precedes(0, distance);
        let below = precedes(distance, window) || pins.rules.wide_bounds && distance == window;
        let foreign = pins.rules.epochs && pins.epoch != q.epoch;

        // A number that was never sent; GO may name the one after the last.
        let cause = Cause::from_code(pins.cause);
        let room = q.highest.wrapping_sub(pins.number);
        let unsent =
            pins.rules.sent_only && precedes(room, 0) && !(cause == Some(Cause::Go) && room == u32::MAX);

        // k: the message that the rule names, or the one before it. A timer names the oldest message,
        // or any unacknowledged one; the oldest is computed from A, not from its own number, to avoid a
        // second adder in the path.
        let of_oldest = cause == Some(Cause::Timer) && pins.rules.one_timer;
        let named = if of_oldest { oldest } else { pins.number };
        let expiries = q.expiries.saturating_add(1);
        Self {
            next,
            oldest,
            open,
            distance,
            from_acked: !precedes(distance, 0) && below,
            from_oldest: above && below,
            heard: !q.dead && !foreign && !unsent,
            named,
            before: named.wrapping_sub(1),
            expiries,
            gives_up: pins.limit != 0 && expiries >= pins.limit,
        }
    }
}

/// Whether the rule applies, and its effects, computed in parallel.
struct Effects {
    applies: bool,
    /// S1: sends the next message.
    offers: bool,
    /// S2: a timer expired.
    expires: bool,
    /// A becomes k.
    acknowledges: bool,
    /// S becomes k.
    rewinds: bool,
    /// Sends the oldest message and stays stopped.
    probes: bool,
    /// `rewound` of the control structure.
    rewound: bool,
    /// `sending` of the control structure.
    sending: Sending,
    /// k: the message that the rule names, or the one before it.
    k: u32,
}

impl Effects {
    #[inline(always)]
    fn of(pins: &In, facts: &Facts) -> Self {
        let (q, rules) = (&pins.control, &pins.rules);
        let running = q.sending == Sending::Running;
        let &Facts { named, before, heard, from_acked, from_oldest, .. } = facts;
        let none = Self {
            applies: false,
            offers: false,
            expires: false,
            acknowledges: false,
            rewinds: false,
            probes: false,
            rewound: q.rewound,
            sending: q.sending,
            k: named,
        };
        let resumed = if rules.ack_resumes { Sending::Running } else { q.sending };
        match Cause::from_code(pins.cause) {
            // S1: sends one message.
            Some(Cause::Offer) => {
                Self { applies: pins.offered && running && facts.open && !q.dead, offers: true, ..none }
            }
            // S2: goes back to the message that expired; a stopped sender only probes.
            Some(Cause::Timer) => Self::of_timer(pins, facts, none),
            // ACK: k is the last message received in order.
            Some(Cause::Ack) => {
                Self { applies: heard && from_acked, acknowledges: true, sending: resumed, ..none }
            }
            // LOSE: as ACK, and all messages after k are retransmitted. This is done once, although
            // every message after a gap requests it.
            Some(Cause::Lose) => {
                let again = rules.lose_once && q.rewound && facts.distance == 0;
                let rewinds = rules.lose_rewinds && !again;
                Self {
                    applies: heard && (from_oldest || rules.lose_rewinds && from_acked),
                    acknowledges: true,
                    rewinds,
                    rewound: q.rewound || rewinds,
                    sending: resumed,
                    ..none
                }
            }
            // STOP: the frame names the message that found no room.
            Some(Cause::Stop) => Self {
                applies: heard && from_oldest,
                acknowledges: true,
                sending: Sending::Stopped,
                k: if rules.stop_keeps { before } else { named },
                ..none
            },
            // GO: the frame names the next message that the receiver expects.
            Some(Cause::Go) => Self {
                applies: heard && from_acked,
                rewinds: rules.go_rewinds,
                sending: Sending::Running,
                k: before,
                ..none
            },
            Some(Cause::Nothing) | None => none,
        }
    }

    /// S2: goes back to the message that expired; a stopped sender only probes.
    #[inline(always)]
    fn of_timer(pins: &In, facts: &Facts, none: Self) -> Self {
        let (q, rules, named) = (&pins.control, &pins.rules, facts.named);
        let running = q.sending == Sending::Running;
        let outstanding = || precedes(q.acked, named) && !precedes(q.highest, named);
        let due = || !precedes(pins.now.wrapping_sub(q.stamp), pins.timeout);
        let k = if rules.resend_expired { facts.before } else { named };
        let probes = !facts.gives_up && !running && rules.probe;
        let resends = !facts.gives_up && !probes;
        Self {
            applies: outstanding() && due() && !q.dead && (running || rules.timer_while_stopped),
            expires: true,
            rewinds: resends && (!rules.one_timer || precedes(k, q.sent)),
            probes,
            rewound: false,
            sending: if resends { Sending::Running } else { q.sending },
            k,
            ..none
        }
    }
}

/// Control structure after the event. S goes back to k, advances to the next message, or stays; A becomes k
/// or stays. Then S is raised to A, if the rules require it, and the highest number to S. Both are k or one
/// of the old values, so all of these are compared with each other in parallel with the decision.
#[inline(always)]
fn after(pins: &In, facts: &Facts, effects: &Effects) -> Control {
    let q = &pins.control;
    let &Effects { applies, offers, expires, acknowledges, k, .. } = effects;
    let frees = acknowledges && k != q.acked;
    let mut d = *q;
    if applies {
        if acknowledges {
            d.acked = k;
        }
        if effects.rewinds {
            d.sent = k;
        } else if offers {
            d.sent = facts.next;
        }
    }
    if pins.rules.sent_follows_acked && precedes(d.sent, d.acked) {
        d.sent = d.acked;
    }
    if precedes(d.highest, d.sent) {
        d.highest = d.sent;
    }
    if applies {
        d.sending = effects.sending;
        // The stamp belongs to the oldest message.
        if expires || frees || offers && q.sent == q.acked {
            d.stamp = pins.now;
        }
        d.rewound = effects.rewound && (!frees || Cause::from_code(pins.cause) == Some(Cause::Lose));
        if !expires && !offers {
            d.expiries = 0;
        } else if expires && pins.limit != 0 {
            d.expiries = facts.expiries;
        }
        if expires && facts.gives_up {
            d.dead = true;
        }
    }
    d
}

#[cfg(test)]
mod tests;
