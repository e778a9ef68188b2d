//! What the operation code of a packet says (IBA volume 1, sections 9.2, 9.3).

use super::ReceiveEngine;
use crate::layout::{PacketKind, mtu_bytes};

impl ReceiveEngine {
    /// Where the packet of an RDMA READ that is due begins in its data, and its bytes.
    #[inline(always)]
    pub(super) fn due(&self, mtu: u8) -> (u32, u16) {
        let row = &self.requester;
        let offset = (row.oldest.wrapping_sub(row.first) & 0xff_ffff) << (7 + u32::from(mtu & 7));
        let left = row.length.wrapping_sub(offset);
        (offset, if row.oldest == row.last { left as u16 & 0xfff } else { mtu_bytes(mtu) })
    }

    /// Takes apart a word of the headers: the one before that which is read.
    #[inline(always)]
    pub(super) fn take_apart(&mut self, first: u32, second: u32) {
        match self.index {
            1 => {
                self.next_header = if first >> 24 & 0xf == 0 { (first >> 16) as u8 & 3 } else { 0 };
                self.destination_lid = first as u16;
                self.units = (second >> 16) as u16 & 0x7ff;
                self.source_lid = second as u16;
            }
            2 => {
                self.kind = (first >> 24) as u8;
                self.pad = (first >> 20) as u8 & 3;
                self.version = (first >> 16) as u8 & 0xf;
                self.destination = second & 0xff_ffff;
            }
            // Q_Key, AETH, upper half of an address, or immediate data of a connection.
            3 => {
                self.asks = first >> 31 == 1;
                self.psn = first & 0xff_ffff;
                self.q_key = second;
            }
            // Lower half of an address, and the r_key.
            4 => {
                self.source = first & 0xff_ffff;
                self.immediate = second;
                (self.address, self.l_key) = (first, second);
            }
            // Length, and immediate data behind it.
            5 => (self.length, self.immediate) = (first, second),
            _ => (),
        }
    }

    /// It is one of an RDMA WRITE.
    #[inline(always)]
    pub(super) fn is_write(&self) -> bool {
        self.kind >= PacketKind::WriteFirst.code() && self.kind <= PacketKind::WriteOnlyImmediate.code()
    }

    /// It asks for an RDMA READ.
    #[inline(always)]
    pub(super) fn is_read(&self) -> bool {
        self.kind == PacketKind::ReadRequest.code()
    }

    /// It has data of an RDMA READ.
    #[inline(always)]
    pub(super) fn is_response(&self) -> bool {
        self.kind >= PacketKind::ReadFirst.code() && self.kind <= PacketKind::ReadOnly.code()
    }

    /// It is the first packet of its message.
    #[inline(always)]
    pub(super) fn is_first(&self) -> bool {
        ![
            PacketKind::SendMiddle,
            PacketKind::SendLast,
            PacketKind::SendLastImmediate,
            PacketKind::WriteMiddle,
            PacketKind::WriteLast,
            PacketKind::WriteLastImmediate,
        ]
        .map(PacketKind::code)
        .contains(&self.kind)
    }

    /// It is the last one.
    #[inline(always)]
    pub(super) fn is_last(&self) -> bool {
        ![
            PacketKind::SendFirst,
            PacketKind::SendMiddle,
            PacketKind::WriteFirst,
            PacketKind::WriteMiddle,
            PacketKind::ReadFirst,
            PacketKind::ReadMiddle,
        ]
        .map(PacketKind::code)
        .contains(&self.kind)
    }

    /// There is a RETH: in what begins an RDMA WRITE or READ.
    #[inline(always)]
    pub(super) fn has_remote(&self) -> bool {
        self.is_read() || self.is_write() && self.is_first()
    }

    /// There is immediate data behind the headers.
    #[inline(always)]
    pub(super) fn has_immediate(&self) -> bool {
        self.kind == PacketKind::DatagramSendImmediate.code()
            || self.kind == PacketKind::SendLastImmediate.code()
            || self.kind == PacketKind::SendOnlyImmediate.code()
            || self.kind == PacketKind::WriteLastImmediate.code()
            || self.kind == PacketKind::WriteOnlyImmediate.code()
    }

    /// It acknowledges something, and has no data.
    #[inline(always)]
    pub(super) fn is_acknowledge(&self) -> bool {
        self.kind == PacketKind::Acknowledge.code()
    }

    /// It is an answer.
    #[inline(always)]
    pub(super) fn is_answer(&self) -> bool {
        self.is_acknowledge() || self.is_response()
    }

    /// It is of a connection.
    #[inline(always)]
    pub(super) fn is_connected(&self) -> bool {
        self.kind <= PacketKind::Acknowledge.code()
    }

    /// There is an AETH: in answers, but not between the data of an RDMA READ.
    #[inline(always)]
    pub(super) fn has_answer(&self) -> bool {
        self.is_answer() && self.kind != PacketKind::ReadMiddle.code()
    }

    /// Units of 4 bytes in front of the data: LRH, BTH; then an AETH, or a DETH of a datagram, or a RETH; and immediate data.
    #[inline(always)]
    pub(super) fn header_units(&self) -> u16 {
        5 + u16::from(self.has_answer())
            + 2 * u16::from(!self.is_connected())
            + 4 * u16::from(self.has_remote())
            + u16::from(self.has_immediate())
    }
}
