//! The packet: its headers, decoded (IBA volume 1, sections 7.7, 9.2, 9.3).

use super::{In, ReceiveEngine, State};
use crate::layout::{PacketKind, RouteHeader, SequenceHeader, TransportHeader, reliable_kind};

hdl::bundle! {
    /// The operation code of a packet, decoded.
    pub struct PacketForm in receive_engine_pkg {
        /// Packet of an RDMA WRITE.
        write: bool,
        /// Request for an RDMA READ.
        read: bool,
        /// Data of an RDMA READ, or the original value of an atomic operation.
        response: bool,
        /// Acknowledgement; it has no data.
        acknowledge: bool,
        /// Connection, reliable or not.
        connected: bool,
        /// Unreliable connection.
        unreliable: bool,
        /// Unreliable datagram.
        datagram: bool,
        /// First packet of its message.
        begins: bool,
        /// Last packet of its message.
        ends: bool,
        /// The packet has a RETH or an AtomicETH: the first one of an RDMA WRITE, an RDMA READ request, and an
        /// atomic operation.
        remote: bool,
        /// Immediate data follow the headers.
        immediate: bool,
        /// Request for an atomic operation.
        atomic: bool,
        /// Request for a compare-and-swap.
        compares: bool,
        /// Original value of an atomic operation, which counts as 8 bytes of data.
        original: bool,
        /// Units of 4 bytes in front of the data; 5 to 12.
        units: u8 : 4,
    }
}

impl PacketForm {
    /// Decodes an operation code; an unknown one is neither `connected` nor `datagram`.
    #[inline]
    pub fn of(kind: u8) -> Self {
        use PacketKind::*;
        let (kind, unreliable) = reliable_kind(kind);
        let is = |kinds: &[PacketKind]| kinds.iter().any(|other| other.code() == kind);
        let write = kind >= WriteFirst.code() && kind <= WriteOnlyImmediate.code();
        let read = is(&[ReadRequest]);
        let original = is(&[AtomicAcknowledge]);
        let response = kind >= ReadFirst.code() && kind <= ReadOnly.code() || original;
        let acknowledge = is(&[Acknowledge]);
        let atomic = is(&[CompareSwapRequest, FetchAddRequest]);
        let compares = is(&[CompareSwapRequest]);
        let connected = kind <= FetchAddRequest.code();
        let datagram = is(&[DatagramSend, DatagramSendImmediate]);
        let begins =
            !is(&[SendMiddle, SendLast, SendLastImmediate, WriteMiddle, WriteLast, WriteLastImmediate]);
        let ends = !is(&[SendFirst, SendMiddle, WriteFirst, WriteMiddle, ReadFirst, ReadMiddle]);
        let remote = read || atomic || write && begins;
        let immediate = is(&[
            DatagramSendImmediate,
            SendLastImmediate,
            SendOnlyImmediate,
            WriteLastImmediate,
            WriteOnlyImmediate,
        ]);
        // LRH (2) and BTH (3); then AETH (1), DETH (2), RETH (4) or AtomicETH (7); then immediate data (1). The
        // middle packets of RDMA READ data have no AETH.
        let units = 5
            + u8::from((acknowledge || response) && !is(&[ReadMiddle]))
            + 2 * u8::from(!connected)
            + 4 * u8::from(remote)
            + 3 * u8::from(atomic)
            + u8::from(immediate);
        Self {
            write,
            read,
            response,
            acknowledge,
            connected,
            unreliable,
            datagram,
            begins,
            ends,
            remote,
            immediate,
            atomic,
            compares,
            original,
            units,
        }
    }

    /// Whether the packet answers a request of the send queue.
    #[inline(always)]
    pub fn answers(&self) -> bool {
        self.acknowledge || self.response
    }
}

impl ReceiveEngine {
    /// Word of the headers, whose highest byte was first on the wire.
    #[inline]
    pub(super) fn header(pins: &In) -> u64 {
        pins.memory_rdata.swap_bytes()
    }

    /// `index` when the last word of the headers arrives. A RETH needs a word more, an AtomicETH two.
    #[inline]
    pub(super) fn last_header(&self) -> u8 {
        let form = PacketForm::of(self.kind);
        match (form.atomic, form.remote) {
            (true, _) => 6,
            (false, true) => 5,
            (false, false) => 4,
        }
    }

    /// Fields of the headers, and what is derived from them.
    #[inline(always)]
    pub(super) fn next_packet(&mut self, q: &Self, pins: &In) {
        let d = self;
        match q.state {
            State::Idle if pins.start => {
                d.index = 0;
                d.members = 0;
                d.quarters = 4;
                d.attached = false;
            }
            State::Head => {
                d.take_header(pins);
                d.says = PacketForm::of(q.kind);
                // The ICRC, a unit, follows the data. These are counted in whole units, so pad bytes have
                // room if there are data at all.
                let overhead = u16::from(q.says.units) + 1;
                d.room = Self::WIDTHS.room.wrap(q.units.wrapping_sub(overhead) << 2);
                d.holds = q.units >= overhead;
                d.index = Self::WIDTHS.index.wrap(q.index + 1);
            }
            State::Sort => {
                d.bytes = Self::WIDTHS.bytes.wrap(q.room.wrapping_sub(q.pad.into()));
                if q.is_grouped() {
                    d.quarters = 0;
                }
            }
            State::Members => {
                d.members = pins.members;
                d.quarters = Self::WIDTHS.quarters.wrap(q.quarters + 1);
                d.attached = q.attached || pins.members != 0;
            }
            State::Member => {
                d.destination =
                    u32::from(q.quarters.wrapping_sub(1) & 3) << 6 | q.members.trailing_zeros() & 0x3f;
                d.members = q.members & q.members.wrapping_sub(1);
            }
            _ => {}
        }
    }

    /// Takes the word of the headers that was read in the cycle before.
    #[inline(always)]
    fn take_header(&mut self, pins: &In) {
        let d = self;
        let word = Self::header(pins);
        match d.index {
            1 => {
                let header = RouteHeader::from_bits(word);
                d.next_header = if header.version == 0 { header.next_header } else { 0 };
                d.destination_lid = header.destination_lid;
                d.units = header.units;
                d.source_lid = header.source_lid;
            }
            2 => {
                let header = TransportHeader::from_bits(word);
                d.kind = header.kind;
                d.pad = header.pad;
                d.version = header.version;
                d.destination = header.destination;
            }
            3 => {
                let header = SequenceHeader::from_bits(word);
                d.asks = header.asks;
                d.psn = header.psn;
                d.q_key = header.extension;
            }
            // Source QPN of a datagram and its immediate data.
            4 => {
                d.source = Self::WIDTHS.source.wrap(word >> 32);
                d.immediate = word as u32;
            }
            // Immediate data after a RETH.
            5 => d.immediate = word as u32,
            _ => (),
        }
    }
}
