//! Registers of the adapter and its doorbells (decision 0060). Words of 32 bits; only the kernel reaches the registers.

use hdl::{Bundle, Item, Package};

hdl::registers! {
    /// Registers of the adapter, from 0x0000 of the aperture.
    pub enum Register in register_pkg {
        /// Bit 0 lets the adapter work; while it is 0, no WQE is taken and no packet is looked at.
        Control = 0x000 Any, width 1, reset 0;
        /// Causes of the interrupt; a bit that is written as 1 is cleared.
        InterruptCause = 0x004 Any, width 5, reset 0;
        /// Causes that interrupt the host.
        InterruptEnable = 0x008 Any, width 5, reset 0;
        /// LID of the port, as the subnet manager has given it.
        Lid = 0x00c Any, width 16, reset 0;
        /// Writing it writes the row of bits 7:0 of the kind of bits 9:8 (0 a queue pair, 1 a completion queue, 2 a key) with the
        /// staging words. Reading it gives 1 while that is not done; a command that is written meanwhile is refused.
        Command = 0x010 Any, width 10, reset 0;
        /// Bits 31:0 of a row.
        Staging0 = 0x040 Any, width 32, reset 0;
        /// Bits 63:32.
        Staging1 = 0x044 Any, width 32, reset 0;
        /// Bits 95:64.
        Staging2 = 0x048 Any, width 32, reset 0;
        /// Bits 127:96.
        Staging3 = 0x04c Any, width 32, reset 0;
        /// Bits 159:128.
        Staging4 = 0x050 Any, width 32, reset 0;
        /// Bits 191:160.
        Staging5 = 0x054 Any, width 32, reset 0;
        /// Bits 223:192.
        Staging6 = 0x058 Any, width 32, reset 0;
        /// Bits 255:224.
        Staging7 = 0x05c Any, width 32, reset 0;
        /// Packets dropped: wrong ICRC.
        IcrcErrors = 0x080 Read, width 16, reset 0;
        /// Packets dropped: their length is not that of their header, or is none that a packet may have.
        LengthErrors = 0x084 Read, width 16, reset 0;
        /// Packets dropped: for other LIDs.
        Foreign = 0x088 Read, width 16, reset 0;
        /// Packets dropped: of no known form.
        Malformed = 0x08c Read, width 16, reset 0;
        /// Packets dropped: for a queue pair that is not there, has failed or is of another service.
        UnknownQp = 0x090 Read, width 16, reset 0;
        /// Datagrams dropped: wrong Q_Key.
        WrongQKey = 0x094 Read, width 16, reset 0;
        /// Datagrams dropped: no receive WQE.
        NoReceive = 0x098 Read, width 16, reset 0;
        /// Messages received.
        Received = 0x09c Read, width 16, reset 0;
        /// Packets sent.
        Sent = 0x0a0 Read, width 16, reset 0;
        /// Requests that ended in a completion with an error, at the sender or at the receiver.
        Failed = 0x0a4 Read, width 16, reset 0;
        /// CQEs lost, because their queue is full, or is not there.
        Overflows = 0x0a8 Read, width 16, reset 0;
        /// Accesses refused: of users beyond the doorbells, of anyone to nothing, commands while one is not done or of no row.
        RefusedAccesses = 0x0ac Read, width 16, reset 0;
    }
}

hdl::registers! {
    /// Doorbells, from 0x1000 of the aperture. Offsets are those of Mellanox's first adapters (Linux, `mthca_doorbell.h`). Bits 7:0 are
    /// the number of the queue.
    pub enum Doorbell in register_pkg {
        /// Bits 31:16: WQEs put into the send ring, counted from the setting up of the queue pair.
        SendBell = 0x010 Write, width 32, reset 0;
        /// Bits 31:16: WQEs put into the receive ring, counted likewise.
        ReceiveBell = 0x018 Write, width 32, reset 0;
        /// Bits 31:16: CQEs taken, counted. Bit 8: interrupt at the next CQE.
        CompletionBell = 0x020 Write, width 32, reset 0;
    }
}

/// Causes of an interrupt, by bit.
pub mod cause {
    /// A CQE has come into a queue that was armed.
    pub const COMPLETION: u8 = 1 << 0;
    /// A queue pair has failed: a doorbell was beyond its ring, or a connection is broken.
    pub const QUEUE_PAIR: u8 = 1 << 1;
    /// A completion queue has overflowed.
    pub const OVERFLOW: u8 = 1 << 2;
    /// An access was refused.
    pub const ACCESS: u8 = 1 << 3;
    /// A command is done.
    pub const COMMAND: u8 = 1 << 4;
}

hdl::bundle! {
    /// What the receive engine counts; the counters wrap.
    pub struct ReceiveCounts in register_pkg {
        /// For other LIDs.
        foreign: u16,
        /// Of no known form.
        malformed: u16,
        /// For a queue pair that is not there.
        unknown_qp: u16,
        /// Wrong Q_Key.
        wrong_q_key: u16,
        /// No receive WQE.
        no_receive: u16,
        /// Messages received.
        received: u16,
        /// Receptions that failed.
        failed: u16,
    }
}

hdl::bundle! {
    /// What the link side counts; the counters wrap.
    pub struct LinkCounts in register_pkg {
        /// Wrong ICRC.
        icrc_errors: u16,
        /// Wrong length.
        length_errors: u16,
    }
}

hdl::bundle! {
    /// What the send engine counts; the counters wrap.
    pub struct SendCounts in register_pkg {
        /// Packets sent.
        sent: u16,
        /// Requests that failed.
        failed: u16,
    }
}

/// The generated package.
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
