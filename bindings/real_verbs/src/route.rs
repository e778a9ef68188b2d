//! The first 40 bytes of a received datagram: the Global Route Header of InfiniBand, or the IP header of RoCE.

use std::net::Ipv4Addr;

/// Bytes of the header, which are reserved even if a datagram has none.
pub const BYTES: usize = 40;

/// GID of the sender, if the header is valid.
///
/// The header of InfiniBand is that of IPv6. RoCE version 2 has IPv6 too, or the 20 bytes of IPv4 behind 20 undefined ones. The
/// checksum of IPv4 tells them apart, as in `ibv_init_ah_from_wc` of rdma-core.
pub fn source(header: &[u8; BYTES]) -> Option<[u8; 16]> {
    let (before, ipv4) = header.split_at(20);
    let (is_ipv6, is_ipv4) = (before[0] >> 4 == 6, ipv4[0] == 0x45);
    // rxe of Linux sends packets within its host without a checksum, behind zeros.
    if is_ipv4 && (checksum(ipv4) == 0xffff || !is_ipv6) {
        let address = Ipv4Addr::new(ipv4[12], ipv4[13], ipv4[14], ipv4[15]);
        return Some(address.to_ipv6_mapped().octets());
    }
    is_ipv6.then(|| header[8..24].try_into().expect("16 bytes"))
}

/// The ones' complement sum: 0xffff in an intact header.
fn checksum(header: &[u8]) -> u16 {
    let words = header.chunks_exact(2).map(|word| u32::from(u16::from_be_bytes([word[0], word[1]])));
    let sum = words.sum::<u32>();
    let folded = (sum & 0xffff) + (sum >> 16);
    ((folded & 0xffff) + (folded >> 16)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sender_is_read_from_an_ipv6_header() {
        let mut header = [0; BYTES];
        header[0] = 0x60;
        header[8..24].copy_from_slice(&[7; 16]);
        assert_eq!(source(&header), Some([7; 16]));
    }

    #[test]
    fn sender_is_read_from_an_ipv4_header() {
        // A header with its checksum, of 192.168.0.1.
        let ipv4: [u8; 20] =
            [0x45, 0, 0, 0x73, 0, 0, 0x40, 0, 0x40, 0x11, 0xb8, 0x61, 192, 168, 0, 1, 192, 168, 0, 199];
        for before in [0, 0x60, 0xff] {
            let mut header = [before; BYTES];
            header[20..].copy_from_slice(&ipv4);
            let gid = Ipv4Addr::new(192, 168, 0, 1).to_ipv6_mapped().octets();
            assert_eq!(source(&header), Some(gid));
        }
    }

    #[test]
    fn checksum_tells_ipv4_from_a_similar_ipv6_address() {
        let mut header = [0; BYTES];
        header[20] = 0x45;
        header[32..36].copy_from_slice(&[10, 0, 0, 7]);
        assert_eq!(source(&header), Some(Ipv4Addr::new(10, 0, 0, 7).to_ipv6_mapped().octets()));
        header[0] = 0x60;
        let gid = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x45, 0, 0, 0];
        assert_eq!(source(&header), Some(gid));
    }

    #[test]
    fn invalid_header_has_no_sender() {
        assert_eq!(source(&[0; BYTES]), None);
        assert_eq!(source(&[0x44; BYTES]), None);
    }
}
