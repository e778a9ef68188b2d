//! What comes next in the send engine, state by state.

use super::{In, Says, SendEngine, State};
use crate::key_check;
use crate::layout::{MAX_MESSAGE, SEND_WQE_BYTES, Status, mtu_bytes, mtu_log, timeout_ticks};
use crate::protocol::{requester, responder};

impl SendEngine {
    #[inline(always)]
    pub(super) fn next(&mut self, pins: &In) {
        use State::*;
        let q = *self;
        let d = self;
        // What counts in few states is found there: most cycles wait for the bus.

        // WQEs in the ring, its places, and where the oldest one lies.
        let attributes = &pins.attributes;
        let posted = pins.bell.wrapping_sub(pins.requester.consumed);
        let size = 1u32 << attributes.send_log;
        let place = u32::from(pins.requester.consumed) & (size - 1);

        let allowed = || {
            key_check::check(&key_check::In {
                row: pins.key,
                key: q.l_key,
                domain: attributes.domain,
                address: q.address,
                length: q.length,
                reach: q.reach,
                local_write: q.says.read && !q.responding,
                remote_read: q.responding,
                ..key_check::In::default()
            })
            .allowed
        };
        // A message of no bytes is a packet too. The longest has 2^30 bytes, so its numbers are fewer than half of all.
        let mtu = u32::from(mtu_bytes(attributes.mtu));
        let log = mtu_log(attributes.mtu);
        let behind = (q.length.wrapping_sub(1) >> log) & 0xff_ffff;
        let most = if attributes.connected { MAX_MESSAGE } else { mtu };
        let sized = mtu != 0 && q.length <= most && (!q.requester.active || q.length == q.requester.length);

        // The next deadline.
        let deadline = || pins.now.wrapping_add(timeout_ticks(attributes.timeout));

        // The rule of the requester. What happens is known a state before, and nothing happens in most.
        let rule = || {
            requester::apply(&requester::In {
                row: q.requester,
                cause: q.event,
                reads: q.says.read,
                rests: q.rests,
                unsent: q.unsent,
                unanswered: q.unanswered,
                more: q.more,
                operation: q.operation,
                length: q.length,
                signalled: q.signalled,
                deadline: q.deadline,
                passed: q.passed,
                resends: q.resends,
                spent: q.spent,
                ..requester::In::default()
            })
        };
        let known = q.says.send || attributes.connected && (q.says.write || q.says.read);
        // The rule of the responder, whose data are sent.
        let row = || {
            responder::apply(&responder::In {
                row: q.responder,
                reader: q.reader,
                cause: q.cause,
                psn: q.reader.psn,
                read: true,
                mtu: mtu_bytes(q.mtu),
                code: 2,
                ..responder::In::default()
            })
        };

        d.event = requester::Cause::Nothing.code();
        d.cause = responder::Cause::Nothing.code();
        match q.state {
            // Idle: the scheduler gives turns.
            Idle => {
                if pins.start {
                    d.pair = pins.pair;
                    d.slot = pins.slot;
                    d.lid = pins.lid;
                    d.fail = false;
                    d.again = false;
                    d.answering = false;
                    d.responding = false;
                    d.bytes = 0;
                    d.first = true;
                    d.last = true;
                    d.index = 0;
                    d.status = Status::Success.code();
                    d.state = Load;
                }
            }
            // Load: rows come in the next cycle.
            Load => d.state = Look,
            // Look: the rows are there, and what is asked of them in the next cycle.
            Look => {
                d.requester = pins.requester;
                d.responder = pins.responder;
                d.reader = pins.reader;
                d.connected = attributes.connected;
                d.mtu = attributes.mtu;
                d.ring = attributes.send_cq;
                d.wqe = attributes.send_base.wrapping_add(SEND_WQE_BYTES * place);
                d.posted = posted;
                d.beyond = u32::from(posted) > size;
                // Its turn: nothing else is to be sent.
                let turns = attributes.valid
                    && attributes.connected
                    && !pins.reader.active
                    && !pins.responder.answer
                    && !pins.requester.dead
                    && u32::from(posted) <= size;
                let flushes = pins.requester.failed && posted != 0;
                if turns {
                    let event = if flushes { requester::Cause::Flush } else { requester::Cause::Turn };
                    d.event = event.code();
                }
                let behind = |psn: u32| pins.requester.last.wrapping_sub(psn) >> 23 & 1 == 0;
                d.rests = pins.requester.psn == pins.requester.oldest;
                d.unsent = behind(pins.requester.psn);
                d.unanswered = behind(pins.requester.oldest);
                d.passed = pins.now.wrapping_sub(pins.requester.deadline) >> 31 == 0;
                d.resends = attributes.timeout != 0;
                d.spent = pins.requester.retries == attributes.retries;
                d.deadline = deadline();
                d.state = Turn;
            }
            // Turn: data that were asked for go first, then an answer. A dead queue pair, and one without a WQE, have nothing to do.
            Turn => {
                let rule = rule();
                let connected = attributes.valid && q.connected;
                d.requester = rule.row;
                let flushes = q.event == requester::Cause::Flush.code();
                d.state = if connected && q.reader.active {
                    d.answering = true;
                    d.responding = true;
                    d.address = q.reader.address;
                    d.length = q.reader.left;
                    d.l_key = q.reader.key;
                    d.again = true;
                    Key
                } else if connected && q.responder.answer {
                    d.responder.answer = false;
                    d.answering = true;
                    d.destination = attributes.peer;
                    d.destination_lid = attributes.peer_lid;
                    d.level = 0;
                    d.headers = 6;
                    d.again = true;
                    Frame
                } else if !attributes.valid || q.requester.dead {
                    Finish
                } else if q.beyond {
                    d.requester.dead = true;
                    d.requester.active = false;
                    d.fail = true;
                    Store
                } else if connected && rule.finish {
                    d.status = rule.status;
                    d.operation = if flushes { 0 } else { q.requester.operation };
                    d.fail = !flushes;
                    d.again = true;
                    Complete
                } else if connected && q.requester.active {
                    if rule.sends { Fetch } else { Store }
                } else if q.posted == 0 {
                    Finish
                } else {
                    d.again = q.posted > 1;
                    Fetch
                };
            }
            // Fetch: words of the WQE pass by. Where the packet begins is known by then.
            Fetch => {
                if pins.word_valid {
                    let (low, high) = (pins.word as u32, (pins.word >> 32) as u32);
                    match pins.place {
                        0 => {
                            d.operation = low as u8;
                            d.signalled = low >> 8 & 1 == 1;
                            d.solicited = low >> 9 & 1 == 1;
                            d.immediate = high;
                        }
                        1 => (d.address, d.length) = (low, high),
                        2 => (d.l_key, d.r_key) = (low, high),
                        3 => d.remote = pins.word,
                        4 => {
                            d.destination = low & 0xff_ffff;
                            d.destination_lid = high as u16;
                            d.level = (high >> 16) as u8 & 0xf;
                        }
                        5 => d.q_key = low,
                        _ => (),
                    }
                }
                d.begun = match q.requester.active {
                    true => q.requester.psn.wrapping_sub(q.requester.first) & 0xff_ffff,
                    false => 0,
                };
                if pins.copied {
                    d.state = Key;
                }
            }
            // Key: the row comes in the next cycle. What it is compared with is known now, and so is which part of the message is due.
            Key => {
                d.says = Says::of(q.operation);
                d.reach = u64::from(q.address) + u64::from(q.length);
                d.more = if q.length == 0 { 0 } else { behind };
                d.offset = q.begun << log;
                d.changed = q.requester.active && q.operation != q.requester.operation;
                d.sized = sized;
                d.deadline = deadline();
                d.state = Check;
            }
            // Check: the next state acts on what is found.
            Check => {
                if q.responding {
                    d.good = allowed();
                    if !d.good {
                        d.cause = responder::Cause::Refuse.code();
                    }
                    d.first = !q.reader.begun;
                    d.last = q.reader.psn == q.reader.last;
                } else {
                    let status = if !known || q.changed {
                        Status::OperationError
                    } else if !q.sized {
                        Status::LengthError
                    } else if !allowed() {
                        Status::ProtectionError
                    } else {
                        Status::Success
                    };
                    d.good = status == Status::Success;
                    d.status = status.code();
                    if q.connected && d.good && !q.requester.active {
                        d.event = requester::Cause::Begin.code();
                    }
                    // A request that is not under way yet begins with this packet.
                    if q.connected {
                        let row = &q.requester;
                        d.first = q.says.read || !row.active || row.psn == row.first;
                        d.last = q.says.read || if row.active { row.psn == row.last } else { q.more == 0 };
                    }
                }
                if q.connected {
                    d.destination = attributes.peer;
                    d.destination_lid = attributes.peer_lid;
                    d.level = 0;
                }
                d.state = Begin;
            }
            // Begin: what is wrong is told to the owner and not sent; it breaks a connection. A peer that may not read any more is told so.
            Begin if q.responding => {
                if !q.good {
                    let row = row();
                    (d.responder, d.reader) = (row.row, row.reader);
                    d.fail = true;
                }
                d.state = if q.good { Cut } else { Store };
            }
            Begin => {
                d.state = if q.good { Cut } else { Complete };
                if !q.good {
                    d.counts.failed = q.counts.failed.wrapping_add(1);
                    d.requester.consumed = q.requester.consumed.wrapping_add(1);
                    d.requester.active = false;
                    d.requester.failed = q.connected;
                    d.fail = q.connected;
                    d.again = true;
                } else if !q.connected {
                    d.requester.consumed = q.requester.consumed.wrapping_add(1);
                } else {
                    d.requester = rule().row;
                }
            }
            // Cut: all packets of a message but the last one are full. An RDMA READ asks for what is left.
            Cut if q.responding => {
                d.bytes = if q.last { q.length as u16 & 0xfff } else { mtu_bytes(q.mtu) };
                d.headers = q.header_units();
                d.state = Frame;
            }
            Cut => {
                let left = q.length.wrapping_sub(q.offset);
                if q.connected {
                    d.address = q.address.wrapping_add(q.offset);
                    d.remote = q.remote.wrapping_add(q.offset.into());
                    d.length = left;
                    d.bytes = match (q.says.read, q.last) {
                        (true, _) => 0,
                        (false, true) => left as u16 & 0xfff,
                        (false, false) => mtu_bytes(q.mtu),
                    };
                    d.again = true;
                } else {
                    d.bytes = q.length as u16 & 0xfff;
                }
                d.headers = q.header_units();
                d.state = Frame;
            }
            // Frame: data lie behind the headers, if there are any.
            Frame => {
                d.kind = q.kind().code();
                d.reth = q.remote_sent();
                d.units = (u16::from(q.headers) + ((q.bytes + 3) >> 2)) & 0x7ff;
                d.state = if q.bytes == 0 { Header } else { Copy };
            }
            // Copy: the headers come last, and in front of them.
            Copy => {
                if pins.copied {
                    d.state = Header;
                }
            }
            // Header: of the last word only half if there is nothing else. The packet's time begins with its last word.
            Header => {
                d.index = (q.index + 1) & 7;
                d.deadline = deadline();
                if q.index == q.last_header() {
                    if !q.answering {
                        d.event = requester::Cause::Send.code();
                    }
                    if q.responding {
                        d.cause = responder::Cause::Respond.code();
                    }
                    d.state = Launch;
                }
            }
            // Launch: the data of a datagram are the transmitter's, and the buffer is the owner's again.
            Launch => {
                d.counts.sent = q.counts.sent.wrapping_add(1);
                if !q.answering {
                    d.requester = rule().row;
                }
                if q.responding {
                    let row = row();
                    (d.responder, d.reader) = (row.row, row.reader);
                }
                d.state = if q.signalled && !q.connected { Complete } else { Store };
            }
            // Complete: an error is told whether it was asked for or not.
            Complete => {
                if pins.completed {
                    d.state = Store;
                }
            }
            // Store: the WQE counts as taken from here on.
            Store => d.state = Finish,
            // Finish: the next one has its turn.
            Finish => d.state = Idle,
        }
    }
}
