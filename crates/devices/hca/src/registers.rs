//! Registers of the adapter and its doorbells (decision 0060). Words of 32 bits; only the kernel reaches the
//! registers.

use hdl::{Bundle, Item, Package};

hdl::registers! {
    /// Registers of the adapter, from 0x0000 of the aperture.
    pub enum Register in register_pkg {
        /// Bit 0 enables the engines; while it is 0, no WQE is taken and no packet is received.
        Control = 0x000 Any, width 1, reset 0;
        /// Pending interrupt causes; writing 1 clears a bit.
        InterruptCause = 0x004 Any, width 9, reset 0;
        /// Interrupt causes that are enabled.
        InterruptEnable = 0x008 Any, width 9, reset 0;
        /// LID of the port, assigned by the subnet manager.
        Lid = 0x00c Any, width 16, reset 0;
        /// A write runs command 15:12 on row 11:0: 0 stores the staging words as a queue pair, 1 as a completion
        /// queue, 2 as a key; 3 stores the attributes of a queue pair and resets its send queue, 4 stores its
        /// attributes alone; 5 reports its progress in the staging words; 6 stores a shared receive queue, 7 its
        /// limit; 8 stores the queue pairs of a multicast group. A read returns 1 while the command runs; another
        /// command is refused until it is done.
        Command = 0x010 Any, width 16, reset 0;
        /// Bits 31:0 of a row.
        Staging0 = 0x040 Any, width 32, reset 0;
        /// Bits 63:32 of a row.
        Staging1 = 0x044 Any, width 32, reset 0;
        /// Bits 95:64 of a row.
        Staging2 = 0x048 Any, width 32, reset 0;
        /// Bits 127:96 of a row.
        Staging3 = 0x04c Any, width 32, reset 0;
        /// Bits 159:128 of a row.
        Staging4 = 0x050 Any, width 32, reset 0;
        /// Bits 191:160 of a row.
        Staging5 = 0x054 Any, width 32, reset 0;
        /// Bits 223:192 of a row.
        Staging6 = 0x058 Any, width 32, reset 0;
        /// Bits 255:224 of a row.
        Staging7 = 0x05c Any, width 32, reset 0;
        /// Packets dropped: wrong ICRC.
        IcrcErrors = 0x080 Read, width 16, reset 0;
        /// Packets dropped: their length differs from that in their header, or is out of range.
        LengthErrors = 0x084 Read, width 16, reset 0;
        /// Packets dropped: another destination LID.
        Foreign = 0x088 Read, width 16, reset 0;
        /// Packets dropped: malformed, or of an unknown kind.
        Malformed = 0x08c Read, width 16, reset 0;
        /// Packets dropped: the queue pair does not exist, has failed or has another service.
        UnknownQp = 0x090 Read, width 16, reset 0;
        /// Datagrams dropped: wrong Q_Key.
        WrongQKey = 0x094 Read, width 16, reset 0;
        /// Datagrams dropped: no receive WQE.
        NoReceive = 0x098 Read, width 16, reset 0;
        /// Messages received.
        Received = 0x09c Read, width 16, reset 0;
        /// Packets sent.
        Sent = 0x0a0 Read, width 16, reset 0;
        /// Requests that ended with an error, at the sender or at the receiver.
        Failed = 0x0a4 Read, width 16, reset 0;
        /// CQEs lost: their queue is full, or does not exist.
        Overflows = 0x0a8 Read, width 16, reset 0;
        /// Accesses refused: users outside the doorbells, addresses without a register, commands while one
        /// runs or of a row that does not exist.
        RefusedAccesses = 0x0ac Read, width 16, reset 0;
    }
}

hdl::registers! {
    /// Doorbells, from 0x1000 of the aperture. The offsets are those of Mellanox's first adapters (Linux,
    /// `mthca_doorbell.h`). Bits 7:0 are the number of the queue.
    pub enum Doorbell in register_pkg {
        /// Bits 31:16: WQEs put into the send ring since the queue pair was set up.
        SendBell = 0x010 Write, width 32, reset 0;
        /// Bits 31:16: WQEs put into the receive ring since the queue pair was set up.
        ReceiveBell = 0x018 Write, width 32, reset 0;
        /// Bits 31:16: CQEs taken since the queue was set up. Bit 8: interrupt at the next CQE.
        CompletionBell = 0x020 Write, width 32, reset 0;
        /// Bits 31:16: WQEs put into the ring since the shared receive queue was set up.
        SharedBell = 0x028 Write, width 32, reset 0;
    }
}

/// Interrupt causes, by bit.
pub mod cause {
    /// An armed completion queue got a CQE.
    pub const COMPLETION: u16 = 1 << 0;
    /// A queue pair has failed: its doorbell was beyond the ring, or it has entered the error state.
    pub const QUEUE_PAIR: u16 = 1 << 1;
    /// A completion queue has overflowed.
    pub const OVERFLOW: u16 = 1 << 2;
    /// An access was refused.
    pub const ACCESS: u16 = 1 << 3;
    /// A command is done.
    pub const COMMAND: u16 = 1 << 4;
    /// Shared receive queue 0 has fewer WQEs than its limit; the causes of the others follow.
    pub const LIMIT: u16 = 1 << 5;
}

hdl::bundle! {
    /// Counters of the receive engine; they wrap.
    pub struct ReceiveCounts in register_pkg {
        /// Packets dropped: another destination LID.
        foreign: u16,
        /// Packets dropped: malformed, or of an unknown kind.
        malformed: u16,
        /// Packets dropped: the queue pair does not exist, has failed or has another service.
        unknown_qp: u16,
        /// Datagrams dropped: wrong Q_Key.
        wrong_q_key: u16,
        /// Datagrams dropped: no receive WQE.
        no_receive: u16,
        /// Messages received.
        received: u16,
        /// Receives that failed.
        failed: u16,
    }
}

hdl::bundle! {
    /// Counters of the link side; they wrap.
    pub struct LinkCounts in register_pkg {
        /// Packets dropped: wrong ICRC.
        icrc_errors: u16,
        /// Packets dropped: wrong length.
        length_errors: u16,
    }
}

hdl::bundle! {
    /// Counters of the send engine; they wrap.
    pub struct SendCounts in register_pkg {
        /// Packets sent.
        sent: u16,
        /// WQEs that failed before they were sent.
        failed: u16,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/register_pkg",
    source: file!(),
    items: &[
        Item::Registers(Register::TABLE),
        Item::Registers(Doorbell::TABLE),
        Item::Bundle(ReceiveCounts::TABLE),
        Item::Bundle(LinkCounts::TABLE),
        Item::Bundle(SendCounts::TABLE),
    ],
};
