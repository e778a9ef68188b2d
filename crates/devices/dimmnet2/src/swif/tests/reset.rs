use hdl::Stimulus;

use super::frames::{Bench, CORE_PERIOD, LID};
use super::{packet, received};
use crate::line::FIRST;

/// Core cycles of a Controller Reset.
const RESET_CYCLES: u64 = 8;

/// Resets one side during traffic, then sends packets and expects all of them.
fn reset_in_traffic(side: usize, core_phase: u64, network_phase: u64, at: u64, lines: usize) {
    let what = format!("side {side}, phases {core_phase} {network_phase}, at {at}, {lines} lines");
    let mut random = Stimulus::new(at);
    let mut bench = Bench::new(core_phase, network_phase, 3, [1, 1, 1]);
    for _ in 0..3 {
        bench.to_send.extend(packet(LID[1], lines, &mut random));
    }
    let start = bench.time;
    bench.run_until(start + at);
    bench.controller_reset[side] = true;
    if side == 0 {
        // The Window Controller is reset too and writes no more lines.
        bench.to_send.clear();
    }
    bench.run_until(start + at + RESET_CYCLES * CORE_PERIOD);
    bench.controller_reset[side] = false;
    if side == 1 {
        // Lines sent meanwhile may arrive or not; wait until nothing is in flight.
        let end = bench.time + 10_000_000;
        bench.run_until(end);
    }
    let before = bench.packets.len();
    let mut expected = vec![];
    for _ in 0..3 {
        let packet = packet(LID[1], lines, &mut random);
        bench.to_send.extend(&packet);
        expected.push(received(packet, LID[0]));
    }
    // Packets sent before the reset may still arrive, so wait until the link is silent.
    let end = bench.time + 20_000_000;
    bench.run_until(end);
    let after = &bench.packets[before.min(bench.packets.len())..];
    assert!(after.len() >= 3, "{what}: {} packets", after.len());
    let mut after = after[after.len() - 3..].to_vec();
    // The first packet after the reset may follow a truncated frame, which the reader drops.
    let first_line = after[0].iter().rposition(|line| line.id == FIRST).expect("a packet has a first line");
    after[0].drain(..first_line);
    assert!(after == expected, "{what}");
}

#[test]
fn sender_reset_within_a_frame_leaves_the_link_usable() {
    for phase in (0..8_000).step_by(500) {
        for at in [0, 30_000, 90_000, 333_000, 555_000, 901_000, 1_203_000] {
            reset_in_traffic(0, 0, phase, at, 40);
        }
    }
}

#[test]
fn receiver_reset_within_a_frame_leaves_the_link_usable() {
    for phase in (0..8_000).step_by(500) {
        for at in [0, 30_000, 90_000, 333_000, 555_000, 901_000, 1_203_000] {
            reset_in_traffic(1, phase % 3_000, phase, at, 40);
        }
    }
}

#[test]
fn reset_at_every_edge_of_a_frame_leaves_the_link_usable() {
    for at in (0..1_500_000).step_by(2_000) {
        reset_in_traffic(0, 0, 0, at, 12);
        reset_in_traffic(1, 0, 0, at, 12);
    }
}

#[test]
fn long_truncated_frame_does_not_block_the_receiver() {
    // 400 lines without an end leave too little room for `rx_ready`; they must be read nevertheless.
    let mut bench = Bench::new(0, 0, 3, [1, 1, 1]);
    let mut random = Stimulus::new(9);
    bench.to_send.extend(packet(LID[1], 500, &mut random));
    while bench.swifs[1].receive_fifo.outputs().free > 600 {
        bench.step();
    }
    bench.controller_reset[0] = true;
    let end = bench.time + RESET_CYCLES * CORE_PERIOD;
    bench.run_until(end);
    bench.controller_reset[0] = false;
    let whole = packet(LID[1], 30, &mut random);
    bench.to_send.extend(&whole);
    bench.run_packets(2, 20);
    assert!(bench.packets[0].len() > 400);
    assert_eq!(bench.packets[0].iter().filter(|line| line.id == FIRST).count(), 2);
    assert!(bench.packets[1] == received(whole, LID[0]));
}
