//! A packet as text.

use hca::layout::{PacketKind, reliable_kind};
use machine_api::console::dump::rows;

use crate::word::Word;

/// Words of a packet that contain its operation code: the local route header, and the first word of the BTH.
pub const HEAD: usize = 2;

/// Kinds of packets; those of unreliable connections have the same names.
pub fn kinds() -> Vec<&'static str> {
    PacketKind::TABLE.codes.iter().map(|code| code.name).collect()
}

/// Kind of a packet that begins with these words.
pub fn kind(head: &[Word]) -> Option<&'static str> {
    let (plain, _) = reliable_kind(head.get(1)?.data as u8);
    PacketKind::TABLE.codes.iter().find(|code| code.value == plain).map(|code| code.name)
}

/// The headers of a packet, and its words as far as they have left.
pub fn text(words: &[u64]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let half = |at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
    // The transport header follows the local route header of 8 bytes: operation code, and the QPN of the destination from byte 5 on.
    let mut text = match bytes.get(8).copied() {
        Some(code) if bytes.len() >= 16 => {
            let (plain, is_unreliable) = reliable_kind(code);
            let kind = PacketKind::from_code(plain)
                .map_or_else(|| format!("{code:#04x}"), |kind| format!("{kind:?}"));
            let service = if is_unreliable { "unreliable " } else { "" };
            format!("{service}{kind}, LID {} to LID {}, queue pair {}\n", half(6), half(2), bytes[15])
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
        let printed = text(&words);
        assert!(printed.starts_with("DatagramSendImmediate, LID 1 to LID 2, queue pair 9\n"), "{printed}");
        let unreliable = text(&[words[0], 0x0900_0000_ffff_0024]);
        assert!(unreliable.starts_with("unreliable SendOnly, LID 1"), "{unreliable}");
        assert!(text(&[words[0], 0x0900_0000_ffff_002c]).starts_with("0x2c, LID 1"));
        assert_eq!(text(&[]), "");
    }
}
