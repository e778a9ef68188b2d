//! Packets and WQEs with random faults, in lockstep: model and RTL agree, memory is written only where a key
//! allows it, and the adapter works after its queue pairs are set up anew.

use cosim::Stimulus;
use hca::contexts::Attributes;
use hca::layout::{SendWqe, UNRELIABLE};
use hca::registers::Doorbell;
use hca::traffic::connection::{Connection, WINDOW, WINDOW_KEY};
use hca::traffic::datagrams::{AREA, KEY, SEND_RING};
use hca::traffic::pair::Pair;
use hca::traffic::wire::Faults;

use crate::board::adapter;

/// A packet of any kind for the second adapter, with most bytes valid.
fn packet(random: &mut Stimulus, unreliable: bool) -> Vec<u8> {
    let kind = if random.one_in(8) { random.word() as u8 } else { random.below(18) as u8 };
    let address = u64::from(WINDOW.0) + random.below(100);
    let length = random.below(600) as u32;
    let reth = [&address.to_be_bytes()[..], &WINDOW_KEY.to_be_bytes(), &length.to_be_bytes()].concat();
    let more = match kind {
        0x06 | 0x0a..=0x0c => reth,
        0x0d | 0x0f..=0x11 => vec![random.word() as u8 & 0x63, 0, 0, 0],
        _ => vec![],
    };
    let data = if random.one_in(3) { 512 } else { 4 * random.below(64) as usize };
    let kind = if unreliable && !random.one_in(8) { kind ^ UNRELIABLE } else { kind };
    let bth = [kind, 0, 0xff, 0xff, 0, 0, 0, 9, random.word() as u8, 0, 0, random.below(6) as u8];
    let units = 2 + (bth.len() + more.len() + data) / 4 + 1;
    let lrh = [0x00, 0x02, 0x00, 0x02, (units >> 8) as u8, units as u8, 0x00, 0x01];
    let mut packet = [&lrh[..], &bth, &more, &vec![0xa5; data]].concat();
    for _ in 0..random.below(3) {
        // The length stays valid, or the link would drop the packet.
        let at = 8 + random.below(packet.len() as u64 - 8) as usize;
        packet[at] ^= 1 << random.below(8);
    }
    packet
}

/// A random request of the second host.
fn request(random: &mut Stimulus) -> SendWqe {
    let near = |random: &mut Stimulus, value: u32| {
        if random.one_in(4) { random.word() as u32 } else { value }
    };
    let operation = [0x08, 0x09, 0x0a, 0x0b, 0x10][random.below(5) as usize];
    SendWqe {
        operation: near(random, operation) as u8,
        signalled: random.one_in(2),
        solicited: random.one_in(2),
        address: near(random, AREA.0),
        length: near(random, 600),
        l_key: near(random, KEY),
        r_key: near(random, WINDOW_KEY),
        remote: near(random, WINDOW.0).into(),
        destination: near(random, 2),
        lid: near(random, 1) as u16,
        ..SendWqe::default()
    }
}

#[test]
fn packets_and_requests_in_which_anything_is_wrong_do_no_harm() {
    for (seed, unreliable) in testbench::seeds().into_iter().flat_map(|seed| [(seed, false), (seed, true)]) {
        let mut random = Stimulus::new(seed);
        let mut pair = Pair::new([0, 1].map(|_| adapter(seed, "fuzz")), seed, Faults::default());
        // Requests change while they are outstanding.
        pair.monitor.rewritten = true;
        let attributes = |lid, peer| Attributes {
            timeout: 1,
            retries: 1,
            unreliable,
            send_psn: 0,
            receive_psn: 0,
            ..Connection::attributes(lid, peer)
        };
        for (i, lid, qpn, peer_lid, peer) in [(0, 1, 2, 2, 9), (1, 2, 9, 1, 2)] {
            Connection::new(&mut pair.hosts[i], lid, qpn, attributes(peer_lid, peer));
        }
        let run = |pair: &mut Pair<_>, us: u64| {
            pair.run_until(us * 1_000_000, |_| false).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        };
        run(&mut pair, 250);
        // Rings lie below the registered areas; the first page is unused.
        let nobodys = pair.hosts[1].load(0, 0x1000);
        for _ in 0..60 {
            for _ in 0..8 {
                pair.wires[0].inject_packet(&packet(&mut random, unreliable));
            }
            let count = random.word() as u16;
            pair.hosts[1].put_send(SEND_RING.0, SEND_RING.1, count, &request(&mut random));
            let posted = if random.one_in(8) { count } else { random.below(8) as u16 };
            pair.hosts[1].ring(Doorbell::SendBell, 9, posted, false);
            pair.hosts[1].ring(Doorbell::ReceiveBell, 9, random.below(17) as u16, false);
            run(&mut pair, 30);
            pair.hosts[1].set_pair(9, attributes(1, 2));
            run(&mut pair, 35);
        }
        assert_eq!(pair.hosts[1].load(0, 0x1000), nobodys, "seed {seed}");
        assert!(pair.hosts.iter().all(|host| host.strays == 0), "seed {seed}");
        // Set up anew, it works.
        let mut programs = [(0, 1, 2, 2, 9), (1, 2, 9, 1, 2)].map(|(i, lid, qpn, peer_lid, peer)| {
            let program = Connection::new(&mut pair.hosts[i], lid, qpn, attributes(peer_lid, peer));
            pair.hosts[i].store(0x4000, &[0; 1024]);
            program
        });
        run(&mut pair, 300);
        programs[0].write(&mut pair.hosts[0], b"good", WINDOW.0 + 5, None);
        run(&mut pair, 30);
        assert_eq!(pair.hosts[1].load(WINDOW.0 + 5, 4), b"good", "seed {seed}");
        for adapter in &mut pair.adapters {
            adapter.compare_memories().unwrap_or_else(|error| panic!("{error}"));
            adapter.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        }
    }
}
