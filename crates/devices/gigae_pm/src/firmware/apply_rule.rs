//! Applies a rule of the protocol: loads the control structure of a peer, applies the rule,
//! performs its actions and stores the structure.
//!
//! The rules themselves are the combinational blocks `sender` and `receiver`. After an accepted
//! rule of the sender, S1 is repeated until it sends nothing: it retransmits messages from their
//! send buffers. New messages are offered by the work on send descriptors. They get their numbers
//! here, and only if they can be sent at once.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::cost::{self, FRAME_CYCLES, RULE_CYCLES};
use super::pins::{BufferRequest, MemoryAccess, Operation, Request};
use crate::header::Frame;
use crate::memory_map::{BUFFER_WORDS, SEND_BUFFERS, control_structure};
use crate::protocol::{Control, Kind, Receiving, precedes, receiver, sender};
use crate::registers::Configuration;

hdl::fsm! {
    /// A rule on the control structure of a peer.
    pub enum State in apply_rule_pkg {
        /// Waits for a rule.
        Idle => [Load: "start", Idle: "otherwise"],
        /// Reads the control structure.
        Load => [Apply: "control structure read", Load: "otherwise"],
        /// Applies the rule.
        Apply => [
            Reply: "receiver replies",
            Free: "sender frees messages",
            Keep: "S1 sends a new message",
            Find: "timer sends a probe",
            Offer: "sender's rule applies, S1 follows",
            Store: "receiver without reply, or peer dead",
            Done: "sender's rule does not apply",
            Apply: "RULE_CYCLES not yet spent",
        ],
        /// Sends a control frame.
        Reply => [Store: "FRAME_CYCLES spent, transmitter idle", Reply: "otherwise"],
        /// Requests that the buffers of acknowledged messages are freed.
        Free => [Buffer],
        /// Requests that the buffer of a new message is recorded.
        Keep => [Buffer],
        /// Requests the buffer of a message.
        Find => [Buffer],
        /// Waits for the send buffers.
        Buffer => [
            Send: "message kept or found",
            Offer: "messages freed, or none found",
            Store: "message of the probe not found",
            Buffer: "otherwise",
        ],
        /// Sends a message.
        Send => [
            Offer: "sent, a retransmission",
            Store: "sent, new message or probe",
            Send: "otherwise",
        ],
        /// Executes S1, which retransmits messages.
        Offer => [Find: "S1 sends a message", Store: "S1 sends nothing"],
        /// Writes the control structure.
        Store => [Done: "last word written", Store: "otherwise"],
        /// Reports the end.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of the rules.
    pub struct In in apply_rule_pkg {
        /// The rule to apply.
        request: Request,
        /// Starts the rule; only while idle.
        start: bool,
        /// Parameters set by the kernel.
        configuration: Configuration,
        /// Receive rings of the channels that are full.
        full: u8 : 4,
        /// Time in cycles.
        now: u32,
        /// From NIC memory.
        memory_rdata: u32,
        /// Transmit DMA takes a frame.
        transmit_idle: bool,
        /// The send buffers are done.
        buffer_done: bool,
        /// With `buffer_done`: the message was found.
        buffer_found: bool,
        /// With `buffer_found`: buffer of the message.
        buffer_slot: u8 : 4,
        /// With `buffer_found`: size of the message in bytes.
        buffer_size: u16 : 11,
    }
}

hdl::bundle! {
    /// Output pins of the rules.
    pub struct Out in apply_rule_pkg {
        /// To NIC memory.
        memory: MemoryAccess,
        /// To the send buffers.
        buffer: BufferRequest,
        /// Starts the request.
        buffer_start: bool,
        /// To transmit DMA.
        frame: Frame,
        /// Starts the frame as soon as transmit DMA is idle.
        frame_start: bool,
        /// The rule is applied; high for one cycle.
        done: bool,
        /// A new message was sent.
        accepted: bool,
        /// A received message is to be delivered.
        deliver: bool,
        /// With `done`: a rule of the sender was accepted, so it may send again.
        unblock: bool,
        /// With `done`: the peer is dead.
        dead: bool,
        /// Channels that discard messages.
        discarding: u8 : 4,
        /// Frames of another session; wraps.
        wrong_epoch: u16,
        /// Timers expired; wraps.
        expired: u16,
    }
}

hdl::bundle! {
    /// Registers of the rules.
    pub struct ApplyRule in apply_rule_pkg {
        /// State of the rule.
        state: State,
        /// The rule to apply.
        request: Request,
        /// The control structure.
        control: Control,
        /// Word of the control structure.
        count: u8 : 3,
        /// Cycles spent in the current step.
        spent: u16 : 9,
        /// Kind of the frame to send.
        kind: u8 : 3,
        /// Number of the frame to send; first message to free.
        number: u32,
        /// Messages to free.
        freed: u32,
        /// Buffer of the message to send.
        slot: u8 : 4,
        /// Size of that message in bytes.
        size: u16 : 11,
        /// Operation requested of the send buffers, an `Operation`.
        operation: u8 : 2,
        /// The message to send is a probe.
        probe: bool,
        /// A new message is sent.
        accepted: bool,
        /// A received message is to be delivered.
        deliver: bool,
        /// The sender may send again.
        unblock: bool,
        /// The peer is dead.
        dead: bool,
        /// Channels that discard messages.
        discarding: u8 : 4,
        /// Frames of another session; wraps.
        wrong_epoch: u16,
        /// Timers expired; wraps.
        expired: u16,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/firmware/apply_rule_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for ApplyRule {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let address = control_structure(q.request.channel, q.request.node) + u32::from(q.count);
        let message = q.state == Send;
        let buffer = 16 * u32::from(q.request.channel) + u32::from(q.slot);
        Out {
            memory: match q.state {
                Load if q.count < 6 => MemoryAccess::read(address),
                Store => MemoryAccess::write(address, q.control.words()[q.count as usize % 6]),
                _ => MemoryAccess::default(),
            },
            buffer: BufferRequest {
                operation: q.operation,
                channel: q.request.channel,
                node: q.request.node,
                number: q.number,
                count: q.freed,
                slot: q.slot,
                size: q.size,
            },
            buffer_start: matches!(q.state, Free | Keep | Find),
            frame: Frame {
                address: SEND_BUFFERS + BUFFER_WORDS * buffer,
                size: if message { q.size } else { 0 },
                raw: false,
                kind: q.kind,
                channel: q.request.channel,
                node: q.request.node,
                number: q.number,
                epoch: q.control.epoch,
            },
            frame_start: matches!(q.state, Reply | Send) && q.spent == FRAME_CYCLES,
            done: q.state == Done,
            accepted: q.accepted,
            deliver: q.deliver,
            unblock: q.unblock && q.state == Done,
            dead: q.dead && q.state == Done,
            discarding: q.discarding,
            wrong_epoch: q.wrong_epoch,
            expired: q.expired,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        *self = self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        use State::*;
        match self.state {
            Idle | Buffer => Quiet::UntilInput,
            Apply => cost::left(self.spent, RULE_CYCLES),
            Reply | Send => cost::left(self.spent, FRAME_CYCLES),
            _ => Quiet::Busy,
        }
    }

    fn skip(&mut self, cycles: u64) {
        if matches!(self.state, State::Apply | State::Reply | State::Send) {
            self.spent += cycles as u16;
        }
    }
}

impl ApplyRule {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        match q.state {
            // Idle: only counters and discarding channels persist between rules.
            Idle => {
                if pins.start {
                    d.request = pins.request;
                    d.slot = pins.request.slot;
                    d.size = pins.request.size;
                    (d.probe, d.accepted, d.deliver) = (false, false, false);
                    (d.unblock, d.dead) = (false, false);
                    d.state = Load;
                }
            }
            // Load: a word arrives in the cycle after its read.
            Load => {
                if q.count != 0 {
                    let mut words = q.control.words();
                    words[(q.count as usize - 1) % 6] = pins.memory_rdata;
                    d.control = Control::from_words(words);
                }
                d.count = if q.count == 6 { 0 } else { (q.count + 1) & 7 };
                if q.count == 6 {
                    d.state = Apply;
                }
            }
            // Apply: every rule takes the same number of cycles.
            Apply => {
                if q.spent != RULE_CYCLES {
                    d.spent = Self::WIDTHS.spent.wrap(q.spent + 1);
                } else {
                    d.spent = 0;
                    if q.request.receives {
                        d.apply_receiver(q, pins);
                    } else {
                        d.apply_sender(q, pins);
                    }
                }
            }
            // Reply: the control frame is sent as soon as the one before is in the MAC.
            Reply => {
                if q.spent != FRAME_CYCLES {
                    d.spent = Self::WIDTHS.spent.wrap(q.spent + 1);
                } else if pins.transmit_idle {
                    d.spent = 0;
                    d.state = Store;
                }
            }
            // Free, Keep, Find: the send buffers are idle.
            Free | Keep | Find => d.state = Buffer,
            // Buffer: a message without a buffer cannot be sent; only the printed rules request
            // that.
            Buffer => {
                if pins.buffer_done {
                    if q.operation == Operation::Find.code() {
                        d.slot = pins.buffer_slot;
                        d.size = pins.buffer_size;
                        d.state = match (pins.buffer_found, q.probe) {
                            (true, _) => Send,
                            (false, true) => Store,
                            (false, false) => Offer,
                        };
                    } else {
                        d.state = if q.operation == Operation::Keep.code() { Send } else { Offer };
                    }
                }
            }
            // Send: the message is sent as soon as the frame before is in the MAC.
            Send => {
                if q.spent != FRAME_CYCLES {
                    d.spent = Self::WIDTHS.spent.wrap(q.spent + 1);
                } else if pins.transmit_idle {
                    d.spent = 0;
                    d.state = if q.accepted || q.probe { Store } else { Offer };
                }
            }
            // Offer: repeated up to the last message sent before, or to the end of the window.
            Offer => {
                let out = sender::apply(&q.sender_pins(pins));
                if out.send {
                    d.control = out.control;
                    d.kind = Kind::Message.code();
                    d.number = out.number;
                    d.operation = Operation::Find.code();
                    d.state = Find;
                } else {
                    d.state = Store;
                }
            }
            // Store: one word per cycle.
            Store => {
                d.count = if q.count == 5 { 0 } else { (q.count + 1) & 7 };
                if q.count == 5 {
                    d.state = Done;
                }
            }
            // Done: the result is kept until the next rule.
            Done => d.state = Idle,
        }
        d
    }

    /// Inputs of the sender's rules: the event, or S1.
    #[inline(always)]
    fn sender_pins(&self, pins: &In) -> sender::In {
        let q = self;
        let offer = q.state == State::Offer;
        let timer = q.request.cause == sender::Cause::Timer.code();
        sender::In {
            control: q.control,
            rules: pins.configuration.rules,
            cause: if offer { sender::Cause::Offer.code() } else { q.request.cause },
            number: if timer { q.control.acked.wrapping_add(1) } else { q.request.number },
            epoch: q.request.epoch,
            // A new message follows all others.
            offered: if offer {
                precedes(q.control.sent, q.control.highest)
            } else {
                q.control.sent == q.control.highest
            },
            window: pins.configuration.window,
            now: pins.now,
            timeout: pins.configuration.timeout,
            limit: pins.configuration.limit,
        }
    }

    /// Applies a rule of the sender; `self` is the next state.
    #[inline(always)]
    fn apply_sender(&mut self, q: &Self, pins: &In) {
        use State::*;
        let d = self;
        let out = sender::apply(&q.sender_pins(pins));
        let offers = q.request.cause == sender::Cause::Offer.code();
        let timer = q.request.cause == sender::Cause::Timer.code();
        let wrong_epoch =
            !offers && !timer && pins.configuration.rules.epochs && q.request.epoch != q.control.epoch;

        d.control = out.control;
        d.kind = Kind::Message.code();
        d.number = if out.freed != 0 { q.control.acked.wrapping_add(1) } else { out.number };
        d.freed = out.freed;
        d.unblock = out.taken;
        d.dead = out.report_dead;
        d.accepted = offers && out.send;
        d.probe = timer && out.send;
        d.expired = q.expired.wrapping_add(u16::from(timer && out.taken));
        d.wrong_epoch = q.wrong_epoch.wrapping_add(wrong_epoch.into());
        if offers {
            d.operation = Operation::Keep.code();
            d.state = if out.send { Keep } else { Done };
        } else if !out.taken {
            d.state = Done;
        } else if out.freed != 0 {
            d.operation = Operation::Free.code();
            d.state = Free;
        } else if out.send {
            d.operation = Operation::Find.code();
            d.state = Find;
        } else {
            d.state = if out.report_dead { Store } else { Offer };
        }
    }

    /// Applies a rule of the receiver; `self` is the next state.
    #[inline(always)]
    fn apply_receiver(&mut self, q: &Self, pins: &In) {
        use State::*;
        let d = self;
        let channel = q.request.channel;
        let discards = q.discarding >> channel & 1 == 1;
        let out = receiver::apply(&receiver::In {
            control: q.control,
            rules: pins.configuration.rules,
            cause: q.request.cause,
            number: q.request.number,
            epoch: q.request.epoch,
            room: pins.full >> channel & 1 == 0,
            receiving: if discards { Receiving::Discard } else { Receiving::Open },
        });
        let message = q.request.cause == receiver::Cause::Message.code();
        let wrong_epoch = message && pins.configuration.rules.epochs && q.request.epoch != q.control.epoch;

        d.control = out.control;
        d.kind = out.reply;
        d.number = out.number;
        d.deliver = out.deliver;
        d.discarding =
            q.discarding & !(1 << channel) | u8::from(out.receiving == Receiving::Discard) << channel;
        d.wrong_epoch = q.wrong_epoch.wrapping_add(wrong_epoch.into());
        d.state = if out.reply != Kind::Nothing.code() { Reply } else { Store };
    }
}

impl Probe for ApplyRule {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests;
