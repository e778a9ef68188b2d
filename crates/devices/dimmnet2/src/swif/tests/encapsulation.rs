use std::collections::BTreeSet;

use hdl::{Clocked, StateMachine, Stimulus};

use super::super::encapsulation::{Encapsulation, In, State};
use super::marked;
use crate::line::{FIRST, LAST, Line, MIDDLE};

/// Sends a packet from a FIFO; returns the lines accepted by the link, and the cycles from start to end.
fn send(
    encapsulation: &mut Encapsulation,
    packet: &[Line],
    mut ready: impl FnMut() -> bool,
    arcs: &mut BTreeSet<(u64, u64)>,
) -> (Vec<Line>, usize) {
    let mut frame = vec![];
    let (mut taken, mut rdata) = (0, Line::default());
    for cycle in 0.. {
        let out = encapsulation.outputs();
        let tx_ready = ready();
        let packet_available = taken == 0;
        if out.tx_valid && tx_ready {
            frame.push(out.tx_line);
        }
        let before = encapsulation.state as u64;
        encapsulation.tick(&In { packet_available, line: rdata, tx_ready, sma_lid: 0x0102 });
        let after = encapsulation.state as u64;
        if before != after {
            arcs.insert((before, after));
        }
        // The FIFO and its read conditions in SWIF.
        if out.packet_next && packet_available || out.line_next && tx_ready && !rdata.is_last() {
            rdata = packet[taken];
            taken += 1;
        }
        if !out.packet_next && encapsulation.outputs().packet_next {
            assert_eq!(taken, packet.len());
            return (frame, cycle + 1);
        }
    }
    unreachable!()
}

#[test]
fn idle_packet_leaves_as_a_frame_of_exact_bytes() {
    let mut encapsulation = Encapsulation { sequence: 0xabcdef, ..Encapsulation::default() };
    // 22 bytes to LID 0x0a0b: 6 words, 2 bytes of padding.
    let packet = marked([0x0000_0a0b_0000_0000 | 22, 2, 3]);
    let (frame, cycles) = send(&mut encapsulation, &packet, || true, &mut BTreeSet::new());
    let bytes: Vec<_> = frame.iter().map(|line| line.data.to_le_bytes()).collect();
    assert_eq!(bytes[0], [0x00, 0x02, 0x0a, 0x0b, 0x00, 12, 0x01, 0x02]);
    assert_eq!(bytes[1], [0x24, 0x20, 0xff, 0xff, 0, 0, 0, 2]);
    assert_eq!(bytes[2], [0, 0xab, 0xcd, 0xef, 0, 0, 0, 0]);
    assert_eq!(frame[3..].iter().map(|line| line.data).collect::<Vec<_>>(), [packet[0].data, 2, 3]);
    let ids: Vec<_> = frame.iter().map(|line| line.id).collect();
    assert_eq!(ids, [FIRST, MIDDLE, MIDDLE, MIDDLE, MIDDLE, LAST]);
    // Idle, Header, then a line per cycle.
    assert_eq!(cycles, 2 + 6);
    assert_eq!(encapsulation.sequence, 0xabcdf0);
}

#[test]
fn idle_packet_of_one_line_is_sent_as_it_is() {
    let line = Line { data: 8, id: LAST };
    let (frame, _) = send(&mut Encapsulation::default(), &[line], || true, &mut BTreeSet::new());
    assert_eq!(frame.len(), 4);
    assert_eq!(frame[3], line);
}

#[test]
fn idle_wrong_packet_size_affects_only_the_header() {
    for size in [0u64, 8, 4095] {
        let packet = marked([size, 1, 2, 3]);
        let (frame, _) = send(&mut Encapsulation::default(), &packet, || true, &mut BTreeSet::new());
        assert_eq!(frame.len(), 7);
        assert_eq!(frame[6], packet[3]);
        let words = frame[0].data.swap_bytes() >> 16 & 0x7ff;
        assert_eq!(words, 6 + size.div_ceil(4));
    }
}

#[test]
fn payload_link_stall_holds_the_line() {
    let (mut random, mut arcs) = (Stimulus::new(1), BTreeSet::new());
    let mut encapsulation = Encapsulation { sequence: 0xffff00, ..Encapsulation::default() };
    for n in 0..1000u32 {
        let lines = 1 + random.below(20);
        let packet = match lines {
            1 => vec![Line { data: random.word(), id: LAST }],
            _ => marked((0..lines).map(|_| random.word())),
        };
        let mut stalls = Stimulus::new(n as u64);
        let (frame, _) = send(&mut encapsulation, &packet, || stalls.below(3) == 0, &mut arcs);
        assert_eq!(frame.len(), 3 + packet.len());
        for (sent, line) in frame[3..].iter().zip(&packet) {
            assert_eq!(sent.data, line.data);
            assert_eq!(sent.is_last(), line.is_last());
        }
        assert_eq!(encapsulation.sequence, (0xffff01 + n) & 0xff_ffff);
    }
    assert_eq!(arcs, State::TABLE.arcs().collect());
}
