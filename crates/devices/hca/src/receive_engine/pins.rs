//! Pins of the receive engine.

use crate::completion::Entry;
use crate::contexts::{Area, Attributes, Limit, Read, Reader, Request, Requester, Responder, SharedQueue};
use crate::host_dma::Transfer;
use crate::registers::ReceiveCounts;

hdl::bundle! {
    /// Input pins of the receive engine.
    pub struct In in receive_engine_pkg {
        /// Hands over a packet; ignored outside `Idle`.
        start: bool,
        /// Slot of the receiver's memory that holds the packet.
        slot: bool,
        /// LID of the port.
        lid: u16,
        /// Word of the receiver's memory that was read last.
        memory_rdata: u64,
        /// Attributes of the queue pair.
        attributes: Attributes,
        /// Row of the responder.
        responder: Responder,
        /// Row of the peer's RDMA READ or atomic operation.
        reader: Reader,
        /// Row of the requester.
        requester: Requester,
        /// Row of the outstanding request after the oldest one.
        request: Request,
        /// Row of the shared receive queue.
        shared: SharedQueue,
        /// Number of WQEs at which the shared receive queue interrupts.
        limit: Limit,
        /// Queue pairs of a quarter of the multicast group, a bit each.
        members: u64,
        /// Doorbell of the receive queue, or of the shared one: number of WQEs posted; wraps.
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
    /// Output pins of the receive engine.
    pub struct Out in receive_engine_pkg {
        /// Reads a word of the receiver's memory.
        memory_read: bool,
        /// Word of the receiver's memory to read.
        memory_address: u16 : 10,
        /// Reads the rows of the queue pair and its doorbell.
        load: bool,
        /// Queue pair of the rows.
        pair: u8,
        /// Reads a quarter of the queue pairs of the multicast group.
        group_load: bool,
        /// Row of the quarter: the group in bits 3:0, the quarter in bits 5:4.
        group: u8 : 6,
        /// Reads the row of the shared receive queue, its limit and its doorbell.
        shared_load: bool,
        /// Number of the shared receive queue.
        shared_queue: u8 : 2,
        /// Writes the row of the shared receive queue.
        shared_store: bool,
        /// Row of the shared receive queue to write.
        shared: SharedQueue,
        /// The shared receive queue has fewer WQEs than its limit, which is cleared; high for one cycle.
        sinks: bool,
        /// Reads the row of the key.
        key_load: bool,
        /// Row of the key to read.
        key: u16 : 12,
        /// Writes the rows of the responder and of the RDMA READ.
        store: bool,
        /// Row of the responder to write.
        responder: Responder,
        /// Row of the peer's RDMA READ or atomic operation to write.
        reader: Reader,
        /// Writes the row of a waiting RDMA READ of the peer.
        read_store: bool,
        /// Place of that RDMA READ among those of its queue pair.
        read_place: u8 : 4,
        /// Row of the RDMA READ to write.
        read: Read,
        /// Writes the row of the requester.
        acknowledge: bool,
        /// Row of the requester to write.
        requester: Requester,
        /// Reads the row of the outstanding request after the oldest one.
        request_load: bool,
        /// Place of the request among those of its queue pair.
        request_place: u8 : 4,
        /// The send queue of the queue pair gets work; high for one cycle.
        post: bool,
        /// Transfer for host DMA: a WQE or data.
        transfer: Transfer,
        /// Starts the transfer.
        copy: bool,
        /// The transfer takes `value` in place of words of the receiver's memory.
        supply: bool,
        /// New value of an atomic operation, or the original one that has arrived.
        value: u64,
        /// Requests a CQE.
        complete: bool,
        /// The CQE.
        entry: Entry,
        /// The queue pair fails; high for one cycle.
        fail: bool,
        /// The packet is done and its slot free; high for one cycle.
        done: bool,
        /// Packets dropped, messages received and receives failed.
        counts: ReceiveCounts,
    }
}
