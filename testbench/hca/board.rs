//! Two adapters on a cable, each in lockstep.

use cosim::Lockstep;
use hca::Hca;
use hca::traffic::datagrams::Datagrams;
use hca::traffic::pair::Pair;
use hca::traffic::wire::Faults;
use hdl::Model;

/// An adapter after reset.
pub fn adapter(seed: u64, test: &str) -> Lockstep<Model<Hca>> {
    let rtl = hca_rtl::open("hca").expect("the adapter is verilated");
    let pair = Lockstep::open(Model::new(Hca::default()), Box::new(rtl));
    pair.unwrap_or_else(|error| panic!("{error}"))
        .replay(seed, format!("SEED={seed} cargo test -p testbench --test hca {test}"))
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
