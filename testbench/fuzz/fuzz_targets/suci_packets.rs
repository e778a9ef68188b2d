//! Arbitrary bytes as a Suci datagram: a packet or an error; and arbitrary frames after any header.

#![no_main]

use suci::modern::packet::{Packet, next_frame, parse, parse_body, parse_hello};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let _ = parse_hello(input);
    for body in [input, input.get(17..).unwrap_or_default()] {
        if let Ok((_, mut frames)) = parse_body(body) {
            while let Ok(Some(_)) = next_frame(&mut frames) {}
        }
    }
    if let Ok(Packet::Data { body, header, .. }) = parse(input) {
        assert_eq!([header, body].concat(), input);
    }
});
