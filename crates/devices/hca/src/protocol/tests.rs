use std::collections::VecDeque;

use hdl::Stimulus;

use super::{requester, responder};
use crate::contexts::{Requester, Responder};
use crate::layout::{Operation, Status, rnr_ticks, timeout_ticks};

const MTU: u16 = 256;

/// A packet on the wire, and its place in its message.
#[derive(Clone, Copy)]
struct Packet {
    psn: u32,
    message: usize,
    first: bool,
    last: bool,
}

/// Two ends of a connection and wires that lose packets.
struct Ends {
    requester: Requester,
    responder: Responder,
    now: u32,
    rnr_retries: u8,
}

impl Ends {
    fn new(psn: u32) -> Self {
        Self {
            requester: Requester { psn, ..Requester::default() },
            responder: Responder { psn, ..Responder::default() },
            now: 0,
            rnr_retries: 7,
        }
    }

    fn request(&mut self, pins: requester::In) -> requester::Out {
        let distance = |psn: u32| psn.wrapping_sub(self.requester.oldest) & 0xff_ffff;
        let (sent, answered) = (distance(self.requester.psn), distance(pins.psn));
        let put_off = pins.syndrome & 0x60 == responder::RNR_NAK;
        let ticks = if put_off { rnr_ticks(pins.syndrome & 0x1f) } else { timeout_ticks(3) };
        let reads = self.requester.operation == Operation::RdmaRead.code();
        let behind = |psn: u32| self.requester.last.wrapping_sub(psn) >> 23 & 1 == 0;
        let belongs = answered <= distance(self.requester.last);
        let pins = requester::In {
            reads,
            rests: sent == 0,
            unsent: behind(self.requester.psn),
            unanswered: behind(self.requester.oldest),
            belongs,
            overtakes: sent <= answered,
            next: answered == 0,
            over: self.requester.active
                && belongs
                && requester::over(
                    &self.requester,
                    reads,
                    pins.syndrome,
                    answered == 0,
                    pins.psn == self.requester.last,
                    (7, self.rnr_retries),
                ),
            remains: self.requester.last == self.requester.oldest,
            row: self.requester,
            spent: self.requester.retries == 7,
            deadline: self.now.wrapping_add(ticks),
            passed: self.now.wrapping_sub(self.requester.deadline) >> 31 == 0,
            resends: true,
            ..pins
        };
        let out = requester::apply(&pins);
        self.requester = out.row;
        out
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

#[test]
fn messages_arrive_once_and_in_order_whatever_the_wires_lose() {
    for seed in 0..50 {
        let mut random = Stimulus::new(seed);
        // Numbers of packets run over their end.
        let mut ends = Ends::new(0xff_fff0);
        let (mut there, mut back) = (VecDeque::new(), VecDeque::new());
        let (mut message, mut delivered, mut finished) = (0, Vec::new(), 0);
        let mut refusals = 0;
        for _ in 0..200_000 {
            if finished == 40 {
                break;
            }
            ends.now += 1;
            let out = ends.request(cause(requester::Cause::Turn));
            assert!(!out.finish, "seed {seed}: too many retries");
            if !ends.requester.active && message < 40 {
                message += 1;
                ends.request(requester::In {
                    more: random.below(5) as u32,
                    ..cause(requester::Cause::Begin)
                });
            } else if out.sends {
                let q = ends.requester;
                let packet = Packet { psn: q.psn, message, first: q.psn == q.first, last: q.psn == q.last };
                ends.request(cause(requester::Cause::Send));
                if !random.one_in(8) {
                    there.push_back(packet);
                }
            }
            if random.one_in(2)
                && let Some(packet) = there.pop_front()
            {
                let ready = !random.one_in(4);
                if ends.respond(responder::Cause::Arrive, &packet, ready).takes {
                    ends.respond(responder::Cause::Take, &packet, ready);
                    if packet.last {
                        delivered.push(packet.message);
                    }
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
                let out = ends.request(requester::In { psn, syndrome, ..cause(requester::Cause::Answer) });
                finished += usize::from(out.finish);
                assert_eq!(out.status, Status::Success.code());
                assert!(
                    !out.finish || delivered.len() == finished,
                    "seed {seed}: done before it has arrived"
                );
            }
        }
        assert_eq!(delivered, (1..=40).collect::<Vec<_>>(), "seed {seed}");
        assert!(finished == 40 && refusals > 0);
    }
}

#[test]
fn requester_gives_up_when_nobody_answers() {
    let mut ends = Ends::new(5);
    ends.request(requester::In { more: 0, ..cause(requester::Cause::Begin) });
    let mut sent = 0;
    let out = loop {
        ends.now += 1;
        let out = ends.request(cause(requester::Cause::Turn));
        if out.finish {
            break out;
        }
        if out.sends {
            sent += 1;
            ends.request(cause(requester::Cause::Send));
        }
    };
    assert_eq!((out.status, sent), (Status::RetryExceeded.code(), 8));
    assert!(ends.requester.failed && !ends.requester.active && ends.requester.consumed == 1);
    // 4.096 us times 8, eight times.
    assert_eq!(ends.now, 8 * 32 + 1);
}

#[test]
fn rnr_naks_end_after_as_many_as_are_allowed() {
    let mut ends = Ends::new(5);
    ends.rnr_retries = 2;
    ends.request(requester::In { more: 0, ..cause(requester::Cause::Begin) });
    let rnr = requester::In { psn: 5, syndrome: responder::RNR_NAK | 1, ..cause(requester::Cause::Answer) };
    for _ in 0..2 {
        ends.request(cause(requester::Cause::Send));
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
    let packet = Packet { psn: 0, message: 0, first: false, last: false };
    let mut ends = Ends::new(0);
    assert!(ends.respond(responder::Cause::Arrive, &packet, true).breaks);
    assert!(ends.responder.failed && ends.responder.answer && ends.responder.syndrome == responder::NAK | 1);
}
