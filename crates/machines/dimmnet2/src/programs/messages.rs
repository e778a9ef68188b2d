//! Messages whose place the receiver chooses: IPUSH into rings, and LHS, whose heads go to the LH Buffer (thesis
//! chapter 7).
//!
//! The receiver gives each sender a ring in its SO-DIMM before any message is sent. A message of IPUSH lies in the
//! ring; its status names sender and size. The head of an LHS message lies in the LH Buffer, with its length and the
//! place of the rest. Senders push data from their SO-DIMM; LHSv2 takes the envelope from a Write Window. A program
//! reads the messages of one sender in the order of their arrival.

use dimmnet2::Primitive;
use dimmnet2::address::{Area, WINDOW_BYTES};
use dimmnet2::registers::{AmtAddressTableInterface, SystemRegister, UserRegister};

use super::Board;
use super::botf::Peer;
use super::remote::{Command, Memory};
use super::vl::Source;

/// Data bytes of a message that its entry in the LH Buffer holds, behind the envelope.
pub const HEAD_DATA_BYTES: usize = 48;

/// Bytes of an entry of the LH Buffer.
const ENTRY_BYTES: u16 = 64;

/// The LH Buffer of a process has 4 KB.
const LH_BUFFER_MASK: u16 = 0xfff;

/// Bits of an entry's first line: the envelope is valid, and the rest of the entry is complete (thesis figure 7.7).
const VALID: u32 = 47;
const COMPLETE: u32 = 46;

/// Bytes of a unit of IPUSH Area Size (decision 0020).
const RING_UNIT: u32 = 64 << 10;

/// Fields by which two processes match a message (thesis figure 7.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// Communicator.
    pub context: u16,
    /// Number of the sender, 14 bits.
    pub rank: u16,
    /// Tag of MPI, 32 bits.
    pub tag: u32,
}

impl Envelope {
    /// The first 8 bytes of the message.
    pub const fn bits(self) -> u64 {
        (self.context as u64) << 48 | (self.rank as u64 & 0x3fff) << 32 | self.tag as u64
    }

    /// The envelope in the first line of an entry, without the controller's flags.
    pub const fn from_bits(bits: u64) -> Self {
        Envelope { context: (bits >> 48) as u16, rank: (bits >> 32) as u16 & 0x3fff, tag: bits as u32 }
    }
}

/// The head of a message in the LH Buffer (thesis figure 7.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Context, rank and tag of the message.
    pub envelope: Envelope,
    /// Bytes of the message without its envelope.
    pub size: u32,
    /// Byte offset in own SO-DIMM of the data behind the head.
    pub pointer: u32,
    /// The first bytes of the data, at most [`HEAD_DATA_BYTES`].
    pub data: Vec<u8>,
}

impl Head {
    fn from_entry(entry: &[u8; 64]) -> Self {
        let line = |i: usize| u64::from_le_bytes(entry[8 * i..][..8].try_into().expect("a line has 8 bytes"));
        let size = line(1) as u32;
        let here = HEAD_DATA_BYTES.min(size as usize);
        Head {
            envelope: Envelope::from_bits(line(0)),
            size,
            pointer: (line(1) >> 32) as u32,
            data: entry[16..][..here].to_vec(),
        }
    }
}

/// A ring for the messages of a sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    /// Sender of its messages.
    pub sender: Peer,
    /// Offset in own LLCM of its Head and Tail, a multiple of 8 behind the ring of statuses.
    pub entry: u16,
    /// Offset in own SO-DIMM of its data, a multiple of the size of a ring.
    pub base: u32,
}

/// The rings and the LH Buffer of a process.
pub struct Inbox {
    /// Bytes of each ring.
    ring_bytes: u32,
    /// Rings with their Heads.
    rings: Vec<(Ring, u32)>,
    /// Head of the LH Buffer.
    head: u16,
    /// Value of Valid and Complete in the entry at Head once it arrives; the value alternates with each pass.
    arrived: bool,
}

impl Inbox {
    /// Gives each sender its ring. `units` is the size of all rings of the process, in units of 64 KB, a power of two.
    pub async fn open(board: &Board, units: u16, rings: &[Ring]) -> Self {
        assert!(units.is_power_of_two(), "a ring has a power of two of units, not {units}");
        let host = board.host();
        for ring in rings {
            let pointers = u64::from(ring.base) << 32 | u64::from(ring.base);
            host.store_uc(board.llcm(ring.entry.into()), pointers).await;
            let sender = AmtAddressTableInterface {
                value: ring.entry / 8,
                wid: ring.sender.wid,
                lid: ring.sender.lid,
            };
            let interface = Area::SystemRegister.base()
                + u32::from(SystemRegister::AmtAddressTableInterface.info().offset);
            host.store_uc(interface, sender.bits()).await;
        }
        host.store_uc(board.user(UserRegister::IpushAreaSize), units.into()).await;
        let rings = rings.iter().map(|&ring| (ring, ring.base)).collect();
        Inbox { ring_bytes: u32::from(units) * RING_UNIT, rings, head: 0, arrived: true }
    }

    /// Waits for the next head, takes it, and frees its place.
    pub async fn next_head(&mut self, board: &Board) -> Head {
        loop {
            if let Some(head) = self.poll_head(board).await {
                return head;
            }
        }
    }

    /// Looks once at the LH Buffer: takes the next head, if it is there, and frees its place.
    ///
    /// A look flushes the line of the entry and reads it again; the one that finds it complete has the whole entry in
    /// the cache (thesis section 7.2.2).
    pub async fn poll_head(&mut self, board: &Board) -> Option<Head> {
        let host = board.host();
        let address = Area::LhBuffer.part(board.process().wid) + u32::from(self.head);
        let entry = host.load_line(address).await;
        let line = u64::from_le_bytes(entry[..8].try_into().expect("a line has 8 bytes"));
        if [VALID, COMPLETE].iter().any(|flag| (line >> flag & 1 == 1) != self.arrived) {
            return None;
        }
        host.mark("head seen");
        self.head = (self.head + ENTRY_BYTES) & LH_BUFFER_MASK;
        self.arrived ^= self.head == 0;
        let head = board.user(UserRegister::LhBufferNextReadAddress);
        host.store_uc(head, self.head.into()).await;
        host.mark("head read");
        Some(Head::from_entry(&entry))
    }

    /// Waits for the next message of LHS from the sender of a ring, and takes all of it. No head of another sender may
    /// come between.
    ///
    /// The VL for the rest may be issued at once if the message came in one packet: the board delays it until the whole
    /// packet is stored.
    pub async fn next_message(&mut self, board: &Board, ring: usize) -> (Envelope, Vec<u8>) {
        let mut head = self.next_head(board).await;
        let rest = head.size as usize - head.data.len();
        if rest > 0 {
            assert_eq!(head.pointer, self.rings[ring].1, "messages of a ring are taken in their order");
            head.data.extend(self.take(board, ring, rest).await);
        }
        (head.envelope, head.data)
    }

    /// Takes the next bytes of a ring, and frees their place in whole lines.
    pub async fn take(&mut self, board: &Board, ring: usize, bytes: usize) -> Vec<u8> {
        let mut data = Vec::with_capacity(bytes);
        self.take_with(board, ring, bytes, async |_, piece| data.extend_from_slice(piece)).await;
        data
    }

    /// Waits until a ring holds bytes that were not taken; returns their number, in whole lines.
    pub async fn wait_for_more(&self, board: &Board, ring: usize) -> usize {
        let (Ring { entry, .. }, head) = self.rings[ring];
        let there = |pointers: u64| (pointers as u32).wrapping_sub(head) & (self.ring_bytes - 1);
        let host = board.host();
        there(host.poll("more of a ring", board.llcm(entry.into()), |pointers| there(pointers) > 0).await)
            as usize
    }

    /// Like [`Inbox::take`]; `take` gets the bytes piece by piece, each with its offset from the first.
    pub async fn take_with(
        &mut self,
        board: &Board,
        ring: usize,
        bytes: usize,
        mut take: impl AsyncFnMut(usize, &[u8]),
    ) {
        let mask = self.ring_bytes - 1;
        let (Ring { base, .. }, head) = self.rings[ring];
        let from = head & mask;
        let straight = bytes.min((self.ring_bytes - from) as usize);
        board.read_sodimm(base + from, straight, &mut take).await;
        // The rest lies at the beginning of the ring.
        board.read_sodimm(base, bytes - straight, async |at, piece| take(straight + at, piece).await).await;
        self.skip(board, ring, bytes).await;
    }

    /// Frees the place of the next bytes of a ring in whole lines; bytes that are not read are lost.
    pub async fn skip(&mut self, board: &Board, ring: usize, bytes: usize) {
        let (Ring { entry, base, .. }, head) = self.rings[ring];
        let head = base + ((head + bytes.next_multiple_of(8) as u32) & (self.ring_bytes - 1));
        self.rings[ring].1 = head;
        // The store writes Head alone: Tail, in the other half, belongs to the controller.
        board.host().store_uc32(board.llcm(entry.into()) + 4, head).await;
    }
}

impl Board {
    /// IPUSH: sends data from own SO-DIMM to the ring of `peer` for this process, and waits until all of it is sent.
    /// With `status`, the peer gets a status when the data is stored.
    pub async fn ipush(&self, peer: Peer, from: Source, status: bool) {
        self.push(Primitive::Ipush, peer, from, (0, 0), status).await;
    }

    /// Like [`Board::ipush`], but does not wait.
    pub async fn issue_ipush(&self, peer: Peer, from: Source, status: bool) {
        self.issue(Command::push(Primitive::Ipush, peer, from, (0, 0), status), Memory::SoDimm).await;
    }

    /// IPUSH with LHSv1: sends to the LH Buffer of `peer` and, beyond 56 bytes, to the ring. The envelope is the first
    /// 8 bytes.
    pub async fn lhs_v1(&self, peer: Peer, from: Source, status: bool) {
        self.push(Primitive::LhsV1, peer, from, (0, 0), status).await;
    }

    /// Like [`Board::lhs_v1`], but does not wait.
    pub async fn issue_lhs_v1(&self, peer: Peer, from: Source, status: bool) {
        self.issue(Command::push(Primitive::LhsV1, peer, from, (0, 0), status), Memory::SoDimm).await;
    }

    /// IPUSH with LHSv2: sends an envelope from a Write Window, which is written once it is free, and data from
    /// SO-DIMM.
    pub async fn lhs_v2(&mut self, peer: Peer, window: u8, envelope: Envelope, from: Source, status: bool) {
        self.issue_lhs_v2(peer, window, envelope, from, status).await;
        self.wait_sent().await;
    }

    /// Like [`Board::lhs_v2`], but does not wait; the envelope's window stays in use until the [end](Board::wait_sent).
    pub async fn issue_lhs_v2(
        &mut self,
        peer: Peer,
        window: u8,
        envelope: Envelope,
        from: Source,
        status: bool,
    ) {
        self.wait_window(window).await;
        let host = self.host();
        let envelope = envelope.bits().to_le_bytes();
        host.store_wc(Area::WriteWindow.window(self.process().wid, window), &envelope).await;
        host.sfence().await;
        host.mark("image written");
        let at = (WINDOW_BYTES as u16 * u16::from(window), envelope.len() as u16);
        self.issue(Command::push(Primitive::LhsV2, peer, from, at, status), Memory::SoDimm).await;
    }

    async fn push(&self, primitive: Primitive, peer: Peer, from: Source, window: (u16, u16), status: bool) {
        self.transfer(Command::push(primitive, peer, from, window, status), Memory::SoDimm).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn envelope_leaves_room_for_the_flags() {
        let envelope = Envelope { context: 0x1234, rank: 0x2abc, tag: 0xdead_beef };
        assert_eq!(envelope.bits(), 0x1234_2abc_dead_beef);
        assert_eq!(Envelope::from_bits(envelope.bits() | 0b11 << 46), envelope);
    }

    #[test]
    fn entry_holds_48_bytes_of_data_at_most() {
        let mut entry: [u8; 64] = std::array::from_fn(|i| i as u8);
        entry[8..16].copy_from_slice(&(0x3_0000u64 << 32 | 100).to_le_bytes());
        let head = Head::from_entry(&entry);
        assert_eq!((head.size, head.pointer, &head.data[..]), (100, 0x3_0000, &entry[16..]));
        entry[8..16].copy_from_slice(&5u64.to_le_bytes());
        assert_eq!(Head::from_entry(&entry).data, [16, 17, 18, 19, 20]);
    }
}
