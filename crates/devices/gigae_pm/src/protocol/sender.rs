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
    let next = q.sent.wrapping_add(1);
    let oldest = q.acked.wrapping_add(1);
    let running = q.sending == Sending::Running;

    // Bounds of S1 and of control frames; a distance is negative if a rewind or an old frame went
    // below A.
    let window = u32::from(pins.window);
    let ahead = next.wrapping_sub(q.acked);
    let open = precedes(ahead, window) || pins.rules.wide_window && ahead == window;
    let distance = pins.number.wrapping_sub(q.acked);
    let above = precedes(0, distance);
    let below = precedes(distance, window) || pins.rules.wide_bounds && distance == window;
    let from_acked = !precedes(distance, 0) && below;
    let from_oldest = above && below;
    let foreign = pins.rules.epochs && pins.epoch != q.epoch;

    // A number that was never sent; GO may name the one after the last.
    let cause = Cause::from_code(pins.cause);
    let room = q.highest.wrapping_sub(pins.number);
    let unsent = pins.rules.sent_only && precedes(room, 0) && !(cause == Some(Cause::Go) && room == u32::MAX);
    let heard = !q.dead && !foreign && !unsent;

    // k: the message that the rule names, or the one before it. A timer names the oldest message,
    // or any unacknowledged one. (The RTL computes k from A for the oldest one, which avoids a
    // second adder in the path.)
    let of_oldest = cause == Some(Cause::Timer) && pins.rules.one_timer;
    let named = if of_oldest { oldest } else { pins.number };
    let before = named.wrapping_sub(1);
    let mut k = named;
    let outstanding = || precedes(q.acked, named) && !precedes(q.highest, named);
    let due = || !precedes(pins.now.wrapping_sub(q.stamp), pins.timeout);
    let expiries = q.expiries.saturating_add(1);
    let gives_up = pins.limit != 0 && expiries >= pins.limit;

    // Whether the rule applies, and its effects, computed in parallel.
    let (mut offers, mut expires, mut acknowledges, mut rewinds, mut probes) =
        (false, false, false, false, false);
    let mut rewound = q.rewound;
    let mut sending = q.sending;
    let applies = match cause {
        // S1: sends one message.
        Some(Cause::Offer) => {
            offers = true;
            pins.offered && running && open && !q.dead
        }
        // S2: goes back to the message that expired; a stopped sender only probes.
        Some(Cause::Timer) => {
            expires = true;
            rewound = false;
            if pins.rules.resend_expired {
                k = before;
            }
            if !gives_up {
                probes = !running && pins.rules.probe;
                rewinds = !probes && (!pins.rules.one_timer || precedes(k, q.sent));
                if !probes {
                    sending = Sending::Running;
                }
            }
            outstanding() && due() && !q.dead && (running || pins.rules.timer_while_stopped)
        }
        // ACK: k is the last message received in order.
        Some(Cause::Ack) => {
            acknowledges = true;
            if pins.rules.ack_resumes {
                sending = Sending::Running;
            }
            heard && from_acked
        }
        // LOSE: as ACK, and all messages after k are retransmitted. This is done once, although
        // every message after a gap requests it.
        Some(Cause::Lose) => {
            acknowledges = true;
            rewinds = pins.rules.lose_rewinds && !(pins.rules.lose_once && q.rewound && distance == 0);
            rewound = q.rewound || rewinds;
            if pins.rules.ack_resumes {
                sending = Sending::Running;
            }
            heard && (from_oldest || pins.rules.lose_rewinds && from_acked)
        }
        // STOP: the frame names the message that found no room.
        Some(Cause::Stop) => {
            acknowledges = true;
            if pins.rules.stop_keeps {
                k = before;
            }
            sending = Sending::Stopped;
            heard && from_oldest
        }
        // GO: the frame names the next message that the receiver expects.
        Some(Cause::Go) => {
            k = before;
            rewinds = pins.rules.go_rewinds;
            sending = Sending::Running;
            heard && from_acked
        }
        Some(Cause::Nothing) | None => false,
    };

    // S goes back to k, advances to the next message, or stays; A becomes k or stays. Then S is
    // raised to A, if the rules require it, and the highest number to S. (Each is k or an old value
    // in the end, so the RTL makes all comparisons in parallel with the decision.)
    let frees = acknowledges && k != q.acked;
    let mut d = *q;
    if applies {
        if acknowledges {
            d.acked = k;
        }
        if rewinds {
            d.sent = k;
        } else if offers {
            d.sent = next;
        }
    }
    if pins.rules.sent_follows_acked && precedes(d.sent, d.acked) {
        d.sent = d.acked;
    }
    if precedes(d.highest, d.sent) {
        d.highest = d.sent;
    }
    if applies {
        d.sending = sending;
        // The stamp belongs to the oldest message.
        if expires || frees || offers && q.sent == q.acked {
            d.stamp = pins.now;
        }
        d.rewound = rewound && (!frees || cause == Some(Cause::Lose));
        if !expires && !offers {
            d.expiries = 0;
        } else if expires && pins.limit != 0 {
            d.expiries = expiries;
        }
        if expires && gives_up {
            d.dead = true;
        }
    }

    Out {
        control: d,
        send: applies && (offers || probes),
        number: if applies && probes { oldest } else { next },
        freed: if applies && acknowledges { k.wrapping_sub(q.acked) } else { 0 },
        taken: applies && !offers,
        report_dead: applies && expires && gives_up,
    }
}

#[cfg(test)]
mod tests;
