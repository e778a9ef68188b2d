//! Packets that differ in one bit from a valid one, from the peer and from others: none of them has an effect.

use hca::contexts::Attributes;
use hca::layout::PacketKind::{self, *};
use hca::protocol::responder::{ACK, NAK, RNR_NAK};
use hca::traffic::connection::{WINDOW, WINDOW_KEY};
use hca::traffic::datagrams::{Datagrams, KEY};
use hca::traffic::packet::Packet;

use crate::alone::{Alone, LIDS, PSN, QPNS};

/// Each packet that differs from `packet` in one bit of its LIDs, its QPN or its versions.
fn from_elsewhere(packet: &Packet) -> Vec<(String, Packet)> {
    let mut all = Vec::new();
    for bit in 0..16 {
        let lid = Packet { source_lid: packet.source_lid ^ 1 << bit, ..packet.clone() };
        all.push((format!("bit {bit} of the SLID"), lid));
        let lid = Packet { lid: packet.lid ^ 1 << bit, ..packet.clone() };
        all.push((format!("bit {bit} of the DLID"), lid));
    }
    for bit in 0..24 {
        all.push((
            format!("bit {bit} of the QPN"),
            Packet { pair: packet.pair ^ 1 << bit, ..packet.clone() },
        ));
    }
    for bit in 0..4 {
        all.push((format!("bit {bit} of LVer"), Packet { versions: (1 << bit, 2, 0), ..packet.clone() }));
        all.push((format!("bit {bit} of TVer"), Packet { versions: (0, 2, 1 << bit), ..packet.clone() }));
    }
    for next_header in [0, 1, 3] {
        all.push((format!("LNH {next_header}"), Packet { versions: (0, next_header, 0), ..packet.clone() }));
    }
    all
}

#[test]
fn answer_from_elsewhere_says_nothing() {
    let data = Packet { data: vec![1; 100], ..Alone::packet(ReadOnly, PSN).answer(ACK, 1) };
    for reads in [false, true] {
        let mut alone = Alone::new(1, |attributes| Attributes { timeout: 0, ..attributes });
        if reads {
            alone.program.read(&mut alone.pair.hosts[1], 100, WINDOW.0);
        } else {
            alone.send(&[1; 100]);
        }
        alone.run(8);
        let before = alone.requester();
        assert!(before.active);
        let good = if reads { data.clone() } else { Alone::acknowledge(PSN, ACK) };
        let others = [NAK, NAK | 1, NAK | 2, NAK | 3, RNR_NAK | 1].map(|code| Alone::acknowledge(PSN, code));
        for packet in others.iter().chain([&good]) {
            for (what, forged) in from_elsewhere(packet) {
                alone.inject(&forged);
                alone.wait(2);
                assert_eq!(alone.requester(), before, "{what} of {:#x}", packet.kind);
            }
        }
        alone.inject(&good);
        alone.run(5);
        assert_eq!((alone.program.waiting(), alone.left().len()), (0, 1));
    }
}

#[test]
fn request_from_elsewhere_is_neither_taken_nor_answered() {
    let mut alone = Alone::new(1, |attributes| attributes);
    (0..2).for_each(|_| alone.post());
    alone.wait(2);
    let window = (u64::from(WINDOW.0), WINDOW_KEY, 8);
    let packets = [
        Alone::packet(SendOnly, PSN).data(b"a forged"),
        Alone::packet(WriteOnly, PSN).remote(window.0, window.1, window.2).data(b"a forged"),
        Alone::packet(ReadRequest, PSN).remote(window.0, window.1, window.2),
    ];
    let before = alone.responder();
    for packet in &packets {
        for (what, forged) in from_elsewhere(packet) {
            alone.inject(&forged);
            alone.wait(2);
            assert_eq!(alone.responder(), before, "{what} of {:#x}", packet.kind);
        }
    }
    // Pad bytes without data; an RDMA READ and an acknowledgement with data; a kind that does not exist.
    let pad = |packet: Packet| {
        let mut bytes = packet.bytes();
        bytes[9] |= 0x30;
        bytes
    };
    let malformed = [
        pad(Alone::packet(SendOnly, PSN)),
        pad(Alone::acknowledge(PSN, ACK)),
        packets[2].clone().data(&[1; 4]).bytes(),
        Alone::acknowledge(PSN, ACK).data(&[1; 4]).bytes(),
        Packet { kind: 0x12, ..packets[0].clone() }.bytes(),
        Packet { kind: 0x2c, ..packets[0].clone() }.bytes(),
        Packet { kind: 0x84, ..packets[0].clone() }.bytes(),
    ];
    let counted = alone.device().receive_engine.counts.malformed;
    for bytes in &malformed {
        alone.pair.wires[0].inject_packet(bytes);
        alone.wait(2);
        assert_eq!(alone.responder(), before);
    }
    assert_eq!(usize::from(alone.device().receive_engine.counts.malformed - counted), malformed.len());
    assert_eq!(alone.left(), []);
    for (psn, packet) in (PSN..).zip(packets) {
        alone.inject(&Packet { psn, ..packet });
    }
    alone.run(20);
    assert_eq!((alone.program.received.len(), alone.left().len()), (1, 3));
}

/// Each bit of a key and of an address that an RDMA request names.
#[test]
fn access_with_a_flipped_bit_is_refused() {
    for kind in [WriteOnly, ReadRequest] {
        let data: &[u8] = if kind == WriteOnly { &[9; 8] } else { &[] };
        let access = |address: u64, key: u32, length: u32| {
            Alone::packet(kind, PSN).remote(address, key, length).data(data)
        };
        let flips = (0..32)
            .map(|bit| (format!("bit {bit} of the key"), access(WINDOW.0.into(), WINDOW_KEY ^ 1 << bit, 8)));
        // Below bit 12 the address stays within the area.
        let far = (16..64).map(|bit| {
            (format!("bit {bit} of the address"), access(u64::from(WINDOW.0) ^ 1 << bit, WINDOW_KEY, 8))
        });
        let near = [
            ("a byte before the area", access(u64::from(WINDOW.0) - 1, WINDOW_KEY, 8)),
            ("a byte behind the area", access(u64::from(WINDOW.0 + WINDOW.1) - 7, WINDOW_KEY, 8)),
            ("the other key", access(0x1_0000, KEY, 8)),
        ];
        let near = near.map(|(what, packet)| (what.to_owned(), packet));
        let domain = hca::contexts::Key { domain: 4, ..hca::traffic::connection::Connection::window() };
        for (what, packet) in flips.chain(far).chain(near) {
            let mut alone = Alone::new(1, |attributes| attributes);
            alone.inject(&packet);
            alone.run(10);
            assert_eq!(alone.answers(), [(0, NAK | 2, 0)], "{kind:?}: {what}");
        }
        let mut alone = Alone::new(1, |attributes| attributes);
        alone.host().set_key(WINDOW_KEY, domain);
        alone.wait(40);
        alone.inject(&access(WINDOW.0.into(), WINDOW_KEY, 8));
        alone.run(10);
        assert_eq!(alone.answers(), [(0, NAK | 2, 0)], "{kind:?}: another domain");
        // Rights of the owner and of the other access are not the right that is asked for.
        let rights = hca::contexts::Key {
            local_write: true,
            remote_write: kind != WriteOnly,
            remote_read: kind == WriteOnly,
            ..hca::traffic::connection::Connection::window()
        };
        let mut alone = Alone::new(1, |attributes| attributes);
        alone.host().set_key(WINDOW_KEY, rights);
        alone.wait(40);
        alone.inject(&access(WINDOW.0.into(), WINDOW_KEY, 8));
        alone.run(10);
        assert_eq!(alone.answers(), [(0, NAK | 2, 0)], "{kind:?}: another right");
        // First and last bytes of the area may be accessed.
        let mut alone = Alone::new(1, |attributes| attributes);
        alone.inject(&access(WINDOW.0.into(), WINDOW_KEY, 8));
        alone.inject(&Packet { psn: PSN + 1, ..access(u64::from(WINDOW.0 + WINDOW.1) - 8, WINDOW_KEY, 8) });
        alone.run(20);
        assert!(!alone.responder().failed && alone.responder().psn == PSN + 2);
    }
}

#[test]
fn datagram_with_another_q_key_is_dropped() {
    const Q_KEY: u32 = 0x9735_a6ce;
    let mut alone =
        Alone::new(1, |attributes| Attributes { connected: false, mtu: 4, q_key: Q_KEY, ..attributes });
    (0..4).for_each(|_| alone.post());
    alone.wait(2);
    let datagram = |kind: PacketKind, q_key| Packet {
        asks: false,
        ..Alone::packet(kind, 0).datagram(q_key, 3).data(&[1; 8])
    };
    for (number, q_key) in (0..32).map(|bit| Q_KEY ^ 1 << bit).chain([0]).enumerate() {
        alone.inject(&datagram(DatagramSend, q_key));
        alone.wait(2);
        assert_eq!(usize::from(alone.device().receive_engine.counts.wrong_q_key), number + 1, "{q_key:#x}");
    }
    for (what, forged) in from_elsewhere(&datagram(DatagramSend, Q_KEY)) {
        // A datagram may come from any port.
        if !what.contains("SLID") {
            alone.inject(&forged);
        }
        alone.wait(2);
        assert_eq!(alone.device().receive_engine.counts.received, 0, "{what}");
    }
    alone.inject(&Packet { source_lid: LIDS.0 ^ 0xffff, ..datagram(DatagramSend, Q_KEY) });
    alone.wait(5);
    assert_eq!(alone.device().receive_engine.counts.received, 1);
    assert_eq!(alone.left(), []);
}

/// A datagram queue pair does no RDMA, and sends what its WQE says.
#[test]
fn datagram_queue_pair_refuses_rdma() {
    use hca::layout::{Operation, Status};
    for operation in [Operation::RdmaWrite, Operation::RdmaWriteImmediate, Operation::RdmaRead] {
        let mut alone = Alone::new(1, |attributes| Attributes { connected: false, ..attributes });
        let wqe = alone.program.remote(operation, 10, WINDOW.0);
        alone.program.send_request(&mut alone.pair.hosts[1], &wqe);
        alone.run(10);
        assert_eq!(alone.program.errors[0].status, Status::OperationError.code(), "{operation:?}");
        assert_eq!(alone.left(), []);
    }
    assert!(!Datagrams::attributes().connected);
}

/// A request of a datagram queue pair that asks for no CQE has none.
#[test]
fn unsignalled_datagram_has_no_completion() {
    let mut alone = Alone::new(1, |attributes| Attributes { connected: false, ..attributes });
    for signalled in [false, true] {
        let wqe =
            hca::layout::SendWqe { signalled, destination: QPNS.0, lid: LIDS.0, ..alone.program.request(10) };
        alone.program.send_request(&mut alone.pair.hosts[1], &wqe);
        alone.run(10);
    }
    assert_eq!((alone.program.taken, alone.left().len()), (1, 2));
}

#[test]
fn packet_longer_than_its_kind_is_malformed_or_cut_off() {
    let mut alone = Alone::new(1, |attributes| attributes);
    // 528 units with headers and ICRC: more data than any packet may have, and less than a slot holds.
    for (data, malformed, length_errors) in [(4 * 522, 1, 0), (4 * 523, 1, 1)] {
        alone.inject(&Alone::packet(SendOnly, PSN).data(&vec![1; data]));
        alone.wait(20);
        let counts = (
            alone.device().receive_engine.counts.malformed,
            alone.device().link_receive.counts.length_errors,
        );
        assert_eq!(counts, (malformed, length_errors), "{data} bytes");
    }
}
