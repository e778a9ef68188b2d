//! Memory and frames as they are printed.

use std::fmt::Write;

use gigae_pm::header::ETHER_TYPE;
use gigae_pm::header::read_header;
use gigae_pm::protocol::Kind;

use crate::PREAMBLE;

/// Bytes of the Ethernet header.
const ETHERNET: usize = 14;
/// Bytes of both headers.
const HEADERS: usize = 46;
/// Bytes of the check sequence.
const FCS: usize = 4;

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

/// Takes a frame apart, from its preamble on.
pub fn frame(sent: &[u8]) -> String {
    let bytes = sent.get(PREAMBLE..).unwrap_or_default();
    let Some((header, rest)) = bytes.split_at_checked(ETHERNET) else {
        return format!("{} bytes, not yet a header\n", sent.len());
    };
    let mac =
        |at: usize| header[at..at + 6].iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(":");
    let kind = u16::from_be_bytes([header[12], header[13]]);
    let mut text = format!("{} bytes to {} from {}, type {kind:#06x}\n", bytes.len(), mac(0), mac(6));
    match read_header(bytes, ETHER_TYPE) {
        Some((source, frame)) => {
            let name = Kind::TABLE.codes.iter().find(|code| code.value == frame.kind);
            let name = name.map_or("?", |code| code.name);
            writeln!(
                text,
                "{name} {} of node{source} to node{}, channel {}, epoch {}, {} bytes",
                frame.number, frame.node, frame.channel, frame.epoch, frame.size
            )
            .expect("text has room");
            let message = bytes.get(HEADERS..).unwrap_or_default();
            text += &rows(0, &message[..message.len().min(frame.size.into())]);
        }
        None => text += &rows(0, &rest[..rest.len().saturating_sub(FCS)]),
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

    #[test]
    fn frame_that_has_only_begun_is_no_frame_yet() {
        assert_eq!(frame(&[0x55; 9]), "9 bytes, not yet a header\n");
    }
}
