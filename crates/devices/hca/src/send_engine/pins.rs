//! Pins of the send engine.

use crate::completion::Entry;
use crate::contexts::{Area, Attributes, Reader, Requester, Responder};
use crate::host_dma::Transfer;
use crate::registers::SendCounts;

hdl::bundle! {
    /// Input pins of the send engine.
    pub struct In in send_engine_pkg {
        /// A queue pair has its turn; looked at in `Idle` only.
        start: bool,
        /// Which one.
        pair: u8 : 4,
        /// LID of the port.
        lid: u16,
        /// Slot of the transmitter to fill.
        slot: bool,
        /// Rows of the queue pair.
        attributes: Attributes,
        /// How far its send queue is.
        requester: Requester,
        /// How far its receive queue is.
        responder: Responder,
        /// Its RDMA READ.
        reader: Reader,
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
    /// Output pins of the send engine.
    pub struct Out in send_engine_pkg {
        /// Reads the rows of the queue pair.
        load: bool,
        /// Reads the row of the key.
        key_load: bool,
        /// Which one.
        key: u8 : 4,
        /// Writes the row of the requester.
        store: bool,
        /// The row.
        requester: Requester,
        /// Writes that of the responder: its answer is sent.
        answered: bool,
        /// The row.
        responder: Responder,
        /// The row of its RDMA READ.
        reader: Reader,
        /// To host DMA.
        transfer: Transfer,
        /// Starts it.
        copy: bool,
        /// Writes a word of the headers.
        header_write: bool,
        /// Word of the transmitter's memory.
        header_address: u16 : 10,
        /// The word.
        header: u64,
        /// Only its lower half.
        header_half: bool,
        /// The slot is full.
        launch: bool,
        /// Units of 4 bytes of its packet, without ICRC.
        units: u16 : 11,
        /// Has a CQE written.
        complete: bool,
        /// The CQE.
        entry: Entry,
        /// The queue pair fails; high for one cycle.
        fail: bool,
        /// A request is under way; counts with `done`.
        active: bool,
        /// Over; high for one cycle.
        done: bool,
        /// There is more to do.
        again: bool,
        /// Counters.
        counts: SendCounts,
    }
}
