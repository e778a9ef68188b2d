//! Memory and packets as they are printed.

use std::fmt::Write;

use cenju3::memory_map::{Header, Kind};

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

/// A packet as far as it has left: what its header says, and its words.
pub fn packet(words: &[u64]) -> String {
    let header = Header::from_bits(words.first().copied().unwrap_or_default());
    let kind = if header.kind == Kind::Dma.code() { "DMA" } else { "message" };
    let mut text = String::new();
    let bytes = u32::from(header.bytes) + 1;
    writeln!(text, "{kind} of PE {} to PE {}, {bytes} bytes in this segment", header.source, header.pe)
        .expect("text has room");
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    text + &rows(0, &bytes)
}
