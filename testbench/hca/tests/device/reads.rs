//! Several RDMA READs in lockstep: over a faulty cable, both ways, and more than the responder has places for.

use hca::contexts::{Attributes, OUTSTANDING};
use hca::layout::PacketKind;
use hca::traffic::connection::{WINDOW, WINDOW_KEY};
use hca::traffic::packet::Packet;
use hca::traffic::wire::Faults;

use crate::ends::Ends;

/// Ends that differ in how many RDMA READs they have outstanding.
fn ends(seed: u64, faults: Faults) -> Ends {
    Ends::new(seed, "reads", faults, |end, attributes| Attributes {
        timeout: 2,
        reads: [16, 3][usize::from(end)],
        send_log: 4,
        send_psn: 0,
        receive_psn: 0,
        ..attributes
    })
}

/// Bytes that tell one address from another.
fn pattern(end: usize) -> Vec<u8> {
    (0..20_000).map(|at: usize| (at * 7 + at / 251 + end) as u8).collect()
}

#[test]
fn adapters_in_lockstep_read_from_each_other_over_a_bad_cable() {
    for seed in testbench::seeds() {
        let mut ends = ends(seed, Faults { lost: 12, damaged: 17, cut: 23 });
        ends.pair.hosts[0].stalls = 2;
        ends.pair.wires[1].stalls = 3;
        for end in [0, 1] {
            ends.pair.hosts[end].store(WINDOW.0, &pattern(end));
        }
        let place = |i: usize| (1_100 * i, (i * 397) % 2_000);
        for i in 0..8 {
            let (from, bytes) = place(i);
            for end in [0, 1] {
                let (program, host) = (&mut ends.programs[end], &mut ends.pair.hosts[end]);
                program.read(host, bytes as u32, WINDOW.0 + from as u32);
            }
        }
        for _ in 0..400 {
            if ends.programs.iter().any(|program| program.waiting() != 0) {
                ends.run(50);
            }
        }
        assert!(ends.programs.iter().all(|program| program.errors.is_empty()), "seed {seed}");
        for end in [0, 1] {
            let expected: Vec<_> =
                (0..8).map(|i| pattern(1 - end)[place(i).0..][..place(i).1].to_vec()).collect();
            assert!(ends.programs[end].read == expected, "seed {seed}, end {end}");
        }
        ends.finish();
    }
}

#[test]
fn flood_of_reads_ends_at_the_one_without_a_right() {
    let mut ends = ends(1, Faults::default());
    let length = 3_000;
    let packets = u32::from(3_000u16.div_ceil(512));
    for i in 0..18 {
        let key = if i == 5 { 0x999 } else { WINDOW_KEY };
        let packet = Packet::new(PacketKind::ReadRequest, (1, 2), 9, packets * i);
        ends.pair.wires[0].inject_packet(&packet.remote(WINDOW.0.into(), key, length).bytes());
    }
    ends.run(12);
    let reader = ends.device().readers.words()[9];
    assert!(usize::from(reader.waiting) > OUTSTANDING / 2, "{reader:?}");
    // The sixth one has no right: nothing is sent behind its NAK.
    ends.run(400);
    assert!(ends.device().responders.words()[9].failed);
    assert_eq!(ends.pair.wires[1].sent.len(), 5 * packets as usize + 1);
    ends.finish();
}
