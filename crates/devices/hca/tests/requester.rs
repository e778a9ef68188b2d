//! A requester and the answers of a peer that obeys no rule: answers at every edge, retries counted to the last one,
//! and time. The monitor judges each packet that is sent again.

use hca::contexts::{Attributes, Queue, Requester};
use hca::layout::PacketKind::*;
use hca::layout::{Operation, SendWqe, Status, rnr_ticks, timeout_ticks};
use hca::protocol::responder::{ACK, NAK, RNR_NAK};
use hca::registers::{Register, cause};
use hca::send_engine::{In, SendEngine, State};
use hca::traffic::connection::WINDOW;
use hca::traffic::datagrams::SEND_RING;
use hca::traffic::packet::Packet;
use hdl::Clocked;

use crate::alone::{Alone, PSN, QPNS};

/// Bytes of three packets.
const THREE: usize = 600;
/// A tick of the retry timer in nanoseconds.
const TICK: u64 = 1_024;

/// An adapter without time-outs, whose request of `bytes` bytes is outstanding.
fn sent(bytes: usize) -> Alone {
    let mut alone = Alone::new(1, |attributes| Attributes { timeout: 0, ..attributes });
    alone.send(&vec![1; bytes]);
    alone.run(12);
    assert_eq!(alone.left().len(), bytes.div_ceil(256));
    alone
}

/// The same, with an RDMA READ.
fn read(bytes: u32) -> Alone {
    let mut alone = Alone::new(1, |attributes| Attributes { timeout: 0, ..attributes });
    alone.program.read(&mut alone.pair.hosts[1], bytes, WINDOW.0);
    alone.run(6);
    assert_eq!(alone.left().len(), 1);
    alone
}

impl Alone {
    /// An ACK or NAK arrives and is handled. PSNs count from the first one.
    fn answer(&mut self, psn: u32, syndrome: u8) {
        self.inject(&Self::acknowledge(PSN.wrapping_add(psn), syndrome));
        self.run(2);
    }

    fn data(&mut self, psn: u32, ends: (bool, bool), bytes: usize) {
        let kind = match ends {
            (true, true) => ReadOnly,
            (true, false) => ReadFirst,
            (false, true) => ReadLast,
            (false, false) => ReadMiddle,
        };
        let packet = Self::packet(kind, PSN.wrapping_add(psn)).data(&vec![7; bytes]);
        let aeth = Self::acknowledge(0, ACK).extension;
        self.inject(&Packet { extension: if kind == ReadMiddle { vec![] } else { aeth }, ..packet });
        self.run(4);
    }

    fn status(&self) -> Vec<u8> {
        self.program.errors.iter().map(|cqe| cqe.status).collect()
    }

    /// PSNs of the packets that have left, from the first one.
    fn psns(&mut self) -> Vec<u32> {
        self.left().iter().map(|left| left.psn.wrapping_sub(PSN) & 0xff_ffff).collect()
    }

    /// Runs until a packet leaves; the nanoseconds until then.
    fn until_sent(&mut self, most_us: u64) -> Option<u64> {
        let before = self.pair.wires[1].sent.len();
        let sent = |pair: &hca::traffic::pair::Pair<_>| pair.wires[1].sent.len() > before;
        self.pair.run_until(most_us * 1_000_000, sent).expect("no rule is broken").map(|ps| ps / 1_000)
    }
}

#[test]
fn answer_belongs_from_the_oldest_packet_to_the_last() {
    let mut alone = sent(THREE);
    let outside = [0xff_ffff, 3, 4, 0x7f_ffff, 0x80_0000, 0x80_0001, 0x80_0002, 0x80_0003];
    let flipped =
        (0..24).map(|bit| ((PSN + 2) ^ 1 << bit).wrapping_sub(PSN) & 0xff_ffff).filter(|&psn| psn > 2);
    let before = alone.requester();
    for psn in outside.into_iter().chain(flipped) {
        for syndrome in [ACK, 0, RNR_NAK | 1, NAK, NAK | 1, NAK | 2, NAK | 3] {
            alone.answer(psn, syndrome);
            assert_eq!(alone.requester(), before, "PSN {psn:#x}, syndrome {syndrome:#x}");
        }
    }
    alone.answer(1, ACK);
    assert_eq!((alone.requester().oldest, alone.program.waiting()), (PSN + 2, 1));
    alone.answer(2, ACK);
    assert_eq!((alone.program.waiting(), alone.psns()), (0, vec![]));
    assert!(alone.program.errors.is_empty());
}

#[test]
fn credits_of_an_acknowledgement_do_not_matter() {
    for credits in 0..32 {
        let mut alone = sent(100);
        alone.answer(0, credits);
        assert_eq!((alone.program.waiting(), alone.status()), (0, vec![]), "credit code {credits}");
    }
}

#[test]
fn syndromes_end_the_request_as_the_table_says() {
    let mut alone = sent(THREE);
    let before = alone.requester();
    for reserved in (0x40..0x60).chain(0x64..0x80) {
        alone.answer(1, reserved);
        assert_eq!(alone.requester(), before, "syndrome {reserved:#x}");
    }
    for (code, status) in
        [(1, Status::RemoteInvalidRequest), (2, Status::RemoteAccess), (3, Status::RemoteOperation)]
    {
        let mut alone = sent(THREE);
        alone.answer(1, NAK | code);
        assert_eq!(alone.status(), [status.code()]);
        // The queue has failed: answers are for no one, and WQEs are flushed without another interrupt.
        let unknown = alone.device().receive_engine.counts.unknown_qp;
        alone.answer(2, ACK);
        assert_eq!(alone.device().receive_engine.counts.unknown_qp, unknown + 1);
        assert_ne!(alone.device().events.causes & cause::QUEUE_PAIR, 0);
        alone.host().write_register(Register::InterruptCause, 0x1f);
        alone.send(b"too late");
        alone.run(20);
        assert_eq!(alone.status(), [status.code(), Status::Flushed.code()]);
        assert_eq!(alone.device().events.causes & cause::QUEUE_PAIR, 0);
        assert_eq!(alone.psns(), []);
    }
}

#[test]
fn rnr_retries_are_counted_and_seven_are_without_end() {
    for rnr_retries in 0..8 {
        let mut alone = Alone::new(1, |attributes| Attributes {
            rnr_retries,
            retries: 7 - rnr_retries,
            timeout: 0,
            ..attributes
        });
        alone.send(&[1; 100]);
        alone.run(12);
        let most = if rnr_retries == 7 { 24 } else { rnr_retries.into() };
        for number in 0..most {
            alone.answer(0, RNR_NAK | 1);
            alone.run(35);
            assert_eq!(alone.psns().len(), if number == 0 { 2 } else { 1 }, "{rnr_retries}: {number}");
        }
        if rnr_retries == 7 {
            alone.answer(0, ACK);
            assert_eq!((alone.program.waiting(), alone.status()), (0, vec![]));
        } else {
            alone.answer(0, RNR_NAK | 1);
            assert_eq!(alone.status(), [Status::RnrRetryExceeded.code()], "{rnr_retries}");
        }
    }
}

#[test]
fn retries_are_counted_to_the_last_for_time_outs_and_naks_alike() {
    for retries in 0..8 {
        let attributes =
            |attributes| Attributes { retries, rnr_retries: 7 - retries, timeout: 1, ..attributes };
        let mut alone = Alone::new(1, attributes);
        alone.send(&[1; 100]);
        alone.run(300);
        assert_eq!(alone.psns(), vec![0; 1 + usize::from(retries)]);
        assert_eq!(alone.status(), [Status::RetryExceeded.code()]);

        let mut alone = Alone::new(1, |usual| Attributes { timeout: 0, ..attributes(usual) });
        alone.send(&[1; 100]);
        alone.run(12);
        for _ in 0..retries {
            alone.answer(0, NAK);
            alone.run(6);
            assert_eq!(alone.status(), []);
        }
        assert_eq!(alone.psns(), vec![0; 1 + usize::from(retries)]);
        alone.answer(0, NAK);
        assert_eq!(alone.status(), [Status::RetryExceeded.code()], "{retries}");
    }
}

#[test]
fn progress_resets_both_counts() {
    let few = |attributes| Attributes { retries: 2, rnr_retries: 2, timeout: 0, ..attributes };
    for syndrome in [NAK, RNR_NAK | 1] {
        let nak = |alone: &mut Alone, psn| {
            alone.answer(psn, syndrome);
            alone.run(40);
        };
        // Progress by an ACK, by the NAK itself, and by data of an RDMA READ.
        for way in 0..3 {
            let mut alone = Alone::new(1, few);
            if way == 2 {
                alone.program.read(&mut alone.pair.hosts[1], THREE as u32, WINDOW.0);
            } else {
                alone.send(&[1; THREE]);
            }
            alone.run(12);
            for psn in 0..3 {
                (0..2).for_each(|_| nak(&mut alone, psn));
                assert_eq!(alone.status(), [], "{syndrome:#x}, way {way}");
                match way {
                    0 => alone.answer(psn, ACK),
                    1 => (),
                    _ => alone.data(psn, (psn == 0, psn == 2), if psn == 2 { 88 } else { 256 }),
                }
            }
            if way == 1 {
                alone.answer(2, ACK);
            }
            assert_eq!((alone.program.waiting(), alone.status()), (0, vec![]), "{syndrome:#x}, way {way}");
            // The next request begins with counts of 0.
            alone.send(&[1; 10]);
            alone.run(12);
            (0..2).for_each(|_| nak(&mut alone, 3));
            assert_eq!(alone.status(), []);
            nak(&mut alone, 3);
            assert_eq!(alone.status().len(), 1);
        }
    }
}

#[test]
fn restart_goes_back_to_what_is_not_acknowledged() {
    for syndrome in [ACK, NAK, RNR_NAK | 1] {
        let mut alone = Alone::new(1, |attributes| Attributes { timeout: 2, ..attributes });
        alone.send(&[1; THREE]);
        alone.run(7);
        assert_eq!(alone.psns(), [0, 1, 2]);
        // An ACK of the first packet, or a NAK that acknowledges it.
        alone.answer(u32::from(syndrome != ACK), syndrome);
        alone.run(200);
        let again = alone.psns();
        assert!(again.len() >= 4 && again.chunks(2).all(|psns| [1, 2].starts_with(psns)), "{again:?}");
    }
}

#[test]
fn delay_of_an_rnr_nak_is_the_one_in_the_nak() {
    // Neither the own time-out, 64 ticks, nor the own RNR timer, 30 ticks.
    for code in [1, 2, 5, 6, 8] {
        let mut alone = Alone::new(1, |attributes| attributes);
        alone.send(&[1; 100]);
        alone.run(12);
        alone.inject(&Alone::acknowledge(PSN, RNR_NAK | code));
        let waited = alone.until_sent(2_000).expect("it is sent again") / TICK;
        let ticks = u64::from(rnr_ticks(code));
        assert!((ticks..ticks + 20).contains(&waited), "code {code}: {waited} ticks in place of {ticks}");
    }
}

#[test]
fn acknowledgement_ends_the_delay_of_an_rnr_nak() {
    // The time-out of 64 ticks is longer than the test waits for the last packet.
    let mut alone = Alone::new(1, |attributes| attributes);
    alone.send(&[1; THREE]);
    alone.run(12);
    assert_eq!(alone.psns(), [0, 1, 2]);
    alone.answer(1, RNR_NAK | 12);
    alone.answer(1, ACK);
    alone.run(15);
    assert_eq!(alone.psns(), [2]);
    alone.answer(2, ACK);
    assert_eq!(alone.program.waiting(), 0);
}

#[test]
fn time_out_counts_from_the_last_progress() {
    let timeout = u64::from(timeout_ticks(4)) * TICK / 1_000;
    for reads in [false, true] {
        let mut alone = Alone::new(1, |attributes| attributes);
        if reads {
            alone.program.read(&mut alone.pair.hosts[1], 4 * 256, WINDOW.0);
        } else {
            alone.send(&[1; 4 * 256]);
        }
        alone.run(12);
        for psn in 0..4 {
            // Most of the time-out passes before each answer.
            alone.run(timeout - 20);
            if reads {
                alone.data(psn, (psn == 0, psn == 3), 256);
            } else {
                alone.answer(psn, ACK);
            }
        }
        assert_eq!((alone.program.waiting(), alone.status()), (0, vec![]));
        assert_eq!(alone.restarts(), Default::default(), "nothing is sent again");
        assert_eq!(alone.left().len(), if reads { 1 } else { 4 });
    }
}

/// A deadline has passed from its own tick on, for half of all ticks; ticks wrap.
#[test]
fn deadline_passes_with_its_own_tick() {
    for deadline in [0_u32, 100, 0x7fff_ffff, 0x8000_0000, u32::MAX] {
        for (ticks, passed) in
            [(0, true), (1, true), (0x7fff_ffff, true), (0x8000_0000, false), (u32::MAX, false)]
        {
            let mut engine = SendEngine { state: State::Look, ..SendEngine::default() };
            let requester = Requester { deadline, ..Requester::default() };
            engine.tick(&In { requester, now: deadline.wrapping_add(ticks), ..In::default() });
            assert_eq!(engine.passed, passed, "{ticks:#x} ticks after {deadline:#x}");
        }
    }
}

#[test]
fn time_out_of_nothing_is_none() {
    let mut alone = sent(THREE);
    alone.run(3_000);
    assert_eq!((alone.psns(), alone.program.waiting(), alone.status()), (vec![], 1, vec![]));
}

#[test]
fn acknowledgement_of_an_rdma_read_has_no_effect() {
    let mut alone = read(THREE as u32);
    let before = alone.requester();
    for psn in 0..3 {
        alone.answer(psn, ACK);
        assert_eq!(alone.requester(), before);
    }
    for psn in 0..3 {
        alone.data(psn, (psn == 0, psn == 2), if psn == 2 { 88 } else { 256 });
    }
    assert_eq!((alone.program.waiting(), alone.program.read.len(), alone.psns()), (0, 1, vec![]));
}

#[test]
fn data_of_an_rdma_read_are_taken_in_order_and_as_long_as_asked() {
    // Number, first and last, bytes of the packets, the last one of which is wrong.
    let (first, middle, last, only) = ((true, false), (false, false), (false, true), (true, true));
    type Data = (u32, (bool, bool), usize);
    let cases: &[&[Data]] = &[
        &[(0, first, 255)],
        &[(0, first, 257)],
        &[(0, only, 256)],
        &[(0, last, 256)],
        &[(0, first, 256), (1, middle, 255)],
        &[(0, first, 256), (1, last, 256)],
        &[(0, first, 256), (1, middle, 256), (2, last, 87)],
        &[(0, first, 256), (1, middle, 256), (2, last, 89)],
        &[(0, first, 256), (1, middle, 256), (2, middle, 88)],
    ];
    for packets in cases {
        let mut alone = read(THREE as u32);
        for &(psn, ends, bytes) in *packets {
            assert_eq!(alone.status(), [], "{packets:?}");
            alone.data(psn, ends, bytes);
        }
        assert_eq!(alone.status(), [Status::BadResponse.code()], "{packets:?}");
    }
    let mut alone = read(THREE as u32);
    let before = alone.requester();
    for psn in [1, 2, 3, 0xff_ffff, 0x80_0000, 0x7f_ffff] {
        alone.data(psn, middle, 256);
        assert_eq!(alone.requester(), before, "PSN {psn:#x}");
    }
    // Data without a request.
    let mut alone = sent(100);
    let before = alone.requester();
    alone.data(0, only, 100);
    assert_eq!(alone.requester(), before);
}

#[test]
fn request_that_its_host_changes_is_sent_no_further() {
    type Change = fn(SendWqe) -> SendWqe;
    let changes: [(Change, Status); 4] = [
        (|wqe| SendWqe { length: wqe.length + 1, ..wqe }, Status::LengthError),
        (|wqe| SendWqe { length: wqe.length - 1, ..wqe }, Status::LengthError),
        (|wqe| SendWqe { operation: Operation::RdmaWrite.code(), ..wqe }, Status::OperationError),
        (|wqe| SendWqe { operation: Operation::SendImmediate.code(), ..wqe }, Status::OperationError),
    ];
    for (change, status) in changes {
        let mut alone = Alone::new(1, |attributes| Attributes { timeout: 0, ..attributes });
        let wqe = alone.program.request(THREE as u32);
        alone.send(&[1; THREE]);
        alone.run(12);
        alone.left();
        alone.host().put_send(SEND_RING.0, SEND_RING.1, 0, &change(wqe));
        alone.answer(1, NAK);
        alone.run(20);
        assert_eq!((alone.psns(), alone.status()), (vec![], vec![status.code()]));
    }
}

#[test]
fn longest_message_is_refused_for_its_key_alone() {
    for (length, status) in [(0x4000_0000, Status::ProtectionError), (0x4000_0001, Status::LengthError)] {
        let mut alone = Alone::new(1, |attributes| attributes);
        let wqe = alone.program.request(length);
        alone.program.send_request(&mut alone.pair.hosts[1], &wqe);
        alone.run(20);
        assert_eq!(alone.status(), [status.code()], "{length:#x} bytes");
    }
}

#[test]
fn send_ring_may_be_exactly_full() {
    for (count, good) in [(8, true), (9, false)] {
        let mut alone = Alone::new(1, |attributes| attributes);
        for place in 0..8 {
            let wqe = alone.program.request(10);
            alone.host().put_send(SEND_RING.0, SEND_RING.1, place, &wqe);
        }
        alone.host().ring(hca::registers::Doorbell::SendBell, QPNS.1, count, false);
        alone.run(20);
        assert_eq!(alone.requester().dead, !good);
        assert_eq!(alone.left().len(), if good { 8 } else { 0 });
    }
}

#[test]
fn each_queue_has_its_own_completion_queue() {
    const OTHER: (u32, u8) = (0x6000, 4);
    let complete = |syndrome: u8| {
        let mut alone = Alone::new(1, |attributes| Attributes { send_cq: 2, timeout: 0, ..attributes });
        let row = Queue { valid: true, log: OTHER.1, base: OTHER.0, ..Queue::default() };
        alone.host().set_queue(2, row);
        alone.wait(60);
        alone.post();
        alone.send(&[1; 10]);
        alone.wait(12);
        alone.inject(&Alone::packet(SendOnly, PSN).data(b"to the other queue"));
        alone.inject(&Alone::acknowledge(PSN, syndrome));
        alone.run(20);
        assert_eq!(alone.program.received.len(), 1);
        assert_eq!(alone.program.taken, 1, "the answer is not completed in the receive queue's CQ");
        let cqe =
            alone.pair.hosts[1].poll(OTHER.0, OTHER.1, 0).expect("it is completed in the send queue's CQ");
        assert!(alone.pair.hosts[1].poll(OTHER.0, OTHER.1, 1).is_none());
        cqe.status
    };
    assert_eq!(complete(ACK), Status::Success.code());
    assert_eq!(complete(NAK | 2), Status::RemoteAccess.code());
}

/// The fields of a WQE that only datagrams have: those of a connection come from its attributes.
#[test]
fn destination_in_a_request_is_not_for_connections() {
    let mut alone = Alone::new(1, |attributes| attributes);
    let wqe = alone.program.request(THREE as u32);
    let wqe = SendWqe { destination: 0x12_3456, lid: 0x789a, q_key: 0xbcde_f012, solicited: true, ..wqe };
    alone.program.send_request(&mut alone.pair.hosts[1], &wqe);
    // Service level 5, in a word that the WQE's type has no field for.
    alone.host().memory[SEND_RING.0 as usize / 8 + 4] |= 5 << 48;
    // The monitor expects the peer of the connection and service level 0; only the last packet is solicited.
    alone.run(12);
    assert_eq!(alone.psns(), [0, 1, 2]);
}
