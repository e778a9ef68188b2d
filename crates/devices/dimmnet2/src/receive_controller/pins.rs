//! Pins of the Receive Controller (thesis sections 4.2, 7.1.5 and table 7.4).

use hdl::{Bundle, Item, Package};

use crate::host_interface::pins::Configuration;
use crate::line::Line;
use crate::prefetch_unit::pins::WindowFlag;
use crate::request::Request;

hdl::bundle! {
    /// Input pins of the Receive Controller.
    pub struct In in receive_controller_pkg {
        /// The line most recently taken from SWIF; held until the next one is taken.
        line: Line,
        /// SWIF holds at least one whole packet.
        packet_available: bool,
        /// Process group of WID 0, from Configuration Register.
        pgid0: u8,
        /// Process group of WID 1, from Configuration Register.
        pgid1: u8,
        /// Configuration values, from the registers; IPUSH Area Size is kept in this unit.
        configuration: Configuration,
        /// The Write Unit has stored the packet and read it to its end; high for one cycle.
        write_unit_done: bool,
        /// With `write_unit_done`: data extended past the region and was cut.
        write_unit_overrun: bool,
        /// With `write_unit_done`: the packet has no ring, so nothing of it is stored.
        write_unit_refused: bool,
        /// With `write_unit_done`: a first line arrived within the packet.
        write_unit_broken: bool,
        /// With `write_unit_done`: bytes of data in the packet, stored or cut; at most those announced by
        /// Packet Size.
        write_unit_bytes: u16 : 12,
        /// With `write_unit_done` of an IPUSH packet, or with `ring_room`: region offset of the first byte of
        /// the message.
        write_unit_first_address: u32,
        /// The Write Unit has found room for the rest of a message and waits for its head.
        ring_room: bool,
        /// The LH Buffer has no free entry, bit per WID.
        lh_full: u8 : 2,
        /// Value of the flags of a new entry, bit per WID.
        lh_polarity: u8 : 2,
        /// A status for this WID cannot be accepted now, bit per WID, from Status Write Unit.
        status_busy: u8 : 2,
        /// The Receive Controller's Request FIFO is full, from Window Controller.
        remote_fifo_full: bool,
    }
}

hdl::bundle! {
    /// A receive status or a remote request, to the Request Separator (thesis section 5.4).
    pub struct Result in receive_controller_pkg {
        /// The 128 bits of figure 4.13, with the receiving process as `wid` and rflag as `to_prefetch_window`.
        request: Request,
        /// Command Ex of a remote request.
        ex: u64,
        /// `request` is valid. A status is accepted in a cycle with `status_busy` of its process low, a
        /// remote request in a cycle with `remote_fifo_full` low; held until then.
        enable: bool,
    }
}

hdl::bundle! {
    /// Request to the Write Unit for the data lines of the present packet.
    pub struct WriteRequest in receive_controller_pkg {
        /// Starts the Write Unit; high for one cycle.
        start: bool,
        /// Receiving process.
        wid: bool,
        /// Offset in the process's SO-DIMM region; bits 1:0 are ignored.
        offset: u32,
        /// Bytes of data in the packet, from Packet Size; 0 to 4080.
        bytes: u16 : 12,
        /// Variant, code bits 1:0 of TYPE: 0 contiguous, 1 strided, 2 by list.
        variant: u8 : 2,
        /// An element has 1 << dtype bytes.
        dtype: u8 : 3,
        /// Number of elements in the packet.
        iteration: u8,
        /// Stride in bytes, or offset of the list in the process's SO-DIMM region.
        stride_list: u32,
    }
}

hdl::bundle! {
    /// Ring into which the Write Unit stores the data lines of the present packet; process and bytes are
    /// those of `WriteRequest`.
    pub struct RingRequest in receive_controller_pkg {
        /// Starts the Write Unit; high for one cycle.
        start: bool,
        /// The data lines follow a head, which the Receive Controller writes once the ring has room.
        head: bool,
        /// Bytes of the message that earlier packets have put into the ring.
        sent: u32,
        /// IPUSH Area Size of the receiving process.
        area_size: u16,
    }
}

hdl::bundle! {
    /// Output pins of the Receive Controller.
    pub struct Out in receive_controller_pkg {
        /// Takes the first line of the next packet from SWIF.
        packet_start: bool,
        /// Takes the next line of the present packet; ignored by SWIF when the last line is on its output.
        line_next: bool,
        /// Destination of the data lines, to the Write Unit.
        write_request: WriteRequest,
        /// Ring for the data lines, to the Write Unit.
        ring_request: RingRequest,
        /// Reads the AMT Address Table for the sender of the first header line, which is on `line`.
        amt_read_enable: bool,
        /// Bytes of a Prefetch Window to write; 0 writes nothing.
        prefetch_window_byte_enable: u16,
        /// Row of 16 bytes: WID, window, row in the window.
        prefetch_window_address: u8,
        /// Data for the Prefetch Window.
        prefetch_window_wdata: u128,
        /// Bytes of an LLCM word to write; 0 writes nothing.
        llcm_byte_enable: u8,
        /// Word of 8 bytes: WID, word in the process's 32 KB.
        llcm_address: u16 : 13,
        /// Data for LLCM.
        llcm_wdata: u64,
        /// Banks of the LH Buffer to write; 0 writes nothing.
        lh_write_enable: u8 : 2,
        /// Row of 16 bytes in the entry at the Tail.
        lh_row: u8 : 2,
        /// Line for the LH Buffer.
        lh_wdata: u64,
        /// Advances the Tail of the LH Buffer; high for one cycle.
        lh_advance: bool,
        /// To the Write Unit: the head has been written; high for one cycle.
        head_done: bool,
        /// With `head_done`: the packet is malformed and has been read to its end.
        head_broken: bool,
        /// To the Window Controller: the rest of a message is in flight to SO-DIMM, bit per WID.
        vl_hold: u8 : 2,
        /// Status or remote request, to the Request Separator.
        result: Result,
        /// A packet was accepted; one cycle.
        packet_received: bool,
        /// Received data extended past its area; one cycle.
        overrun: bool,
        /// Error, a `ReceiveCondition`, nonzero for one cycle.
        condition: u8 : 2,
        /// Process to which `packet_received`, `overrun` and `condition` belong.
        wid: bool,
        /// Quarters of a Prefetch Window that have been stored, for the Prefetch Window Flag.
        flag: WindowFlag,
        /// State number, for Module State.
        state: u8 : 4,
        /// State number of the packet writer, for Module State.
        packet_write_state: u8 : 2,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/receive_controller/receive_controller_pkg",
    source: file!(),
    items: &[
        Item::Bundle(In::TABLE),
        Item::Bundle(Result::TABLE),
        Item::Bundle(WriteRequest::TABLE),
        Item::Bundle(RingRequest::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};
