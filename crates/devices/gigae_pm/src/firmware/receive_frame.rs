//! Processes a received frame (paper sections 4.5 and 4.7, steps rd1 to rc4).
//!
//! The Ethernet type selects the protocol. A frame of GigaE PM is checked and its rule applied. A
//! message that the rule accepts is copied to the next slot of its channel's receive ring in host
//! memory. Receive descriptor and arrival flag are written after PCI DMA has completed, so a set
//! flag guarantees that the message is there. A frame of any other protocol is copied to ring 4
//! unchanged, and the host is interrupted.
//!
//! Slots are used, and given back by the host, in ring order.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::cost::{self, DELIVER_CYCLES, RECEIVE_CYCLES};
use super::pins::{MemoryAccess, Request};
use crate::header::VERSION;
use crate::memory_map::{
    AREAS, BUFFER_WORDS, FRAMES, Flag, HEADER_WORDS, LENGTH_WORD, MTU, OTHER, RECEIVE_SLOT_BYTES, RINGS,
    SLOTS, receive_descriptor,
};
use crate::pci_dma::Transfer;
use crate::protocol::{Kind, receiver};
use crate::registers::Configuration;

hdl::fsm! {
    /// Work on a received frame.
    pub enum State in receive_frame_pkg {
        /// Waits for a frame.
        Idle => [Load: "start", Idle: "otherwise"],
        /// Reads length and header.
        Load => [Check: "length and header read", Load: "otherwise"],
        /// Decides which protocol the frame belongs to.
        Check => [
            Rule: "well-formed PM frame",
            Area: "other protocol, ring has room",
            Done: "malformed, or other ring full",
            Check: "RECEIVE_CYCLES not yet spent",
        ],
        /// Starts the rule; high for one cycle.
        Rule => [Judge],
        /// Waits for the result of the rule.
        Judge => [
            Area: "message is delivered",
            Done: "nothing is delivered",
            Judge: "rule not done",
        ],
        /// Reads the address of the receive ring in host memory.
        Area => [Place],
        /// Computes the address of the slot.
        Place => [Copy],
        /// Starts PCI DMA.
        Copy => [Moving],
        /// Waits for PCI DMA.
        Moving => [Describe: "transfer done", Moving: "otherwise"],
        /// Writes receive descriptor and arrival flag.
        Describe => [
            Rule: "written, message not yet counted",
            Done: "written, counted or other protocol",
            Describe: "otherwise",
        ],
        /// Reports the end.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of the work on received frames.
    pub struct In in receive_frame_pkg {
        /// Starts with the frame in buffer `slot`; only while idle.
        start: bool,
        /// Buffer of the frame.
        slot: u8 : 4,
        /// Parameters set by the kernel.
        configuration: Configuration,
        /// From NIC memory.
        memory_rdata: u32,
        /// The host gives a slot back.
        released: bool,
        /// With `released`: ring of the slot.
        released_ring: u8 : 3,
        /// The rule is applied.
        rule_done: bool,
        /// With `rule_done`: the message is to be delivered.
        rule_deliver: bool,
        /// The transfer of PCI DMA is complete.
        transfer_done: bool,
    }
}

hdl::bundle! {
    /// Output pins of the work on received frames.
    pub struct Out in receive_frame_pkg {
        /// To NIC memory.
        memory: MemoryAccess,
        /// The rule to apply.
        request: Request,
        /// Starts the rule; high for one cycle.
        rule_start: bool,
        /// To PCI DMA.
        transfer: Transfer,
        /// Starts the transfer; high for one cycle.
        transfer_start: bool,
        /// The frame is processed; high for one cycle.
        done: bool,
        /// A frame of another protocol was delivered; high for one cycle.
        other_delivered: bool,
        /// Receive rings of the channels that are full.
        full: u8 : 4,
        /// Slots of the receive rings that the host holds.
        held: u32 : 25,
        /// Malformed frames; wraps.
        malformed: u16,
        /// Messages dropped by the rules, and frames without room; wraps.
        discarded: u16,
        /// Messages and frames delivered; wraps.
        delivered: u16,
    }
}

hdl::bundle! {
    /// Registers of the work on received frames.
    pub struct ReceiveFrame in receive_frame_pkg {
        /// Step of the work.
        state: State,
        /// Buffer of the frame.
        buffer: u8 : 4,
        /// Word of header or descriptor.
        count: u8 : 4,
        /// Cycles spent in the current step.
        spent: u16 : 9,
        /// Bytes of the frame.
        length: u16 : 11,
        /// A frame of another protocol.
        raw: bool,
        /// The header is malformed.
        bad: bool,
        /// Kind of frame.
        kind: u8 : 3,
        /// Channel, 0 to 3.
        channel: u8 : 2,
        /// Sender.
        node: u16 : 10,
        /// Message number, or that of a control frame.
        number: u32,
        /// Session.
        epoch: u16,
        /// Bytes for the host.
        size: u16 : 11,
        /// The message is in host memory.
        stored: bool,
        /// Byte address of the receive ring in host memory.
        area: u32,
        /// Next slot of each receive ring, four bits each.
        next_slots: u32 : 20,
        /// Slots that the host holds, five bits for each ring.
        held: u32 : 25,
        /// Malformed frames; wraps.
        malformed: u16,
        /// Messages dropped by the rules, and frames without room; wraps.
        discarded: u16,
        /// Messages and frames delivered; wraps.
        delivered: u16,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/firmware/receive_frame_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl ReceiveFrame {
    /// Whether no frame is being processed.
    #[inline(always)]
    pub(super) fn is_idle(&self) -> bool {
        self.state == State::Idle
    }

    /// The receive ring of the frame.
    #[inline(always)]
    fn ring(&self) -> u8 {
        if self.raw { OTHER } else { self.channel }
    }

    /// The slot of that ring which is filled next.
    #[inline(always)]
    fn slot(&self) -> u8 {
        (self.next_slots >> (4 * self.ring())) as u8 & 0xf
    }

    /// Whether the ring has no free slot.
    #[inline(always)]
    fn full(&self, ring: u8) -> bool {
        (self.held >> (5 * ring)) as u8 & 0x1f >= SLOTS
    }

    /// Byte address of the slot in host memory.
    #[inline(always)]
    fn place(&self) -> u32 {
        self.area.wrapping_add(RECEIVE_SLOT_BYTES * u32::from(self.slot()))
    }
}

impl Clocked for ReceiveFrame {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let frame = FRAMES + BUFFER_WORDS * u32::from(q.buffer);
        let header = match q.count {
            0 => LENGTH_WORD,
            count => u32::from(count) + 2,
        };
        let descriptor = receive_descriptor(q.ring(), q.slot()) + u32::from(q.count);
        let described = match q.count {
            0 => q.place(),
            1 => q.size.into(),
            2 => q.node.into(),
            _ => Flag::Full.code().into(),
        };
        Out {
            memory: match q.state {
                Load if q.count < 8 => MemoryAccess::read(frame + header),
                Area => MemoryAccess::read(AREAS + 2 * u32::from(q.ring()) + 1),
                Describe if q.spent == DELIVER_CYCLES => MemoryAccess::write(descriptor, described),
                _ => MemoryAccess::default(),
            },
            request: Request {
                receives: q.stored || q.kind == Kind::Message.code(),
                cause: if q.stored { receiver::Cause::Stored.code() } else { q.kind },
                channel: q.channel,
                node: q.node,
                number: q.number,
                epoch: q.epoch,
                slot: 0,
                size: 0,
            },
            rule_start: q.state == Rule,
            transfer: Transfer {
                host_address: q.place(),
                nic_address: if q.raw { frame } else { frame + HEADER_WORDS },
                words: Transfer::WIDTHS.words.wrap((q.size + 3) >> 2),
                to_host: true,
                area: q.area,
            },
            transfer_start: q.state == Copy,
            done: q.state == Done,
            other_delivered: q.state == Done && q.stored && q.raw,
            full: (0..4).fold(0, |full, ring| full | u8::from(q.full(ring)) << ring),
            held: q.held,
            malformed: q.malformed,
            discarded: q.discarded,
            delivered: q.delivered,
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
            Idle | Judge | Moving => Quiet::UntilInput,
            Check => cost::left(self.spent, RECEIVE_CYCLES),
            Describe => cost::left(self.spent, DELIVER_CYCLES),
            _ => Quiet::Busy,
        }
    }

    fn skip(&mut self, cycles: u64) {
        if matches!(self.state, State::Check | State::Describe) {
            self.spent += cycles as u16;
        }
    }
}

impl ReceiveFrame {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let ring = q.ring();
        let message = q.kind == Kind::Message.code();
        // The message must fit in the frame, after 14 bytes of Ethernet header and 32 of wire
        // header.
        let fits = message && q.size != 0 && q.size <= MTU && q.length >= q.size + 46;
        let form = if message { fits } else { q.kind != 0 && q.kind <= Kind::Go.code() && q.size == 0 };

        match q.state {
            // Idle: a reported frame is complete.
            Idle => {
                if pins.start {
                    d.buffer = pins.slot;
                    d.bad = false;
                    d.stored = false;
                    d.state = Load;
                }
            }
            // Load: a word arrives in the cycle after its read.
            Load => {
                d.load(q, pins);
                d.count = if q.count == 8 { 0 } else { Self::WIDTHS.count.wrap(q.count + 1) };
                if q.count == 8 {
                    d.state = Check;
                }
            }
            // Check: first the Ethernet type, then the format.
            Check => {
                if q.spent != RECEIVE_CYCLES {
                    d.spent = Self::WIDTHS.spent.wrap(q.spent + 1);
                } else {
                    d.spent = 0;
                    if q.raw {
                        d.size = Self::WIDTHS.size.wrap(q.length + 2);
                        d.node = 0;
                        d.discarded = q.discarded.wrapping_add(q.full(OTHER).into());
                        d.state = if q.full(OTHER) { Done } else { Area };
                    } else if q.bad || !form {
                        d.malformed = q.malformed.wrapping_add(1);
                        d.state = Done;
                    } else {
                        d.state = Rule;
                    }
                }
            }
            // Rule: control frames go to the sender's rules, messages to the receiver's.
            Rule => d.state = Judge,
            // Judge: a message that is not accepted has already been answered.
            Judge => {
                if pins.rule_done {
                    let delivers = pins.rule_deliver && message && !q.stored;
                    let drops = message && !q.stored && !delivers;
                    d.discarded = q.discarded.wrapping_add(drops.into());
                    d.state = if delivers { Area } else { Done };
                }
            }
            // Area: the word arrives in the next cycle.
            Area => d.state = Place,
            // Place: a slot has 2 KB.
            Place => {
                d.area = pins.memory_rdata;
                d.state = Copy;
            }
            // Copy: PCI DMA is idle.
            Copy => d.state = Moving,
            // Moving: a slot always lies inside its ring, so PCI DMA does not refuse it.
            Moving => {
                if pins.transfer_done {
                    d.state = Describe;
                }
            }
            // Describe: the flag is written last.
            Describe => {
                if q.spent != DELIVER_CYCLES {
                    d.spent = Self::WIDTHS.spent.wrap(q.spent + 1);
                } else {
                    d.count = if q.count == 3 { 0 } else { Self::WIDTHS.count.wrap(q.count + 1) };
                    if q.count == 3 {
                        d.spent = 0;
                        d.stored = true;
                        d.delivered = q.delivered.wrapping_add(1);
                        let slot = u32::from((q.slot() + 1) & 0xf);
                        d.next_slots = q.next_slots & !(0xf << (4 * ring)) | slot << (4 * ring);
                        let counted = pins.configuration.rules.count_at_once;
                        d.state = if q.raw || counted { Done } else { Rule };
                    }
                }
            }
            // Done: the buffer is free for the next frame.
            Done => d.state = Idle,
        }

        let taken = q.state == Describe && d.stored && !q.stored;
        let held = |ring: u8| (q.held >> (5 * ring)) & 0x1f;
        for other in 0..RINGS {
            let more = taken && other == ring;
            let less = pins.released && pins.released_ring == other && held(other) != 0;
            let now = (held(other) + u32::from(more)).wrapping_sub(less.into()) & 0x1f;
            d.held = d.held & !(0x1f << (5 * other)) | now << (5 * other);
        }
        d
    }

    /// Stores a word of length or header; `self` is the next state.
    #[inline(always)]
    fn load(&mut self, q: &Self, pins: &In) {
        let d = self;
        let word = pins.memory_rdata;
        let low = word as u16;
        match q.count {
            1 => d.length = low & 0x7ff,
            2 => d.raw = (word >> 16) as u16 != pins.configuration.identity.ether_type.swap_bytes(),
            3 => {
                d.kind = word as u8 & 7;
                d.channel = (word >> 8) as u8 & 3;
                d.bad = word & !0x307 != u32::from(VERSION) << 4;
            }
            4 => {
                d.node = Self::WIDTHS.node.wrap(low);
                let own = word == u32::from(pins.configuration.identity.node);
                d.bad = q.bad || own || word >= u32::from(pins.configuration.nodes);
            }
            5 => d.bad = q.bad || word != u32::from(pins.configuration.identity.node),
            6 => d.number = word,
            7 => d.number = if q.kind == Kind::Message.code() { q.number } else { word },
            8 => {
                d.size = Self::WIDTHS.size.wrap(low);
                d.epoch = (word >> 16) as u16;
                d.bad = q.bad || low > 0x7ff;
            }
            _ => (),
        }
    }
}

impl Probe for ReceiveFrame {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests;
