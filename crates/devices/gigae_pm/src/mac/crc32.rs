//! The frame check sequence of Ethernet, one byte at a time (IEEE 802.3, section 3.2.9).
//!
//! Combinational: the output depends on both inputs of the same cycle.

/// Value of the register before the first byte.
pub const START: u32 = 0xffff_ffff;
/// Value of the register after a good frame with its check sequence.
pub const RESIDUE: u32 = 0xdebb_20e3;

/// The register after one more byte; the lowest bit is first, as on the wire.
#[inline]
pub fn crc32(crc: u32, byte: u8) -> u32 {
    crc >> 8 ^ AFTER_BYTE[(crc as u8 ^ byte) as usize]
}

/// For each value of the lowest byte, the register after its eight bits. The RTL computes them.
static AFTER_BYTE: [u32; 256] = {
    let (mut table, mut byte) = ([0; 256], 0);
    while byte < 256 {
        table[byte] = after_bits(byte as u32);
        byte += 1;
    }
    table
};

/// The register after its eight lowest bits.
const fn after_bits(crc: u32) -> u32 {
    let (mut next, mut bit) = (crc, 0);
    while bit < 8 {
        next = next >> 1 ^ if next & 1 == 1 { 0xedb8_8320 } else { 0 };
        bit += 1;
    }
    next
}

/// The check sequence of a whole frame; its lowest byte is sent first.
pub fn frame_check_sequence(frame: &[u8]) -> u32 {
    !frame.iter().fold(START, |crc, &byte| crc32(crc, byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_value_of_the_nine_digits() {
        assert_eq!(frame_check_sequence(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn frame_with_its_sequence_leaves_the_residue() {
        let frame = b"any frame at all";
        let sequence = frame_check_sequence(frame).to_le_bytes();
        let register = frame.iter().chain(&sequence).fold(START, |crc, &byte| crc32(crc, byte));
        assert_eq!(register, RESIDUE);
    }
}
