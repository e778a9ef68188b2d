//! Pins of the Window Controller (thesis section 5.3, figure 5.8).

use hdl::{Bundle, Item, Package};

use crate::host_interface::pins::{Configuration, VsResult};
use crate::line::Line;
use crate::prefetch_unit::pins::{CopyChunk, CopyRequest, VectorLoad, WindowFlag};
use crate::request::Request;

hdl::bundle! {
    /// Vector Store Request: what the Write Unit stores in SO-DIMM (thesis figure 5.8).
    pub struct VectorStore in window_controller_pkg {
        /// Requests a store; held until the Write Unit is storing.
        request: bool,
        /// Process that issued the primitive.
        wid: bool,
        /// Unit of 4 bytes in the first row of the Write Window at which the data begins.
        first: u8 : 2,
        /// Bytes to store, up to the end of the window.
        bytes: u16 : 10,
        /// Offset in the process's SO-DIMM region; bits 1:0 are ignored.
        offset: u32,
        /// The elements are strided or listed; otherwise the data is contiguous.
        strided: bool,
        /// A list of offsets gives the locations of the elements.
        listed: bool,
        /// The data is in the copy buffer instead of a Write Window.
        copies: bool,
        /// Elements have 1 << dtype bytes.
        dtype: u8 : 3,
        /// Stride in bytes, modulo 4 GB, or offset of the list; bits 1:0 are ignored.
        stride: u32,
    }
}

hdl::bundle! {
    /// Vector Store Status and Write Unit Busy (thesis figure 5.8).
    pub struct VectorStoreStatus in window_controller_pkg {
        /// The Write Unit is storing, possibly a packet.
        busy: bool,
        /// The Write Unit is storing the data of the Window Controller.
        storing: bool,
        /// Makes the Window Controller read the next row of the Write Window.
        row_next: bool,
        /// The data is in SO-DIMM; high for one cycle.
        done: bool,
        /// With `done`: data extended past the region and was cut.
        overrun: bool,
    }
}

hdl::bundle! {
    /// Input pins of the Window Controller.
    pub struct In in window_controller_pkg {
        /// Two lines of the Write Window, read most recently.
        write_window_rdata: u128,
        /// Request of the host for its Request FIFO.
        host_request: Request,
        /// Command Ex of `host_request`.
        host_ex: u64,
        /// Writes `host_request` into the host Request FIFO.
        host_request_enable: bool,
        /// Request of a remote node, from Request Separator.
        remote_request: Request,
        /// Command Ex of `remote_request`.
        remote_ex: u64,
        /// Writes `remote_request` into the Receive Controller's Request FIFO.
        remote_request_enable: bool,
        /// Configuration value sent in this cycle, from the registers.
        configuration: Configuration,
        /// Lines that the SWIF FIFO can still take.
        swif_fifo_free: u16 : 11,
        /// Progress of the store, from Write Unit.
        vector_store_status: VectorStoreStatus,
        /// The Prefetch Unit is executing a request.
        prefetch_unit_busy: bool,
        /// Chunk of a copy, from Prefetch Unit.
        copy_chunk: CopyChunk,
        /// The most recently taken line of the packet buffer, from Prefetch Unit (Vector Load Data).
        packet_data: u64,
        /// Lines in the packet buffer (Vector Load Status).
        packet_lines: u16 : 11,
        /// The rest of a message is in flight to SO-DIMM, bit per WID, from Receive Controller: VL waits.
        vl_hold: u8 : 2,
    }
}

hdl::bundle! {
    /// Decoded configuration, for every block that needs it.
    pub struct Configured in window_controller_pkg {
        /// Process group of WID 0.
        pgid0: u8,
        /// Process group of WID 1.
        pgid1: u8,
        /// LID of this node.
        lid: u16,
        /// Longest packet in bytes, header included (thesis table 4.11); 4096 is capped at 4088 (decision 0008).
        mtu: u16 : 13,
        /// SO-DIMM capacity: 256 MB << capacity per module, and per process's region (thesis table 4.10).
        capacity: u8 : 3,
        /// A packet begins only when all of its data has been read (Read Options).
        data_awaited: bool,
        /// Data for packets is read from both SO-DIMMs at once (Read Options).
        read_together: bool,
    }
}

hdl::bundle! {
    /// Output pins of the Window Controller.
    pub struct Out in window_controller_pkg {
        /// Line to the SWIF FIFO.
        line: Line,
        /// Writes `line` into the SWIF FIFO.
        line_enable: bool,
        /// Reads two lines of the Write Window.
        write_window_read_enable: bool,
        /// Row of 16 bytes: WID, window, row in the window.
        write_window_address: u8,
        /// The host Request FIFO is full.
        host_fifo_full: bool,
        /// The host Request FIFO is almost full.
        host_fifo_almost_full: bool,
        /// The Receive Controller's Request FIFO is full.
        remote_fifo_full: bool,
        /// A BOTF is complete; one cycle.
        botf_done: bool,
        /// Process whose BOTF is complete.
        botf_done_wid: bool,
        /// Result of a primitive of the VS family.
        vs_result: VsResult,
        /// A VL, VLS or VLI is complete; one cycle.
        vl_done: bool,
        /// Process whose VL, VLS or VLI is complete.
        vl_done_wid: bool,
        /// The request of an RVL, RVLS or RVLI has been sent; one cycle.
        rvl_done: bool,
        /// Process whose RVL, RVLS or RVLI has been sent.
        rvl_done_wid: bool,
        /// Update of the Prefetch Window Flag.
        flag: WindowFlag,
        /// An RVS, RVSS or RVSI of the host is complete; one cycle.
        rvs_done: bool,
        /// Process whose RVS, RVSS or RVSI is complete.
        rvs_done_wid: bool,
        /// An IPUSH of the host is complete; one cycle.
        ipush_done: bool,
        /// Process whose IPUSH is complete.
        ipush_done_wid: bool,
        /// Request, to Prefetch Unit.
        vector_load: VectorLoad,
        /// The Prefetch Unit accepts `vector_load` in this cycle.
        vector_load_start: bool,
        /// To Prefetch Unit: takes a line of the packet buffer.
        packet_next: bool,
        /// State number of the Request Acceptor.
        acceptor_state: u8 : 2,
        /// State number of the running module of the Request Executor.
        executor_state: u16 : 10,
        /// Family of the running module, code bits 4:2 of the primitive.
        executor_family: u8 : 3,
        /// Decoded configuration.
        configured: Configured,
        /// Store request, to Write Unit.
        vector_store: VectorStore,
        /// Request for a chunk of a copy, to Prefetch Unit.
        copy_request: CopyRequest,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/window_controller/window_controller_pkg",
    source: file!(),
    items: &[
        Item::Bundle(VectorStore::TABLE),
        Item::Bundle(VectorStoreStatus::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Configured::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};
