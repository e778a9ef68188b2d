//! Bad input ends in a counter, a flag or a cause of an interrupt, and the card continues.

use gigae_pm::header::Frame;
use gigae_pm::host_memory::send_area;
use gigae_pm::memory_map::{Flag, MTU, control_structure, send_descriptor};
use gigae_pm::network_dma::receive_dma::ReceiveCounts;
use gigae_pm::pins::HostIn;
use gigae_pm::protocol::{Control, Kind, Sending};
use gigae_pm::registers::cause;
use gigae_pm::traffic::host::{Delivery, Setup};

use crate::card::{Card, NODE, PEER, frame, message};

/// Checks that the card still accepts message 1 and answers it.
fn still_works(card: &mut Card) {
    let (before, answers) = (card.host.deliveries.len(), card.answers().len());
    card.arrive(&message(1, b"good"));
    card.settle();
    let expected = Delivery { ring: 0, node: PEER, bytes: b"good".to_vec() };
    assert_eq!(card.host.deliveries[before..], [expected]);
    assert_eq!(card.answers()[answers..], [(Kind::Ack.code(), 1)]);
}

/// Counters of receive DMA after these bytes on the cable.
fn counts_after(bytes: impl FnOnce(&mut Card)) -> ReceiveCounts {
    let mut card = Card::new();
    bytes(&mut card);
    card.settle();
    assert!(card.host.deliveries.is_empty() && card.sent.is_empty());
    let counts = card.device().receive_dma.counts;
    still_works(&mut card);
    counts
}

#[test]
fn runt_is_dropped_and_counted() {
    let counts = counts_after(|card| card.arrive(&message(1, b"")[..59]));
    assert_eq!(counts, ReceiveCounts { runts: 1, ..Default::default() });
}

#[test]
fn giant_is_dropped_and_counted() {
    let counts = counts_after(|card| card.arrive(&message(1, &[7; MTU as usize + 1])));
    assert_eq!(counts, ReceiveCounts { giants: 1, ..Default::default() });
}

#[test]
fn wrong_check_sequence_is_dropped_and_counted() {
    let counts = counts_after(|card| {
        let frame = message(1, b"evil");
        card.arrive_raw(&[&[0x55; 7][..], &[0xd5], &frame, &[1, 2, 3, 4]].concat());
    });
    assert_eq!(counts, ReceiveCounts { fcs_errors: 1, ..Default::default() });
}

#[test]
fn frame_for_another_node_is_dropped_and_counted() {
    let mut foreign = message(1, b"evil");
    foreign[5] = 9;
    let counts = counts_after(|card| card.arrive(&foreign));
    assert_eq!(counts, ReceiveCounts { foreign: 1, ..Default::default() });
}

#[test]
fn frame_of_no_known_form_is_dropped_and_counted() {
    let good = Frame { size: 4, kind: 1, node: NODE, number: 1, epoch: 1, ..Frame::default() };
    let empty = Frame { size: 0, ..good };
    let malformed = [
        // Invalid kinds, an ACK with data, messages without data and with too much.
        frame(Frame { kind: 0, ..empty }, b""),
        frame(Frame { kind: 6, ..empty }, b""),
        frame(Frame { kind: 7, ..empty }, b""),
        frame(Frame { kind: 2, ..good }, b"evil"),
        frame(empty, b""),
        frame(Frame { size: MTU + 1, ..good }, b"evil"),
        // A size larger than the frame.
        frame(Frame { size: 200, ..good }, &[7; 100]),
    ];
    // Version, channel, source and destination, in the bytes after the Ethernet type.
    let changed = [(14, 0x21), (15, 4), (16, 1), (18, 2), (19, 1), (22, 1), (25, 1)].map(|(at, value)| {
        let mut bytes = frame(good, b"evil");
        bytes[at] = value;
        bytes
    });
    let mut card = Card::new();
    for (i, bytes) in malformed.iter().chain(&changed).enumerate() {
        // Source node 1 is written 1 already; from itself, the card would answer itself.
        let mut bytes = bytes.clone();
        if i == malformed.len() + 2 {
            bytes[18] = 0;
        }
        card.arrive(&bytes);
        card.settle();
        assert_eq!(usize::from(card.device().firmware.receive_frame.malformed), i + 1, "frame {i}");
    }
    assert!(card.host.deliveries.is_empty() && card.sent.is_empty());
    still_works(&mut card);
}

#[test]
fn frame_of_another_session_is_dropped_and_counted() {
    let mut card = Card::new();
    let other = Frame { size: 4, kind: 1, node: NODE, number: 1, epoch: 2, ..Frame::default() };
    card.arrive(&frame(other, b"evil"));
    card.arrive(&frame(Frame { kind: Kind::Ack.code(), size: 0, ..other }, b""));
    card.settle();
    assert_eq!(card.device().firmware.apply_rule.wrong_epoch, 2);
    assert!(card.host.deliveries.is_empty() && card.sent.is_empty());
    still_works(&mut card);
}

/// Control structure of the peer on channel 0.
fn control(card: &Card) -> Control {
    let at = control_structure(0, PEER) as usize;
    Control::from_words(std::array::from_fn(|i| card.device().nic_memory.words()[at + i]))
}

/// The flag of the first send descriptor of channel 0.
fn first_flag(card: &Card) -> u32 {
    card.device().nic_memory.words()[send_descriptor(0, 0) as usize + 3]
}

#[test]
fn control_frame_out_of_bounds_is_ignored() {
    let mut card = Card::new();
    card.host.send(0, PEER, b"good".to_vec());
    card.settle();
    let sent = control(&card);
    assert_eq!((sent.sent, sent.acked, first_flag(&card)), (1, 0, Flag::Kept.code().into()));
    // Below A, and above A + N; STOP names a message behind A; and a stranger names one that was
    // never sent.
    let beyond = u32::from(Setup::pair(NODE).window) + 1;
    let (mut frames, kinds) = (vec![(Kind::Stop, 0)], [Kind::Ack, Kind::Lose, Kind::Stop, Kind::Go]);
    for kind in kinds {
        frames.extend([u32::MAX, beyond, 1 << 31].map(|number| (kind, number)));
    }
    frames.extend([(Kind::Ack, 2), (Kind::Lose, 2), (Kind::Stop, 2), (Kind::Go, 3)]);
    let answer = |kind: Kind, number| {
        frame(Frame { kind: kind.code(), node: NODE, number, epoch: 1, ..Frame::default() }, b"")
    };
    for (kind, number) in frames {
        card.arrive(&answer(kind, number));
    }
    card.settle();
    assert_eq!((control(&card), first_flag(&card)), (sent, Flag::Kept.code().into()));
    assert_eq!(card.device().receive_dma.counts.good, 17);
    card.arrive(&answer(Kind::Ack, 1));
    card.settle();
    assert_eq!((control(&card).acked, first_flag(&card)), (1, Flag::Free.code().into()));
    assert_eq!(card.answers(), [(Kind::Message.code(), 1)]);
}

#[test]
fn silent_peer_is_reported_after_m_expiries_until_a_new_session() {
    let setup = Setup { limit: 3, timeout: 2_000, ..Setup::pair(NODE) };
    let mut card = Card::with(&setup);
    card.host.send(0, PEER, b"good".to_vec());
    card.run_us(1_000);
    // The third expiry does not retransmit.
    assert_eq!(card.answers(), [(Kind::Message.code(), 1); 3]);
    assert_eq!(card.device().firmware.apply_rule.expired, 3);
    assert!(control(&card).dead && card.interrupt_request());
    assert_eq!(card.device().host_port.interrupt_cause, cause::DEAD_PEER);
    // Later answers of the peer are too late, and nothing more is sent to it.
    card.arrive(&frame(Frame { kind: 2, node: NODE, number: 1, epoch: 1, ..Frame::default() }, b""));
    card.host.send(0, PEER, b"more".to_vec());
    card.settle();
    assert!(control(&card).dead && card.answers().len() == 3);
    // A new session: the peer starts anew, and its old session has ended.
    card.host.restart(&Setup { epoch: 2, ..setup });
    card.run_us(50);
    card.sent.clear();
    card.arrive(&message(1, b"late"));
    let again = Frame { size: 5, kind: 1, node: NODE, number: 1, epoch: 2, ..Frame::default() };
    card.arrive(&frame(again, b"again"));
    card.host.send(0, PEER, b"hello".to_vec());
    card.settle();
    assert_eq!(card.device().firmware.apply_rule.wrong_epoch, 1);
    let delivered = card.host.deliveries.iter().map(|delivery| &delivery.bytes[..]);
    assert_eq!(delivered.collect::<Vec<_>>(), [b"again"]);
    let mut answers = card.answers();
    answers.sort();
    answers.dedup();
    assert_eq!(answers, [(Kind::Message.code(), 1), (Kind::Ack.code(), 1)]);
    assert!(!control(&card).dead);
}

#[test]
fn peer_that_stops_is_probed_once_for_each_expiry() {
    let mut card = Card::with(&Setup { timeout: 2_000, ..Setup::pair(NODE) });
    card.host.send(0, PEER, b"good".to_vec());
    card.run_us(20);
    card.arrive(&frame(
        Frame { kind: Kind::Stop.code(), node: NODE, number: 1, epoch: 1, ..Frame::default() },
        b"",
    ));
    card.run_us(1_000);
    assert_eq!(control(&card).sending, Sending::Stopped);
    let sent = card.answers();
    assert!(sent.len() > 2 && sent.iter().all(|answer| *answer == (Kind::Message.code(), 1)), "{sent:?}");
    assert_eq!(usize::from(card.device().firmware.apply_rule.expired), sent.len() - 1);
}

#[test]
fn descriptor_outside_the_pinned_area_is_refused() {
    let mut card = Card::new();
    let area = send_area(0);
    let refused = [
        (area - 4, PEER, 4),
        (area + 30 * 1024, PEER, 4),
        (area + 30 * 1024 - 4, PEER, 8),
        (0, PEER, 4),
        // Pinned, but of an invalid size or to an unknown peer.
        (area, PEER, 0),
        (area, PEER, usize::from(MTU) + 1),
        (area, NODE, 4),
        (area, 2, 4),
    ];
    for (i, (address, node, size)) in refused.into_iter().enumerate() {
        card.host.send_from(0, address, node, vec![7; size]);
        card.settle();
        assert_eq!(usize::from(card.device().firmware.send_message.refused), i + 1, "descriptor {i}");
        let flag = card.device().nic_memory.words()[send_descriptor(0, i as u8) as usize + 3];
        assert_eq!(flag, u32::from(Flag::Refused.code()));
    }
    assert!(card.sent.is_empty() && card.interrupt_request());
    assert_eq!(card.device().host_port.interrupt_cause, cause::REFUSED);
    card.host.send_from(0, area, PEER, b"good".to_vec());
    card.settle();
    assert_eq!(card.answers()[..1], [(Kind::Message.code(), 1)]);
}

#[test]
fn user_that_writes_to_the_window_changes_nothing() {
    let mut card = Card::new();
    let user = HostIn { user: true, ..HostIn::default() };
    let mischief = [
        HostIn { address: 0x000c, wdata: 1, write: true, ..user },
        HostIn { address: 0x1000, wdata: 0, write: true, ..user },
        HostIn { address: 0x100c, wdata: 7, write: true, ..user },
        HostIn { address: 0x2000, wdata: 7, write: true, ..user },
        HostIn { address: 0x2000, ..user },
        HostIn { address: 0x0400, ..user },
    ];
    for access in mischief {
        card.host.access(access);
    }
    card.settle();
    let device = card.device();
    assert_eq!(device.host_port.refused, 6);
    assert_eq!(device.nic_memory.words()[3], 0);
    assert!(device.host_port.configuration.enable && card.interrupt_request());
    assert_eq!(device.host_port.interrupt_cause, cause::ACCESS);
    still_works(&mut card);
}

#[test]
fn ordinary_frame_goes_to_the_host_unchanged_and_interrupts() {
    let mut card = Card::new();
    let mut bytes = message(1, b"an IP packet, say");
    (bytes[12], bytes[13]) = (0x08, 0x00);
    card.arrive(&bytes);
    card.settle();
    let expected = [&[0, 0], &bytes[..]].concat();
    assert_eq!(card.host.deliveries, [Delivery { ring: 4, node: 0, bytes: expected.clone() }]);
    assert_eq!(card.device().host_port.interrupt_cause, cause::OTHER_FRAME);
    assert!(card.interrupt_request());
    // And back.
    card.host.send(4, 0, expected);
    card.settle();
    assert_eq!(card.sent[0][8..8 + bytes.len()], bytes);
    still_works_after_other_frames(&mut card);
}

#[test]
fn frame_for_a_group_goes_to_the_host_as_one_for_the_card_does() {
    let mut card = Card::new();
    let to = |destination: [u8; 6]| {
        let mut bytes = message(1, b"who has 10.0.0.1?");
        bytes[..6].copy_from_slice(&destination);
        (bytes[12], bytes[13]) = (0x08, 0x06);
        bytes
    };
    let groups = [to([0xff; 6]), to([0x33, 0x33, 0, 0, 0, 1])];
    for bytes in &groups {
        card.arrive(bytes);
        card.settle();
    }
    let expected = groups.map(|bytes| Delivery { ring: 4, node: 0, bytes: [&[0, 0], &bytes[..]].concat() });
    assert_eq!(card.host.deliveries, expected);
    assert!(card.interrupt_request());
    still_works_after_other_frames(&mut card);
}

/// The same as [`still_works`], for a card whose first frame was not of GigaE PM.
fn still_works_after_other_frames(card: &mut Card) {
    card.sent.clear();
    still_works(card);
}
