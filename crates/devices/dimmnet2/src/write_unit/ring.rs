//! Ring of the Write Unit: finds room for an IPUSH packet in its ring (thesis section 7.1.5, table 7.5, dsh's wu_ipush).
//!
//! A ring lies in the receiving process's SO-DIMM region, aligned to its size. Its Head and Tail are one word
//! of LLCM, the AMT entry: the host moves Head when it has consumed data, this block moves Tail when data is
//! stored. Head and Tail are fetched in one cycle, the start and the end of the area are computed next, and
//! then the free space is tested. If the ring has room, read control and write control begin in that cycle,
//! and the addresses of the write control wrap within the area. Otherwise Head and Tail are fetched again and
//! again. No operation has begun meanwhile, so local stores continue, and the block holds no resource that
//! the host needs to make room (decision 0020).
//!
//! The rest of a message whose head goes to the LH Buffer waits in `Hold` until the head has been written.
//!
//! A packet occupies whole lines of 8 bytes in the ring. A packet is accepted if it leaves at least one line
//! free, so Tail never catches up with Head. A packet that can never be accepted is refused, that is, read
//! and not stored: one that is not smaller than its ring, or whose ring has size 0 or is not within the
//! region.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::receive_controller::pins::RingRequest;
use crate::region::region;

/// Units of IPUSH Area Size are 1 << `UNIT_BITS` bytes (decision 0020).
pub const UNIT_BITS: u32 = 16;

hdl::fsm! {
    /// Ring of the Write Unit (table 7.5).
    pub enum State in ring_pkg {
        /// Waits for an IPUSH packet.
        Idle => [Fetch: "IPUSH packet", Idle: "otherwise"],
        /// Reads Head and Tail in LLCM.
        Fetch => [Start],
        /// Computes the start of the area.
        Start => [End],
        /// Computes where the area ends, and whether the ring has room for the packet.
        End => [Test],
        /// Accepts the packet, or tries again.
        Test => [
            Fetch: "no room yet",
            Hold: "room, packet has a head",
            Write: "room, no head; or refused",
        ],
        /// Room is found; waits for the head of the message.
        Hold => [Write: "head stored", Idle: "head malformed", Hold: "otherwise"],
        /// Waits until the packet is stored.
        Write => [Update: "stored", Idle: "refused or malformed", Write: "not done"],
        /// Writes Tail in LLCM.
        Update => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of the ring.
    pub struct In in ring_pkg {
        /// Ring of the packet, from Receive Controller.
        ring_request: RingRequest,
        /// Bytes for the ring announced by Packet Size.
        announced: u16 : 12,
        /// SO-DIMM capacity: a region holds 256 MB << capacity.
        capacity: u8 : 3,
        /// Word of LLCM with Head and Tail, from the AMT Address Table.
        amt_entry: u16 : 12,
        /// Head and Tail, in the cycle after `llcm_read_enable`.
        llcm_rdata: u64,
        /// The head of the message has been written; high for one cycle.
        head_done: bool,
        /// With `head_done`: the packet is malformed and has no rest.
        head_broken: bool,
        /// The packet is stored and read to its end; high for one cycle.
        done: bool,
        /// With `done`: a first line arrived within the packet.
        broken: bool,
        /// With `done`: bytes of data in the packet.
        bytes: u16 : 12,
    }
}

hdl::bundle! {
    /// Output pins of the ring.
    pub struct Out in ring_pkg {
        /// Reads the AMT entry.
        llcm_read_enable: bool,
        /// Writes the Tail of the AMT entry.
        llcm_write_enable: bool,
        /// Word of LLCM that is read or written.
        entry: u16 : 12,
        /// Tail: start of the packet, and from `Update` on start of the next one; an offset in the region.
        tail: u32,
        /// The packet begins; high for one cycle.
        begins: bool,
        /// The ring has room for the rest of a message, which begins when its head has been written.
        room: bool,
        /// The packet that begins or is being stored is for a ring.
        storing: bool,
        /// The packet is refused: nothing of it may be stored.
        refused: bool,
        /// Bits of an 8-byte word address that are constant within the area.
        keep: u32 : 31,
        /// First byte of the message in the ring, an offset in the region.
        first_address: u32,
        /// 0: idle, 1: looks for room or has found it, 2: the packet is being stored, 3: moves Tail; for
        /// Module State.
        state: u8 : 2,
    }
}

hdl::bundle! {
    /// Registers of the ring.
    pub struct Ring in ring_pkg {
        /// State of the state machine.
        state: State,
        /// Word of LLCM with Head and Tail.
        entry: u16 : 12,
        /// Bytes that the packet occupies in the ring, a multiple of 8.
        bytes: u16 : 13,
        /// Bytes of the ring, a power of two, or 0.
        size: u32,
        /// Start of the packet, an offset in the region.
        tail: u32,
        /// Start of the area, an offset in the region.
        start: u32,
        /// Head: end of the data that the host has consumed.
        consumed: u32,
        /// The packet can never be accepted.
        never: bool,
        /// The ring has room for the packet.
        fits: bool,
        /// First byte of the message, an offset in the region.
        first_address: u32,
        /// A head precedes the data.
        head: bool,
        /// The packet is refused.
        refused: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/write_unit/ring_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "UnitBits",
            width: 5,
            value: UNIT_BITS as u64,
            doc: "Units of IPUSH Area Size are 1 << UnitBits bytes (decision 0020).",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

/// Bytes of a ring for an IPUSH Area Size: the largest power of two not above it, in units; 0 for 0.
#[inline]
pub fn ring_bytes(area_size: u16) -> u32 {
    if area_size == 0 { 0 } else { 1 << (area_size.ilog2() + UNIT_BITS) }
}

/// Bytes that a packet occupies in a ring: whole lines.
#[inline]
fn lines(bytes: u16) -> u16 {
    (bytes + 7) & !7
}

impl Clocked for Ring {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            llcm_read_enable: q.state == Fetch,
            llcm_write_enable: q.state == Update,
            entry: q.entry,
            tail: q.tail,
            begins: q.state == Test && (q.never || q.fits && !q.head),
            room: q.state == Hold,
            storing: matches!(q.state, Test | Hold | Write),
            refused: q.state == Write && q.refused,
            keep: !(q.mask() >> 3) & 0x7fff_ffff,
            first_address: q.first_address,
            state: match q.state {
                Idle => 0,
                Fetch | Start | End | Test | Hold => 1,
                Write => 2,
                Update => 3,
            },
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        *self = self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline(always)]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Idle { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Ring {
    /// Takes Head and Tail from the AMT entry.
    #[inline(always)]
    fn place(&mut self, entry: u64) {
        let (head, tail) = ((entry >> 32) as u32 & !7, entry as u32 & !7);
        self.tail = tail;
        self.start = tail & !self.mask();
        self.consumed = head;
    }

    /// Takes the parameters of a packet.
    #[inline(always)]
    fn begin(&mut self, pins: &In) {
        self.entry = pins.amt_entry;
        self.bytes = lines(pins.announced);
        self.size = ring_bytes(pins.ring_request.area_size);
        self.head = pins.ring_request.head;
    }

    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        match q.state {
            // Idle: the size of the packet is known with the request, and the AMT Address Table has answered.
            Idle => {
                if pins.ring_request.start {
                    d.begin(pins);
                    d.state = Fetch;
                }
            }
            // Fetch: Head and Tail arrive in the next cycle.
            Fetch => d.state = Start,
            // Start: the ring begins at a multiple of its size, so Tail determines its start.
            Start => {
                d.place(pins.llcm_rdata);
                d.state = End;
            }
            // End: tests whether the area is within the region and whether the packet fits before Head. The
            // first address of the message precedes Tail by the bytes of its earlier packets.
            End => {
                d.never = q.never(pins.capacity);
                d.fits = u32::from(q.bytes) <= q.left();
                d.first_address = q.around(q.tail.wrapping_sub(pins.ring_request.sent));
                d.state = Test;
            }
            // Test: without room, Head is read again, because the host may have moved it.
            Test => {
                d.refused = q.never;
                d.state = if q.never {
                    Write
                } else if !q.fits {
                    Fetch
                } else if q.head {
                    Hold
                } else {
                    Write
                };
            }
            // Hold: waits for the head of the message; if it was malformed, there is no rest to write.
            Hold => {
                if pins.head_done {
                    d.state = if pins.head_broken { Idle } else { Write };
                }
            }
            // Write: a refused or malformed packet leaves Tail unchanged.
            Write => {
                if pins.done {
                    d.tail = q.around(q.tail.wrapping_add(lines(pins.bytes).into()));
                    d.state = if q.refused || pins.broken { Idle } else { Update };
                }
            }
            // Update: only Tail is written; Head belongs to the host.
            Update => d.state = Idle,
        }
        d
    }

    /// Address bits that differ within the area.
    #[inline]
    fn mask(&self) -> u32 {
        self.size.wrapping_sub(1)
    }

    /// `address` wrapped into the area.
    #[inline]
    fn around(&self, address: u32) -> u32 {
        self.start | address & self.mask()
    }

    /// Free bytes less one; a packet of at most this size leaves a line free.
    #[inline]
    fn left(&self) -> u32 {
        !self.tail.wrapping_sub(self.consumed) & self.mask()
    }

    /// Whether the packet can never be accepted: the ring is too small for it, or not within the region.
    #[inline]
    fn never(&self, capacity: u8) -> bool {
        let end = u64::from(self.start) + u64::from(self.size);
        u32::from(self.bytes) >= self.size || end > region(capacity).limit
    }
}

impl Probe for Ring {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KB: u32 = 1024;

    /// A request for a ring of 64 KB.
    fn request(announced: u16) -> In {
        let ring_request = RingRequest { start: true, head: false, sent: 0, area_size: 1 };
        In { ring_request, announced, ..In::default() }
    }

    /// The ring in `Test`, with this Head and Tail.
    fn ring_in_test(pins: In, head: u32, tail: u32) -> Ring {
        let mut ring = Ring::default();
        ring.tick(&pins);
        retry(&mut ring, pins, head, tail);
        ring
    }

    /// Runs from `Fetch` to `Test`.
    fn retry(ring: &mut Ring, pins: In, head: u32, tail: u32) {
        assert!(ring.outputs().llcm_read_enable);
        let llcm_rdata = u64::from(head) << 32 | u64::from(tail);
        for _ in 0..3 {
            ring.tick(&In {
                ring_request: RingRequest { start: false, ..pins.ring_request },
                llcm_rdata,
                ..pins
            });
        }
        assert_eq!(ring.state, State::Test);
    }

    fn begins(announced: u16, head: u32, tail: u32) -> bool {
        ring_in_test(request(announced), head, tail).outputs().begins
    }

    #[test]
    fn entry_is_latched_with_the_request() {
        let request = In { amt_entry: 0x123, ..request(16) };
        let mut ring = Ring::default();
        ring.tick(&request);
        let later = In { amt_entry: 0x456, done: true, bytes: 16, ..In::default() };
        for _ in 0..6 {
            let out = ring.outputs();
            assert_eq!(out.entry, 0x123);
            if out.llcm_write_enable {
                return;
            }
            ring.tick(&later);
        }
        panic!("Tail is written");
    }

    #[test]
    fn ring_size_is_the_largest_power_of_two_in_area_size() {
        assert_eq!([0, 1, 2, 3, 4, 7].map(ring_bytes), [0, 64, 128, 128, 256, 256].map(|kb| kb * KB));
        assert_eq!((ring_bytes(0x8000), ring_bytes(0xffff)), (1 << 31, 1 << 31));
    }

    #[test]
    fn test_accepts_a_packet_that_leaves_a_line_free() {
        let base = 3 * 64 * KB;
        for head in [base, base + 0x40, base + 64 * KB - 8] {
            for used in [0, 8, 0x1000, 64 * KB - 8 * 100] {
                let tail = base | (head + used) & 0xffff;
                let free = 64 * KB - used;
                for announced in [0, 1, 8, 9, 784, 792, 793, 800, 801, 4080] {
                    let fits = u32::from(announced).next_multiple_of(8) < free;
                    assert_eq!(begins(announced, head, tail), fits, "{announced} of {free}");
                }
            }
        }
    }

    #[test]
    fn test_full_ring_fetches_again_until_head_moves() {
        let pins = request(64);
        let mut ring = ring_in_test(pins, 8, 0);
        for _ in 0..5 {
            assert!(!ring.outputs().begins);
            ring.tick(&pins);
            retry(&mut ring, pins, 8, 0);
        }
        ring.tick(&pins);
        retry(&mut ring, pins, 80, 0);
        assert!(ring.outputs().begins && ring.outputs().storing);
        ring.tick(&pins);
        assert_eq!((ring.state, ring.outputs().refused), (State::Write, false));
    }

    #[test]
    fn test_packet_without_a_ring_is_refused() {
        let none = In { ring_request: RingRequest { area_size: 0, ..request(8).ring_request }, ..request(8) };
        let outside = request(8);
        for (pins, at) in [(none, 0), (outside, 0x1000_0000), (outside, 0xffff_fff8)] {
            let mut ring = ring_in_test(pins, at, at);
            assert!(ring.outputs().begins);
            ring.tick(&pins);
            assert!(ring.outputs().refused);
            ring.tick(&In { done: true, bytes: 8, ..pins });
            assert_eq!(ring.state, State::Idle, "Tail stays");
        }
        assert!(!ring_in_test(outside, 0xfff_0000, 0xfff_0000).never, "the last ring of a region is one");
    }

    #[test]
    fn write_advances_tail_by_whole_lines_and_wraps() {
        let (base, pins) = (5 * 64 * KB, request(100));
        for (tail, bytes, next) in [(0, 100, 104), (64 * KB - 8, 8, 0), (64 * KB - 48, 100, 56), (16, 0, 16)]
        {
            let mut ring = ring_in_test(pins, base + tail, base + tail);
            ring.tick(&pins);
            assert_eq!(ring.outputs().keep, !0x1fff & 0x7fff_ffff);
            ring.tick(&In { done: true, bytes, ..pins });
            let out = ring.outputs();
            assert_eq!((out.llcm_write_enable, out.tail), (true, base + next));
            assert_eq!(out.first_address, base + tail);
        }
        let mut ring = ring_in_test(pins, base, base);
        ring.tick(&pins);
        ring.tick(&In { done: true, broken: true, bytes: 16, ..pins });
        assert_eq!(ring.state, State::Idle, "a broken packet leaves Tail");
    }

    #[test]
    fn end_first_address_precedes_later_packets() {
        let base = 9 * 64 * KB;
        let pins = In { ring_request: RingRequest { sent: 0x300, ..request(8).ring_request }, ..request(8) };
        let ring = ring_in_test(pins, base, base + 0x100);
        assert_eq!(ring.outputs().first_address, base + 0xfe00);
    }

    #[test]
    fn hold_waits_for_the_head_and_ends_if_it_is_malformed() {
        let pins = In { ring_request: RingRequest { head: true, ..request(8).ring_request }, ..request(8) };
        for head_broken in [false, true] {
            let mut ring = ring_in_test(pins, 0, 0);
            assert!(!ring.outputs().begins);
            for _ in 0..5 {
                ring.tick(&pins);
                assert!(ring.outputs().room);
            }
            ring.tick(&In { head_done: true, head_broken, ..pins });
            assert_eq!(ring.state, if head_broken { State::Idle } else { State::Write });
        }
    }
}
