//! What comes next in the receive engine, state by state.

use super::{In, ReceiveEngine, Says, State};
use crate::key_check;
use crate::layout::{GRH_BYTES, RECEIVE_WQE_BYTES, SEND_WQE_BYTES, Status, mtu_bytes};
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
        let room = (q.units.wrapping_sub(overhead) & 0x3ff) << 2;
        let formed = || {
            (q.says.datagram || q.says.connected)
                && q.next_header == 2
                && q.version == 0
                && q.units >= overhead
                && (room != 0 || q.pad == 0)
                && room <= 2048
                && (!(q.says.acknowledge || q.says.read) || room == 0)
        };
        // WQEs in the ring, and where the oldest one lies.
        let attributes = &pins.attributes;
        let posted = pins.bell.wrapping_sub(pins.responder.consumed);
        let size = 1u32 << attributes.receive_log;
        let place = u32::from(pins.responder.consumed) & (size - 1);
        let request = u32::from(pins.requester.consumed) & ((1 << attributes.send_log) - 1);
        // The packets of an RDMA READ: where the one that is due begins, and its bytes; how many a peer's has.
        let log = 7 + u32::from(attributes.mtu & 7);
        let mtu = mtu_bytes(attributes.mtu);
        let number = q.requester.oldest.wrapping_sub(q.requester.first) & 0xff_ffff;
        let offset = number << log;
        // What an answer is for, by distances from the oldest packet; of the bytes of the last packet of data, only the lowest bits count.
        let begun = pins.requester.oldest.wrapping_sub(pins.requester.first) & 0xf;
        let left = (pins.requester.length as u16).wrapping_sub((begun << log) as u16) & 0xfff;
        let due = if pins.requester.oldest == pins.requester.last { left } else { mtu };
        let distance = |psn: u32| psn.wrapping_sub(pins.requester.oldest) & 0xff_ffff;
        let (sent, answered, all) =
            (distance(pins.requester.psn), distance(q.psn), distance(pins.requester.last));
        let behind = (q.length.wrapping_sub(1) >> log) & 0xff_ffff;
        // The data and what is in front of them must have room in the buffer.
        let ahead = if q.connected { q.responder.received } else { GRH_BYTES };
        let needed = ahead.wrapping_add(q.bytes.into());
        let misfits = if q.answer { q.length != q.requester.length } else { needed > q.length };
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

        // The rules of a connection: one for each state that has one.
        let row = |verdict: Status| {
            responder::apply(&responder::In {
                row: q.responder,
                reader: q.reader,
                cause: match q.state {
                    Judge => responder::Cause::Arrive,
                    Check if verdict == Status::Success => responder::Cause::Take,
                    Check => responder::Cause::Refuse,
                    _ => responder::Cause::Nothing,
                }
                .code(),
                psn: q.psn,
                first: q.says.begins,
                last: q.says.ends,
                asks: q.asks,
                bytes: q.bytes,
                mtu,
                ready: q.ready,
                rnr_timer: attributes.rnr_timer,
                code: match verdict {
                    Status::LengthError => 1,
                    Status::RemoteAccess => 2,
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
        let rule = |verdict: Status| {
            requester::apply(&requester::In {
                row: q.requester,
                cause: match q.state {
                    Answer if q.says.response => requester::Cause::Respond,
                    Answer => requester::Cause::Answer,
                    Check if verdict == Status::Success => requester::Cause::Take,
                    Check => requester::Cause::Fail,
                    _ => requester::Cause::Nothing,
                }
                .code(),
                psn: q.psn,
                ends: q.says.ends,
                fits: q.fits,
                belongs: q.belongs,
                overtakes: q.overtakes,
                syndrome: (q.q_key >> 24) as u8,
                retries: attributes.retries,
                rnr_retries: attributes.rnr_retries,
                now: pins.now,
                timeout: attributes.timeout,
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
                d.index = (q.index + 1) & 7;
                if q.index == if says.remote { 5 } else { 4 } {
                    d.state = Sort;
                }
            }
            // Sort: what is not for us is nobody's error.
            Sort => {
                d.bytes = room.wrapping_sub(q.pad.into()) & 0xfff;
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
            // Look: a datagram that cannot be taken is lost, and its sender is not told. A connection has one peer.
            Look => {
                d.responder = pins.responder;
                d.reader = pins.reader;
                d.requester = pins.requester;
                d.connected = attributes.connected;
                d.answer = q.says.answers();
                d.ready = posted != 0;
                d.belongs = answered <= all;
                d.overtakes = sent <= answered;
                d.fits = q.bytes == due;
                d.ring = if q.says.answers() { attributes.send_cq } else { attributes.receive_cq };
                d.wqe = if q.says.answers() {
                    attributes.send_base.wrapping_add(SEND_WQE_BYTES * request)
                } else {
                    attributes.receive_base.wrapping_add(u32::from(RECEIVE_WQE_BYTES) * place)
                };
                d.state = Release;
                let served = attributes.valid && attributes.connected == q.says.connected;
                let stranger = attributes.connected && q.source_lid != attributes.peer_lid;
                let dead = if q.says.answers() {
                    pins.requester.dead || pins.requester.failed
                } else {
                    pins.responder.dead
                };
                if !served || stranger || dead {
                    d.counts.unknown_qp = q.counts.unknown_qp.wrapping_add(1);
                } else if q.says.answers() {
                    d.state = Answer;
                } else if !attributes.connected && q.q_key != attributes.q_key {
                    d.counts.wrong_q_key = q.counts.wrong_q_key.wrapping_add(1);
                } else if u32::from(posted) > size {
                    d.responder.dead = true;
                    d.fail = true;
                    d.state = Store;
                } else if attributes.connected {
                    d.state = Judge;
                } else if posted == 0 {
                    d.counts.no_receive = q.counts.no_receive.wrapping_add(1);
                } else {
                    d.state = Fetch;
                }
            }
            // Answer: a request that is done has its CQE, if it wants one or went wrong. Data that are due have a place in memory.
            Answer => {
                let rule = rule(Status::Success);
                d.requester = rule.row;
                d.status = rule.status;
                let wrong = rule.status != Status::Success.code();
                d.fail = rule.finish && wrong;
                if rule.finish && wrong {
                    d.counts.failed = q.counts.failed.wrapping_add(1);
                }
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
                let row = row(Status::Success);
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
                d.state = Check;
            }
            // Check: the WQE is taken with the last packet, or with one that does not fit, which breaks a connection.
            Check => {
                let verdict = verdict();
                let good = verdict == Status::Success;
                let mut finish = false;
                if q.answer {
                    let rule = rule(verdict);
                    finish = rule.finish;
                    d.requester = rule.row;
                    d.fail = !good;
                } else if q.connected {
                    let row = row(verdict);
                    (d.responder, d.reader) = (row.row, row.reader);
                    d.fail = row.breaks;
                } else {
                    d.responder.consumed = q.responder.consumed.wrapping_add(1);
                }
                d.status = verdict.code();
                d.total = if q.answer { q.requester.length } else { needed };
                d.address = q.address.wrapping_add(match (q.answer, remote) {
                    (true, _) => q.offset,
                    (false, true) => 0,
                    (false, false) => ahead,
                });
                let tells = if q.answer {
                    finish && (!good || q.requester.signalled)
                } else if remote {
                    good && q.says.immediate
                } else {
                    !good || q.says.ends
                };
                d.tells = tells;
                if !good {
                    d.counts.failed = q.counts.failed.wrapping_add(1);
                } else if tells && !q.answer {
                    d.counts.received = q.counts.received.wrapping_add(1);
                }
                d.state = match (good && q.bytes != 0, tells) {
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
            Store => d.state = Release,
            // Release: the next packet may come into the slot.
            Release => d.state = Idle,
        }
    }
}
