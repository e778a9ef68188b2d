//! Memory and registers as dsh prints them (thesis figures C.3 to C.14).

use std::fmt::Write;

/// Address of the board in the figures: they print areas from 0x4214c000 on, 0x10000 apart, the second area of the map
/// first (thesis figures C.3 to C.12).
pub const BASE: u32 = 0x4213_c000;

/// Heading of the rows: the low nibble of each byte's address.
const HEADER: &str = "# ADDR      7 6 5 4 3 2 1 0  F E D C B A 9 8";

/// Rows of two 64-bit words; `address` is the offset of the first one from the base of the board.
pub fn rows(address: u32, bytes: &[u8]) -> String {
    memory(u64::from(BASE + address), bytes)
}

/// Rows of SO-DIMM; addresses run through both modules.
pub fn memory(address: u64, bytes: &[u8]) -> String {
    let mut text = format!("{HEADER}\n");
    for (at, row) in (address..).step_by(16).zip(bytes.chunks(16)) {
        write!(text, "#{at:08x}:").expect("text has room");
        push_words(&mut text, row);
    }
    text
}

fn push_words(text: &mut String, row: &[u8]) {
    for word in row.chunks(8) {
        let mut padded = [0; 8];
        padded[..word.len()].copy_from_slice(word);
        write!(text, " {:016x}", u64::from_le_bytes(padded)).expect("text has room");
    }
    text.push('\n');
}

/// The row of a register, without an address.
pub fn register(address: u32, word: u64) -> String {
    rows(address, &word.to_le_bytes())
}

/// Title of a register.
pub fn title(title: &str) -> String {
    format!("####### {title} #######\n")
}

#[cfg(test)]
mod tests {
    use dimmnet2::address::Area;

    use super::*;

    #[test]
    fn header_digits_are_the_low_nibbles_of_addresses() {
        let bytes: Vec<u8> = (0..16).collect();
        let text = rows(Area::Llcm.base(), &bytes);
        let (header, row) = text.split_once('\n').unwrap();
        assert_eq!(row, "#4215c000: 0706050403020100 0f0e0d0c0b0a0908\n");
        for (digit, below) in header.chars().zip(row.chars()).skip(11) {
            assert!(digit == ' ' || digit.to_ascii_lowercase() == below, "{text}");
        }
        assert_eq!(header.len(), row.trim_end().len());
    }

    #[test]
    fn register_is_one_word_though_the_header_has_two() {
        let text = register(Area::UserRegister.base() + 0x200, 0x832);
        assert_eq!(text, format!("{HEADER}\n#4217c200: 0000000000000832\n"));
    }

    #[test]
    fn second_word_of_the_last_row_may_be_missing() {
        assert_eq!(rows(0, &[1; 8]), format!("{HEADER}\n#4213c000: 0101010101010101\n"));
        assert_eq!(rows(0, &[]), format!("{HEADER}\n"));
    }
}
