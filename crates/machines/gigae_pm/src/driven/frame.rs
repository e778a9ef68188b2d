//! A frame as text.

use std::fmt::Write;

use gigae_pm::header::ETHER_TYPE;
use gigae_pm::header::read_header;
use gigae_pm::protocol::Kind;
use machine_api::console::dump::rows;

use crate::{PREAMBLE, Symbol, frame_bytes};

/// Bytes of the Ethernet header.
const ETHERNET: usize = 14;
/// Bytes of both headers.
const HEADERS: usize = 46;
/// Bytes of the check sequence.
const FCS: usize = 4;
/// Units of a frame up to its message.
pub const HEAD: usize = PREAMBLE + HEADERS;

/// Kinds of the frames of PM.
pub fn kinds() -> Vec<&'static str> {
    let sent = |code: &&hdl::Code| code.value != Kind::Nothing.code();
    Kind::TABLE.codes.iter().filter(sent).map(|code| code.name).collect()
}

/// Kind of a frame that begins with these units; `None` if it is not one of PM.
pub fn kind(head: &[Symbol]) -> Option<&'static str> {
    name(read_header(&frame_bytes(head), ETHER_TYPE)?.1.kind)
}

fn name(kind: u8) -> Option<&'static str> {
    Kind::TABLE.codes.iter().find(|code| code.value == kind).map(|code| code.name)
}

/// The headers and message of a frame, as far as it has left; `sent` begins with its preamble.
pub fn text(sent: &[u8]) -> String {
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
            let name = name(frame.kind).unwrap_or("?");
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
    fn frame_that_has_only_begun_is_no_frame_yet() {
        assert_eq!(text(&[0x55; 9]), "9 bytes, not yet a header\n");
    }
}
