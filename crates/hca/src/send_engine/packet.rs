//! Headers of the packet that is sent (IBA volume 1, sections 7.7, 9.2, 9.3).

use super::SendEngine;
use crate::layout::{PARTITION_KEY, PacketKind};
use crate::protocol::responder::ACK;

impl SendEngine {
    /// There is immediate data behind the headers.
    #[inline(always)]
    pub(super) fn immediate_sent(&self) -> bool {
        self.says.immediate && self.last && !self.answering
    }

    /// There is an AETH: in answers, but not between the data of an RDMA READ.
    #[inline(always)]
    pub(super) fn answer_sent(&self) -> bool {
        self.answering && (!self.responding || self.first || self.last)
    }

    /// There is a RETH: in what begins an RDMA WRITE or READ.
    #[inline(always)]
    pub(super) fn remote_sent(&self) -> bool {
        self.connected && !self.answering && (self.says.read || self.says.write && self.first)
    }

    /// Units of 4 bytes in front of the data: LRH, BTH; then an AETH, or a DETH of a datagram, or a RETH; and immediate data.
    #[inline(always)]
    pub(super) fn header_units(&self) -> u8 {
        5 + u8::from(self.answer_sent())
            + 2 * u8::from(!self.connected)
            + 4 * u8::from(self.remote_sent())
            + u8::from(self.immediate_sent())
    }

    /// The last word of the headers.
    #[inline(always)]
    pub(super) fn last_header(&self) -> u8 {
        match (self.connected, self.reth) {
            (false, _) => 3,
            (true, false) => 2,
            (true, true) => 4,
        }
    }

    /// Operation code of the packet.
    #[inline(always)]
    pub(super) fn kind(&self) -> PacketKind {
        match (self.connected, self.first, self.last, self.immediate_sent()) {
            (false, _, _, false) => PacketKind::DatagramSend,
            (false, _, _, true) => PacketKind::DatagramSendImmediate,
            (true, true, false, _) if self.responding => PacketKind::ReadFirst,
            (true, false, false, _) if self.responding => PacketKind::ReadMiddle,
            (true, false, true, _) if self.responding => PacketKind::ReadLast,
            (true, true, true, _) if self.responding => PacketKind::ReadOnly,
            _ if self.answering => PacketKind::Acknowledge,
            _ if self.says.read => PacketKind::ReadRequest,
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

    /// Two units of the headers, each with its highest byte first on the wire (IBA volume 1, sections 7.7, 9.2, 9.3).
    #[inline(always)]
    pub(super) fn header(&self) -> u64 {
        let q = self;
        // With the ICRC, there is a unit more.
        let units = (q.units + 1) & 0x7ff;
        let pad = u32::from(q.bytes.wrapping_neg() & 3);
        let solicited = q.solicited && q.last && !q.answering;
        let asks = q.connected && q.last && !q.answering && !q.says.read;
        let psn = if q.responding {
            q.reader.psn
        } else if q.answering {
            q.responder.answer_psn
        } else {
            q.requester.psn
        };
        let syndrome = if q.responding { ACK } else { q.responder.syndrome };
        let (first, second) = match q.index {
            0 => (
                // Virtual lane 0, version 0; the link's next header is the BTH.
                u32::from(q.level) << 20 | 2 << 16 | u32::from(q.destination_lid),
                u32::from(units) << 16 | u32::from(q.lid),
            ),
            1 => (
                u32::from(q.kind) << 24 | u32::from(solicited) << 23 | pad << 20 | u32::from(PARTITION_KEY),
                q.destination,
            ),
            2 => (
                u32::from(asks) << 31 | psn,
                if q.answering {
                    u32::from(syndrome) << 24 | q.responder.messages
                } else if q.reth {
                    (q.remote >> 32) as u32
                } else if q.connected {
                    q.immediate
                } else {
                    q.q_key
                },
            ),
            3 if q.reth => (q.remote as u32, q.r_key),
            3 => (q.pair.into(), q.immediate),
            _ => (q.length, q.immediate),
        };
        u64::from(second.swap_bytes()) << 32 | u64::from(first.swap_bytes())
    }
}
