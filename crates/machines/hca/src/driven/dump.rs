//! Memory and packets as they are printed.

use std::fmt::Write;

use hca::layout::PacketKind;

/// Rows of four words of 32 bits, the first of them at `address`.
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

/// A packet as far as it has left: what its headers say, and its words.
pub fn packet(words: &[u64]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let half = |at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
    // Behind the local route header of 8 bytes: operation code, and from byte 5 on the QPN of the destination.
    let mut text = match bytes.get(8).copied() {
        Some(code) if bytes.len() >= 16 => {
            let kind = PacketKind::from_code(code)
                .map_or_else(|| format!("{code:#04x}"), |kind| format!("{kind:?}"));
            format!("{kind}, LID {} to LID {}, queue pair {}\n", half(6), half(2), bytes[15])
        }
        _ => String::new(),
    };
    text += &rows(0, &bytes);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packet_is_told_by_its_headers() {
        let words = [0x0100_0b00_0200_0200, 0x0900_0000_ffff_3065];
        let text = packet(&words);
        assert!(text.starts_with("DatagramSendImmediate, LID 1 to LID 2, queue pair 9\n"), "{text}");
        assert_eq!(packet(&[]), "");
    }
}
