//! InfiniBand packets as records of ERF, the extensible record format, which analysers read.

use cluster::Time;
use crc::{Algorithm, CRC_32_ISO_HDLC, Crc};

/// Link type of ERF in the registry of pcap. Wireshark 4.0 does not read that of InfiniBand itself, 247.
pub const LINK_TYPE: u32 = 197;

/// Type of a record with a packet of InfiniBand.
const RECORD_TYPE: u8 = 21;
/// Flag of a record: records differ in length.
const VARYING_LENGTH: u8 = 4;
/// Bytes before the packet in a record.
const RECORD_HEADER: usize = 16;

/// Bits that a network may change, by bytes of the packet: the virtual lane in the LRH, and the reserved byte of the BTH.
const VARIANT_BITS: [(usize, u8); 2] = [(0, 0xf0), (12, 0xff)];

/// The invariant CRC: that of Ethernet.
const INVARIANT: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
/// The variant CRC.
const VARIANT: Crc<u16> = Crc::<u16>::new(&Algorithm {
    width: 16,
    poly: 0x100b,
    init: 0xffff,
    refin: true,
    refout: true,
    xorout: 0xffff,
    check: 0x0a3d,
    residue: 0x556f,
});

/// The record of a packet: time in units of 2^-32 s, type, flags, length of the record, lost records, length of the packet.
pub fn record(time: Time, packet: &[u8]) -> Vec<u8> {
    let fraction = (u128::from(time.ps()) << 32) / 1_000_000_000_000;
    let length = |bytes: usize| u16::try_from(bytes).unwrap_or(u16::MAX).to_be_bytes();
    let mut record = (fraction as u64).to_le_bytes().to_vec();
    record.extend([RECORD_TYPE, VARYING_LENGTH]);
    record.extend(length(RECORD_HEADER + packet.len()));
    record.extend([0, 0]);
    record.extend(length(packet.len()));
    record.extend(packet);
    record
}

/// Adds the invariant CRC (IBA volume 1, section 7.8.1), to which all bits that a network may change are ones.
pub fn add_icrc(packet: &mut Vec<u8>) {
    let mut invariant = packet.clone();
    for (at, bits) in VARIANT_BITS {
        if let Some(byte) = invariant.get_mut(at) {
            *byte |= bits;
        }
    }
    packet.extend(INVARIANT.checksum(&invariant).to_le_bytes());
}

/// Adds the variant CRC (section 7.8.2), of all bytes before it.
pub fn add_vcrc(packet: &mut Vec<u8>) {
    packet.extend(VARIANT.checksum(packet).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_has_time_type_and_lengths() {
        let record = record(Time::from_ps(1_500_000_000_000), &[7; 30]);
        assert_eq!(record[..8], [0, 0, 0, 0x80, 1, 0, 0, 0]);
        assert_eq!(record[8..16], [21, 4, 0, 46, 0, 0, 0, 30]);
        assert_eq!(record[16..], [7; 30]);
    }

    #[test]
    fn algorithms_have_their_published_values() {
        assert_eq!(INVARIANT.checksum(b"123456789"), CRC_32_ISO_HDLC.check);
        assert_eq!(VARIANT.checksum(b"123456789"), VARIANT.algorithm.check);
    }

    #[test]
    fn invariant_crc_is_that_of_the_adapter() {
        let packet: Vec<_> = (0..60).collect();
        let mut checked = packet.clone();
        add_icrc(&mut checked);
        assert_eq!(checked[60..], hca::icrc::of_packet(&packet).to_le_bytes());
    }

    #[test]
    fn bytes_that_a_network_changes_do_not_change_the_invariant_crc() {
        let icrc = |change: &[usize]| {
            let mut packet = vec![0; 28];
            change.iter().for_each(|&at| packet[at] = 0x10);
            add_icrc(&mut packet);
            packet.split_off(28)
        };
        assert_eq!(icrc(&[]), icrc(&[0, 12]));
        assert_ne!(icrc(&[]), icrc(&[1]));
        assert_ne!(icrc(&[]), icrc(&[13]));
    }
}
