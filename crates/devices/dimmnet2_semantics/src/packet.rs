//! Packets of a transfer: division of the data and contents of the headers (thesis section 4.7, decision
//! 0019).

use dimmnet2::{FirstLine, SecondLine, ThirdLine};

use crate::shape::Shape;

/// Longest packet that Packet Size can express, in bytes (decision 0008).
const LONGEST: usize = 4088;

/// A transfer that the RVS module sends.
pub(crate) struct Transfer {
    /// Sender, receiver, TYPE and flags; eflag as in the command.
    pub first: FirstLine,
    pub target: Shape,
    pub dstoff: u32,
    pub data: Vec<u8>,
}

impl Transfer {
    /// The packets as lines.
    pub fn packets(&self, mtu: usize) -> Vec<Vec<u64>> {
        let mtu = mtu.min(LONGEST);
        let long = self.target != Shape::Contiguous || self.data.len() > mtu - 16;
        let room = if long { mtu - 24 } else { mtu - 16 };
        let most = match self.target {
            Shape::Contiguous => room,
            Shape::Strided { dtype, .. } | Shape::Listed { dtype, .. } => room >> dtype << dtype,
        };
        let (mut packets, mut sent) = (vec![], 0);
        while sent < self.data.len() {
            // The rest may end within an element.
            let rest = self.data.len() - sent;
            let bytes = if rest <= room { rest } else { most };
            packets.push(self.packet(sent, &self.data[sent..sent + bytes], long, bytes == rest));
            sent += bytes;
        }
        packets
    }

    /// The packet whose data begins at byte `sent` of the transfer.
    fn packet(&self, sent: usize, data: &[u8], long: bool, last: bool) -> Vec<u64> {
        let header = if long { 24 } else { 16 };
        let (dtype, stride_list) = match self.target {
            Shape::Contiguous => (0, 0),
            Shape::Strided { dtype, stride } => (dtype, stride),
            Shape::Listed { dtype, list } => (dtype, list),
        };
        let elements = self.target.element().map_or(0, |_| data.len().div_ceil(1 << dtype));
        // Units that are stored for the elements, at least 4 bytes each; in a Prefetch Window all data is
        // contiguous.
        let places = (sent as u64 >> dtype.max(2)) as u32;
        let (moved, stride_list) = match self.target {
            Shape::Strided { .. } if !self.first.rflag => {
                ((stride_list & !3).wrapping_mul(places), stride_list)
            }
            Shape::Listed { .. } => {
                (if self.first.rflag { sent as u32 } else { 0 }, stride_list.wrapping_add(4 * places))
            }
            _ => (sent as u32, stride_list),
        };
        let first = FirstLine {
            packet_size: (header + data.len()) as u16,
            dtype,
            iteration: elements as u8,
            eflag: self.first.eflag && last,
            hflag: long,
            ..self.first
        };
        let mut lines =
            vec![first.bits(), SecondLine::writing(self.dstoff.wrapping_add(moved), self.dstoff).bits()];
        if long {
            let total_transfer_size = self.data.len() as u32;
            lines.push(ThirdLine { total_transfer_size, stride_list }.bits());
        }
        lines.extend(data.chunks(8).map(|bytes| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        }));
        lines
    }
}
