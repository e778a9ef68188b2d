//! Invalid entries and malformed packets, for tests of the model alone and in lockstep with the RTL.

use hdl::{Nic, NicError};

use super::element::{Element, Entry};
use super::layout::{SOURCE, WINDOW};
use crate::clocks::CORE;
use crate::memory_map::{Header, Kind, MEMORY_BYTES, Refusal};
use crate::pins::{In, LinkWord, Out};

/// Entries that are refused in either queue when no mask is applied; each with the reason, and the address in
/// the registers.
pub fn entries() -> Vec<(Entry, Refusal, u32)> {
    let message = |length, source| Entry::new(Kind::Message1, 77, length, source, 0);
    let dma = |length, source, destination| Entry::new(Kind::Dma, 1, length, source, destination);
    let mut none = message(8, SOURCE);
    none.control.kind = 3;
    let end = MEMORY_BYTES - 8;
    vec![
        (none, Refusal::NoKind, SOURCE),
        (message(0, SOURCE), Refusal::Length, SOURCE),
        (message(129, SOURCE), Refusal::Length, SOURCE),
        (dma(0, SOURCE, WINDOW), Refusal::Length, WINDOW),
        (dma(MEMORY_BYTES, SOURCE, WINDOW), Refusal::Length, WINDOW),
        (dma(u32::MAX, SOURCE, WINDOW), Refusal::Length, WINDOW),
        (message(8, SOURCE + 4), Refusal::Source, SOURCE + 4),
        (message(9, end), Refusal::Source, end),
        (message(8, MEMORY_BYTES), Refusal::Source, MEMORY_BYTES),
        (message(8, 0xffff_fff8), Refusal::Source, 0xffff_fff8),
        (dma(8, SOURCE, WINDOW + 1), Refusal::Destination, WINDOW + 1),
        (dma(9, SOURCE, end), Refusal::Destination, end),
        (dma(8, SOURCE, MEMORY_BYTES), Refusal::Destination, MEMORY_BYTES),
        (dma(16, SOURCE, 0xffff_fff8), Refusal::Destination, 0xffff_fff8),
    ]
}

/// The header of a message of 8 bytes from 9 to 1.
const MESSAGE: Header = Header { kind: 0, last: true, pe: 1, source: 9, bytes: 7, address: 0 };

/// A good message for the processor element 1, with the words 0 to 4 behind its data, which is `0x1122`.
pub fn message() -> Vec<LinkWord> {
    let described = [MESSAGE.bits(), 0x1122, 0x0000_0008_0000_0900, 0, 1, 2, 3, 4];
    described.iter().enumerate().map(|(i, &data)| LinkWord { data, last: i == 7 }).collect()
}

/// Malformed packets, and packets for other processor elements than 1.
pub fn packets() -> Vec<Vec<LinkWord>> {
    let headed = |header: Header| {
        vec![
            LinkWord { data: header.bits(), last: false },
            LinkWord::default(),
            LinkWord { data: 0, last: true },
        ]
    };
    let mut bad = vec![
        headed(Header { pe: 2, ..MESSAGE }),
        headed(Header { kind: 3, ..MESSAGE }),
        headed(Header { last: false, ..MESSAGE }),
        headed(Header { bytes: 128, ..MESSAGE }),
        headed(Header { kind: 2, address: 4, ..MESSAGE }),
        headed(Header { kind: 2, address: MEMORY_BYTES, ..MESSAGE }),
        headed(Header { kind: 2, address: MEMORY_BYTES - 8, bytes: 8, ..MESSAGE }),
        headed(Header { kind: 2, last: false, address: WINDOW, ..MESSAGE }),
    ];
    // A packet that ends too early, at each of its words, and one that does not end where it should.
    for end in 1..8 {
        let mut words = message();
        words.truncate(end);
        words[end - 1].last = true;
        bad.push(words);
    }
    let mut long = message();
    long[7].last = false;
    long.extend([LinkWord::default(), LinkWord { data: 0, last: true }]);
    bad.push(long);
    bad
}

/// Sends these words, one every 15 cycles, to a fresh NIF of processor element 1; then 300 cycles pass.
/// Returns the element.
pub fn receive<N: Nic<In = In, Out = Out>>(nif: &mut N, words: &[LinkWord]) -> Result<Element, NicError> {
    let mut element = Element::new(1, 1);
    for cycle in 0..15 * (words.len() + 30) {
        let (host, memory) = element.pins(nif.outputs());
        // The element has set up the NIF by the tenth word.
        let word = (cycle / 15).checked_sub(10).and_then(|i| words.get(i)).filter(|_| cycle % 15 == 0);
        let pins = In {
            host,
            memory,
            receive_valid: word.is_some(),
            receive: word.copied().unwrap_or_default(),
            transmit_ready: true,
            ..In::default()
        };
        nif.edge(CORE, &pins)?;
    }
    Ok(element)
}
