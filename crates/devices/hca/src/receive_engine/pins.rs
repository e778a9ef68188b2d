//! Pins of the receive engine.

use crate::completion::Entry;
use crate::contexts::{Area, Attributes, Reader, Requester, Responder};
use crate::host_dma::Transfer;
use crate::registers::ReceiveCounts;

hdl::bundle! {
    /// Input pins of the receive engine.
    pub struct In in receive_engine_pkg {
        /// A packet may be received; looked at in `Idle` only.
        start: bool,
        /// Its slot.
        slot: bool,
        /// LID of the port.
        lid: u16,
        /// Word of the receiver's memory that was read last.
        memory_rdata: u64,
        /// Rows of the queue pair.
        attributes: Attributes,
        /// How far its receive queue is.
        responder: Responder,
        /// Its RDMA READ.
        reader: Reader,
        /// How far its send queue is.
        requester: Requester,
        /// Its doorbell.
        bell: u16,
        /// Time in ticks.
        now: u32,
        /// Row of the key.
        key: Area,
        /// Host DMA has got a word.
        word_valid: bool,
        /// The word.
        word: u64,
        /// Its place in the WQE.
        place: u8 : 3,
        /// Host DMA is done.
        copied: bool,
        /// The CQE is written.
        completed: bool,
    }
}

hdl::bundle! {
    /// Output pins of the receive engine.
    pub struct Out in receive_engine_pkg {
        /// Reads a word of the receiver's memory.
        memory_read: bool,
        /// Which one.
        memory_address: u16 : 10,
        /// Reads the rows of the queue pair.
        load: bool,
        /// Which one.
        pair: u8 : 4,
        /// Reads the row of the key.
        key_load: bool,
        /// Which one.
        key: u8 : 4,
        /// Writes the row of the responder.
        store: bool,
        /// The row.
        responder: Responder,
        /// The row of its RDMA READ.
        reader: Reader,
        /// Writes the row of the requester.
        acknowledge: bool,
        /// The row.
        requester: Requester,
        /// The send queue of the queue pair gets something to do; high for one cycle.
        post: bool,
        /// To host DMA.
        transfer: Transfer,
        /// Starts it.
        copy: bool,
        /// Has a CQE written.
        complete: bool,
        /// The CQE.
        entry: Entry,
        /// The queue pair fails; high for one cycle.
        fail: bool,
        /// Over: the slot is free; high for one cycle.
        done: bool,
        /// Counters.
        counts: ReceiveCounts,
    }
}
