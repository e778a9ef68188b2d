//! Pins of the firmware, and the requests between its state machines.

use hdl::{Bundle, Item, Package};

use crate::header::Frame;
use crate::pci_dma::Transfer;
use crate::registers::{Configuration, FirmwareCounts};

hdl::bundle! {
    /// An access to NIC memory. A word arrives in the cycle after its read.
    pub struct MemoryAccess in firmware_pkg {
        /// Reads the word at `address`.
        read: bool,
        /// Writes the word at `address`.
        write: bool,
        /// Word address in NIC memory.
        address: u32 : 18,
        /// Data to write.
        wdata: u32,
    }
}

impl MemoryAccess {
    /// Access that reads a word.
    #[inline]
    pub fn read(address: u32) -> Self {
        Self { read: true, write: false, address, wdata: 0 }
    }

    /// Access that writes a word.
    #[inline]
    pub fn write(address: u32, wdata: u32) -> Self {
        Self { read: false, write: true, address, wdata }
    }

    /// `self`, or `other` if `self` is no access.
    #[inline]
    pub fn or(self, other: Self) -> Self {
        if self.read || self.write { self } else { other }
    }
}

hdl::bundle! {
    /// A rule to apply to the control structure of a peer.
    pub struct Request in firmware_pkg {
        /// A rule of the receiver; otherwise of the sender.
        receives: bool,
        /// Event: a `Cause` of the receiver or of the sender.
        cause: u8 : 3,
        /// Channel, 0 to 3.
        channel: u8 : 2,
        /// Peer.
        node: u16 : 10,
        /// Number of the message or of the control frame.
        number: u32,
        /// Session that the frame names.
        epoch: u16,
        /// Send buffer of a new message.
        slot: u8 : 4,
        /// Bytes of a new message.
        size: u16 : 11,
    }
}

hdl::codes! {
    /// Operation of the send buffers.
    pub enum Operation in firmware_pkg, width 2 {
        /// No operation.
        Nothing = 0,
        /// Records that a buffer holds message `number` for a peer.
        Keep = 1,
        /// Finds the buffer of message `number` for a peer.
        Find = 2,
        /// Frees the buffers of `count` messages from `number` on.
        Free = 3,
    }
}

hdl::bundle! {
    /// A request to the send buffers of a channel.
    pub struct BufferRequest in firmware_pkg {
        /// Code of the operation (`Operation`).
        operation: u8 : 2,
        /// Channel, 0 to 3.
        channel: u8 : 2,
        /// Peer.
        node: u16 : 10,
        /// Message number.
        number: u32,
        /// Messages to free.
        count: u32,
        /// Buffer to keep.
        slot: u8 : 4,
        /// Size of its message in bytes.
        size: u16 : 11,
    }
}

hdl::bundle! {
    /// Input pins of the firmware.
    pub struct In in firmware_pkg {
        /// Parameters set by the kernel.
        configuration: Configuration,
        /// Rings of which a send descriptor was posted, bit per ring.
        posted: u8 : 5,
        /// The host gives a slot back.
        released: bool,
        /// With `released`: ring of the slot.
        released_ring: u8 : 3,
        /// From NIC memory: the word read last.
        memory_rdata: u32,
        /// From transmit DMA: it can take a frame.
        transmit_idle: bool,
        /// From receive DMA: a frame waits.
        frame_waiting: bool,
        /// From receive DMA: buffer of the oldest frame.
        frame_slot: u8 : 4,
        /// From PCI DMA: the transfer is over.
        transfer_done: bool,
        /// With `transfer_done`: the transfer was refused.
        transfer_refused: bool,
    }
}

hdl::bundle! {
    /// Output pins of the firmware.
    pub struct Out in firmware_pkg {
        /// To NIC memory.
        memory: MemoryAccess,
        /// To PCI DMA.
        transfer: Transfer,
        /// Starts the transfer; high for one cycle, PCI DMA is idle.
        transfer_start: bool,
        /// To transmit DMA.
        frame: Frame,
        /// Starts the frame, as soon as transmit DMA is idle.
        frame_start: bool,
        /// To receive DMA: the oldest frame is processed.
        frame_done: bool,
        /// Slots of the receive rings that the host holds, five bits each.
        held: u32 : 25,
        /// Event counters, for the registers.
        counts: FirmwareCounts,
        /// Causes of an interrupt, each high for one cycle.
        causes: u8 : 4,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/firmware/firmware_pkg",
    source: file!(),
    items: &[
        Item::Bundle(MemoryAccess::TABLE),
        Item::Bundle(Request::TABLE),
        Item::Codes(Operation::TABLE),
        Item::Bundle(BufferRequest::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};
