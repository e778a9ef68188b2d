//! The invariant CRC of a packet, a word of 8 or 4 bytes at a time (IBA volume 1, section 7.8.1).
//!
//! Polynomial and bit order are those of Ethernet. Fields that a switch may change count as ones ([`masked`]):
//! the virtual lane, and the reserved byte of the BTH before the destination QPN. Packets have no global route
//! header here (decision 0060).
//!
//! Combinational: all inputs to the output.

/// Value of the CRC register before the first byte.
pub const START: u32 = 0xffff_ffff;
/// Value of the CRC register after a valid packet with its ICRC.
pub const RESIDUE: u32 = 0xdebb_20e3;

/// Contribution of a byte to the register, by the number of bytes after it.
static TABLES: [[u32; 256]; 8] = tables();

/// The CRC register after another word, or after its four lowest bytes.
#[inline]
pub fn icrc(crc: u32, data: u64, half: bool) -> u32 {
    // The register is folded into the first four bytes; later bytes start from 0, and contributions are
    // added.
    let bytes = (data ^ u64::from(crc)).to_le_bytes();
    let count = if half { 4 } else { 8 };
    bytes[..count]
        .iter()
        .zip(TABLES[..count].iter().rev())
        .fold(0, |next, (&byte, table)| next ^ table[usize::from(byte)])
}

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut next = byte as u32;
        let mut table = 0;
        while table < 8 {
            let mut bit = 0;
            while bit < 8 {
                next = next >> 1 ^ if next & 1 == 1 { 0xedb8_8320 } else { 0 };
                bit += 1;
            }
            tables[table][byte] = next;
            table += 1;
        }
        byte += 1;
    }
    tables
}

/// Word `index` of a packet with ones in the fields that a switch may change.
#[inline]
pub const fn masked(index: u16, data: u64) -> u64 {
    match index {
        0 => data | 0xf0,
        1 => data | 0xff << 32,
        _ => data,
    }
}

/// ICRC of a packet, headers and data; its lowest byte is first on the wire.
///
/// # Panics
/// If the packet is not a multiple of 4 bytes.
pub fn of_packet(packet: &[u8]) -> u32 {
    assert!(packet.len().is_multiple_of(4), "a packet consists of units of 4 bytes");
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    !packet
        .chunks(8)
        .zip(0..)
        .fold(START, |crc, (chunk, index)| icrc(crc, masked(index, word(chunk)), chunk.len() == 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_value_of_the_nine_digits() {
        // Eight digits in a word, the ninth bit by bit.
        let mut crc = icrc(START, u64::from_le_bytes(*b"12345678"), false);
        for bit in 0..8 {
            let feedback = (crc ^ u32::from(b'9') >> bit) & 1;
            crc = crc >> 1 ^ if feedback == 1 { 0xedb8_8320 } else { 0 };
        }
        assert_eq!(!crc, 0xcbf4_3926);
    }

    #[test]
    fn tables_say_what_bits_say_one_by_one() {
        let mut stimulus = hdl::Stimulus::new(1);
        for _ in 0..1_000 {
            let (crc, data, half) = (stimulus.word() as u32, stimulus.word(), stimulus.one_in(2));
            let mut next = crc;
            for bit in 0..if half { 32 } else { 64 } {
                let feedback = (next ^ (data >> bit) as u32) & 1;
                next = next >> 1 ^ if feedback == 1 { 0xedb8_8320 } else { 0 };
            }
            assert_eq!(icrc(crc, data, half), next, "{crc:x} {data:x} {half}");
        }
    }

    #[test]
    fn virtual_lane_and_reserved_byte_may_change_and_nothing_else() {
        let mut packet: Vec<u8> = (0..24).collect();
        let before = of_packet(&packet);
        packet[0] ^= 0x50;
        packet[12] ^= 0xff;
        assert_eq!(of_packet(&packet), before);
        for byte in (0..24).filter(|&byte| byte != 12) {
            packet[byte] ^= 1;
            assert_ne!(of_packet(&packet), before, "byte {byte}");
            packet[byte] ^= 1;
        }
    }
}
