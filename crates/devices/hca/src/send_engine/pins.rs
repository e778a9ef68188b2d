//! Pins of the send engine.

use crate::completion::Entry;
use crate::contexts::{Area, Attributes, Read, Reader, Request, Requester, Responder};
use crate::host_dma::Transfer;
use crate::registers::SendCounts;

hdl::bundle! {
    /// Input pins of the send engine.
    pub struct In in send_engine_pkg {
        /// Gives a queue pair its turn; ignored outside `Idle`.
        start: bool,
        /// Queue pair that gets the turn.
        pair: u8,
        /// LID of the port.
        lid: u16,
        /// Free slot of the transmitter's memory.
        slot: bool,
        /// Attributes of the queue pair.
        attributes: Attributes,
        /// Row of the requester.
        requester: Requester,
        /// Row of the outstanding request.
        request: Request,
        /// Row of the responder.
        responder: Responder,
        /// Row of the peer's RDMA READ or atomic operation.
        reader: Reader,
        /// Row of the peer's next RDMA READ.
        read: Read,
        /// Doorbell of the send queue, or of the receive queue after `drain`: number of WQEs posted; wraps.
        bell: u16,
        /// Time in ticks of 1.024 us.
        now: u32,
        /// Row of the key.
        key: Area,
        /// Host DMA delivers a word of the WQE.
        word_valid: bool,
        /// Word of the WQE.
        word: u64,
        /// Place of the word in the WQE; 0 to 5.
        place: u8 : 3,
        /// Host DMA has finished the transfer.
        copied: bool,
        /// The CQE is written or lost.
        completed: bool,
    }
}

hdl::bundle! {
    /// Output pins of the send engine.
    pub struct Out in send_engine_pkg {
        /// Reads the rows of the queue pair and its doorbell.
        load: bool,
        /// Reads the doorbell of the receive queue.
        drain: bool,
        /// Reads the row of the key.
        key_load: bool,
        /// Row of the key to read.
        key: u16 : 12,
        /// Writes the row of the requester.
        store: bool,
        /// Row of the requester to write.
        requester: Requester,
        /// Reads the row of an outstanding request.
        request_load: bool,
        /// Writes the row of an outstanding request.
        request_store: bool,
        /// Place of the request among those of its queue pair.
        request_place: u8 : 4,
        /// Row of the request to write.
        request: Request,
        /// Reads the row of the peer's next RDMA READ.
        read_load: bool,
        /// Place of that RDMA READ among those of its queue pair.
        read_place: u8 : 4,
        /// Writes the rows of the responder and of the RDMA READ.
        answered: bool,
        /// Writes the row of the RDMA READ before which the send queue went.
        yielded: bool,
        /// Row of the responder to write.
        responder: Responder,
        /// Row of the peer's RDMA READ or atomic operation to write.
        reader: Reader,
        /// Transfer for host DMA: a WQE or data.
        transfer: Transfer,
        /// Starts the transfer.
        copy: bool,
        /// Writes a word of the headers.
        header_write: bool,
        /// Word of the transmitter's memory to write.
        header_address: u16 : 10,
        /// Word of the headers.
        header: u64,
        /// Only the lower half of the word is written.
        header_half: bool,
        /// The packet in the slot is complete.
        launch: bool,
        /// Units of 4 bytes of the packet, without ICRC.
        units: u16 : 11,
        /// Requests a CQE.
        complete: bool,
        /// The CQE.
        entry: Entry,
        /// The queue pair fails; high for one cycle.
        fail: bool,
        /// A request is outstanding; valid with `done`.
        active: bool,
        /// The turn is over; high for one cycle.
        done: bool,
        /// The queue pair has more to send; valid with `done`.
        again: bool,
        /// Packets sent and WQEs failed.
        counts: SendCounts,
    }
}
