//! Send queue: fetches the oldest entry from local memory, and moves its position when the entry is done
//! (paper, section 3).
//!
//! The next read position moves after the last word of data has been read, so the library may overwrite the
//! data of entries before it.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::memory_map::{Addresses, Control};

hdl::fsm! {
    /// Send queue.
    pub enum State in send_queue_pkg {
        /// Waits for an entry.
        Idle => [First: "enabled, queue not empty", Idle: "otherwise"],
        /// Reads the first word of the entry.
        First => [Second: "memory ready", First: "otherwise"],
        /// Reads the second word of the entry.
        Second => [Offer: "memory ready", Second: "otherwise"],
        /// Waits until the entry is sent or refused.
        Offer => [Idle: "entry sent or refused", Offer: "otherwise"],
    }
}

hdl::bundle! {
    /// Input pins of a send queue.
    pub struct In in send_queue_pkg {
        /// Entries may be fetched.
        enable: bool,
        /// Number of the 4 KB page that holds the queue.
        base: u16 : 14,
        /// Entry that the host writes next.
        write: u8 : 6,
        /// From memory: a word is read in this cycle.
        memory_ready: bool,
        /// From memory: word that is read.
        memory_rdata: u64,
        /// The entry is done.
        done: bool,
    }
}

hdl::bundle! {
    /// Output pins of a send queue.
    pub struct Out in send_queue_pkg {
        /// No entry is held or being fetched.
        idle: bool,
        /// To memory: requests a read.
        memory_request: bool,
        /// To memory: byte address of the word.
        memory_address: u32 : 26,
        /// To memory: words left in the burst, this one included.
        memory_left: u8 : 6,
        /// An entry is waiting.
        valid: bool,
        /// First word of the entry.
        control: u64,
        /// Second word of the entry.
        addresses: u64,
        /// Byte address of the entry.
        entry: u32 : 26,
        /// Entry that is read next.
        read: u8 : 6,
    }
}

hdl::bundle! {
    /// Registers of a send queue.
    pub struct SendQueue in send_queue_pkg {
        /// Step of the entry.
        state: State,
        /// Entry that is read next.
        read: u8 : 6,
        /// Byte address of the held entry.
        entry: u32 : 26,
        /// First word of the entry.
        control: u64,
        /// Second word of the entry.
        addresses: u64,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "cenju3/send_queue_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for SendQueue {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            idle: q.state == Idle,
            memory_request: matches!(q.state, First | Second),
            memory_address: if q.state == Second { q.entry | 8 } else { q.entry },
            memory_left: if q.state == Second { 1 } else { 2 },
            valid: q.state == Offer,
            control: q.control,
            addresses: q.addresses,
            entry: q.entry,
            read: q.read,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        *self = self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline(always)]
    fn waits(&self) -> bool {
        true
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Idle { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl SendQueue {
    /// Whether the next edge begins to fetch an entry. One entry stays free, so equal positions are an empty queue.
    #[inline(always)]
    pub(crate) fn fetches(&self, enable: bool, write: u8) -> bool {
        self.state == State::Idle && enable && self.read != write
    }

    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        match q.state {
            Idle => {
                if q.fetches(pins.enable, pins.write) {
                    d.entry = u32::from(pins.base) << 12 | u32::from(q.read) << 6;
                    d.state = First;
                }
            }
            // First: the burst has two words; send DMA reads the others after the data.
            First => {
                if pins.memory_ready {
                    d.control = pins.memory_rdata;
                    d.state = Second;
                }
            }
            Second => {
                if pins.memory_ready {
                    d.addresses = pins.memory_rdata;
                    d.state = Offer;
                }
            }
            // Offer: the position moves when entry and data are not needed any more.
            Offer => {
                if pins.done {
                    d.read = Self::WIDTHS.read.wrap(q.read + 1);
                    d.state = Idle;
                }
            }
        }
        d
    }

    /// The held entry, if there is one.
    pub fn at_hand(&self) -> Option<(Control, Addresses)> {
        let entry = (Control::from_bits(self.control), Addresses::from_bits(self.addresses));
        (self.state == State::Offer).then_some(entry)
    }
}

impl Probe for SendQueue {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
