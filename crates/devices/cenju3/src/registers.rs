//! Registers of the NIF: words of 32 bits (the layout is not printed, decision 0057).
//!
//! Registers for the user lie from 0x800 on, so that an operating system can map that half alone (paper,
//! section 3). A base is the byte address of a queue or ring, aligned to its size; other values are refused,
//! so no queue or ring lies outside memory or wraps.

use hdl::{Bundle, Item, Package};

hdl::registers! {
    /// Registers of the NIF of Cenju-3.
    pub enum Register in register_pkg {
        /// Bit 0 lets the NIF fetch entries and take packets; when it is cleared, work in progress is
        /// finished. Bit 1, read-only, is set while the NIF is active.
        Control = 0x000 Any, width 2, reset 0;
        /// Number of this processor element.
        Pe = 0x004 Any, width 8, reset 0;
        /// Pending interrupt causes; writing 1 clears a bit.
        InterruptCause = 0x008 Any, width 4, reset 0;
        /// Interrupt causes that are enabled.
        InterruptEnable = 0x00c Any, width 4, reset 0;
        /// Errors and waiting packets; writing 1 clears a bit.
        Status = 0x010 Any, width 7, reset 0, layout Status;
        /// The first entry that was refused since bit 0 of Status was cleared.
        RefusedEntry = 0x014 Read, width 20, reset 0, layout Refused;
        /// DMA write address of that entry, after the mask; of a message, its source.
        RefusedAddress = 0x018 Read, width 32, reset 0;
        /// Packets dropped since reset; the counter wraps.
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
        /// New ROM: bits of the user's destinations where `PeMask` is 0.
        PeBase = 0x054 Any, width 8, reset 0;
        /// New ROM: bits of the destination that the user chooses.
        PeMask = 0x058 Any, width 8, reset 0;
        /// Kernel's send queue: the entry that the host writes next. The NIF may send the entries before it.
        QueueWrite0 = 0x060 Any, width 6, reset 0;
        /// Kernel's send queue: the entry that the NIF reads next. Data of entries before it has been read
        /// and may be overwritten.
        QueueRead0 = 0x064 Read, width 6, reset 0;
        /// Receive message buffer 1: the header that the host reads next. Headers before it may be
        /// overwritten.
        RingRead1 = 0x070 Any, width 6, reset 0;
        /// Receive message buffer 1: the header that the NIF writes next. Messages of the headers before it
        /// have arrived.
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
    /// Bits of Status.
    pub struct Status in register_pkg {
        /// An entry was refused.
        [0] entry: bool,
        /// A mask was written while the user's queue was not empty; the write was refused.
        [1] mask: bool,
        /// A write was refused: the register does not exist, is locked while the NIF is active, or does not
        /// accept the address.
        [2] access: bool,
        /// A packet was dropped: it is for another processor element, or is malformed.
        [3] packet: bool,
        /// The link was held back because a ring was full, ring 0 lowest.
        [6:4] held: u8,
    }
}

hdl::fields! {
    /// A refused entry.
    pub struct Refused in register_pkg {
        /// Reason, a code of `Refusal`.
        [2:0] why: u8,
        /// The entry is from the user's queue.
        [3] user: bool,
        /// Place of the entry in its queue; 0 to 63.
        [9:4] entry: u8,
        /// Destination processor element, after the mask.
        [19:12] pe: u8,
    }
}

/// Interrupt causes, by bit.
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
    /// Settings written by the host.
    pub struct Configuration in register_pkg {
        /// Bit 0 of `Control`: the NIF is enabled.
        enable: bool,
        /// Number of this processor element.
        pe: u8,
        /// Number of the 4 KB page that holds the kernel's queue.
        queue0: u16 : 14,
        /// Number of the 4 KB page that holds the user's queue.
        queue1: u16 : 14,
        /// Number of the 4 KB page that holds the headers of ring 0.
        header0: u16 : 14,
        /// Number of the 4 KB page that holds the headers of ring 1.
        header1: u16 : 14,
        /// Number of the 4 KB page that holds the headers of DMA.
        header2: u16 : 14,
        /// Number of the 8 KB page that holds the data of ring 0.
        data0: u16 : 13,
        /// Number of the 8 KB page that holds the data of ring 1.
        data1: u16 : 13,
        /// Bits 31 to 18 of the user's DMA write addresses.
        address_base: u16 : 14,
        /// Bits of the user's destinations.
        pe_base: u8,
        /// Bits of the destination that the user chooses.
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
        /// Interrupt causes that are enabled.
        interrupt_enable: u8 : 4,
    }
}

hdl::bundle! {
    /// Positions of the NIF in its queues and rings.
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

/// Generated package.
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
