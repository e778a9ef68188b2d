//! The packet: its data, its length and its headers (IBA volume 1, sections 7.7, 9.2, 9.3).

use super::{In, SendEngine, State};
use crate::layout::{
    NEXT_HEADER, PARTITION_KEY, PacketKind, RouteHeader, SequenceHeader, TransportHeader, UNRELIABLE,
    mtu_bytes,
};
use crate::protocol::requester;
use crate::protocol::responder::ACK;

impl SendEngine {
    /// Whether the headers end with immediate data.
    #[inline(always)]
    fn immediate_sent(&self) -> bool {
        self.says.immediate && self.last && !self.answering
    }

    /// Whether the packet has an AETH: all answers but the middle packets of RDMA READ data.
    #[inline(always)]
    fn answer_sent(&self) -> bool {
        self.answering && (!self.responding || self.first || self.last)
    }

    /// Whether the packet has a RETH or an AtomicETH: the first one of an RDMA WRITE, an RDMA READ request, and an
    /// atomic operation. Both begin with address and r_key.
    #[inline(always)]
    fn remote_sent(&self) -> bool {
        self.connected
            && !self.answering
            && (self.says.read || self.says.atomic || self.says.write && self.first)
    }

    /// Units of 4 bytes in front of the data: LRH (2) and BTH (3); then AETH (1), DETH (2), RETH (4) or AtomicETH
    /// (7); then immediate data (1).
    #[inline(always)]
    fn header_units(&self) -> u8 {
        5 + u8::from(self.answer_sent())
            + 2 * u8::from(!self.connected)
            + 4 * u8::from(self.remote_sent())
            + 3 * u8::from(self.remote_sent() && self.says.atomic)
            + u8::from(self.immediate_sent())
    }

    /// Last word of 8 bytes of the headers.
    #[inline(always)]
    pub(super) fn last_header(&self) -> u8 {
        match (self.connected, self.reth) {
            (false, _) => 3,
            (true, false) if self.restores() => 3,
            (true, false) => 2,
            (true, true) if self.says.atomic => 5,
            (true, true) => 4,
        }
    }

    /// Whether the packet is the saved answer of an atomic operation, with an AtomicAckETH.
    #[inline(always)]
    fn restores(&self) -> bool {
        self.responding && self.reader.atomic
    }

    /// Operation code of the packet, for a connection that of a reliable one.
    #[inline(always)]
    fn packet_kind(&self) -> PacketKind {
        match (self.connected, self.first, self.last, self.immediate_sent()) {
            (false, _, _, false) => PacketKind::DatagramSend,
            (false, _, _, true) => PacketKind::DatagramSendImmediate,
            _ if self.restores() => PacketKind::AtomicAcknowledge,
            (true, true, false, _) if self.responding => PacketKind::ReadFirst,
            (true, false, false, _) if self.responding => PacketKind::ReadMiddle,
            (true, false, true, _) if self.responding => PacketKind::ReadLast,
            (true, true, true, _) if self.responding => PacketKind::ReadOnly,
            _ if self.answering => PacketKind::Acknowledge,
            _ if self.says.read => PacketKind::ReadRequest,
            _ if self.says.compares => PacketKind::CompareSwapRequest,
            _ if self.says.atomic => PacketKind::FetchAddRequest,
            (true, true, false, _) if self.says.write => PacketKind::WriteFirst,
            (true, false, false, _) if self.says.write => PacketKind::WriteMiddle,
            (true, false, true, false) if self.says.write => PacketKind::WriteLast,
            (true, false, true, true) if self.says.write => PacketKind::WriteLastImmediate,
            (true, true, true, false) if self.says.write => PacketKind::WriteOnly,
            (true, true, true, true) if self.says.write => PacketKind::WriteOnlyImmediate,
            (true, true, false, _) => PacketKind::SendFirst,
            (true, false, false, _) => PacketKind::SendMiddle,
            (true, false, true, false) => PacketKind::SendLast,
            (true, false, true, true) => PacketKind::SendLastImmediate,
            (true, true, true, false) => PacketKind::SendOnly,
            (true, true, true, true) => PacketKind::SendOnlyImmediate,
        }
    }

    /// Word `index` of the headers; its highest byte is first on the wire, so it is swapped.
    #[inline(always)]
    pub(super) fn header(&self) -> u64 {
        let q = self;
        let pair = |first: u32, second: u32| u64::from(first) << 32 | u64::from(second);
        let word = match q.index {
            0 => q.route_header().bits(),
            1 => q.transport_header().bits(),
            2 => q.sequence_header().bits(),
            3 if q.reth => pair(q.remote as u32, q.r_key),
            3 if q.restores() => q.reader.original(),
            3 => pair(q.pair.into(), q.immediate),
            4 if q.says.atomic => q.swap,
            4 => pair(q.length, q.immediate),
            _ => q.compare,
        };
        word.swap_bytes()
    }

    /// LRH, on virtual lane 0. Its length counts the ICRC, a unit.
    #[inline(always)]
    fn route_header(&self) -> RouteHeader {
        let q = self;
        RouteHeader {
            source_lid: q.lid,
            units: Self::WIDTHS.units.wrap(q.units + 1),
            destination_lid: q.destination_lid,
            next_header: NEXT_HEADER,
            level: q.level,
            version: 0,
        }
    }

    /// First two units of the BTH.
    #[inline(always)]
    fn transport_header(&self) -> TransportHeader {
        let q = self;
        TransportHeader {
            destination: q.destination,
            partition_key: PARTITION_KEY,
            version: 0,
            pad: (q.bytes.wrapping_neg() & 3) as u8,
            solicited: q.solicited && q.last && !q.answering,
            kind: q.kind,
        }
    }

    /// Third unit of the BTH, and the unit after it.
    #[inline(always)]
    fn sequence_header(&self) -> SequenceHeader {
        let q = self;
        let psn = if q.responding {
            q.reader.psn
        } else if q.answering {
            q.responder.answer_psn
        } else {
            q.requester.psn
        };
        let asks = q.connected && !q.unreliable && q.last && !q.answering && !q.says.read && !q.says.atomic;
        SequenceHeader { extension: q.extension(), psn, asks }
    }

    /// Unit after the BTH: AETH, upper half of the address at the peer, immediate data, or Q_Key.
    #[inline(always)]
    fn extension(&self) -> u32 {
        let q = self;
        let syndrome = if q.responding { ACK } else { q.responder.syndrome };
        if q.answering {
            u32::from(syndrome) << 24 | q.responder.messages
        } else if q.reth {
            (q.remote >> 32) as u32
        } else if q.connected {
            q.immediate
        } else {
            q.q_key
        }
    }

    /// Registers that describe the packet.
    #[inline(always)]
    pub(super) fn next_packet(&mut self, q: &Self, pins: &In, rule: &requester::Out) {
        use State::*;
        let d = self;
        match q.state {
            Idle if pins.start => {
                d.answering = false;
                d.responding = false;
                d.bytes = 0;
                d.first = true;
                d.last = true;
                d.index = 0;
            }
            Turn => {
                let work = q.work(rule);
                // LRH, BTH, AETH, AtomicAckETH for a saved answer; `Cut` counts again for data.
                if work.sends_data {
                    d.answering = true;
                    d.responding = true;
                    d.headers = 8;
                }
                // LRH, BTH, AETH.
                if work.sends_ack {
                    d.answering = true;
                    d.headers = 6;
                }
            }
            // Check: a request that is not outstanding yet begins with this packet.
            Check => {
                let (psn, request) = (q.requester.psn, &q.request);
                if q.responding {
                    d.first = !q.reader.begun;
                    d.last = q.reader.psn == q.reader.last;
                } else if q.connected {
                    d.first = q.says.read || !q.resumes || psn == request.first;
                    d.last = q.says.read || if q.resumes { psn == request.last } else { q.more == 0 };
                }
            }
            Cut => {
                d.bytes = q.part();
                d.headers = q.header_units();
            }
            Frame => {
                let unreliable = if q.unreliable && !q.answering { UNRELIABLE } else { 0 };
                d.kind = q.packet_kind().code() | unreliable;
                d.reth = q.remote_sent();
                d.units = Self::WIDTHS.units.wrap(u16::from(q.headers) + ((q.bytes + 3) >> 2));
            }
            Header => d.index = Self::WIDTHS.index.wrap(q.index + 1),
            _ => {}
        }
    }

    /// Bytes of data in the packet: all packets of a message but the last one have a full MTU, an RDMA READ
    /// request and an atomic operation have none.
    #[inline]
    fn part(&self) -> u16 {
        let q = self;
        let full = mtu_bytes(q.mtu);
        let left = q.length.wrapping_sub(q.offset);
        match (q.responding, q.connected) {
            (true, _) if q.last => Self::WIDTHS.bytes.wrap(q.length),
            (true, _) => full,
            (false, true) if q.says.read || q.says.atomic => 0,
            (false, true) if q.last => Self::WIDTHS.bytes.wrap(left),
            (false, true) => full,
            (false, false) => Self::WIDTHS.bytes.wrap(q.length),
        }
    }
}
