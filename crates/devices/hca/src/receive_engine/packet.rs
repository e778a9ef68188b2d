//! What the operation code of a packet says (IBA volume 1, sections 9.2, 9.3).

use super::ReceiveEngine;
use crate::layout::PacketKind;

hdl::bundle! {
    /// What the kind of a packet says.
    pub struct Says in receive_engine_pkg {
        /// It is one of an RDMA WRITE.
        write: bool,
        /// It asks for an RDMA READ.
        read: bool,
        /// It has data of an RDMA READ.
        response: bool,
        /// It acknowledges something, and has no data.
        acknowledge: bool,
        /// It is of a connection.
        connected: bool,
        /// It is a datagram.
        datagram: bool,
        /// It is the first packet of its message.
        begins: bool,
        /// It is the last one.
        ends: bool,
        /// There is a RETH: in what begins an RDMA WRITE or READ.
        remote: bool,
        /// There is immediate data behind the headers.
        immediate: bool,
        /// Units of 4 bytes in front of the data.
        units: u8 : 4,
    }
}

impl Says {
    /// What this kind says.
    #[inline]
    pub fn of(kind: u8) -> Self {
        use PacketKind::*;
        let is = |kinds: &[PacketKind]| kinds.iter().any(|other| other.code() == kind);
        let write = kind >= WriteFirst.code() && kind <= WriteOnlyImmediate.code();
        let read = is(&[ReadRequest]);
        let response = kind >= ReadFirst.code() && kind <= ReadOnly.code();
        let acknowledge = is(&[Acknowledge]);
        let connected = kind <= Acknowledge.code();
        let datagram = is(&[DatagramSend, DatagramSendImmediate]);
        let begins =
            !is(&[SendMiddle, SendLast, SendLastImmediate, WriteMiddle, WriteLast, WriteLastImmediate]);
        let ends = !is(&[SendFirst, SendMiddle, WriteFirst, WriteMiddle, ReadFirst, ReadMiddle]);
        let remote = read || write && begins;
        let immediate = is(&[
            DatagramSendImmediate,
            SendLastImmediate,
            SendOnlyImmediate,
            WriteLastImmediate,
            WriteOnlyImmediate,
        ]);
        // LRH, BTH; then an AETH, but not between the data of an RDMA READ, or a DETH of a datagram, or a RETH; and immediate data.
        let units = 5
            + u8::from((acknowledge || response) && !is(&[ReadMiddle]))
            + 2 * u8::from(!connected)
            + 4 * u8::from(remote)
            + u8::from(immediate);
        Self {
            write,
            read,
            response,
            acknowledge,
            connected,
            datagram,
            begins,
            ends,
            remote,
            immediate,
            units,
        }
    }

    /// It is an answer.
    #[inline(always)]
    pub fn answers(&self) -> bool {
        self.acknowledge || self.response
    }
}

impl ReceiveEngine {
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
}
