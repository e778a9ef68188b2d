//! Bits as text, most significant first, as both formats require.

use bitvec::prelude::*;

/// The eight characters of every possible byte.
static BYTES: [[u8; 8]; 256] = {
    let mut table = [[b'0'; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][7 - bit] += (byte >> bit & 1) as u8;
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Writes a slice of a sample to `text`, one character per bit.
///
/// The conversion works on words and bytes; bit by bit, it takes ten times as long.
#[inline]
pub(crate) fn spell<'a>(bits: &BitSlice<u64, Lsb0>, text: &'a mut Vec<u8>) -> &'a [u8] {
    let padded = bits.len().next_multiple_of(64);
    text.resize(padded, b'0');
    for (word, text) in bits.chunks(64).zip(text.rchunks_exact_mut(64)) {
        let bytes = word.load_le::<u64>().to_be_bytes();
        for (byte, text) in bytes.into_iter().zip(text.chunks_exact_mut(8)) {
            text.copy_from_slice(&BYTES[byte as usize]);
        }
    }
    &text[padded - bits.len()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_crosses_words_most_significant_bit_first() {
        let words = [0xa5u64 << 60 | 0b011, 0x1234, u64::MAX];
        let bits = words.view_bits::<Lsb0>();
        let mut text = Vec::new();
        assert_eq!(spell(&bits[0..4], &mut text), b"0011");
        assert_eq!(spell(&bits[60..72], &mut text), b"001101000101");
        let long = spell(&bits[1..140], &mut text).to_vec();
        let one_by_one: Vec<u8> = bits[1..140].iter().rev().map(|bit| b'0' + *bit as u8).collect();
        assert_eq!(long, one_by_one);
    }
}
