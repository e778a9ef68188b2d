//! Two adapters on a cable, each in lockstep.

use cosim::{Lockstep, Stimulus};
use hca::clocks::CORE;
use hca::contexts::Attributes;
use hca::pins::In;
use hca::traffic::Traffic;
use hca::traffic::connection::Connection;
use hca::traffic::datagrams::Datagrams;
use hca::traffic::pair::Pair;
use hca::traffic::wire::Faults;
use hca::{Hca, RESETS};
use hdl::{Model, Nic};

const CYCLES: usize = 1_600_000;

/// An adapter after reset.
pub fn adapter(seed: u64, test: &str) -> Lockstep<Model<Hca>> {
    let rtl = hca_rtl::open("hca").expect("the adapter is verilated");
    let pair = Lockstep::open(Model::new(Hca::default()), Box::new(rtl));
    pair.unwrap_or_else(|error| panic!("{error}")).resets(RESETS).replay(seed, testbench::replay(seed, test))
}

/// Bytes that tell one message from another.
fn message(i: usize) -> Vec<u8> {
    (0..1 + i * 17).map(|b| (b * 7 + i * 13) as u8).collect()
}

#[test]
fn two_adapters_in_lockstep_exchange_datagrams_over_a_bad_cable() {
    for seed in testbench::seeds() {
        let adapters = [0, 1].map(|_| adapter(seed, "two_adapters"));
        let mut pair = Pair::new(adapters, seed, Faults { lost: 6, damaged: 8, cut: 8 });
        let mut programs =
            [(0, 1, 2), (1, 2, 9)].map(|(i, lid, qpn)| Datagrams::new(&mut pair.hosts[i], lid, qpn));
        pair.hosts[0].stalls = 2;
        pair.wires[1].stalls = 3;
        let mut sent = 0;
        for cycle in 0..150_000u32 {
            pair.step().unwrap_or_else(|error| panic!("{error}"));
            for node in [0, 1] {
                programs[node].poll(&mut pair.hosts[node]);
                if cycle > 25_000 && cycle % 64 == 0 && programs[node].waiting() < 6 && sent < 120 {
                    let immediate = (sent % 2 == 0).then_some(sent as u32);
                    programs[node].send(
                        &mut pair.hosts[node],
                        [2, 1][node],
                        [9, 2][node],
                        &message(sent),
                        immediate,
                    );
                    sent += 1;
                }
            }
        }
        for adapter in &mut pair.adapters {
            adapter.compare_memories().unwrap_or_else(|error| panic!("{error}"));
            adapter.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        }
        let received: Vec<_> = programs.iter().flat_map(|program| &program.received).collect();
        assert!(sent == 120 && received.len() > 60 && received.len() < 120, "{sent} {}", received.len());
        assert!(received.iter().all(|datagram| datagram.bytes == message((datagram.bytes.len() - 1) / 17)));
        assert!(pair.hosts.iter().all(|host| host.strays == 0));
    }
}

#[test]
fn two_adapters_in_lockstep_keep_a_connection_over_a_bad_cable() {
    for seed in testbench::seeds() {
        let adapters = [0, 1].map(|_| adapter(seed, "two_adapters"));
        let mut pair = Pair::new(adapters, seed, Faults { lost: 8, damaged: 12, cut: 15 });
        // Each end has attributes of its own.
        let (lids, qpns) = ([1, 2], [2, 9]);
        let attributes = Connection::unlike(&mut Stimulus::new(seed), lids, qpns);
        let mut programs = [0, 1].map(|end: usize| {
            let timeout = 2 + end as u8;
            let attributes = Attributes { timeout, retries: 7, rnr_retries: 7, ..attributes[end] };
            Connection::new(&mut pair.hosts[end], lids[end], qpns[end], attributes)
        });
        pair.hosts[0].stalls = 2;
        pair.wires[1].stalls = 3;
        let text = |i: usize| (0..i * 197 % 2_000).map(|b| (b * 7 + i * 13) as u8).collect::<Vec<_>>();
        let mut sent = [0; 2];
        for cycle in 0..600_000u32 {
            pair.step().unwrap_or_else(|error| panic!("{error}"));
            if cycle < 25_000 || cycle % 256 != 0 {
                continue;
            }
            for node in [0, 1] {
                let (program, host) = (&mut programs[node], &mut pair.hosts[node]);
                program.poll(host);
                if program.waiting() < 4 && sent[node] < 20 {
                    program.send(host, &text(sent[node]), (sent[node] % 2 == 0).then_some(sent[node] as u32));
                    sent[node] += 1;
                }
                // The receiver is late now and then.
                if usize::from(program.posted) < program.received.len() + 2 && cycle % 4_096 == 0 {
                    program.post(host);
                }
            }
        }
        for adapter in &mut pair.adapters {
            adapter.compare_memories().unwrap_or_else(|error| panic!("{error}"));
            adapter.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        }
        for program in &programs {
            let expected: Vec<_> = (0..20).map(|i| (text(i), (i % 2 == 0).then_some(i as u32))).collect();
            assert!(program.errors.is_empty() && program.waiting() == 0, "seed {seed}");
            assert!(program.received == expected, "seed {seed}: {}", program.received.len());
        }
        assert!(pair.wires.iter().all(|wire| wire.losses > 5));
        assert!(pair.hosts.iter().all(|host| host.strays == 0));
    }
}

#[test]
fn adapter_matches_its_rtl_in_every_cycle_and_walks_every_arc() {
    let mut total = None;
    for seed in testbench::several_seeds() {
        let mut pair = adapter(seed, "adapter_matches");
        let mut traffic = Traffic::watched(seed);
        for _ in 0..CYCLES {
            let pins = *traffic.pins(CORE, pair.outputs());
            pair.step(CORE, &pins).unwrap_or_else(|error| panic!("{error}"));
        }
        if let Some(violation) = traffic.violation() {
            panic!("seed {seed}: {violation}");
        }
        let adapter = pair.model().device();
        assert!(
            adapter.receive_engine.counts.received != 0 && adapter.host_port.refused != 0,
            "the traffic is bad, too"
        );
        pair.compare_memories().unwrap_or_else(|error| panic!("{error}"));
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        let total = total.get_or_insert_with(|| pair.coverage().clone());
        total.merge(pair.coverage());
    }
    let total = total.expect("there is a seed");
    // No engine starts a transfer of no bytes; only the test of the block does.
    assert_eq!(total.missing(), ["host_dma.state: Measure -> Done"], "{total}");
}

#[test]
fn pins_of_any_value_end_in_no_difference() {
    for seed in testbench::seeds() {
        let mut pair = adapter(seed, "pins_of_any_value");
        let mut random = Stimulus::new(seed);
        for _ in 0..300_000 {
            let mut pins: In = random.pins();
            if !random.one_in(8) {
                pins.host.enable = false;
            } else if random.one_in(4) {
                (pins.host.address, pins.host.wdata, pins.host.write, pins.host.user) = (0, 1, true, false);
            }
            pair.step(CORE, &pins).unwrap_or_else(|error| panic!("{error}"));
        }
        pair.compare_memories().unwrap_or_else(|error| panic!("{error}"));
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
    }
}
