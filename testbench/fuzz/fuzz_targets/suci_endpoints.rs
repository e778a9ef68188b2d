//! Two communicating Suci endpoints whose datagrams the input modifies, one byte for each datagram. Nothing
//! panics; with a key only sent blocks arrive, in order.

#![no_main]

use std::net::SocketAddr;
use std::time::Duration;

use suci::{Config, Endpoint, Event, Instant, Rules, Security};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((first, input)) = input.split_first() else { return };
    let sealed = first & 1 == 1;
    let security = if sealed { Security::SharedKey([9; 32]) } else { Security::Trusted };
    let config = Config { rekey_after: 1 + u64::from(first >> 1), ..Config::new(Rules::MODERN, security) };
    let addresses: [SocketAddr; 2] = [([10, 0, 0, 1], 7).into(), ([10, 0, 0, 2], 7).into()];
    let mut nodes = [1, 2].map(|seed| Endpoint::new(config.clone(), [seed; 32]).expect("the defaults can be"));
    let mut now = Instant::ZERO;
    let peer = nodes[0].connect(now, addresses[1]).expect("there is room");
    let (mut sent, mut arrived, mut seen) = (0u32, 0u32, Vec::<Vec<u8>>::new());
    let mut says = input.iter().copied();
    'talk: loop {
        if nodes[0].send(peer, 0, &sent.to_be_bytes().repeat(200)).is_ok() {
            sent += 1;
        }
        for from in 0..2 {
            while let Some(bytes) = nodes[from].poll_transmit(now).map(|transmit| transmit.bytes.to_vec()) {
                let Some(say) = says.next() else { break 'talk };
                let mut bytes = bytes;
                match say % 8 {
                    0 => continue,
                    1 => {
                        let at = usize::from(say >> 3) * bytes.len() / 32;
                        bytes[at] ^= 1 << (say >> 5);
                    }
                    2 => bytes.truncate(bytes.len() * usize::from(say >> 3) / 32),
                    3 => {
                        if let Some(old) = seen.get(usize::from(say >> 3)) {
                            nodes[1 - from].input(now, addresses[from], old);
                        }
                    }
                    _ => {}
                }
                nodes[1 - from].input(now, addresses[from], &bytes);
                seen.push(bytes);
            }
        }
        while let Some(event) = nodes[1].poll_event() {
            if let Event::Block { block, .. } = event
                && sealed
            {
                assert_eq!(block, arrived.to_be_bytes().repeat(200));
                arrived += 1;
            }
        }
        while nodes[0].poll_event().is_some() {}
        let due = nodes.iter().filter_map(Endpoint::poll_timeout).min();
        if due.is_none() {
            // Both endpoints have timed out.
            break;
        }
        now = (now + Duration::from_micros(50)).max(due.unwrap_or(now).min(now + Duration::from_secs(1)));
    }
});
