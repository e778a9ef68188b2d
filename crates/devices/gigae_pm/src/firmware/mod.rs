//! The firmware of the card as state machines (paper section 4.6, decision 0028).
//!
//! The paper's NIC has one processor, so one state machine works at a time. The [`dispatcher`]
//! starts the work on a received frame, on a send descriptor, or on a timer. That work calls
//! [`apply_rule`] for a rule of the protocol, which calls [`send_buffer`] to find messages.
//! [`cost`] has the cycles that a processor would spend on instructions. All of them share one port
//! of NIC memory with PCI DMA, for whose end they wait.

use hdl::{Clocked, Probe, Quiet, Role, Visitor};

pub mod apply_rule;
pub mod cost;
pub mod dispatcher;
pub mod pins;
pub mod receive_frame;
pub mod send_buffer;
pub mod send_message;
pub mod timer_scan;

use crate::registers::{Configuration, FirmwareCounts, cause};
use apply_rule::ApplyRule;
use dispatcher::Dispatcher;
use pins::{In, Out};
use receive_frame::ReceiveFrame;
use send_buffer::SendBuffer;
use send_message::SendMessage;
use timer_scan::TimerScan;

/// Firmware: the Dispatcher and the state machines that it starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Firmware {
    /// Schedules the work.
    pub dispatcher: Dispatcher,
    /// Work on received frames.
    pub receive_frame: ReceiveFrame,
    /// Work on send descriptors.
    pub send_message: SendMessage,
    /// Visits of control structures.
    pub timer_scan: TimerScan,
    /// Rules of the protocol.
    pub apply_rule: ApplyRule,
    /// Holds messages until they are acknowledged.
    pub send_buffer: SendBuffer,
}

impl Clocked for Firmware {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let receive = self.receive_frame.outputs();
        let send = self.send_message.outputs();
        let rule = self.apply_rule.outputs();
        let buffer = self.send_buffer.outputs();
        Out {
            // At most one state machine works at a time, so their accesses are combined without
            // arbitration.
            memory: receive.memory.or(send.memory).or(rule.memory).or(buffer.memory),
            transfer: if send.transfer_start { send.transfer } else { receive.transfer },
            transfer_start: send.transfer_start || receive.transfer_start,
            frame: if send.frame_start { send.frame } else { rule.frame },
            frame_start: send.frame_start || rule.frame_start,
            frame_done: receive.done,
            held: self.held(),
            counts: self.counts(),
            causes: if receive.other_delivered { cause::OTHER_FRAME } else { 0 }
                | if send.refused_one { cause::REFUSED } else { 0 }
                | if rule.dead { cause::DEAD_PEER } else { 0 },
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let dispatcher = self.dispatcher.outputs();
        let receive = self.receive_frame.outputs();
        let send = self.send_message.outputs();
        let scan = self.timer_scan.outputs();
        let rule = self.apply_rule.outputs();
        let buffer = self.send_buffer.outputs();

        self.dispatcher.tick(&dispatcher::In {
            enable: pins.configuration.enable,
            receive_wanted: pins.frame_waiting,
            send_wanted: send.wanted,
            scan_wanted: scan.wanted,
            receive_done: receive.done,
            send_done: send.done,
            scan_done: scan.done,
        });
        let asked = dispatcher.receive_start || pins.released || rule.done || pins.transfer_done;
        self.receive_frame.tick_if(asked, || receive_frame::In {
            start: dispatcher.receive_start,
            slot: pins.frame_slot,
            configuration: pins.configuration,
            memory_rdata: pins.memory_rdata,
            released: pins.released,
            released_ring: pins.released_ring,
            rule_done: rule.done,
            rule_deliver: rule.deliver,
            transfer_done: pins.transfer_done,
        });
        let asked =
            dispatcher.send_start || pins.posted != 0 || rule.unblock || rule.done || pins.transfer_done;
        self.send_message.tick_if(asked, || send_message_inputs(pins, &dispatcher, &rule));
        let asked = dispatcher.scan_start || buffer.outstanding || rule.discarding != 0 || rule.done;
        self.timer_scan.tick_if(asked, || timer_scan::In {
            start: dispatcher.scan_start,
            configuration: pins.configuration,
            outstanding: buffer.outstanding,
            discarding: rule.discarding,
            held: receive.held,
            rule_done: rule.done,
        });
        let rule_start = receive.rule_start || send.rule_start || scan.rule_start;
        self.apply_rule
            .tick_if(rule_start || buffer.done, || apply_rule_inputs(pins, &receive, &send, &scan, &buffer));
        self.send_buffer.tick_if(rule.buffer_start, || send_buffer::In {
            request: rule.buffer,
            start: rule.buffer_start,
            memory_rdata: pins.memory_rdata,
        });
    }

    fn reset(&mut self) {
        self.dispatcher.reset();
        self.receive_frame.reset();
        self.send_message.reset();
        self.timer_scan.reset();
        self.apply_rule.reset();
        self.send_buffer.reset();
    }

    fn skip(&mut self, cycles: u64) {
        self.receive_frame.skip(cycles);
        self.send_message.skip(cycles);
        self.apply_rule.skip(cycles);
        if self.send_buffer.outputs().outstanding {
            self.timer_scan.skip(cycles);
        }
    }
}

/// Inputs of the block that sends messages.
#[inline(always)]
fn send_message_inputs(pins: &In, dispatcher: &dispatcher::Out, rule: &apply_rule::Out) -> send_message::In {
    send_message::In {
        start: dispatcher.send_start,
        posted: pins.posted,
        unblock: rule.unblock,
        configuration: pins.configuration,
        memory_rdata: pins.memory_rdata,
        rule_done: rule.done,
        rule_accepted: rule.accepted,
        transfer_done: pins.transfer_done,
        transfer_refused: pins.transfer_refused,
        transmit_idle: pins.transmit_idle,
    }
}

/// Inputs of the block that applies a rule; receive, send and timers request rules in this order.
#[inline(always)]
fn apply_rule_inputs(
    pins: &In,
    receive: &receive_frame::Out,
    send: &send_message::Out,
    scan: &timer_scan::Out,
    buffer: &send_buffer::Out,
) -> apply_rule::In {
    apply_rule::In {
        request: if receive.rule_start {
            receive.request
        } else if send.rule_start {
            send.request
        } else {
            scan.request
        },
        start: receive.rule_start || send.rule_start || scan.rule_start,
        configuration: pins.configuration,
        full: receive.full,
        now: scan.now,
        memory_rdata: pins.memory_rdata,
        transmit_idle: pins.transmit_idle,
        buffer_done: buffer.done,
        buffer_found: buffer.found,
        buffer_slot: buffer.slot,
        buffer_size: buffer.size,
    }
}

impl Firmware {
    /// Event counters, for the registers.
    #[inline(always)]
    pub(crate) fn counts(&self) -> FirmwareCounts {
        let receive = self.receive_frame.outputs();
        let send = self.send_message.outputs();
        let rule = self.apply_rule.outputs();
        FirmwareCounts {
            malformed: receive.malformed,
            wrong_epoch: rule.wrong_epoch,
            discarded: receive.discarded,
            delivered: receive.delivered,
            sent: send.sent,
            refused: send.refused,
            expired: rule.expired,
        }
    }

    /// Slots of the receive rings that the host holds, five bits each.
    #[inline(always)]
    pub(crate) fn held(&self) -> u32 {
        self.receive_frame.outputs().held
    }

    /// How long the firmware does nothing but count and wait, with this configuration and no other
    /// input; [`Clocked::quiescent`] would not know it.
    #[inline]
    pub fn rest(&self, configuration: &Configuration, frame_waiting: bool) -> Quiet {
        let scan = self.timer_scan.outputs();
        let wanted = frame_waiting || self.send_message.outputs().wanted || scan.wanted;
        // A channel that discards may have room again, and pending work starts.
        let begins = match self.dispatcher.state() {
            dispatcher::State::Idle => configuration.enable && wanted,
            dispatcher::State::Receive => self.receive_frame.is_idle(),
            dispatcher::State::Send => self.send_message.is_idle(),
            dispatcher::State::Scan => self.timer_scan.is_idle(),
        };
        if begins || self.apply_rule.outputs().discarding != 0 {
            return Quiet::Busy;
        }
        // Time passes while a message waits for an ACK.
        let time = if self.send_buffer.outputs().outstanding {
            self.timer_scan.counts(configuration.scan_period)
        } else {
            self.timer_scan.quiescent()
        };
        self.receive_frame
            .quiescent()
            .and(self.send_message.quiescent())
            .and(self.apply_rule.quiescent())
            .and(self.send_buffer.quiescent())
            .and(time)
    }
}

impl Probe for Firmware {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("dispatcher", &self.dispatcher);
        visitor.block("receive_frame", &self.receive_frame);
        visitor.block("send_message", &self.send_message);
        visitor.block("timer_scan", &self.timer_scan);
        visitor.block("apply_rule", &self.apply_rule);
        visitor.block("send_buffer", &self.send_buffer);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_each_work_counts_is_told_to_the_host_under_its_name() {
        for bit in (0..16).map(|bit| 1 << bit) {
            let not = |n: u16| !bit ^ n;
            let firmware = Firmware {
                receive_frame: ReceiveFrame {
                    malformed: bit,
                    discarded: not(1),
                    delivered: not(2),
                    ..ReceiveFrame::default()
                },
                send_message: SendMessage { sent: not(3), refused: not(4), ..SendMessage::default() },
                apply_rule: ApplyRule { wrong_epoch: not(5), expired: not(6), ..ApplyRule::default() },
                ..Firmware::default()
            };
            let counts = FirmwareCounts {
                malformed: bit,
                wrong_epoch: not(5),
                discarded: not(1),
                delivered: not(2),
                sent: not(3),
                refused: not(4),
                expired: not(6),
            };
            assert_eq!(firmware.outputs().counts, counts);
        }
    }

    #[test]
    fn slots_that_are_held_are_told_with_all_their_bits() {
        for held in (0..25).map(|bit| 1 << bit) {
            let receive_frame = ReceiveFrame { held, ..ReceiveFrame::default() };
            assert_eq!(Firmware { receive_frame, ..Firmware::default() }.outputs().held, held);
        }
    }
}
