//! What comes next in the receive engine, state by state.

use super::{In, ReceiveEngine, Says, State};
use crate::key_check;
use crate::layout::{
    GRH_BYTES, MAX_MESSAGE, RECEIVE_WQE_BYTES, SEND_WQE_BYTES, Status, mtu_bytes, rnr_ticks, timeout_ticks,
};
use crate::protocol::{requester, responder};

impl ReceiveEngine {
    #[inline(always)]
    pub(super) fn next(&mut self, pins: &In) {
        use State::*;
        let q = *self;
        let d = self;
        // What counts in few states is found there: most cycles wait for the bus.

        // Two units of the headers: each had its highest byte first on the wire.
        let first = (pins.memory_rdata as u32).swap_bytes();
        let second = ((pins.memory_rdata >> 32) as u32).swap_bytes();
        // What is left for the data, the ICRC behind them: whole units, so that those which fill up the last one have room if there is any.
        let overhead = u16::from(q.says.units) + 1;
        let formed = || {
            (q.says.datagram || q.says.connected)
                && q.next_header == 2
                && q.version == 0
                && q.holds
                && (q.room != 0 || q.pad == 0)
                && q.room <= 2048
                && (!(q.says.acknowledge || q.says.read) || q.room == 0)
        };
        // Places in the ring, and where the oldest WQE lies.
        let attributes = &pins.attributes;
        let size = 1u32 << attributes.receive_log;
        let place = pins.responder.consumed & (size - 1) as u16;
        let request = pins.requester.consumed & ((1 << attributes.send_log) - 1);
        // The packets of an RDMA READ: where the one that is due begins, and its bytes; how many a peer's has.
        let log = 7 + u32::from(attributes.mtu & 7);
        let mtu = mtu_bytes(attributes.mtu);
        let number = q.requester.oldest.wrapping_sub(q.requester.first) & 0xff_ffff;
        let offset = number << log;
        // What an answer is for, by distances from the oldest packet; of the bytes of the last packet of data, only the lowest bits count.
        let left = (q.requester.length as u16).wrapping_sub(u16::from(q.begun) << log) & 0xfff;
        let remains = q.requester.oldest == q.requester.last;
        let due = if remains { left } else { mtu };
        let distance = |psn: u32| psn.wrapping_sub(q.requester.oldest) & 0xff_ffff;
        let (sent, answered, all) = (distance(q.requester.psn), distance(q.psn), distance(q.requester.last));
        let behind = (q.length.wrapping_sub(1) >> log) & 0xff_ffff;
        // The bytes of a packet are as many as one like it has. Of what an RDMA WRITE has to bring, it brings all, or less.
        let sized = || {
            let coming = if q.says.begins { q.length } else { q.responder.write_left };
            let (whole, less) = (coming == q.bytes.into(), coming > q.bytes.into());
            if q.says.read {
                q.length <= MAX_MESSAGE && mtu != 0
            } else if q.says.ends {
                q.bytes <= mtu && (q.says.begins || q.bytes != 0) && (!q.says.write || whole)
            } else {
                q.bytes == mtu && q.bytes != 0 && (!q.says.write || less)
            }
        };
        // The data and what is in front of them must have room in the buffer.
        let ahead = if q.connected { q.responder.received } else { GRH_BYTES };
        let needed = ahead.wrapping_add(q.bytes.into());
        let misfits = if q.answer { q.length != q.requester.length } else { q.total > q.length };
        let allowed = || {
            key_check::check(&key_check::In {
                row: pins.key,
                key: q.l_key,
                domain: attributes.domain,
                address: q.address,
                length: q.length,
                reach: q.reach,
                local_write: !q.says.write && !q.says.read,
                remote_write: q.says.write,
                remote_read: q.says.read,
            })
            .allowed
        };

        let remote = q.says.write || q.says.read;
        let beyond = q.says.remote && q.q_key != 0;
        let verdict = || {
            if !remote && q.misfits {
                Status::LengthError
            } else if remote && (!allowed() || beyond) {
                Status::RemoteAccess
            } else if !allowed() {
                Status::ProtectionError
            } else {
                Status::Success
            }
        };

        // How far the next deadline is, which an RNR NAK asks for, and when.
        let ticks = || {
            let syndrome = (q.q_key >> 24) as u8;
            let put_off = q.says.acknowledge && syndrome >> 5 & 3 == 1;
            if put_off { rnr_ticks(syndrome & 0x1f) } else { timeout_ticks(attributes.timeout) }
        };
        let deadline = || pins.now.wrapping_add(q.ticks);

        // The rules of a connection: one for each state that has one.
        let row = || {
            responder::apply(&responder::In {
                row: q.responder,
                reader: q.reader,
                cause: match q.state {
                    Judge => responder::Cause::Arrive,
                    Take if q.good => responder::Cause::Take,
                    Take => responder::Cause::Refuse,
                    _ => responder::Cause::Nothing,
                }
                .code(),
                psn: q.psn,
                first: q.says.begins,
                last: q.says.ends,
                asks: q.asks,
                bytes: q.bytes,
                follows: q.follows,
                repeats: q.repeats,
                sized: q.sized,
                mtu,
                ready: q.ready,
                rnr_timer: attributes.rnr_timer,
                code: match q.status {
                    status if status == Status::LengthError.code() => 1,
                    status if status == Status::RemoteAccess.code() => 2,
                    _ => 3,
                },
                write: q.says.write,
                read: q.says.read,
                immediate: q.says.immediate,
                address: q.address,
                length: q.length,
                key: q.l_key,
                more: q.more,
            })
        };
        let rule = || {
            requester::apply(&requester::In {
                row: q.requester,
                cause: match q.state {
                    Answer if q.says.response => requester::Cause::Respond,
                    Answer => requester::Cause::Answer,
                    Take if q.good => requester::Cause::Take,
                    Take => requester::Cause::Fail,
                    _ => requester::Cause::Nothing,
                }
                .code(),
                psn: q.psn,
                ends: q.says.ends,
                fits: q.bytes == q.due,
                belongs: q.belongs,
                overtakes: q.overtakes,
                next: q.next,
                closes: q.closes,
                remains: q.remains,
                syndrome: (q.q_key >> 24) as u8,
                spent: q.spent,
                deadline: q.deadline,
                ..requester::In::default()
            })
        };

        match q.state {
            // Idle: the scheduler says when.
            Idle => {
                if pins.start {
                    d.slot = pins.slot;
                    d.lid = pins.lid;
                    d.index = 0;
                    d.fail = false;
                    d.status = Status::Success.code();
                    d.state = Head;
                }
            }
            // Head: a word is read while the one before is taken apart.
            Head => {
                d.take_apart(first, second);
                // The kind is known when the last word comes.
                let says = Says::of(q.kind);
                d.says = says;
                d.room = (q.units.wrapping_sub(overhead) & 0x3ff) << 2;
                d.holds = q.units >= overhead;
                d.index = (q.index + 1) & 7;
                if q.index == if says.remote { 5 } else { 4 } {
                    d.state = Sort;
                }
            }
            // Sort: what is not for us is nobody's error.
            Sort => {
                d.bytes = q.room.wrapping_sub(q.pad.into()) & 0xfff;
                d.state = Release;
                if q.destination_lid != q.lid {
                    d.counts.foreign = q.counts.foreign.wrapping_add(1);
                } else if !formed() {
                    d.counts.malformed = q.counts.malformed.wrapping_add(1);
                } else if q.destination >> 4 != 0 {
                    d.counts.unknown_qp = q.counts.unknown_qp.wrapping_add(1);
                } else {
                    d.state = Load;
                }
            }
            // Load: rows come in the next cycle.
            Load => d.state = Look,
            // Look: the rows are there, and what is asked of them in the next cycle.
            Look => {
                d.responder = pins.responder;
                d.reader = pins.reader;
                d.requester = pins.requester;
                d.connected = attributes.connected;
                d.answer = q.says.answers();
                d.posted = pins.bell.wrapping_sub(pins.responder.consumed);
                d.place = if q.says.answers() { request } else { place };
                d.begun = pins.requester.oldest.wrapping_sub(pins.requester.first) as u8 & 0xf;
                d.ticks = ticks();
                d.state = Admit;
            }
            // Admit: a datagram that cannot be taken is lost, and its sender is not told. A connection has one peer.
            Admit => {
                let next = q.psn == q.requester.oldest;
                d.ready = q.posted != 0;
                d.belongs = answered <= all;
                d.overtakes = sent <= answered;
                d.next = next;
                d.closes = q.psn == q.requester.last;
                d.remains = remains;
                let syndrome = (q.q_key >> 24) as u8;
                d.spent = requester::spent(
                    &q.requester,
                    syndrome,
                    next,
                    attributes.retries,
                    attributes.rnr_retries,
                );
                d.follows = q.psn == q.responder.psn;
                d.repeats = q.psn.wrapping_sub(q.responder.psn) >> 23 & 1 == 1;
                d.sized = sized();
                d.due = due;
                d.total = needed;
                d.deadline = deadline();
                d.ring = if q.says.answers() { attributes.send_cq } else { attributes.receive_cq };
                d.wqe = if q.says.answers() {
                    attributes.send_base.wrapping_add(SEND_WQE_BYTES * u32::from(q.place))
                } else {
                    attributes.receive_base.wrapping_add(u32::from(RECEIVE_WQE_BYTES) * u32::from(q.place))
                };
                d.state = Release;
                let served = attributes.valid && q.connected == q.says.connected;
                let stranger = q.connected && q.source_lid != attributes.peer_lid;
                let dead =
                    if q.says.answers() { q.requester.dead || q.requester.failed } else { q.responder.dead };
                if !served || stranger || dead {
                    d.counts.unknown_qp = q.counts.unknown_qp.wrapping_add(1);
                } else if q.says.answers() {
                    d.state = Answer;
                } else if !q.connected && q.q_key != attributes.q_key {
                    d.counts.wrong_q_key = q.counts.wrong_q_key.wrapping_add(1);
                } else if u32::from(q.posted) > size {
                    d.responder.dead = true;
                    d.fail = true;
                    d.state = Store;
                } else if q.connected {
                    d.state = Judge;
                } else if q.posted == 0 {
                    d.counts.no_receive = q.counts.no_receive.wrapping_add(1);
                } else {
                    d.state = Fetch;
                }
            }
            // Answer: a request that is done has its CQE, if it wants one or went wrong. Data that are due have a place in memory.
            Answer => {
                let rule = rule();
                d.requester = rule.row;
                d.status = rule.status;
                let wrong = rule.status != Status::Success.code();
                d.state = if rule.takes {
                    Fetch
                } else if rule.finish && (wrong || q.requester.signalled) {
                    Complete
                } else {
                    Store
                };
            }
            // Judge: what is not the next packet has its answer, and nothing else comes of it. An RDMA WRITE goes on where it was.
            Judge => {
                let row = row();
                (d.responder, d.reader) = (row.row, row.reader);
                d.fail = row.breaks;
                if q.says.write && !q.says.begins {
                    d.address = q.responder.write_address;
                    d.length = q.responder.write_left;
                    d.l_key = q.responder.write_key;
                }
                d.state = match (row.takes, remote) {
                    (true, true) => Key,
                    (true, false) => Fetch,
                    (false, _) => Store,
                };
            }
            // Fetch: words of the WQE pass by.
            Fetch => {
                if pins.word_valid {
                    let (low, high) = (pins.word as u32, (pins.word >> 32) as u32);
                    match (pins.place, q.answer) {
                        (0, false) | (1, true) => (d.address, d.length) = (low, high),
                        (1, false) | (2, true) => d.l_key = low,
                        _ => (),
                    }
                }
                if pins.copied {
                    d.state = Key;
                }
            }
            // Key: the row comes in the next cycle. What it is compared with is known now.
            Key => {
                d.reach = u64::from(q.address) + u64::from(q.length);
                d.more = if q.length == 0 { 0 } else { behind };
                d.offset = offset;
                d.misfits = misfits;
                d.deadline = deadline();
                d.state = Check;
            }
            // Check: the next state acts on what is found.
            Check => {
                let verdict = verdict();
                d.good = verdict == Status::Success;
                d.status = verdict.code();
                d.state = Take;
            }
            // Take: the WQE is taken with the last packet, or with one that does not fit, which breaks a connection.
            Take => {
                let mut finish = false;
                if q.answer {
                    let rule = rule();
                    finish = rule.finish;
                    d.requester = rule.row;
                } else if q.connected {
                    let row = row();
                    (d.responder, d.reader) = (row.row, row.reader);
                    d.fail = row.breaks;
                } else {
                    d.responder.consumed = q.responder.consumed.wrapping_add(1);
                }
                if q.answer {
                    d.total = q.requester.length;
                }
                d.address = q.address.wrapping_add(match (q.answer, remote) {
                    (true, _) => q.offset,
                    (false, true) => 0,
                    (false, false) => ahead,
                });
                let tells = if q.answer {
                    finish && (!q.good || q.requester.signalled)
                } else if remote {
                    q.good && q.says.immediate
                } else {
                    !q.good || q.says.ends
                };
                d.tells = tells;
                if q.good && tells && !q.answer {
                    d.counts.received = q.counts.received.wrapping_add(1);
                }
                d.state = match (q.good && q.bytes != 0, tells) {
                    (true, _) => Copy,
                    (false, true) => Complete,
                    (false, false) => Store,
                };
            }
            // Copy: the 40 bytes in front of a datagram stay as they are.
            Copy => {
                if pins.copied {
                    d.state = if q.tells { Complete } else { Store };
                }
            }
            // Complete: the data are there before the CQE is.
            Complete => {
                if pins.completed {
                    d.state = Store;
                }
            }
            // Store: the WQE counts as taken from here on.
            Store => {
                if q.status != Status::Success.code() {
                    d.counts.failed = q.counts.failed.wrapping_add(1);
                }
                d.state = Release;
            }
            // Release: the next packet may come into the slot.
            Release => d.state = Idle,
        }
    }
}
