//! State of a node: the memories and registers of a board, for both processes.

use dimmnet2::address::{Area, WINDOW_BYTES};
use dimmnet2::registers::{PrimitiveCounter, WindowStatus};

use crate::access::Effect;
use crate::memory::Memory;
use crate::shape::Shape;

/// Entries of an LH Buffer.
pub(crate) const ENTRIES: u64 = 64;
/// Bytes of an entry.
pub(crate) const ENTRY: u64 = 64;

/// The first half of a copy from SO-DIMM to SO-DIMM.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parked {
    pub shape: Shape,
    pub srcoff: u32,
    pub total: u64,
}

/// Sender of a receive status; statuses of one sender keep their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sender(pub(crate) Effect);

/// State of a process of a node.
#[derive(Clone, Debug)]
pub struct Process {
    /// Process group, PGID.
    pub pgid: u8,
    /// Contents of its four Write Windows.
    pub write_windows: Vec<u8>,
    /// Contents of its four Prefetch Windows. `None` marks up to 3 bytes after data, which are undefined
    /// because writes have units of 32 bits (decision 0014).
    pub prefetch_windows: Vec<Option<u8>>,
    /// Contents of LLCM; the ring of receive statuses is kept in `statuses`.
    pub llcm: Vec<u8>,
    /// Contents of the LH Buffer.
    pub lh_buffer: Vec<u8>,
    /// Mask of the defined bits of the LH Buffer: in an entry without a message its flags, in the last line
    /// of a message its bytes.
    pub lh_known: Vec<u8>,
    /// Heads received so far.
    pub heads: u64,
    /// Head of the LH Buffer, a byte offset.
    pub lh_head: u16,
    /// Receive statuses, lower and upper word, with their senders.
    pub statuses: Vec<(Sender, u64, u64)>,
    /// Completed primitives by family.
    pub counter: PrimitiveCounter,
    /// Packets received so far.
    pub packets: u64,
    /// Three bits of Controller Status per Write Window.
    pub windows: [WindowStatus; 4],
    /// Controller Status bit 17.
    pub overrun: bool,
    /// Controller Status bits 19:18.
    pub condition: u8,
    /// Prefetch Window Flag, four bits per window.
    pub flag: u16,
    /// IPUSH Area Size as written.
    pub ipush_area: u16,
    pub(crate) parked: Option<Parked>,
}

impl Process {
    /// Tail of the LH Buffer, a byte offset.
    pub fn lh_tail(&self) -> u16 {
        (self.heads % ENTRIES * ENTRY) as u16
    }

    /// Entries of the LH Buffer in use, 0 to 63.
    pub(crate) fn unread(&self) -> u64 {
        (self.heads + ENTRIES - u64::from(self.lh_head) / ENTRY) % ENTRIES
    }

    fn new() -> Self {
        Self {
            pgid: 0,
            write_windows: vec![0; 4 * WINDOW_BYTES as usize],
            prefetch_windows: vec![Some(0); 4 * WINDOW_BYTES as usize],
            llcm: vec![0; Area::Llcm.part_bytes() as usize],
            lh_buffer: vec![0; Area::LhBuffer.part_bytes() as usize],
            lh_known: vec![0xff; Area::LhBuffer.part_bytes() as usize],
            heads: 0,
            lh_head: 0,
            statuses: vec![],
            counter: PrimitiveCounter::default(),
            packets: 0,
            windows: [WindowStatus::default(); 4],
            overrun: false,
            condition: 0,
            flag: 0,
            ipush_area: 0,
            parked: None,
        }
    }
}

/// A node with two processes.
#[derive(Clone, Debug)]
pub struct Node {
    /// LID of the node.
    pub lid: u16,
    /// Contents of both SO-DIMMs, interleaved.
    pub sodimm: Memory,
    /// Bytes of a process's region.
    pub region: u64,
    /// Longest packet in bytes, header included.
    pub mtu: usize,
    /// AMT Address Table: word of LLCM for index 2 * CLID + WID of the sender.
    pub amt: Vec<u16>,
    /// Processes by WID.
    pub processes: [Process; 2],
}

impl Node {
    /// A freshly reset node: modules of 256 MB, MTU 2048, all memories 0.
    pub fn new(lid: u16) -> Self {
        Self {
            lid,
            sodimm: Memory::default(),
            region: 256 << 20,
            mtu: 2048,
            amt: vec![0; 8192],
            processes: [Process::new(), Process::new()],
        }
    }

    /// Bytes of a region that a 32-bit offset can reach.
    pub fn limit(&self) -> u64 {
        self.region.min(1 << 32)
    }

    /// Address of byte `offset` of a process's region over both SO-DIMMs (thesis figure 4.16).
    pub fn address(&self, wid: bool, offset: u64) -> u64 {
        u64::from(wid) * self.region + offset
    }
}
