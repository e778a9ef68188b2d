//! What comes next in the receive engine, state by state.

use super::{In, ReceiveEngine, Says, State};
use crate::key_check;
use crate::layout::{
    GRH_BYTES, MAX_MESSAGE, Operation, RECEIVE_WQE_BYTES, SEND_WQE_BYTES, Status, mtu_bytes, mtu_log,
    rnr_ticks, timeout_ticks,
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
        // The packets of an RDMA READ: where the one that is due begins, and whether it has its bytes; how many a peer's has. Codes of an MTU are
        // 1 to 4; of the bytes of the last packet, only the lowest bits count.
        let log = mtu_log(attributes.mtu);
        let mtu = mtu_bytes(attributes.mtu);
        let offset = q.begun << log;
        let fits = if q.all == 0 { q.rest == offset as u16 & 0xfff } else { q.bytes == mtu };
        let behind = (q.length.wrapping_sub(1) >> log) & 0xff_ffff;
        // The bytes of a packet are as many as one like it has. Of what an RDMA WRITE has to bring, it brings all, or less.
        let sized = || {
            let (whole, less) = (q.length == q.bytes.into(), q.length > q.bytes.into());
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
        let misfits = match (remote, q.answer) {
            (true, _) => beyond,
            (false, true) => q.length != q.requester.length,
            (false, false) => q.total > q.length,
        };
        let verdict = || {
            if !remote && q.misfits {
                Status::LengthError
            } else if remote && (!allowed() || q.misfits) {
                Status::RemoteAccess
            } else if !allowed() {
                Status::ProtectionError
            } else {
                Status::Success
            }
        };

        // How far the next deadline is, which an RNR NAK asks for, and when.
        let syndrome = (q.q_key >> 24) as u8;
        let put_off = q.says.acknowledge && syndrome >> 5 & 3 == 1;
        let deadline = || pins.now.wrapping_add(q.ticks);

        // The rules of a connection. What happens is known a state before, and nothing happens in most.
        let row = || {
            responder::apply(&responder::In {
                row: q.responder,
                reader: q.reader,
                cause: q.cause,
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
                cause: q.event,
                psn: q.psn,
                ends: q.says.ends,
                fits: q.fits,
                reads: q.reads,
                rests: q.rests,
                belongs: q.belongs,
                overtakes: q.overtakes,
                next: q.next,
                over: q.over,
                remains: q.remains,
                syndrome,
                deadline: q.deadline,
                ..requester::In::default()
            })
        };

        d.event = requester::Cause::Nothing.code();
        d.cause = responder::Cause::Nothing.code();
        match q.state {
            // Idle: the scheduler says when.
            Idle => {
                if pins.start {
                    d.slot = pins.slot;
                    d.lid = pins.lid;
                    d.index = 0;
                    d.tells = false;
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
            // Load: rows come in the next cycle. How long an RNR NAK puts off is known now.
            Load => {
                d.ticks = rnr_ticks(syndrome & 0x1f);
                d.state = Look;
            }
            // Look: the rows are there, and what is asked of them in the next cycle. An RDMA WRITE goes on where it was.
            Look => {
                d.responder = pins.responder;
                d.reader = pins.reader;
                d.requester = pins.requester;
                d.connected = attributes.connected;
                d.answer = q.says.answers();
                d.posted = pins.bell.wrapping_sub(pins.responder.consumed);
                d.place = if q.says.answers() { request } else { place };
                let distance = |from: u32, to: u32| to.wrapping_sub(from) & 0xff_ffff;
                let oldest = pins.requester.oldest;
                d.follows = q.psn == pins.responder.psn;
                d.repeats = distance(pins.responder.psn, q.psn) >> 23 == 1;
                d.sent = distance(oldest, pins.requester.psn);
                d.answered = distance(oldest, q.psn);
                d.reads = pins.requester.operation == Operation::RdmaRead.code();
                d.all = distance(oldest, pins.requester.last);
                d.begun = distance(pins.requester.first, oldest);
                d.rest = (pins.requester.length as u16).wrapping_sub(q.bytes) & 0xfff;
                if !put_off {
                    d.ticks = timeout_ticks(attributes.timeout);
                }
                if q.says.write && !q.says.begins {
                    d.address = pins.responder.write_address;
                    d.length = pins.responder.write_left;
                    d.l_key = pins.responder.write_key;
                }
                d.state = Admit;
            }
            // Admit: a datagram that cannot be taken is lost, and its sender is not told. A connection has one peer.
            Admit => {
                let next = q.answered == 0;
                d.ready = q.posted != 0;
                d.belongs = q.answered <= q.all;
                d.overtakes = q.sent <= q.answered;
                d.next = next;
                d.remains = q.all == 0;
                d.rests = q.sent == 0;
                let over = requester::over(
                    &q.requester,
                    q.reads,
                    syndrome,
                    next,
                    q.answered == q.all,
                    (attributes.retries, attributes.rnr_retries),
                );
                d.over = q.requester.active && d.belongs && over;
                d.sized = sized();
                d.fits = fits;
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
                    let event =
                        if q.says.response { requester::Cause::Respond } else { requester::Cause::Answer };
                    d.event = event.code();
                    d.state = Answer;
                } else if !q.connected && q.q_key != attributes.q_key {
                    d.counts.wrong_q_key = q.counts.wrong_q_key.wrapping_add(1);
                } else if u32::from(q.posted) > size {
                    d.responder.dead = true;
                    d.fail = true;
                    d.state = Store;
                } else if q.connected {
                    d.cause = responder::Cause::Arrive.code();
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
            // Judge: what is not the next packet has its answer, and nothing else comes of it.
            Judge => {
                let row = row();
                (d.responder, d.reader) = (row.row, row.reader);
                d.fail = row.breaks;
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
                d.offset = match (q.answer, remote) {
                    (true, _) => offset,
                    (false, true) => 0,
                    (false, false) => ahead,
                };
                d.misfits = misfits;
                d.deadline = deadline();
                d.state = Check;
            }
            // Check: the next state acts on what is found.
            Check => {
                let verdict = verdict();
                d.good = verdict == Status::Success;
                d.status = verdict.code();
                if q.answer {
                    let event = if d.good { requester::Cause::Take } else { requester::Cause::Fail };
                    d.event = event.code();
                } else if q.connected {
                    let cause = if d.good { responder::Cause::Take } else { responder::Cause::Refuse };
                    d.cause = cause.code();
                }
                d.state = Take;
            }
            // Take: the WQE is taken with the last packet, or with one that does not fit, which breaks a connection.
            Take => {
                if q.answer {
                    d.requester = rule().row;
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
                d.address = q.address.wrapping_add(q.offset);
                let tells = if q.answer {
                    !q.good || q.remains && q.requester.signalled
                } else if remote {
                    q.good && q.says.immediate
                } else {
                    !q.good || q.says.ends
                };
                d.tells = tells;
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
                } else if q.tells && !q.answer {
                    d.counts.received = q.counts.received.wrapping_add(1);
                }
                d.state = Release;
            }
            // Release: the next packet may come into the slot.
            Release => d.state = Idle,
        }
    }
}
