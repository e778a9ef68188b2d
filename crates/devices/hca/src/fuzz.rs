//! Fuzz targets: functions of arbitrary bytes that panic if an adapter mishandles packets or requests.
//!
//! Whatever arrives from the cable or stands in a send ring, memory is written only where a key allows it,
//! and an adapter works again once its queue pairs are set up anew. `testbench/fuzz` feeds the targets from
//! libFuzzer, `tests/fuzz.rs` from proptest, and `testbench/hca/tests/device/fuzz.rs` in lockstep from seeds.

use hdl::Model;

use crate::Hca;
use crate::contexts::Attributes;
use crate::layout::{SendWqe, UNRELIABLE};
use crate::registers::Doorbell;
use crate::traffic::connection::{Connection, WINDOW, WINDOW_KEY};
use crate::traffic::datagrams::{AREA, KEY, SEND_RING};
use crate::traffic::pair::Pair;
use crate::traffic::wire::Faults;

/// Queue pair of the connection, at both ends.
const QPNS: [u8; 2] = [2, 9];
/// Packets or requests in one input, at most.
const MOST: usize = 24;
/// Packets or requests between two set-ups of the queue pairs.
const TOGETHER: usize = 8;
/// Bytes of memory below rings and areas; no key allows writing there.
const NOBODYS: usize = 0x1000;

/// Sends packets of arbitrary content to the second adapter. The first byte decides whether the connection is reliable.
pub fn packets(input: &[u8]) {
    let mut bytes = Bytes(input);
    let mut bench = Bench::of(bytes.byte() & 1 == 1);
    for number in 0..MOST {
        if bytes.0.is_empty() {
            break;
        }
        let packet = any_packet(&mut bytes, bench.unreliable);
        bench.pair.wires[0].inject_packet(&packet);
        if number % TOGETHER == TOGETHER - 1 {
            bench.settle();
        }
    }
    bench.still_works();
}

/// Puts arbitrary words on the cable, without ICRC: none of them is a valid packet.
pub fn noise(input: &[u8]) {
    let mut bench = Bench::new();
    for stretch in input.chunks(400) {
        let (words, rest) = stretch.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|word| u64::from_be_bytes(*word)).collect();
        let length = usize::from(rest.first().copied().unwrap_or(u8::MAX)).clamp(1, 50);
        words.chunks(length).for_each(|packet| bench.pair.wires[0].inject(packet));
    }
    bench.settle();
    bench.still_works();
}

/// Puts arbitrary requests into the send ring of the second host and rings arbitrary doorbells.
pub fn requests(input: &[u8]) {
    let (mut bench, mut bytes) = (Bench::new(), Bytes(input));
    for number in 0..MOST {
        if bytes.0.is_empty() {
            break;
        }
        let (host, count) = (&mut bench.pair.hosts[1], (number % TOGETHER) as u16);
        host.put_send(SEND_RING.0, SEND_RING.1, count, &any_request(&mut bytes));
        let (send, receive) = (bytes.byte(), bytes.byte());
        let posted = if send & 0x80 == 0 { count + 1 } else { u16::from(send) << 8 | u16::from(receive) };
        host.ring(Doorbell::SendBell, QPNS[1], posted, send & 1 == 1);
        host.ring(Doorbell::ReceiveBell, QPNS[1], u16::from(receive) % 17, false);
        if number % TOGETHER == TOGETHER - 1 {
            bench.settle();
        }
    }
    bench.settle();
    bench.still_works();
}

/// A packet for the second adapter; its first byte selects which fields are valid.
fn any_packet(bytes: &mut Bytes<'_>, unreliable: bool) -> Vec<u8> {
    let wrong = bytes.byte();
    let kind = if wrong & 1 == 0 { bytes.byte() % 21 } else { bytes.byte() };
    let mut bth = vec![if unreliable { kind ^ UNRELIABLE } else { kind }];
    bth.extend(bytes.take(3));
    bth.extend([0, 0, 0, QPNS[1]]);
    bth.extend([bytes.byte() & 0x80, 0, 0, bytes.byte() % 6]);
    if wrong & 2 == 0 {
        bth[1..4].copy_from_slice(&[0, 0xff, 0xff]);
    }
    let reth = |bytes: &mut Bytes<'_>| {
        let (near, length) = (u64::from(bytes.byte()), u32::from(bytes.byte()) * 4);
        let address = u64::from(WINDOW.0) + near;
        [&address.to_be_bytes()[..], &WINDOW_KEY.to_be_bytes(), &length.to_be_bytes()].concat()
    };
    let more = match kind {
        0x06 | 0x0a..=0x0c => reth(bytes),
        0x0d | 0x0f..=0x12 => vec![bytes.byte(), 0, 0, bytes.byte()],
        0x13 | 0x14 => {
            let remote = reth(bytes);
            [&remote[..12], &[bytes.byte(); 16]].concat()
        }
        _ => vec![],
    };
    let data = if wrong & 4 == 0 { 512 } else { 4 * usize::from(bytes.byte() % 140) };
    let body = [&bth[..], &more, &vec![0xa5; data]].concat();
    let units = 2 + body.len() / 4 + 1;
    let mut packet = [0x00, 0x02, 0x00, 0x02, (units >> 8) as u8, units as u8, 0x00, 0x01].to_vec();
    packet.extend(body);
    // The length stays valid, or the link would drop the packet.
    for _ in 0..wrong >> 6 {
        let (at, bit) = (8 + usize::from(bytes.byte()) % (packet.len() - 8), bytes.byte() % 8);
        packet[at] ^= 1 << bit;
    }
    packet
}

/// A request of the second host; its first byte selects which fields are valid.
fn any_request(bytes: &mut Bytes<'_>) -> SendWqe {
    let wrong = bytes.byte();
    let mut field = |bit: u32, right: u32| if wrong >> bit & 1 == 1 { bytes.word() } else { right };
    SendWqe {
        address: field(1, AREA.0),
        l_key: field(2, KEY),
        r_key: field(3, WINDOW_KEY),
        remote: u64::from(field(4, WINDOW.0)),
        destination: field(5, QPNS[0].into()),
        lid: field(6, 1) as u16,
        length: field(7, 600),
        operation: if wrong & 1 == 1 {
            bytes.byte()
        } else {
            [0x08, 0x0a, 0x10, 0x11, 0x12][usize::from(bytes.byte() % 5)]
        },
        signalled: bytes.byte() & 1 == 1,
        ..SendWqe::default()
    }
}

/// The input: bytes, then zeros once they run out.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn take(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.byte()).collect()
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }
}

/// Two adapters with a connection, and a copy of the memory that must not change.
struct Bench {
    pair: Pair<Model<Hca>>,
    unreliable: bool,
    nobodys: Vec<u8>,
}

impl Bench {
    fn new() -> Bench {
        Bench::of(false)
    }

    fn of(unreliable: bool) -> Bench {
        let mut pair = Pair::new([0, 1].map(|_| Model::new(Hca::default())), 1, Faults::default());
        // Requests change while they are outstanding.
        pair.monitor.rewritten = true;
        let mut bench = Bench { pair, unreliable, nobodys: Vec::new() };
        bench.connect();
        bench.run(250);
        bench.nobodys = bench.pair.hosts[1].load(0, NOBODYS);
        bench
    }

    fn attributes(&self, end: usize) -> Attributes {
        let peer = 1 - end;
        Attributes {
            timeout: 1,
            retries: 1,
            unreliable: self.unreliable,
            send_psn: 0,
            receive_psn: 0,
            ..Connection::attributes(peer as u16 + 1, QPNS[peer].into())
        }
    }

    /// Sets up both ends and returns their programs.
    fn connect(&mut self) -> [Connection; 2] {
        [0, 1].map(|end: usize| {
            let attributes = self.attributes(end);
            Connection::new(&mut self.pair.hosts[end], end as u16 + 1, QPNS[end], attributes)
        })
    }

    fn run(&mut self, us: u64) {
        self.pair.run_until(us * 1_000_000, |_| false).expect("a model never fails");
    }

    /// Runs until all work is done, and sets the queue pair up anew.
    fn settle(&mut self) {
        self.run(40);
        let attributes = self.attributes(1);
        self.pair.hosts[1].set_pair(QPNS[1], attributes);
        self.run(35);
    }

    /// Protected memory is unchanged, and after a new set-up the connection carries a message.
    fn still_works(&mut self) {
        self.settle();
        assert_eq!(self.pair.hosts[1].load(0, NOBODYS), self.nobodys, "no key allows that");
        assert!(self.pair.hosts.iter().all(|host| host.strays == 0), "there is no such memory");
        let mut programs = self.connect();
        self.run(300);
        programs[0].write(&mut self.pair.hosts[0], b"good", WINDOW.0 + 5, None);
        self.run(30);
        assert_eq!(self.pair.hosts[1].load(WINDOW.0 + 5, 4), b"good");
    }
}
