use hca::Hca;
use hca::contexts::Attributes;
use hca::layout::{Operation, Status};
use hca::pins::HostIn;
use hca::registers::{Doorbell, Register, cause};
use hca::traffic::datagrams::{BUFFER, Datagram, Datagrams, KEY, RECEIVE_BUFFERS, RECEIVE_RING, SEND_RING};
use hca::traffic::pair::Pair;
use hca::traffic::wire::{Faults, bytes};
use hdl::{Model, Nic};

use crate::{PEER, adapters, message, run};

/// Sends 100 bytes to the second program; then both poll.
fn exchange(pair: &mut Pair<Model<Hca>>, programs: &mut [Datagrams; 2]) {
    programs[0].send(&mut pair.hosts[0], 2, PEER.into(), &message(1, 100), None);
    run(pair, 30);
    for (program, host) in programs.iter_mut().zip(&mut pair.hosts) {
        program.poll(host);
    }
}

#[test]
fn datagram_of_any_length_arrives_behind_forty_bytes() {
    let (mut pair, mut programs) = adapters(1, Faults::default());
    for (i, size) in [0, 1, 2, 3, 4, 5, 7, 8, 9, 100, 2_041, 2_042, 2_047, 2_048].into_iter().enumerate() {
        let immediate = (i % 3 == 1).then_some(0xdead_0000 + i as u32);
        programs[0].send(&mut pair.hosts[0], 2, PEER.into(), &message(i, size), immediate);
        run(&mut pair, 30);
        programs[0].poll(&mut pair.hosts[0]);
        programs[1].poll(&mut pair.hosts[1]);
        let expected = Datagram { lid: 1, pair: 2, immediate, bytes: message(i, size) };
        assert_eq!(programs[1].received.last(), Some(&expected), "{size} bytes");
        assert_eq!(programs[0].waiting(), 0, "{size} bytes");
    }
    assert!(programs.iter().all(|program| program.errors.is_empty()));
}

#[test]
fn packet_has_the_fields_of_the_architecture() {
    let (mut pair, mut programs) = adapters(1, Faults::default());
    programs[0].send(&mut pair.hosts[0], 2, PEER.into(), b"hello", Some(0x0102_0304));
    run(&mut pair, 30);
    let packet = bytes(&pair.wires[0].sent[0]).expect("its length is right");
    let expected = [
        // LRH: lane, version; service level, BTH next; DLID; units; SLID.
        &[0x00, 0x02, 0x00, 0x02, 0x00, 11, 0x00, 0x01][..],
        // BTH: operation code; padding of 3; partition key; QPN; PSN.
        &[0x65, 0x30, 0xff, 0xff, 0, 0, 0, 9, 0, 0, 0, 0],
        // DETH: Q_Key; source QPN. Immediate data, data, padding.
        &[0x12, 0x34, 0x56, 0x78, 0, 0, 0, 2],
        &[1, 2, 3, 4],
        b"hello\0\0\0",
    ];
    assert_eq!(packet, expected.concat());
}

#[test]
fn padding_is_zero_in_a_slot_that_held_a_longer_packet() {
    let (mut pair, mut programs) = adapters(1, Faults::default());
    // Both slots are filled with nonzero bytes; then each size is sent from each slot.
    for _ in 0..2 {
        programs[0].send(&mut pair.hosts[0], 2, PEER.into(), &[0xff; 2_048], None);
        run(&mut pair, 30);
        programs[0].poll(&mut pair.hosts[0]);
        programs[1].poll(&mut pair.hosts[1]);
    }
    for (i, size) in [1, 2, 3, 5, 6, 7, 9, 9, 7, 6, 5, 3, 2, 1].into_iter().enumerate() {
        // LRH, BTH and DETH, and immediate data in some packets: the data begin in either half of a word.
        let immediate = (i % 3 == 1).then_some(7);
        let begin = if immediate.is_some() { 32 } else { 28 };
        programs[0].send(&mut pair.hosts[0], 2, PEER.into(), &vec![0xff; size], immediate);
        run(&mut pair, 30);
        programs[0].poll(&mut pair.hosts[0]);
        programs[1].poll(&mut pair.hosts[1]);
        let packet = bytes(pair.wires[0].sent.last().unwrap()).expect("its length is right");
        let (data, padding) = packet[begin..].split_at(size);
        assert_eq!(data, vec![0xff; size]);
        assert_eq!(padding, vec![0; size.wrapping_neg() & 3], "{size} bytes");
        assert_eq!(programs[1].received.last().unwrap().bytes, vec![0xff; size]);
    }
}

#[test]
fn datagrams_arrive_whole_or_not_at_all_over_a_bad_cable() {
    for seed in 1..4 {
        let (mut pair, mut programs) = adapters(seed, Faults { lost: 5, damaged: 7, cut: 9 });
        for host in &mut pair.hosts {
            host.stalls = 2;
        }
        let mut sent = 0;
        for _ in 0..20_000 {
            pair.step().unwrap();
            for node in [0, 1] {
                programs[node].poll(&mut pair.hosts[node]);
                if programs[node].waiting() < 4 && sent < 120 {
                    let lid = [2, 1][node];
                    programs[node].send(
                        &mut pair.hosts[node],
                        lid,
                        [9, 2][node],
                        &message(sent, 1 + sent * 16),
                        None,
                    );
                    sent += 1;
                }
            }
        }
        run(&mut pair, 2_000);
        for node in [0, 1] {
            for _ in 0..200 {
                programs[node].poll(&mut pair.hosts[node]);
            }
        }
        let received = programs[0].received.len() + programs[1].received.len();
        assert!(received > 40 && received < 120, "seed {seed}: {received}");
        for datagram in programs.iter().flat_map(|program| &program.received) {
            let i = (datagram.bytes.len() - 1) / 16;
            assert_eq!(datagram.bytes, message(i, 1 + i * 16));
        }
        let counts = [0, 1].map(|i: usize| pair.adapters[i].device().link_receive.counts);
        assert!(counts.iter().any(|c| c.icrc_errors > 0) && counts.iter().any(|c| c.length_errors > 0));
        assert!(pair.hosts.iter().all(|host| host.strays == 0));
    }
}

#[test]
fn request_without_rights_ends_in_an_error_unsent() {
    let (mut pair, mut programs) = adapters(1, Faults::default());
    let good = programs[0].request(2, PEER.into(), 100);
    let cases = [
        (hca::layout::SendWqe { length: 2_049, ..good }, Status::LengthError),
        (hca::layout::SendWqe { length: 0x8000_0064, ..good }, Status::LengthError),
        (hca::layout::SendWqe { l_key: 0x0605, ..good }, Status::ProtectionError),
        (hca::layout::SendWqe { address: 0xff_ff00, ..good }, Status::ProtectionError),
        // The buffer would end beyond 4 GB; the truncated end lies before the end of the area.
        (hca::layout::SendWqe { address: 0xffff_ff00, length: 0x200, ..good }, Status::ProtectionError),
        (hca::layout::SendWqe { operation: Operation::RdmaRead.code(), ..good }, Status::OperationError),
        (hca::layout::SendWqe { operation: 0, ..good }, Status::OperationError),
    ];
    for (i, (wqe, status)) in cases.into_iter().enumerate() {
        programs[0].send_request(&mut pair.hosts[0], &wqe);
        run(&mut pair, 30);
        programs[0].poll(&mut pair.hosts[0]);
        assert_eq!(programs[0].errors.len(), i + 1);
        assert_eq!(
            (programs[0].errors[i].status, usize::from(programs[0].errors[i].index)),
            (status.code(), i)
        );
    }
    assert!(pair.wires[0].sent.is_empty());
    assert_eq!(BUFFER, 2_088);
}

#[test]
fn datagram_is_for_whoever_has_its_lid_over_its_whole_width() {
    let (mut pair, mut programs) = adapters(1, Faults::default());
    for (own, lid, arrives) in [(2, 0x8002, false), (0x8002, 0x8002, true), (0x8002, 2, false)] {
        pair.hosts[1].write_register(Register::Lid, own);
        run(&mut pair, 10);
        let counts = |pair: &Pair<Model<Hca>>| {
            let counts = pair.adapters[1].device().receive_engine.counts;
            (counts.foreign, counts.received)
        };
        let before = counts(&pair);
        programs[0].send(&mut pair.hosts[0], lid, PEER.into(), &message(1, 100), None);
        run(&mut pair, 30);
        let expected = if arrives { (before.0, before.1 + 1) } else { (before.0 + 1, before.1) };
        assert_eq!(counts(&pair), expected, "own LID {own:#x}, that of the datagram {lid:#x}");
    }
}

#[test]
fn receive_request_whose_key_has_a_bit_too_many_takes_nothing() {
    for bit in 12..32 {
        let (mut pair, mut programs) = adapters(1, Faults::default());
        let key = KEY ^ 1 << bit;
        pair.hosts[1].put_receive(RECEIVE_RING.0, RECEIVE_RING.1, 0, RECEIVE_BUFFERS, BUFFER, key);
        exchange(&mut pair, &mut programs);
        assert_eq!(programs[1].errors[0].status, Status::ProtectionError.code(), "bit {bit}");
        assert_eq!(pair.hosts[1].load(RECEIVE_BUFFERS, 200), [0; 200]);
    }
}

#[test]
fn receive_beyond_its_area_takes_no_data() {
    for bit in 24..32 {
        let (mut pair, mut programs) = adapters(1, Faults::default());
        let length = BUFFER | 1 << bit;
        pair.hosts[1].put_receive(RECEIVE_RING.0, RECEIVE_RING.1, 0, RECEIVE_BUFFERS, length, KEY);
        exchange(&mut pair, &mut programs);
        assert_eq!(programs[1].errors[0].status, Status::ProtectionError.code(), "bit {bit}");
    }
}

#[test]
fn doorbell_beyond_its_ring_kills_the_queue() {
    for bit in 5..16 {
        let (mut pair, mut programs) = adapters(1, Faults::default());
        pair.hosts[1].ring(Doorbell::ReceiveBell, PEER, 1 | 1 << bit, false);
        exchange(&mut pair, &mut programs);
        assert!(programs[1].received.is_empty(), "bit {bit}");
        assert_ne!(pair.adapters[1].device().events.causes & cause::QUEUE_PAIR, 0, "bit {bit}");
    }
}

#[test]
fn host_reads_what_has_been_counted() {
    let (mut pair, mut programs) = adapters(1, Faults::default());
    let mut counted = |lid, qpn, node: usize| {
        programs[0].send(&mut pair.hosts[0], lid, qpn, b"hello", None);
        run(&mut pair, 30);
        programs[0].poll(&mut pair.hosts[0]);
        [Register::Foreign, Register::UnknownQp, Register::Received, Register::Failed, Register::Sent].map(
            |register| {
                let address = register.info().offset;
                pair.hosts[node].access(HostIn { address, ..HostIn::default() });
                run(&mut pair, 1);
                pair.adapters[node].outputs().host.rdata
            },
        )
    };
    assert_eq!(counted(2, PEER.into(), 1), [0, 0, 1, 0, 0]);
    assert_eq!(counted(7, PEER.into(), 1), [1, 0, 1, 0, 0]);
    assert_eq!(counted(2, 5, 1), [1, 1, 1, 0, 0]);
    assert_eq!(counted(2, PEER.into(), 0), [0, 0, 0, 0, 4]);
}

/// Beyond the memory of the host the bus reads zeros: a WQE without an operation.
#[test]
fn send_ring_is_looked_for_over_the_whole_address_space() {
    let (mut pair, mut programs) = adapters(1, Faults::default());
    let send_base = SEND_RING.0 | 1 << 31;
    pair.hosts[0].set_pair(2, Attributes { send_base, ..Datagrams::attributes() });
    run(&mut pair, 50);
    exchange(&mut pair, &mut programs);
    assert_eq!(programs[0].errors[0].status, Status::OperationError.code());
    assert!(pair.wires[0].sent.is_empty());
}

/// Beyond the memory of the host the bus reads zeros: a WQE of no bytes.
#[test]
fn receive_ring_is_looked_for_over_the_whole_address_space() {
    let (mut pair, mut programs) = adapters(1, Faults::default());
    let receive_base = RECEIVE_RING.0 | 1 << 31;
    pair.hosts[1].set_pair(PEER, Attributes { receive_base, ..Datagrams::attributes() });
    pair.hosts[1].ring(Doorbell::ReceiveBell, PEER, 1, false);
    run(&mut pair, 50);
    exchange(&mut pair, &mut programs);
    assert_eq!(programs[1].errors[0].status, Status::LengthError.code());
    assert!(programs[1].received.is_empty());
}
