//! Frames around packets of IP. Host number n is 10.1 and the two bytes of n; MAC addresses follow from node numbers,
//! so there is no ARP.

use cluster::NodeId;
use smoltcp::wire::Ipv4Address;

/// Bytes of an IP packet in an Ethernet frame.
pub const MTU: usize = 1500;

/// Bytes of an Ethernet header.
const HEADER_BYTES: usize = 14;

/// Ethernet type of IP, high byte first.
const IP: [u8; 2] = [0x08, 0x00];

/// The MAC address of a node's card.
pub type MacAddress = fn(NodeId) -> [u8; 6];

/// The address of a host.
pub fn ip_address(node: NodeId) -> Ipv4Address {
    let [high, low] = node.0.to_be_bytes();
    Ipv4Address::new(10, 1, high, low)
}

/// Inverse of [`ip_address`].
pub fn node_at(address: Ipv4Address) -> NodeId {
    let [_, _, high, low] = address.octets();
    NodeId(u16::from_be_bytes([high, low]))
}

/// The packet of IP in a frame, if the frame holds one.
pub fn packet(frame: &[u8]) -> Option<&[u8]> {
    (frame.get(12..HEADER_BYTES)? == IP).then(|| &frame[HEADER_BYTES..])
}

/// A frame with a packet of IP from a node. The packet's header names the destination.
pub fn frame(mac: MacAddress, from: NodeId, packet: &[u8]) -> Vec<u8> {
    let to = NodeId(u16::from_be_bytes([packet[18], packet[19]]));
    [&mac(to)[..], &mac(from), &IP, packet].concat()
}
