//! The receive ring as printed.

use fagus::reassembly::Header;
use fagus::ring::{Pulled, Slot, pull};

const PAYLOAD: usize = 2042;

/// Packet of a message of two packets from node 7.
fn packet(id: u16, number: u16) -> Slot {
    Some((7, Header { size: 3000, id, number }))
}

#[test]
fn message_is_found_in_the_order_of_its_packets() {
    let slots =
        [packet(1, 1), None, packet(2, 0), packet(1, 0), Some((6, Header { size: 10, id: 1, number: 0 }))];
    let mut received = [false; 5];
    assert_eq!(pull(3, PAYLOAD, &slots, &mut received), Pulled::Whole(vec![3, 0]));
    assert_eq!(received, [true, false, false, false, false]);
    assert_eq!(pull(0, PAYLOAD, &slots, &mut received), Pulled::Received);
    assert_eq!(received, [false; 5]);
    assert_eq!(pull(2, PAYLOAD, &slots, &mut received), Pulled::Missing, "its second packet is missing");
    assert_eq!(pull(1, PAYLOAD, &slots, &mut received), Pulled::Missing, "the slot is empty");
    assert_eq!(pull(4, PAYLOAD, &slots, &mut received), Pulled::Whole(vec![4]));
    assert_eq!(received, [false; 5]);
}
