//! Arbitrary packets or messages for a node of shared memory with a waiting program: each is accepted or
//! counted, and the node continues.

#![no_main]

use std::task::Waker;
use std::time::Duration;

use fagus::datagram::Datagram;
use fagus::node::{Call, Node};
use fagus::{Config, Delivery};

/// Source of one received packet; sent packets are dropped.
struct Given(Option<(u16, Vec<u8>)>);

impl Datagram for Given {
    fn send_to(&mut self, to: u16, _packet: &[u8]) {
        assert!(to < 3, "there are three nodes");
    }

    fn receive_from(&mut self) -> Option<(u16, Vec<u8>)> {
        self.0.take()
    }
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((&first, mut rest)) = input.split_first() else { return };
    let delivery = if first & 1 == 0 { Delivery::Messages } else { Delivery::Datagrams(2048) };
    let mut node = Node::new(0, 3, Config { delivery, ..Config::default() });
    for home in 0..3 {
        node.declare(format!("object {home}"), 16, home);
    }
    let number = u32::from(first >> 4) % 3;
    let call = match first >> 1 & 7 {
        0 | 1 => Call::Read(number),
        2 | 3 => Call::Write(number),
        4 => Call::Lock(number),
        _ => Call::Barrier(0),
    };
    node.begin(call).expect("it waits for nothing yet");
    let mut now = Duration::ZERO;
    // Sender, length, and bytes of a packet.
    while let Some((&[from, length], behind)) = rest.split_first_chunk() {
        let (packet, more) = behind.split_at(behind.len().min(length.into()));
        now += Duration::from_millis(1 + u64::from(from >> 2));
        node.serve(now, &mut Given(Some((u16::from(from & 3), packet.to_vec()))));
        if node.end(Waker::noop()).is_some_and(|result| result.is_ok()) && matches!(call, Call::Read(_)) {
            assert_eq!(node.data(number).bytes().len(), 16, "data has the bytes of its object");
            return;
        }
        rest = more;
    }
});
