//! Datagrams of UDP in packets of IP (RFC 768, RFC 791), without fragmentation: a datagram that does not fit into a
//! frame is refused.

use cluster::NodeId;
use smoltcp::phy::ChecksumCapabilities;
use smoltcp::wire::{IpProtocol, Ipv4Packet, Ipv4Repr, UdpPacket, UdpRepr};

use crate::frame::{self, MTU, MacAddress, ip_address, node_at};

/// Bytes of the headers of IP and of UDP.
const HEADS: usize = 20 + 8;

/// Most bytes of a datagram that fits into a frame.
pub const DATAGRAM_BYTES: usize = MTU - HEADS;

/// Time to live (RFC 1700: 64).
const HOPS: u8 = 64;

/// A host and a port of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    pub node: NodeId,
    pub port: u16,
}

/// A frame with a datagram.
pub fn build(mac: MacAddress, from: End, to: End, bytes: &[u8]) -> Vec<u8> {
    let sums = ChecksumCapabilities::default();
    let (source, destination) = (ip_address(from.node), ip_address(to.node));
    let ip = Ipv4Repr {
        src_addr: source,
        dst_addr: destination,
        next_header: IpProtocol::Udp,
        payload_len: 8 + bytes.len(),
        hop_limit: HOPS,
    };
    let udp = UdpRepr { src_port: from.port, dst_port: to.port };
    let mut packet = vec![0; HEADS + bytes.len()];
    ip.emit(&mut Ipv4Packet::new_unchecked(&mut packet[..]), &sums);
    let (source, destination) = (source.into(), destination.into());
    let mut inner = UdpPacket::new_unchecked(&mut packet[20..]);
    udp.emit(&mut inner, &source, &destination, bytes.len(), |room| room.copy_from_slice(bytes), &sums);
    frame::frame(mac, from.node, &packet)
}

/// The datagram in a frame, with its sender and destination port; `None` for a frame of another protocol or a damaged
/// one.
pub fn parse(frame: &[u8]) -> Option<(End, u16, Vec<u8>)> {
    let sums = ChecksumCapabilities::default();
    let ip = Ipv4Packet::new_checked(frame::packet(frame)?).ok()?;
    let head = Ipv4Repr::parse(&ip, &sums).ok()?;
    if head.next_header != IpProtocol::Udp {
        return None;
    }
    let udp = UdpPacket::new_checked(ip.payload()).ok()?;
    let ports = UdpRepr::parse(&udp, &head.src_addr.into(), &head.dst_addr.into(), &sums).ok()?;
    let from = End { node: node_at(head.src_addr), port: ports.src_port };
    Some((from, ports.dst_port, udp.payload().to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mac(node: NodeId) -> [u8; 6] {
        [2, 0, 0, 0, 0, node.0 as u8]
    }

    #[test]
    fn what_is_in_a_frame_comes_out_of_it() {
        let (from, to) = (End { node: NodeId(3), port: 7 }, End { node: NodeId(258), port: 9 });
        for bytes in [&b""[..], b"x", &[5; DATAGRAM_BYTES]] {
            let frame = build(mac, from, to, bytes);
            assert_eq!(frame.len(), 14 + HEADS + bytes.len());
            assert_eq!(parse(&frame), Some((from, 9, bytes.to_vec())));
            // The card delivers short frames padded.
            let longer = [&frame[..], &[0; 46]].concat();
            assert_eq!(parse(&longer), Some((from, 9, bytes.to_vec())));
        }
    }

    #[test]
    fn a_damaged_datagram_is_none() {
        let from = End { node: NodeId(3), port: 7 };
        let frame = build(mac, from, from, b"bytes");
        for bit in 14 * 8..frame.len() * 8 {
            let mut damaged = frame.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(parse(&damaged), None, "bit {bit}");
        }
        for length in 0..frame.len() {
            assert_eq!(parse(&frame[..length]), None, "{length} bytes");
        }
    }
}
