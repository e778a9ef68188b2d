//! Memory as it is printed.

use std::fmt::Write;

/// Rows of four words of 32 bits, little endian; the first byte lies at `address`. A partial last word is filled with zeros.
pub fn rows(address: u64, bytes: &[u8]) -> String {
    let mut text = String::new();
    for (at, row) in (address..).step_by(16).zip(bytes.chunks(16)) {
        write!(text, "#{at:08x}:").expect("text has room");
        for word in row.chunks(4) {
            let mut padded = [0; 4];
            padded[..word.len()].copy_from_slice(word);
            write!(text, " {:08x}", u32::from_le_bytes(padded)).expect("text has room");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_four_words_and_the_last_one_may_be_short() {
        let bytes: Vec<u8> = (0..21).collect();
        assert_eq!(
            rows(0x1000, &bytes),
            "#00001000: 03020100 07060504 0b0a0908 0f0e0d0c\n#00001010: 13121110 00000014\n"
        );
        assert_eq!(rows(0, &[]), "");
    }
}
