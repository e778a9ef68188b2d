//! A segment as text.

use std::fmt::Write;

use cenju3::memory_map::{Header, Kind};
use machine_api::console::dump::rows;

use crate::word::Word;

/// Kinds of segments.
pub fn kinds() -> Vec<&'static str> {
    Kind::TABLE.codes.iter().map(|code| code.name).collect()
}

/// Kind of a segment that begins with this word.
pub fn kind(head: &[Word]) -> Option<&'static str> {
    let header = Header::from_bits(head.first()?.0.data);
    Kind::TABLE.codes.iter().find(|code| code.value == header.kind).map(|code| code.name)
}

/// The header of a segment, and its words as far as they have left.
pub fn text(words: &[u64]) -> String {
    let header = Header::from_bits(words.first().copied().unwrap_or_default());
    let kind = if header.kind == Kind::Dma.code() { "DMA" } else { "message" };
    let mut text = String::new();
    let bytes = u32::from(header.bytes) + 1;
    writeln!(text, "{kind} of PE {} to PE {}, {bytes} bytes in this segment", header.source, header.pe)
        .expect("text has room");
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    text + &rows(0, &bytes)
}
