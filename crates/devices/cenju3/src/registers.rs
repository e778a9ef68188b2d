//! Registers of the NIF (not printed; ours, decision 0057). Words of 32 bits.
//!
//! What the user may reach lies from 0x800 on, so that an operating system can map that half alone (paper, section 3).
//! A base is the address of a queue or ring as it is, aligned to its size; anything else is refused, and so nothing lies outside
//! memory or wraps.

use hdl::{Bundle, Item, Package};

hdl::registers! {
    /// Registers of the NIF of Cenju-3.
    pub enum Register in register_pkg {
        /// Bit 0 lets the NIF fetch entries and take packets; it ends what it has begun. Bit 1, which is read only, says that it is at
        /// work.
        Control = 0x000 Any, width 2, reset 0;
        /// Number of this processor element.
        Pe = 0x004 Any, width 8, reset 0;
        /// Causes of the interrupt; a bit that is written as 1 is cleared.
        InterruptCause = 0x008 Any, width 4, reset 0;
        /// Causes that interrupt the host.
        InterruptEnable = 0x00c Any, width 4, reset 0;
        /// What went wrong, or waits; a bit that is written as 1 is cleared.
        Status = 0x010 Any, width 7, reset 0, layout Status;
        /// The first entry that was refused since bit 0 of Status was cleared.
        RefusedEntry = 0x014 Read, width 20, reset 0, layout Refused;
        /// Its DMA write address, after the mask; of a message, its source.
        RefusedAddress = 0x018 Read, width 32, reset 0;
        /// Packets that were dropped, since reset; the counter wraps.
        Dropped = 0x01c Read, width 16, reset 0;
        /// Kernel's send queue: 4 KB.
        QueueBase0 = 0x020 Any, width 26, reset 0;
        /// User's send queue: 4 KB.
        QueueBase1 = 0x024 Any, width 26, reset 0;
        /// Header part of receive message buffer 0: 4 KB.
        HeaderBase0 = 0x030 Any, width 26, reset 0;
        /// Header part of receive message buffer 1: 4 KB.
        HeaderBase1 = 0x034 Any, width 26, reset 0;
        /// Receive header buffer of DMA: 4 KB.
        HeaderBase2 = 0x038 Any, width 26, reset 0;
        /// Data part of receive message buffer 0: 8 KB.
        DataBase0 = 0x03c Any, width 26, reset 0;
        /// Data part of receive message buffer 1: 8 KB.
        DataBase1 = 0x040 Any, width 26, reset 0;
        /// New ROM: bits 31 to 18 of the DMA write addresses of the user; the others are ignored.
        AddressBase = 0x050 Any, width 32, reset 0;
        /// New ROM: the bits of the user's destinations that the mask does not leave to him.
        PeBase = 0x054 Any, width 8, reset 0;
        /// New ROM: bits of the destination that the user has.
        PeMask = 0x058 Any, width 8, reset 0;
        /// Kernel's send queue: the entry that the host writes next. The NIF has those before it.
        QueueWrite0 = 0x060 Any, width 6, reset 0;
        /// Kernel's send queue: the entry that the NIF reads next. Data of those before it is read, and may be written over.
        QueueRead0 = 0x064 Read, width 6, reset 0;
        /// Receive message buffer 1: the header that the host reads next. Those before it may be written over.
        RingRead1 = 0x070 Any, width 6, reset 0;
        /// Receive message buffer 1: the header that the NIF writes next. Those before it have arrived.
        RingWrite1 = 0x074 Read, width 6, reset 0;
        /// User's send queue: the entry that the host writes next.
        QueueWrite1 = 0x800 Any, width 6, reset 0;
        /// User's send queue: the entry that the NIF reads next.
        QueueRead1 = 0x804 Read, width 6, reset 0;
        /// Receive message buffer 0: the header that the host reads next.
        RingRead0 = 0x810 Any, width 6, reset 0;
        /// Receive message buffer 0: the header that the NIF writes next.
        RingWrite0 = 0x814 Read, width 6, reset 0;
        /// Receive header buffer of DMA: the header that the host reads next.
        RingRead2 = 0x820 Any, width 6, reset 0;
        /// Receive header buffer of DMA: the header that the NIF writes next.
        RingWrite2 = 0x824 Read, width 6, reset 0;
    }
}

hdl::fields! {
    /// What went wrong, or waits.
    pub struct Status in register_pkg {
        /// An entry was refused.
        [0] entry: bool,
        /// A mask was written while the user's queue was not empty, and was not changed.
        [1] mask: bool,
        /// A register was written that there is not, or not while the NIF works, or with no address for it; it was not changed.
        [2] access: bool,
        /// A packet was dropped: it is for another processor element, or is no packet.
        [3] packet: bool,
        /// The link was held back because a ring was full, ring 0 lowest.
        [6:4] held: u8,
    }
}

hdl::fields! {
    /// The entry that was refused.
    pub struct Refused in register_pkg {
        /// Why: a code of Refusal.
        [2:0] why: u8,
        /// Its queue is the user's.
        [3] user: bool,
        /// Its place in the queue.
        [9:4] entry: u8,
        /// Its destination, after the mask.
        [19:12] pe: u8,
    }
}

/// Causes of an interrupt, by bit.
pub mod cause {
    /// A message arrived in receive message buffer 0.
    pub const RING0: u8 = 1 << 0;
    /// A message arrived in receive message buffer 1.
    pub const RING1: u8 = 1 << 1;
    /// A DMA transfer arrived.
    pub const DMA: u8 = 1 << 2;
    /// One of bits 3 to 0 of Status was set.
    pub const FAULT: u8 = 1 << 3;
}

hdl::bundle! {
    /// What the host sets up.
    pub struct Configuration in register_pkg {
        /// The NIF works.
        enable: bool,
        /// Number of this processor element.
        pe: u8,
        /// Page of 4 KB of the kernel's queue.
        queue0: u16 : 14,
        /// Page of 4 KB of the user's queue.
        queue1: u16 : 14,
        /// Page of 4 KB of the headers of ring 0.
        header0: u16 : 14,
        /// Page of 4 KB of the headers of ring 1.
        header1: u16 : 14,
        /// Page of 4 KB of the headers of DMA.
        header2: u16 : 14,
        /// Piece of 8 KB with the data of ring 0.
        data0: u16 : 13,
        /// Piece of 8 KB with the data of ring 1.
        data1: u16 : 13,
        /// Bits 31 to 18 of the user's DMA write addresses.
        address_base: u16 : 14,
        /// Destinations of the user.
        pe_base: u8,
        /// Bits that he has.
        pe_mask: u8,
        /// Entry of the kernel's queue that the host writes next.
        write0: u8 : 6,
        /// Entry of the user's queue that the host writes next.
        write1: u8 : 6,
        /// Header of ring 0 that the host reads next.
        read0: u8 : 6,
        /// Header of ring 1 that the host reads next.
        read1: u8 : 6,
        /// Header of DMA that the host reads next.
        read2: u8 : 6,
        /// Causes that interrupt the host.
        interrupt_enable: u8 : 4,
    }
}

hdl::bundle! {
    /// Where the NIF is in its queues and rings.
    pub struct Positions in register_pkg {
        /// Entry of the kernel's queue that the NIF reads next.
        read0: u8 : 6,
        /// Entry of the user's queue that the NIF reads next.
        read1: u8 : 6,
        /// Header of ring 0 that the NIF writes next.
        write0: u8 : 6,
        /// Header of ring 1 that the NIF writes next.
        write1: u8 : 6,
        /// Header of DMA that the NIF writes next.
        write2: u8 : 6,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "cenju3/register_pkg",
    source: file!(),
    items: &[
        Item::Registers(Register::TABLE),
        Item::Fields(Status::TABLE),
        Item::Fields(Refused::TABLE),
        Item::Bundle(Configuration::TABLE),
        Item::Bundle(Positions::TABLE),
    ],
};
