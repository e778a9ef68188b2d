//! Registers of the card (decision 0028). Words of 32 bits; only the kernel reaches them.

use hdl::{Bundle, Item, Package};

use crate::header::Identity;
use crate::protocol::Rules;

hdl::registers! {
    /// Registers of GigaE PM, behind 0x1000 of the aperture.
    pub enum Register in register_pkg {
        /// Bit 0 lets the card receive and the firmware work; while it is 0, firmware and PCI DMA are reset,
        /// the firmware's counters too.
        Control = 0x000 Any, width 1, reset 0;
        /// Causes of the interrupt; a bit that is written as 1 is cleared.
        InterruptCause = 0x004 Any, width 4, reset 0;
        /// Causes that interrupt the host, by bit.
        InterruptEnable = 0x008 Any, width 4, reset 0;
        /// Page of 4 KB of NIC memory that is mapped at 0x2000 of the aperture.
        Page = 0x00c Any, width 8, reset 0;
        /// Number of this node.
        Node = 0x010 Any, width 10, reset 0;
        /// Number of nodes; frames from and messages to others are refused.
        Nodes = 0x014 Any, width 11, reset 0;
        /// First four bytes of all MAC addresses; the lowest byte goes first. The node's number follows.
        MacPrefix = 0x018 Any, width 32, reset 0;
        /// Ethernet type of GigaE PM; 0x88B5, a local experimental type, unless the site has other use for
        /// it.
        EtherType = 0x01c Any, width 16, reset 0;
        /// Repairs of the printed rules: bit n - 1 is Fn (decision 0027).
        Rules = 0x020 Any, width 18, reset 0;
        /// N: messages that may be sent to a peer without an ACK.
        Window = 0x024 Any, width 15, reset 0;
        /// T: cycles from sending a message to sending it again.
        Timeout = 0x028 Any, width 32, reset 0;
        /// Expiries in a row after which a peer is dead; 0 for never.
        Limit = 0x02c Any, width 8, reset 0;
        /// Free slots of a receive ring that end discarding.
        Room = 0x030 Any, width 5, reset 0;
        /// Cycles from one visit of a control structure by the timer scan to the next, less one.
        ScanPeriod = 0x034 Any, width 16, reset 0;
        /// Gives the oldest slot of the receive ring of this number back to the card.
        Release = 0x038 Write, width 3, reset 0;
        /// Slots of the receive rings that the host holds, five bits each, ring 0 lowest.
        Held = 0x03c Read, width 25, reset 0;
        /// Cycles for which frames of other protocols do not interrupt again, from the clearing of their cause; 0
        /// for an interrupt for each of them (decision 0037).
        InterruptDelay = 0x040 Any, width 16, reset 0;
        /// Good frames received.
        Good = 0x080 Read, width 16, reset 0;
        /// Frames dropped: wrong check sequence.
        FcsErrors = 0x084 Read, width 16, reset 0;
        /// Frames dropped: too short.
        Runts = 0x088 Read, width 16, reset 0;
        /// Frames dropped: too long.
        Giants = 0x08c Read, width 16, reset 0;
        /// Frames dropped: for other nodes.
        Foreign = 0x090 Read, width 16, reset 0;
        /// Frames dropped: no room in the receive FIFO.
        Missed = 0x094 Read, width 16, reset 0;
        /// Frames dropped: unknown kind, version, node or channel, or sizes that do not fit.
        Malformed = 0x098 Read, width 16, reset 0;
        /// Frames dropped: of another session.
        WrongEpoch = 0x09c Read, width 16, reset 0;
        /// Messages dropped by the rules, and frames of other protocols without room.
        Discarded = 0x0a0 Read, width 16, reset 0;
        /// Messages and frames delivered to the host.
        Delivered = 0x0a4 Read, width 16, reset 0;
        /// Messages and frames taken from the host.
        Sent = 0x0a8 Read, width 16, reset 0;
        /// Send descriptors refused.
        Refused = 0x0ac Read, width 16, reset 0;
        /// Accesses refused: of users beyond the window, and of anyone to nothing.
        RefusedAccesses = 0x0b0 Read, width 16, reset 0;
        /// Timers expired.
        Expired = 0x0b4 Read, width 16, reset 0;
    }
}

/// Causes of an interrupt, by bit.
pub mod cause {
    /// A frame of another protocol has arrived.
    pub const OTHER_FRAME: u8 = 1 << 0;
    /// A send descriptor was refused.
    pub const REFUSED: u8 = 1 << 1;
    /// A peer is dead.
    pub const DEAD_PEER: u8 = 1 << 2;
    /// An access was refused.
    pub const ACCESS: u8 = 1 << 3;
}

hdl::bundle! {
    /// Parameters set by the kernel.
    pub struct Configuration in register_pkg {
        /// The card is enabled.
        enable: bool,
        /// Identity of the card.
        identity: Identity,
        /// Number of nodes.
        nodes: u16 : 11,
        /// Repairs of the printed rules.
        rules: Rules,
        /// N: messages that may be sent to a peer without an ACK.
        window: u16 : 15,
        /// T: cycles until a retransmission.
        timeout: u32,
        /// Expiries after which a peer is dead.
        limit: u8,
        /// Free slots that end discarding.
        room: u8 : 5,
        /// Cycles between visits of the timer scan, less one.
        scan_period: u16,
    }
}

hdl::bundle! {
    /// Event counters of the firmware; all wrap.
    pub struct FirmwareCounts in register_pkg {
        /// Malformed frames.
        malformed: u16,
        /// Frames of another session.
        wrong_epoch: u16,
        /// Messages dropped by the rules, and frames without room.
        discarded: u16,
        /// Messages and frames delivered.
        delivered: u16,
        /// Messages and frames taken from the host.
        sent: u16,
        /// Send descriptors refused.
        refused: u16,
        /// Timers expired.
        expired: u16,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/register_pkg",
    source: file!(),
    items: &[
        Item::Registers(Register::TABLE),
        Item::Bundle(Configuration::TABLE),
        Item::Bundle(FirmwareCounts::TABLE),
    ],
};
