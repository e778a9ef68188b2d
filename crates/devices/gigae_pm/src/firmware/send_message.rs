//! Processes a send descriptor (paper section 4.5, step sd1).
//!
//! The descriptors of a ring are processed in order. PCI DMA copies the message from host memory
//! into its send buffer; then the message is offered to rule S1. If the window of its peer is
//! closed, the message stays first in its ring and is offered again after the next accepted rule of
//! the sender. A frame of another protocol, ring 4, is sent at once and unchanged.
//!
//! An invalid descriptor is refused: its flag reports that, the host is interrupted, and the next
//! descriptor follows.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::cost::{self, SEND_CYCLES};
use super::pins::{MemoryAccess, Request};
use crate::header::Frame;
use crate::memory_map::{
    AREAS, BUFFER_WORDS, Flag, MTU, OTHER, OTHER_MTU, RINGS, SEND_BUFFERS, send_descriptor,
};
use crate::pci_dma::Transfer;
use crate::protocol::sender;
use crate::registers::Configuration;

/// Fewest bytes of a frame of another protocol: two padding bytes and the Ethernet header.
pub const OTHER_LEAST: u16 = 16;

hdl::fsm! {
    /// Work on a send descriptor.
    pub enum State in send_message_pkg {
        /// Waits for a descriptor; polls the rings in order.
        Idle => [Load: "start", Idle: "otherwise"],
        /// Reads the descriptor.
        Load => [Check: "descriptor and area read", Load: "otherwise"],
        /// Decides whether the descriptor is valid.
        Check => [
            Copy: "full, valid, not loaded",
            Offer: "full, already loaded",
            Refuse: "full, not loaded, invalid",
            Done: "descriptor not full",
            Check: "SEND_CYCLES not yet spent",
        ],
        /// Starts PCI DMA.
        Copy => [Moving],
        /// Waits for PCI DMA.
        Moving => [
            Offer: "transfer done, PM message",
            Raw: "transfer done, other protocol",
            Refuse: "buffer not pinned",
            Moving: "otherwise",
        ],
        /// Starts the rule; high for one cycle.
        Offer => [Judge],
        /// Waits for the result of the rule.
        Judge => [Done: "rule done", Judge: "otherwise"],
        /// Sends a frame of another protocol.
        Raw => [Mark: "transmit DMA idle", Raw: "otherwise"],
        /// Frees its descriptor.
        Mark => [Done],
        /// Refuses the descriptor.
        Refuse => [Done],
        /// Reports the end.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of the work on send descriptors.
    pub struct In in send_message_pkg {
        /// Starts the work on a descriptor; only while idle.
        start: bool,
        /// Rings of which a descriptor was posted, bit per ring.
        posted: u8 : 5,
        /// A rule of the sender was accepted.
        unblock: bool,
        /// Parameters set by the kernel.
        configuration: Configuration,
        /// From NIC memory.
        memory_rdata: u32,
        /// The rule is applied; high for one cycle.
        rule_done: bool,
        /// With `rule_done`: the message was sent.
        rule_accepted: bool,
        /// The transfer of PCI DMA is complete.
        transfer_done: bool,
        /// With `transfer_done`: PCI DMA refused the transfer.
        transfer_refused: bool,
        /// Transmit DMA can take a frame.
        transmit_idle: bool,
    }
}

hdl::bundle! {
    /// Output pins of the work on send descriptors.
    pub struct Out in send_message_pkg {
        /// A ring is ready.
        wanted: bool,
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
        /// To transmit DMA.
        frame: Frame,
        /// Starts the frame as soon as transmit DMA is idle.
        frame_start: bool,
        /// The descriptor is processed; high for one cycle.
        done: bool,
        /// A descriptor was refused; high for one cycle.
        refused_one: bool,
        /// Messages and frames taken; wraps.
        sent: u16,
        /// Descriptors refused; wraps.
        refused: u16,
    }
}

hdl::bundle! {
    /// Registers of the work on send descriptors.
    pub struct SendMessage in send_message_pkg {
        /// Step of the work.
        state: State,
        /// Current ring.
        ring: u8 : 3,
        /// Rings that may hold a descriptor.
        ready: u8 : 5,
        /// Rings whose first message is in its send buffer.
        loaded: u8 : 5,
        /// Rings whose first message waits for its peer.
        blocked: u8 : 5,
        /// First slot of each ring, four bits each.
        slots: u32 : 20,
        /// Word of the descriptor.
        count: u8 : 3,
        /// Cycles spent in the current step.
        spent: u16 : 9,
        /// The descriptor is posted.
        filled: bool,
        /// The descriptor is invalid.
        bad: bool,
        /// Byte address of the message in host memory.
        address: u32,
        /// Size of the message in bytes.
        size: u16 : 11,
        /// Peer.
        node: u16 : 10,
        /// Byte address of the pinned area of the ring.
        area: u32,
        /// Messages and frames taken; wraps.
        sent: u16,
        /// Descriptors refused; wraps.
        refused: u16,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/firmware/send_message_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "OtherLeast",
            width: 11,
            value: OTHER_LEAST as u64,
            doc: "Fewest bytes of a frame of another protocol.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl SendMessage {
    /// Whether no descriptor is being processed.
    #[inline(always)]
    pub(super) fn is_idle(&self) -> bool {
        self.state == State::Idle
    }

    /// The first slot of the ring.
    #[inline(always)]
    fn slot(&self) -> u8 {
        (self.slots >> (4 * self.ring)) as u8 & 0xf
    }

    /// `bits` with the bit of the current ring set to `on`.
    #[inline(always)]
    fn with(&self, bits: u8, on: bool) -> u8 {
        bits & !(1 << self.ring) | u8::from(on) << self.ring
    }
}

impl Clocked for SendMessage {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let descriptor = send_descriptor(q.ring, q.slot());
        let buffer = SEND_BUFFERS + BUFFER_WORDS * (16 * u32::from(q.ring) + u32::from(q.slot()));
        let word = match q.count {
            0 => descriptor + 3,
            4 => AREAS + 2 * u32::from(q.ring),
            count => descriptor + u32::from(count) - 1,
        };
        Out {
            wanted: (q.ready & !q.blocked) >> q.ring & 1 == 1,
            memory: match q.state {
                Load if q.count < 5 => MemoryAccess::read(word),
                Mark => MemoryAccess::write(descriptor + 3, Flag::Free.code().into()),
                Refuse => MemoryAccess::write(descriptor + 3, Flag::Refused.code().into()),
                _ => MemoryAccess::default(),
            },
            request: Request {
                receives: false,
                cause: sender::Cause::Offer.code(),
                channel: q.ring & 3,
                node: q.node,
                number: 0,
                epoch: 0,
                slot: q.slot(),
                size: q.size,
            },
            rule_start: q.state == Offer,
            transfer: Transfer {
                host_address: q.address,
                nic_address: buffer,
                words: Transfer::WIDTHS.words.wrap((q.size + 3) >> 2),
                to_host: false,
                area: q.area,
            },
            transfer_start: q.state == Copy,
            frame: Frame { address: buffer, size: q.size, raw: true, ..Frame::default() },
            frame_start: q.state == Raw,
            done: q.state == Done,
            refused_one: q.state == Refuse,
            sent: q.sent,
            refused: q.refused,
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
        let waits = self.ready & !self.blocked;
        match self.state {
            // A ring that is ready is not left before `start`.
            Idle if waits == 0 || waits >> self.ring & 1 == 1 => Quiet::UntilInput,
            Moving | Judge => Quiet::UntilInput,
            Check => cost::left(self.spent, SEND_CYCLES),
            _ => Quiet::Busy,
        }
    }

    fn skip(&mut self, cycles: u64) {
        if self.state == State::Check {
            self.spent += cycles as u16;
        }
    }
}

impl SendMessage {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let other = q.ring == OTHER;
        let next_ring = if q.ring + 1 >= RINGS { 0 } else { q.ring + 1 };
        let waits = (q.ready & !q.blocked) >> q.ring & 1 == 1;
        let (least, most) = if other { (OTHER_LEAST, OTHER_MTU) } else { (1, MTU) };
        let allowed = !q.bad && q.size >= least && q.size <= most;
        let mut advance = false;

        match q.state {
            // Idle: skips rings without work.
            Idle => {
                if pins.start {
                    d.bad = false;
                    d.state = Load;
                } else if q.ready & !q.blocked != 0 && !waits {
                    d.ring = next_ring;
                }
            }
            // Load: the flag is read first; a descriptor posted from now on marks the ring as ready
            // again.
            Load => {
                if q.count == 0 {
                    d.ready = q.with(q.ready, false);
                }
                d.load(q, pins);
                d.count = if q.count == 5 { 0 } else { (q.count + 1) & 7 };
                if q.count == 5 {
                    d.state = Check;
                }
            }
            // Check: the kernel's descriptor is checked too, because a wrong size would overrun the
            // buffer.
            Check => {
                if q.spent != SEND_CYCLES {
                    d.spent = Self::WIDTHS.spent.wrap(q.spent + 1);
                } else {
                    d.spent = 0;
                    d.state = if !q.filled {
                        Done
                    } else if q.loaded >> q.ring & 1 == 1 {
                        Offer
                    } else if !allowed {
                        Refuse
                    } else {
                        Copy
                    };
                }
            }
            // Copy: PCI DMA is idle.
            Copy => d.state = Moving,
            // Moving: PCI DMA checks that the message is pinned.
            Moving => {
                if pins.transfer_done {
                    d.loaded = q.with(q.loaded, !pins.transfer_refused && !other);
                    d.state = if pins.transfer_refused {
                        Refuse
                    } else if other {
                        Raw
                    } else {
                        Offer
                    };
                }
            }
            // Offer: the rule assigns the message number.
            Offer => d.state = Judge,
            // Judge: a message that was not sent waits for its peer.
            Judge => {
                if pins.rule_done {
                    advance = pins.rule_accepted;
                    d.blocked = q.with(q.blocked, !pins.rule_accepted);
                    d.loaded = q.with(q.loaded, !pins.rule_accepted);
                    d.sent = q.sent.wrapping_add(pins.rule_accepted.into());
                    d.state = Done;
                }
            }
            // Raw: network DMA finishes with the frame long before its slot is used again.
            Raw => {
                if pins.transmit_idle {
                    d.sent = q.sent.wrapping_add(1);
                    d.state = Mark;
                }
            }
            // Mark: frees the descriptor.
            Mark => {
                advance = true;
                d.state = Done;
            }
            // Refuse: skips an invalid descriptor.
            Refuse => {
                advance = true;
                d.refused = q.refused.wrapping_add(1);
                d.state = Done;
            }
            // Done: the ring may hold another descriptor.
            Done => {
                d.ready = q.with(q.ready, q.filled || q.ready >> q.ring & 1 == 1);
                d.ring = next_ring;
                d.state = Idle;
            }
        }

        if advance {
            let slot = u32::from((q.slot() + 1) & 0xf);
            d.slots = q.slots & !(0xf << (4 * q.ring)) | slot << (4 * q.ring);
        }
        d.ready |= pins.posted;
        if pins.unblock {
            d.blocked = 0;
        }
        d
    }

    /// Stores a word of the descriptor; `self` is the next state.
    #[inline(always)]
    fn load(&mut self, q: &Self, pins: &In) {
        let d = self;
        let word = pins.memory_rdata;
        match q.count {
            1 => d.filled = word == Flag::Full.code().into(),
            2 => d.address = word,
            3 => {
                d.size = Self::WIDTHS.size.wrap(word);
                d.bad = word > 0x7ff;
            }
            4 => {
                let own = word == u32::from(pins.configuration.identity.node);
                let unknown = own || word >= u32::from(pins.configuration.nodes);
                d.node = Self::WIDTHS.node.wrap(word);
                d.bad = q.bad || unknown && q.ring != OTHER;
            }
            5 => d.area = word,
            _ => (),
        }
    }
}

impl Probe for SendMessage {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests;
