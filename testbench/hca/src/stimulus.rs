//! Random pins of blocks whose pins belong together.

use cosim::Stimulus;
use hca::contexts::{Key, PairState};
use hca::link::link_receive;
use hca::traffic::wire::with_icrc;
use hca::{receive_engine, send_engine};

/// Packets of any length, most of them valid.
pub fn link_pins() -> impl FnMut(&mut Stimulus, &link_receive::Out) -> link_receive::In {
    let mut words = Vec::new().into_iter();
    move |stimulus, out| {
        let mut pins: link_receive::In = stimulus.pins();
        pins.release_slot = stimulus.one_in(8);
        // Packets of any length, most of them valid; a word stays until it is taken.
        if words.len() == 0 && stimulus.one_in(4) {
            let most = if stimulus.one_in(50) { 1_100 } else { 20 };
            let units = 5 + stimulus.below(most) as usize;
            let mut packet: Vec<u8> = (0..4 * units).map(|_| stimulus.word() as u8).collect();
            (packet[4], packet[5]) = (((units + 1) >> 8) as u8, (units + 1) as u8);
            let mut all = with_icrc(&packet);
            if stimulus.one_in(8) {
                let at = stimulus.below(all.len() as u64) as usize;
                all[at] ^= 1 << stimulus.below(64);
            }
            if stimulus.one_in(16) {
                all.truncate(1 + stimulus.below(8) as usize);
            }
            let last = all.len() - 1;
            words = all
                .into_iter()
                .enumerate()
                .map(|(i, word)| (word, i == last))
                .collect::<Vec<_>>()
                .into_iter();
        }
        pins.valid = false;
        if out.ready
            && !stimulus.one_in(4)
            && let Some((data, last)) = words.next()
        {
            (pins.data, pins.last, pins.valid) = (data, last, true);
        }
        pins
    }
}

/// State of a queue pair: mostly ready to send, at times another one in which the adapter works.
fn pair_state(stimulus: &mut Stimulus) -> u8 {
    use PairState::{Drained, Error, ReadyToReceive, ReadyToSend};
    let states = [ReadyToSend, ReadyToSend, ReadyToSend, ReadyToReceive, Drained, Error];
    states[stimulus.below(6) as usize].code()
}

/// A key of any row, of the variant 7.
fn key(word: u64) -> u64 {
    Key::of(Key::row_of(word as u32), 7).into()
}

/// Rows, WQEs and keys, mostly valid.
pub fn send_pins(stimulus: &mut Stimulus, out: &send_engine::Out) -> send_engine::In {
    let mut pins: send_engine::In = stimulus.pins();
    if !stimulus.one_in(4) {
        pins.attributes.state = pair_state(stimulus);
        pins.responder.failed = stimulus.one_in(16);
        pins.attributes.mtu = 1 + stimulus.below(4) as u8;
        pins.attributes.unreliable = stimulus.one_in(4);
        (pins.requester.dead, pins.requester.failed) = (false, stimulus.one_in(8));
        (pins.responder.answer, pins.reader.active) = (stimulus.one_in(4), stimulus.one_in(4));
        (pins.reader.key, pins.reader.left) = (Key::of(Key::row_of(pins.reader.key), 7), 700);
        // Data of the last packet, or one that waits behind it.
        if stimulus.one_in(2) {
            pins.reader.last = pins.reader.psn;
        }
        pins.reader.denied = stimulus.one_in(8);
        pins.reader.waiting = [0, 1, 15][stimulus.below(3) as usize];
        // A request of a few packets, one of which is the next; or an atomic operation.
        pins.requester.length = if stimulus.one_in(4) { 8 } else { 700 };
        pins.requester.psn = pins.requester.first.wrapping_add(stimulus.below(4) as u32) & 0xff_ffff;
        pins.requester.last = pins.requester.first.wrapping_add(stimulus.below(4) as u32) & 0xff_ffff;
        let far = stimulus.one_in(8);
        pins.requester.oldest =
            if far { pins.requester.psn.wrapping_sub(stimulus.word() as u32) } else { pins.requester.first }
                & 0xff_ffff;
        // Up to a few outstanding requests, at times as many as there may be; or an RDMA READ alone.
        pins.requester.begun = [0, 1, 1, 2, 3, 15, 16, 31][stimulus.below(8) as usize];
        pins.requester.active = pins.requester.begun != 0;
        pins.requester.held = stimulus.one_in(4);
        pins.requester.sent = match stimulus.below(4) {
            0 => 0,
            1 => pins.requester.begun.saturating_sub(1),
            _ => pins.requester.begun,
        };
        if !stimulus.one_in(4) {
            pins.requester.operation = [0x08, 0x0a, 0x10, 0x11][stimulus.below(4) as usize];
        }
        // The request of the packet: of a few packets, or an atomic operation.
        pins.request.first = out.requester.psn.wrapping_sub(stimulus.below(4) as u32) & 0xff_ffff;
        pins.request.last = out.requester.psn.wrapping_add(stimulus.below(4) as u32) & 0xff_ffff;
        pins.request.length = if stimulus.one_in(4) { 8 } else { 700 };
        pins.request.operation = [0x08, 0x09, 0x0a, 0x0b, 0x10, 0x11, 0x12][stimulus.below(7) as usize];
        pins.requester.deadline = pins.now.wrapping_add(stimulus.below(64) as u32).wrapping_sub(32);
        // The doorbell of the send queue, or that of the receive queue.
        let consumed = if stimulus.one_in(4) { out.responder.consumed } else { pins.requester.consumed };
        pins.bell = consumed.wrapping_add(stimulus.below(12) as u16);
    }
    // Words of a valid WQE, within its area.
    pins.word_valid = !stimulus.one_in(4);
    pins.key.valid = true;
    pins.key.variant = 7;
    pins.key.domain = pins.attributes.domain;
    (pins.key.base, pins.key.limit) = (0, u32::MAX.into());
    if stimulus.one_in(4) {
        pins.key = stimulus.pins();
    }
    if !stimulus.one_in(4) {
        pins.word = match pins.place {
            0 => pins.word & !0xff | [0x08, 0x09, 0x0a, 0x0b, 0x10, 0x11, 0x12][stimulus.below(7) as usize],
            1 => [stimulus.below(300), 8, 700, 700][stimulus.below(4) as usize] << 32 | pins.word & 0xffff,
            2 => key(pins.word),
            _ => pins.word,
        };
    }
    pins.copied = stimulus.one_in(16);
    pins
}

/// Packets and rows, mostly consistent.
pub fn receive_pins() -> impl FnMut(&mut Stimulus, &receive_engine::Out) -> receive_engine::In {
    let (mut index, mut kind, mut units, mut bytes, mut psn) = (0, 0x64, 8, 0, 0);
    let (mut unreliable, mut grouped) = (false, false);
    move |stimulus, out| {
        let mut pins: receive_engine::In = stimulus.pins();
        pins.lid = 0x1234;
        pins.attributes.q_key = 0x1122_3344;
        if !stimulus.one_in(4) {
            (pins.attributes.state, pins.attributes.connected) = (pair_state(stimulus), stimulus.one_in(2));
            pins.responder.failed = stimulus.one_in(16);
            pins.attributes.unreliable = unreliable != stimulus.one_in(8);
            (pins.attributes.peer_lid, pins.attributes.mtu) = (9, 1);
            (pins.responder.dead, pins.requester.dead, pins.requester.failed) = (false, false, false);
            // PSNs of the packet and of the answer are close to the expected ones.
            pins.responder.psn = stimulus.below(3) as u32;
            pins.responder.received = stimulus.below(600) as u32;
            pins.requester.oldest = stimulus.below(3) as u32;
            pins.requester.last = 1 + stimulus.below(3) as u32;
            pins.requester.newest = pins.requester.last + stimulus.below(3) as u32;
            pins.requester.begun = stimulus.below(4) as u8;
            pins.requester.sent = stimulus.below(4) as u8;
            // Arriving data may belong to the outstanding RDMA READ.
            (pins.requester.first, pins.requester.length) = (pins.requester.oldest, bytes);
            (pins.requester.active, pins.requester.operation) =
                (true, [0x0a, 0x0a, 0x10, 0x11, 0x12][stimulus.below(5) as usize]);
            if matches!(kind, 0x0d..=0x10 | 0x12) && !stimulus.one_in(4) {
                (pins.requester.oldest, pins.requester.first) = (psn, psn);
                pins.requester.last = if kind >= 0x0f { psn } else { psn + 1 };
                let atomic = 0x11 + stimulus.below(2) as u8;
                pins.requester.operation = if kind == 0x12 { atomic } else { 0x10 };
            }
            // The saved answer may be that of the packet.
            (pins.reader.atomic, pins.reader.last) = (stimulus.one_in(2), stimulus.below(4) as u32);
            // The RDMA READ may continue those that wait, of which there may be as many as have places.
            pins.reader.newest = stimulus.below(4) as u32;
            pins.reader.waiting = [0, 1, 14, 15][stimulus.below(4) as usize];
            (pins.responder.writes, pins.responder.length) = (stimulus.one_in(2), bytes);
            pins.attributes.shared = stimulus.one_in(3);
            pins.shared.taken = pins.responder.consumed;
            (pins.shared.log, pins.limit.least) = (4, stimulus.below(12) as u16);
            pins.bell = pins.responder.consumed.wrapping_add(stimulus.below(12) as u16);
        }
        // Few queue pairs are attached, or none.
        (0..5).for_each(|_| pins.members &= stimulus.word());
        pins.word_valid = !stimulus.one_in(4);
        pins.key.valid = true;
        (pins.key.local_write, pins.key.variant, pins.key.domain) = (true, 7, pins.attributes.domain);
        (pins.key.base, pins.key.limit) = (0, u32::MAX.into());
        if stimulus.one_in(4) {
            pins.key = stimulus.pins();
        }
        if !stimulus.one_in(4) {
            pins.word = match pins.place {
                0 => stimulus.below(3_000) << 32 | pins.word & 0xffff,
                1 => u64::from(bytes) << 32 | key(pins.word),
                2 => key(pins.word),
                _ => pins.word,
            };
        }
        // The operand of an atomic operation, which a comparison expects.
        if out.copy && !out.transfer.to_host && out.transfer.bytes == 8 {
            pins.word = stimulus.below(2);
        }
        pins.copied = stimulus.one_in(16);
        // Word requested in the cycle before, of a packet with at most one fault.
        if index == 0 {
            kind = match stimulus.below(8) {
                0 => 0x64 + stimulus.below(2) as u8,
                1 => stimulus.below(6) as u8,
                2 => 0x06 + stimulus.below(6) as u8,
                3 => 0x0d + stimulus.below(4) as u8,
                4 => 0x0c,
                5 => 0x12,
                6 => 0x13 + stimulus.below(2) as u8,
                _ => 0x11,
            };
            // Kinds of an unreliable connection, a few of which do not exist.
            unreliable = kind <= 0x0c && stimulus.one_in(4);
            // Some packets are for multicast groups, mostly datagrams.
            grouped = stimulus.one_in(if kind >= 0x64 { 2 } else { 64 });
            psn = stimulus.below(4) as u32;
            // Words of the headers; an acknowledgement has no data, a middle packet is full.
            let header = match kind {
                0x06 | 0x0a | 0x0c => 9,
                0x0b => 10,
                0x13 | 0x14 => 12,
                0x03 | 0x05 | 0x09 | 0x0d | 0x0f | 0x10 | 0x11 | 0x12 => 6,
                0x64 => 7,
                0x65 => 8,
                _ => 5,
            };
            let data = match kind {
                0x0c | 0x11 | 0x13 | 0x14 => 0,
                0x12 if stimulus.one_in(8) => 3,
                0x12 => 2,
                0x00 | 0x01 | 0x06 | 0x07 | 0x0d | 0x0e => 64,
                _ => stimulus.below(30) as u8,
            };
            (units, bytes) = (header + data + 1, 4 * u32::from(data));
        }
        let word = stimulus.word() as u8;
        let whole = bytes == 0 || bytes == 256 || kind == 0x12 && !stimulus.one_in(8);
        let pad = if whole || stimulus.one_in(2) { 0 } else { word & 0x30 };
        // Length in the RETH of an RDMA WRITE or READ.
        let total = if matches!(kind, 0x06 | 0x0c) { 400 } else { bytes }.to_be_bytes();
        let near = if matches!(kind, 0x13 | 0x14) && !stimulus.one_in(8) { 8 } else { 5 };
        let lid = if grouped { [0xc0, word & 0xf] } else { [0x12, 0x34] };
        let all = grouped && !stimulus.one_in(32);
        let [.., high, low] = stimulus.below(260).to_be_bytes();
        let pair = if all { [0xff; 3] } else { [0, high, low] };
        let good: [[u8; 8]; 6] = [
            [0, 2, lid[0], lid[1], 0, units, 0, 9],
            [if unreliable { kind | 0x20 } else { kind }, pad, 0xff, 0xff, 0, pair[0], pair[1], pair[2]],
            if kind >= 0x64 {
                [0, 0, 0, 1, 0x11, 0x22, 0x33, 0x44]
            } else {
                let remote = matches!(kind, 0x06 | 0x0a | 0x0b | 0x0c | 0x13 | 0x14) && !stimulus.one_in(8);
                [word & 0x80, 0, 0, psn as u8, if remote { 0 } else { word & 0x63 }, 0, 0, 0]
            },
            [0, 0, 0, near, 0, 0, 0x70 | word & 0xf, word],
            [total[0], total[1], total[2], total[3], 1, 2, 3, 4],
            // The value that a compare-and-swap expects.
            [0, 0, 0, 0, 0, 0, 0, word & 1],
        ];
        if !stimulus.one_in(64) {
            pins.memory_rdata = u64::from_le_bytes(good[index]);
        }
        index = usize::from(out.memory_address & 7).min(5);
        pins
    }
}
