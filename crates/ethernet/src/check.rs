//! The check sequence at the end of a frame (IEEE 802.3, section 3.2.9).

/// Remainders of all bytes, least significant bit first.
const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            remainder = remainder >> 1 ^ if remainder & 1 == 1 { 0xedb8_8320 } else { 0 };
            bit += 1;
        }
        table[byte] = remainder;
        byte += 1;
    }
    table
};

/// The check sequence of a frame; its least significant byte is sent first.
pub fn check_sequence(frame: &[u8]) -> u32 {
    !frame.iter().fold(!0, |rest: u32, byte| rest >> 8 ^ TABLE[usize::from(rest as u8 ^ byte)])
}

#[cfg(test)]
mod tests {
    use super::check_sequence;

    #[test]
    fn check_sequence_is_that_of_the_usual_example() {
        assert_eq!(check_sequence(b"123456789"), 0xcbf4_3926);
    }
}
