use gigae_pm::memory_map::{Flag, receive_descriptor, send_descriptor};
use gigae_pm::traffic::host::Setup;
use gigae_pm::traffic::wire::Faults;

use crate::{Cards, cards, until};

/// Whether a descriptor of that card's memory has that flag.
fn flag(pair: &Cards, card: usize, descriptor: u32, flag: Flag) -> bool {
    pair.cards[card].device().nic_memory.words()[descriptor as usize + 3] == flag.code().into()
}

/// Microseconds that the cards take from a send flag to the arrival flag at the other end.
fn card_time(size: usize) -> f64 {
    let mut pair = cards(1, Faults::default(), Setup::pair);
    until(&mut pair, 100, |pair| pair.now() > 90_000_000);
    pair.hosts[0].send(0, 1, vec![7; size]);
    until(&mut pair, 50, |pair| flag(pair, 0, send_descriptor(0, 0), Flag::Full));
    until(&mut pair, 100, |pair| flag(pair, 1, receive_descriptor(0, 0), Flag::Full))
}

#[test]
fn round_trip_of_4_bytes_is_the_published_one() {
    // Paper, table 1: system call, three words of descriptor, the flag; at the other end a poll.
    let host = 1.0 + 0.75 + 0.25 + 0.57;
    let round_trip = 2.0 * (host + card_time(4));
    assert!((round_trip - 48.3).abs() < 0.1, "{round_trip} us, the paper measured 48.3 us");
}

#[test]
fn bandwidth_of_1468_bytes_is_the_published_one() {
    let mut pair = cards(1, Faults::default(), Setup::pair);
    for _ in 0..120 {
        pair.hosts[0].send(0, 1, vec![7; 1468]);
    }
    until(&mut pair, 2_000, |pair| pair.hosts[1].deliveries.len() == 20);
    let time = until(&mut pair, 10_000, |pair| pair.hosts[1].deliveries.len() == 120);
    let rate = 100.0 * 1468.0 / time;
    assert!((rate - 56.7).abs() < 0.1, "{rate} MB/s, the paper measured 56.7 MB/s");
}
