use std::collections::VecDeque;

use hdl::Stimulus;

use super::{requester, responder};
use crate::contexts::{OUTSTANDING, Request, Requester, Responder};
use crate::layout::{Operation, Status, rnr_ticks, timeout_ticks};

const MTU: u16 = 256;

/// A packet on the wire, and its place in its message.
#[derive(Clone, Copy)]
struct Packet {
    psn: u32,
    first: bool,
    last: bool,
}

/// Two ends of a connection and wires that lose packets.
struct Ends {
    requester: Requester,
    requests: [Request; OUTSTANDING],
    responder: Responder,
    now: u32,
    rnr_retries: u8,
}

impl Ends {
    fn new(psn: u32) -> Self {
        Self {
            requester: Requester { psn, ..Requester::default() },
            requests: [Request::default(); OUTSTANDING],
            responder: Responder { psn, ..Responder::default() },
            now: 0,
            rnr_retries: 7,
        }
    }

    /// The row of an outstanding request, the oldest being 0.
    fn row(&mut self, place: u8) -> &mut Request {
        &mut self.requests[usize::from(self.requester.consumed + u16::from(place)) % OUTSTANDING]
    }

    /// An event of the requester, with the comparisons of the engines.
    fn request(&mut self, pins: requester::In) -> requester::Out {
        let row = self.requester;
        let distance = |psn: u32| psn.wrapping_sub(row.oldest) & 0xff_ffff;
        let (sent, answered) = (distance(row.psn), distance(pins.psn));
        let (all, whole) = (distance(row.last), distance(row.newest));
        let put_off = pins.syndrome & 0x60 == responder::RNR_NAK;
        let ticks = if put_off { rnr_ticks(pins.syndrome & 0x1f) } else { timeout_ticks(3) };
        let reads = row.operation == Operation::RdmaRead.code();
        let (belongs, beyond) = (answered <= whole, answered > all);
        let passes = row.active && belongs && beyond && requester::is_known(pins.syndrome) && !reads;
        let retries = (7, self.rnr_retries);
        let ends = (answered == all, beyond);
        let over = requester::over(&row, reads, pins.syndrome, answered == 0, ends, retries);
        let out = requester::apply(&requester::In {
            reads,
            rests: sent == 0,
            unsent: row.sent != row.begun,
            unanswered: all >> 23 == 0,
            belongs,
            passes,
            overtakes: sent <= answered.min(all),
            next: answered == 0,
            over: row.active && belongs && if beyond && !reads { passes } else { over },
            remains: all == 0,
            row,
            spent: row.retries == 7,
            deadline: self.now.wrapping_add(ticks),
            passed: self.now.wrapping_sub(row.deadline) >> 31 == 0,
            resends: true,
            ..pins
        });
        self.requester = out.row;
        if pins.cause == requester::Cause::Begin.code() {
            *self.row(row.begun) = Request { first: row.psn, last: out.row.newest, ..Request::default() };
        }
        if out.finish && out.row.active {
            let oldest = *self.row(0);
            self.requester.advance(&oldest);
        }
        out
    }

    /// The next packet is sent, of a request that begins if none is to be continued.
    fn send(&mut self, more: u32) -> Request {
        if self.requester.sent == self.requester.begun {
            self.request(requester::In { more, ..cause(requester::Cause::Begin) });
        }
        let request = *self.row(self.requester.sent);
        let last = self.requester.psn == request.last;
        self.request(requester::In { last, ..cause(requester::Cause::Send) });
        request
    }

    /// An answer arrives. Statuses of the requests that end.
    fn answer(&mut self, psn: u32, syndrome: u8) -> Vec<u8> {
        let mut ended = Vec::new();
        loop {
            let all = self.requester.last;
            let out = self.request(requester::In { psn, syndrome, ..cause(requester::Cause::Answer) });
            ended.extend(out.finish.then_some(out.status));
            if !out.finish || psn == all || out.status != Status::Success.code() {
                return ended;
            }
        }
    }

    fn respond(&mut self, cause: responder::Cause, packet: &Packet, ready: bool) -> responder::Out {
        let out = responder::apply(&responder::In {
            row: self.responder,
            cause: cause.code(),
            psn: packet.psn,
            follows: packet.psn == self.responder.psn,
            repeats: packet.psn.wrapping_sub(self.responder.psn) >> 23 & 1 == 1,
            first: packet.first,
            last: packet.last,
            asks: packet.last,
            bytes: MTU,
            sized: true,
            mtu: MTU,
            ready,
            rnr_timer: 1,
            ..responder::In::default()
        });
        self.responder = out.row;
        out
    }
}

fn cause(cause: requester::Cause) -> requester::In {
    requester::In { cause: cause.code(), ..requester::In::default() }
}

/// Sends 40 messages with up to `window` of them outstanding, over wires that lose packets. Most that were.
fn exchange(seed: u64, window: u8) -> u8 {
    let mut random = Stimulus::new(seed);
    // Numbers of packets run over their end.
    let mut ends = Ends::new(0xff_fff0);
    let (mut there, mut back) = (VecDeque::new(), VecDeque::new());
    let (mut message, mut delivered, mut finished) = (0, 0, 0);
    let (mut refusals, mut most) = (0, 0);
    for _ in 0..200_000 {
        if finished == 40 {
            break;
        }
        ends.now += 1;
        let posted = message < 40 && ends.requester.begun < window;
        let out = ends.request(requester::In { begins: posted, ..cause(requester::Cause::Turn) });
        assert!(!out.finish, "seed {seed}: too many retries");
        if out.sends || !ends.requester.active && posted {
            message += u32::from(ends.requester.sent == ends.requester.begun);
            let psn = ends.requester.psn;
            let Request { first, last, .. } = ends.send(random.below(5) as u32);
            most = most.max(ends.requester.begun);
            if !random.one_in(8) {
                there.push_back(Packet { psn, first: psn == first, last: psn == last });
            }
        }
        if random.one_in(2)
            && let Some(packet) = there.pop_front()
        {
            let ready = !random.one_in(4);
            if ends.respond(responder::Cause::Arrive, &packet, ready).takes {
                ends.respond(responder::Cause::Take, &packet, ready);
                delivered += u32::from(packet.last);
            } else {
                refusals += 1;
            }
            assert!(!ends.responder.failed, "seed {seed}");
        }
        if ends.responder.answer && random.one_in(2) {
            ends.responder.answer = false;
            if !random.one_in(8) {
                back.push_back((ends.responder.answer_psn, ends.responder.syndrome));
            }
        }
        if random.one_in(2)
            && let Some((psn, syndrome)) = back.pop_front()
        {
            let ended = ends.answer(psn, syndrome);
            finished += ended.len() as u32;
            assert!(ended.iter().all(|status| *status == Status::Success.code()), "seed {seed}");
            assert!(finished <= delivered, "seed {seed}: done before it has arrived");
        }
    }
    assert_eq!((delivered, finished, message), (40, 40, 40), "seed {seed}");
    assert!(refusals > 0 && ends.requester.begun == 0 && !ends.requester.active);
    most
}

#[test]
fn messages_arrive_once_and_in_order_whatever_the_wires_lose() {
    for seed in 0..50 {
        assert_eq!(exchange(seed, 1), 1);
        assert_eq!(exchange(seed, 3), 3);
        assert!(exchange(seed, 16) > 4, "seed {seed}");
    }
}

#[test]
fn answer_ends_all_requests_before_its_packet() {
    let mut ends = Ends::new(5);
    for more in [0, 0, 1, 1, 0] {
        ends.send(more);
    }
    // PSNs 5; 6; 7 and 8; 9.
    assert_eq!((ends.requester.begun, ends.requester.sent, ends.requester.psn), (4, 4, 10));
    let before = ends.requester;
    assert!(ends.answer(4, responder::ACK).is_empty() && ends.answer(10, responder::ACK).is_empty());
    assert_eq!(ends.requester, before);
    // An ACK in the middle of the third one ends two and acknowledges a packet.
    assert_eq!(ends.answer(7, responder::ACK), [0, 0]);
    assert_eq!((ends.requester.consumed, ends.requester.begun, ends.requester.sent), (2, 2, 2));
    assert_eq!((ends.requester.first, ends.requester.oldest, ends.requester.last), (7, 8, 8));
    // A NAK for a gap ends it, and goes back to the first packet of the last one.
    assert_eq!(ends.answer(9, responder::NAK), [0]);
    assert_eq!((ends.requester.begun, ends.requester.sent, ends.requester.psn), (1, 0, 9));
    assert_eq!(ends.requester.retries, 1);
    // An ACK that overtakes the packet to send again.
    assert_eq!(ends.answer(9, responder::ACK), [0]);
    let Requester { active, begun, sent, psn, .. } = ends.requester;
    assert_eq!((active, begun, sent, psn), (false, 0, 0, 10));
}

#[test]
fn failure_leaves_later_requests_to_be_flushed() {
    let mut ends = Ends::new(0);
    for _ in 0..3 {
        ends.send(0);
    }
    assert_eq!(ends.answer(1, responder::NAK | 2), [0, Status::RemoteAccess.code()]);
    let Requester { active, begun, failed, consumed, .. } = ends.requester;
    assert_eq!((active, begun, failed, consumed), (true, 1, true, 2));
    let out = ends.request(cause(requester::Cause::Flush));
    assert_eq!((out.finish, out.status), (true, Status::Flushed.code()));
    assert!(!ends.requester.active && ends.requester.begun == 0 && ends.requester.failed);
}

#[test]
fn requester_gives_up_when_nobody_answers() {
    let mut ends = Ends::new(5);
    ends.send(0);
    let mut sent = 1;
    let out = loop {
        ends.now += 1;
        let out = ends.request(cause(requester::Cause::Turn));
        if out.finish {
            break out;
        }
        if out.sends {
            sent += 1;
            ends.send(0);
        }
    };
    assert_eq!((out.status, sent), (Status::RetryExceeded.code(), 8));
    assert!(ends.requester.failed && !ends.requester.active && ends.requester.consumed == 1);
    // 4.096 us times 8, eight times.
    assert_eq!(ends.now, 8 * 32);
}

#[test]
fn rnr_naks_end_after_as_many_as_are_allowed() {
    let mut ends = Ends::new(5);
    ends.rnr_retries = 2;
    let rnr = requester::In { psn: 5, syndrome: responder::RNR_NAK | 1, ..cause(requester::Cause::Answer) };
    for _ in 0..2 {
        ends.send(0);
        assert!(!ends.request(rnr).finish && ends.requester.waiting);
        ends.now += 9;
        assert!(!ends.request(cause(requester::Cause::Turn)).sends, "0.01 ms have not passed");
        ends.now += 1;
        assert!(ends.request(cause(requester::Cause::Turn)).sends);
    }
    let out = ends.request(rnr);
    assert_eq!((out.finish, out.status), (true, Status::RnrRetryExceeded.code()));
}

#[test]
fn answer_for_another_request_says_nothing() {
    let mut ends = Ends::new(0);
    ends.request(requester::In { more: 2, ..cause(requester::Cause::Begin) });
    for (psn, syndrome) in [(3, 0x1f), (0xff_ffff, 0x1f), (3, 0x61), (1, 0x40), (1, 0x64)] {
        let before = ends.requester;
        let out = ends.request(requester::In { psn, syndrome, ..cause(requester::Cause::Answer) });
        assert!(!out.finish && ends.requester == before, "{psn:#x} {syndrome:#x}");
    }
}

#[test]
fn message_out_of_form_breaks_the_connection() {
    let packet = Packet { psn: 0, first: false, last: false };
    let mut ends = Ends::new(0);
    assert!(ends.respond(responder::Cause::Arrive, &packet, true).breaks);
    assert!(ends.responder.failed && ends.responder.answer && ends.responder.syndrome == responder::NAK | 1);
}
