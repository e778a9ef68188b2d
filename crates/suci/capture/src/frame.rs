//! Datagrams with IP and UDP headers for Wireshark.

use std::net::{IpAddr, SocketAddr};

/// IP protocol number of UDP.
const UDP: u8 = 17;
/// Length of the UDP header in bytes.
const UDP_HEADER: usize = 8;

/// A datagram with its headers. If one address is IPv6, the other is mapped to IPv6.
pub fn frame(from: SocketAddr, to: SocketAddr, datagram: &[u8]) -> Vec<u8> {
    let length = (UDP_HEADER + datagram.len()) as u16;
    let mut frame = Vec::with_capacity(40 + usize::from(length));
    let mut pseudo: Vec<u8> = Vec::with_capacity(40);
    match (from.ip(), to.ip()) {
        (IpAddr::V4(source), IpAddr::V4(destination)) => {
            frame.extend([0x45, 0]);
            frame.extend((20 + length).to_be_bytes());
            frame.extend([0, 0, 0x40, 0, 64, UDP, 0, 0]);
            frame.extend(source.octets());
            frame.extend(destination.octets());
            let checksum = checksum(&[&frame]);
            frame[10..12].copy_from_slice(&checksum.to_be_bytes());
            pseudo.extend(&frame[12..20]);
        }
        (source, destination) => {
            let six = |ip: IpAddr| match ip {
                IpAddr::V4(ip) => ip.to_ipv6_mapped().octets(),
                IpAddr::V6(ip) => ip.octets(),
            };
            frame.extend([0x60, 0, 0, 0]);
            frame.extend(length.to_be_bytes());
            frame.extend([UDP, 64]);
            frame.extend(six(source));
            frame.extend(six(destination));
            pseudo.extend(&frame[8..40]);
        }
    }
    pseudo.extend([0, UDP]);
    pseudo.extend(length.to_be_bytes());
    let start = frame.len();
    frame.extend(from.port().to_be_bytes());
    frame.extend(to.port().to_be_bytes());
    frame.extend(length.to_be_bytes());
    frame.extend([0, 0]);
    frame.extend(datagram);
    // A checksum of zero is sent as all ones, because zero means no checksum (RFC 768).
    let sum = match checksum(&[&pseudo, &frame[start..]]) {
        0 => 0xffff,
        sum => sum,
    };
    frame[start + 6..start + 8].copy_from_slice(&sum.to_be_bytes());
    frame
}

/// Internet checksum (RFC 1071). All parts except the last have an even length.
fn checksum(parts: &[&[u8]]) -> u16 {
    let words = parts.iter().flat_map(|part| part.chunks(2));
    let sum = words.fold(0u64, |sum, word| {
        sum + u64::from(u16::from_be_bytes([word[0], word.get(1).copied().unwrap_or(0)]))
    });
    let folded = (sum & 0xffff) + (sum >> 16 & 0xffff) + (sum >> 32);
    !(((folded & 0xffff) + (folded >> 16)) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_have_valid_checksums() {
        // Computed by hand: 10.0.0.1:7 to 10.0.0.2:9, two bytes.
        let frame = frame("10.0.0.1:7".parse().unwrap(), "10.0.0.2:9".parse().unwrap(), b"hi");
        assert_eq!(frame.len(), 30);
        assert_eq!(checksum(&[&frame[..20]]), 0, "a sum over a header with its checksum is zero");
        let mut pseudo = frame[12..20].to_vec();
        pseudo.extend([0, 17, 0, 10]);
        assert_eq!(checksum(&[&pseudo, &frame[20..]]), 0);
        assert_eq!(&frame[20..26], [0, 7, 0, 9, 0, 10]);
    }

    #[test]
    fn ipv4_address_is_mapped_if_the_other_is_ipv6() {
        let frame = frame("10.0.0.1:7".parse().unwrap(), "[::1]:9".parse().unwrap(), b"hi!");
        assert_eq!((frame.len(), frame[0], frame[6]), (40 + 8 + 3, 0x60, 17));
        assert_eq!(&frame[18..24], [0xff, 0xff, 10, 0, 0, 1]);
        let mut pseudo = frame[8..40].to_vec();
        pseudo.extend([0, 17, 0, 11]);
        assert_eq!(checksum(&[&pseudo, &frame[40..]]), 0);
    }
}
