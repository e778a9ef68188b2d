//! Sender: one rule of the sender on the control structure of a peer (paper appendix, rules S1, S2, LOSE, STOP, GO, ACK).
//!
//! One event, one rule. The printed rules end in "execute S1"; here S1 is the event `Offer`, which sends one
//! message, and the firmware repeats it until nothing is sent. What may happen between two of these steps is part of the
//! protocol, and a model checker must see it (decision 0027).
//!
//! Combinational: all inputs to all outputs. The registers are the control structure, which lies in NIC memory.

use hdl::{Bundle, Item, Package};

use super::control::{Control, Sending};
use super::precedes;
use super::rules::Rules;

hdl::codes! {
    /// What happens to a sender. Control frames have the codes of their kind of frame.
    pub enum Cause in sender_pkg, width 3 {
        /// Nothing.
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
        /// Which repairs apply.
        rules: Rules,
        /// What happens.
        cause: u8 : 3,
        /// k of a control frame; i of a timer that is not the only one (without F8).
        number: u32,
        /// Session that a control frame names.
        epoch: u16,
        /// There is a message `sent` + 1 to send.
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
        /// Send buffers to free, counted from message `acked` + 1 of the structure before the event.
        freed: u32,
        /// The rule applied: a timer had expired, a control frame was of this session and within its bounds.
        taken: bool,
        /// The peer is found dead; high once.
        report_dead: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/protocol/sender_pkg",
    source: "crates/gigae_pm/src/protocol/sender.rs",
    items: &[Item::Codes(Cause::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

/// Output pins for the input pins of the same cycle.
#[inline]
pub fn apply(pins: &In) -> Out {
    let q = &pins.control;
    let next = q.sent.wrapping_add(1);
    let oldest = q.acked.wrapping_add(1);
    let running = q.sending == Sending::Running;

    // The bounds of S1 and of control frames; a distance is negative where a rewind or an old frame went below A.
    let window = u32::from(pins.window);
    let ahead = next.wrapping_sub(q.acked);
    let open = precedes(ahead, window) || pins.rules.wide_window && ahead == window;
    let distance = pins.number.wrapping_sub(q.acked);
    let above = precedes(0, distance);
    let below = precedes(distance, window) || pins.rules.wide_bounds && distance == window;
    let from_acked = !precedes(distance, 0) && below;
    let from_oldest = above && below;
    let foreign = pins.rules.epochs && pins.epoch != q.epoch;
    let heard = !q.dead && !foreign;

    // The timer of the oldest message, or of any that is not acknowledged.
    let expired = if pins.rules.one_timer { oldest } else { pins.number };
    let outstanding = precedes(q.acked, expired) && !precedes(q.highest, expired);
    let due = !precedes(pins.now.wrapping_sub(q.stamp), pins.timeout);
    let expiries = q.expiries.saturating_add(1);
    let gives_up = pins.limit != 0 && expiries >= pins.limit;
    let rewind = if pins.rules.resend_expired { expired.wrapping_sub(1) } else { expired };

    let mut d = *q;
    let mut out = Out { number: next, ..Out::default() };
    match Cause::from_code(pins.cause) {
        // S1: one message; the stamp is that of the oldest one.
        Some(Cause::Offer) => {
            if pins.offered && running && open && !q.dead {
                out.send = true;
                d.sent = next;
                if next == oldest {
                    d.stamp = pins.now;
                }
            }
        }
        // S2: back to the message that expired; a stopped sender only probes.
        Some(Cause::Timer) => {
            if outstanding && due && !q.dead && (running || pins.rules.timer_while_stopped) {
                out.taken = true;
                d.stamp = pins.now;
                d.rewound = false;
                if pins.limit != 0 {
                    d.expiries = expiries;
                }
                if gives_up {
                    d.dead = true;
                    out.report_dead = true;
                } else if !running && pins.rules.probe {
                    out.send = true;
                    out.number = oldest;
                } else {
                    d.sending = Sending::Running;
                    if !pins.rules.one_timer || precedes(rewind, q.sent) {
                        d.sent = rewind;
                    }
                }
            }
        }
        // ACK: k is the last message received in order.
        Some(Cause::Ack) => {
            if heard && from_acked {
                out.taken = true;
                d.acked = pins.number;
                if pins.rules.ack_resumes {
                    d.sending = Sending::Running;
                }
            }
        }
        // LOSE: as ACK, and all after k is to be sent again; once, because every message after a gap asks for it.
        Some(Cause::Lose) => {
            if heard && (from_oldest || pins.rules.lose_rewinds && from_acked) {
                out.taken = true;
                d.acked = pins.number;
                if pins.rules.lose_rewinds && !(pins.rules.lose_once && q.rewound && distance == 0) {
                    d.sent = pins.number;
                    d.rewound = true;
                }
                if pins.rules.ack_resumes {
                    d.sending = Sending::Running;
                }
            }
        }
        // STOP: k is the message that found no room.
        Some(Cause::Stop) => {
            if heard && from_oldest {
                out.taken = true;
                d.acked = if pins.rules.stop_keeps { pins.number.wrapping_sub(1) } else { pins.number };
                d.sending = Sending::Stopped;
            }
        }
        // GO: k is the next message that the receiver waits for.
        Some(Cause::Go) => {
            if heard && from_acked {
                out.taken = true;
                d.sending = Sending::Running;
                if pins.rules.go_rewinds {
                    d.sent = pins.number.wrapping_sub(1);
                }
            }
        }
        Some(Cause::Nothing) | None => {}
    }

    if pins.rules.sent_follows_acked && precedes(d.sent, d.acked) {
        d.sent = d.acked;
    }
    if precedes(d.highest, d.sent) {
        d.highest = d.sent;
    }
    if d.acked != q.acked {
        d.stamp = pins.now;
        d.rewound = matches!(Cause::from_code(pins.cause), Some(Cause::Lose)) && d.rewound;
    }
    if out.taken && pins.cause != Cause::Timer.code() {
        d.expiries = 0;
    }
    out.freed = d.acked.wrapping_sub(q.acked);
    out.control = d;
    out
}

#[cfg(test)]
mod tests;
