//! Each rule of the monitor has a packet that breaks it, next to one that does not.

use super::*;
use crate::layout::PacketKind::{self, *};
use crate::traffic::packet::Packet;
use crate::traffic::wire::with_icrc;

const LIDS: (u16, u16) = (7, 0x1_00);
const PAIR: u8 = 3;
const PEER: u32 = 0x1_2345;
const PSN: u32 = 0xff_ffff;
const US: u64 = 1_000_000;

/// A connection of the second adapter; its first one stands for the peer.
struct Wires {
    monitor: Monitor,
    now: u64,
}

impl Wires {
    fn new() -> Self {
        Self::of(false)
    }

    /// A connection, reliable or not.
    fn of(unreliable: bool) -> Self {
        let mut wires = Self { monitor: Monitor::default(), now: 0 };
        wires.write(Register::Lid, LIDS.1.into());
        wires = wires.set(Kind::Pair, Self::attributes(unreliable));
        wires.write(Register::Control, 1);
        wires
    }

    fn attributes(unreliable: bool) -> Attributes {
        Attributes {
            state: PairState::ReadyToSend.code(),
            connected: true,
            unreliable,
            mtu: 1,
            receive_log: 4,
            timeout: 4,
            retries: 1,
            rnr_retries: 1,
            rnr_timer: 5,
            peer: PEER,
            peer_lid: LIDS.0,
            send_psn: PSN,
            receive_psn: PSN,
            ..Attributes::default()
        }
    }

    /// The host writes a register.
    fn write(&mut self, register: Register, wdata: u32) {
        let address = register.info().offset;
        self.monitor.access(1, &HostIn { enable: true, write: true, address, wdata, ..HostIn::default() });
    }

    /// A command sets up the queue pair, or changes it.
    fn set(mut self, kind: Kind, attributes: Attributes) -> Self {
        let mut row = [0; 4];
        attributes.put(&mut row, 0, Attributes::WIDTH);
        for word in 0..8 {
            let register = Register::write(0x40 + 4 * word).expect("there are eight of them");
            self.write(register, (row[usize::from(word) / 2] >> (32 * (word & 1))) as u32);
        }
        self.write(Register::Command, kind.word(PAIR.into()));
        self
    }

    /// The host changes the state of the queue pair.
    fn change(self, state: PairState) -> Self {
        self.set(Kind::Change, Attributes { state: state.code(), ..Self::attributes(false) })
    }

    fn post(mut self, count: u32) -> Self {
        let address = 0x1000 + Doorbell::ReceiveBell.info().offset;
        let wdata = count << 16 | u32::from(PAIR);
        self.monitor.access(1, &HostIn { enable: true, write: true, user: true, address, wdata });
        self
    }

    fn wait(mut self, us: u64) -> Self {
        for _ in 0..us {
            self.now += US;
            self.monitor.advance(self.now).unwrap_or_else(|violation| panic!("{violation}"));
        }
        self
    }

    fn arrive(mut self, packet: &Packet) -> Self {
        self = self.wait(1);
        let words = with_icrc(&packet.bytes());
        words.iter().enumerate().for_each(|(i, &word)| self.monitor.arrive(1, word, i + 1 == words.len()));
        self
    }

    fn words(&mut self, words: &[u64]) -> Result<(), Violation> {
        let last = words.len() - 1;
        words.iter().enumerate().try_for_each(|(i, &word)| self.monitor.leave(1, word, i == last))
    }

    /// The packet leaves, and may.
    fn leave(mut self, packet: &Packet) -> Self {
        self = self.wait(1);
        self.words(&with_icrc(&packet.bytes())).unwrap_or_else(|violation| panic!("{violation}"));
        self
    }

    /// The packet leaves, and breaks a rule whose text contains `rule`.
    #[track_caller]
    fn breaks(mut self, packet: &Packet, rule: &str) {
        self = self.wait(1);
        let violation = self.words(&with_icrc(&packet.bytes())).expect_err(rule).to_string();
        assert!(violation.contains(rule), "{violation}");
    }
}

/// A packet to the adapter; PSNs count from the first one.
fn to(kind: PacketKind, psn: u32) -> Packet {
    Packet::new(kind, LIDS, PAIR.into(), after(PSN, psn))
}

/// A packet from the adapter.
fn from(kind: PacketKind, psn: u32) -> Packet {
    Packet::new(kind, (LIDS.1, LIDS.0), PEER, after(PSN, psn))
}

fn answer(psn: u32, syndrome: u8, messages: u32) -> Packet {
    from(Acknowledge, psn).answer(syndrome, messages)
}

fn read(packet: Packet, length: u32) -> Packet {
    packet.remote(0x1000, 0x55, length)
}

#[test]
fn fixed_fields_are_judged() {
    let good = from(SendOnly, 0).data(&[1, 2, 3]);
    let _ = Wires::new().leave(&good);
    Wires::new().breaks(&Packet { source_lid: 9, ..good.clone() }, "SLID");
    Wires::new().breaks(&Packet { lid: 9, ..good.clone() }, "no queue pair has peer");
    Wires::new().breaks(&Packet { pair: 9, ..good.clone() }, "no queue pair has peer");
    Wires::new().breaks(&Packet { asks: false, ..good.clone() }, "asks for an acknowledgement");
    Wires::new()
        .breaks(&Packet { asks: true, ..from(SendFirst, 0).data(&[1; 256]) }, "asks for an acknowledgement");
    Wires::new().breaks(&Packet { versions: (1, 2, 0), ..good.clone() }, "versions");
    Wires::new().breaks(&Packet { kind: 0x16, ..good.clone() }, "operation code");
    let bytes = good.bytes();
    for (at, bits, rule) in [
        (10, 0x80, "P_Key"),
        (9, 0x80, ""),
        (1, 0x10, "service level"),
        (9, 0x40, "reserved"),
        (16, 1, "reserved"),
        (23, 1, "reserved"),
    ] {
        let mut bytes = bytes.clone();
        bytes[at] ^= bits;
        let mut wires = Wires::new().wait(1);
        let result = wires.words(&with_icrc(&bytes));
        if rule.is_empty() {
            // The last packet of a request may be solicited.
            result.expect("no rule is broken");
        } else {
            let violation = result.expect_err(rule).to_string();
            assert!(violation.contains(rule), "byte {at}: {violation}");
        }
    }
    let mut words = with_icrc(&bytes);
    words[2] ^= 1 << 40;
    assert!(Wires::new().words(&words).expect_err("it is damaged").rule.contains("ICRC"));
    words.pop();
    assert!(Wires::new().words(&words).expect_err("it is cut").rule.contains("PktLen"));
}

#[test]
fn unreliable_connection_sends_once_and_answers_nothing() {
    let of = |kind: PacketKind, psn| Packet { kind: kind.code() | 0x20, asks: false, ..from(kind, psn) };
    let full = |kind, psn| of(kind, psn).data(&[1; 256]);
    let sent = || Wires::of(true).leave(&full(SendFirst, 0)).leave(&of(SendLast, 1).data(&[2]));
    // The next request begins without an answer.
    let _ = sent().leave(&of(SendOnly, 2)).leave(&of(WriteOnly, 3).remote(0x1000, 0x55, 0)).wait(400);
    for (packet, rule) in [
        (of(SendLast, 1).data(&[2]), "the next PSN"),
        (full(SendFirst, 0), "the next PSN"),
        (of(SendOnly, 3), "the next PSN"),
        (of(SendLast, 2).data(&[2]), "continues no request"),
        (Packet { asks: true, ..of(SendOnly, 2) }, "asks for an acknowledgement"),
        (from(SendOnly, 2), "no queue pair"),
        (answer(0, 0x1f, 1), "no queue pair"),
    ] {
        sent().breaks(&packet, rule);
    }
    // A reliable connection sends no packet of an unreliable one.
    Wires::new().breaks(&of(SendOnly, 0), "no queue pair");
    let arrived = Packet { kind: SendOnly.code() | 0x20, asks: false, ..to(SendOnly, 0) };
    let _ = Wires::of(true).post(1).arrive(&arrived).wait(400);
}

#[test]
fn acknowledgement_has_the_last_psn_and_the_messages_so_far() {
    let arrived = || Wires::new().post(4).arrive(&to(SendOnly, 0));
    let _ = arrived().leave(&answer(0, 0x1f, 1));
    for wrong in [
        answer(1, 0x1f, 1),
        answer(0xff_ffff, 0x1f, 1),
        answer(0, 0x1f, 0),
        answer(0, 0x1f, 2),
        answer(0, 0, 1),
        answer(0, 0x60, 1),
    ] {
        arrived().breaks(&wrong, "due is");
    }
    let twice = || arrived().leave(&answer(0, 0x1f, 1)).arrive(&to(SendOnly, 0));
    let _ = twice().leave(&answer(0, 0x1f, 1));
    twice().breaks(&answer(1, 0x1f, 1), "due is");
    arrived().leave(&answer(0, 0x1f, 1)).breaks(&answer(0, 0x1f, 1), "due is no answer");
    // A READ counts as a message.
    let wires = arrived().leave(&answer(0, 0x1f, 1)).arrive(&read(to(ReadRequest, 1), 8));
    let wires = wires.leave(&from(ReadOnly, 1).answer(0x1f, 2).data(&[1; 8])).arrive(&to(SendOnly, 2));
    let _ = wires.leave(&answer(2, 0x1f, 3));
}

#[test]
fn nak_stays_until_it_is_sent_and_is_sent_once() {
    let gap = || Wires::new().post(4).arrive(&to(SendOnly, 1));
    let _ = gap().leave(&answer(0, 0x60, 0));
    gap().breaks(&answer(1, 0x60, 0), "due is");
    // A duplicate does not replace it, nor does another gap.
    gap().arrive(&to(SendOnly, 0xff_fff0)).breaks(&answer(0xff_ffff, 0x1f, 0), "due is");
    let _ = gap().arrive(&to(SendOnly, 0xff_fff0)).leave(&answer(0, 0x60, 0));
    gap().leave(&answer(0, 0x60, 0)).arrive(&to(SendOnly, 2)).breaks(&answer(0, 0x60, 0), "due is no answer");
    // An RNR NAK has the timer of its queue pair.
    let busy = || Wires::new().arrive(&to(SendOnly, 0));
    let _ = busy().leave(&answer(0, 0x25, 0));
    busy().breaks(&answer(0, 0x24, 0), "due is");
    busy().breaks(&answer(0, 0x1f, 1), "due is");
    busy().arrive(&to(SendOnly, 1)).breaks(&answer(0, 0x60, 0), "due is");
    // With a receive WQE there is none.
    Wires::new().post(1).arrive(&to(SendOnly, 0)).breaks(&answer(0, 0x25, 0), "due is");
}

#[test]
fn packet_out_of_form_is_refused_for_good() {
    let full = [1; 256];
    let writes = || read(to(WriteFirst, 0), 300).data(&full);
    let inside = || Wires::new().post(4).arrive(&writes()).arrive(&to(SendLast, 1).data(&[1]));
    let _ = inside().leave(&answer(1, 0x61, 0));
    inside().breaks(&answer(1, 0x1f, 1), "due is");
    inside()
        .leave(&answer(1, 0x61, 0))
        .arrive(&to(SendOnly, 0))
        .breaks(&answer(0, 0x1f, 0), "due is no answer");
    let short = || Wires::new().arrive(&writes()).arrive(&to(WriteLast, 1).data(&[1; 43]));
    short().breaks(&answer(1, 0x1f, 1), "due is");
    let whole = Wires::new().arrive(&writes()).arrive(&to(WriteLast, 1).data(&[1; 44]));
    let _ = whole.leave(&answer(1, 0x1f, 1));
}

#[test]
fn data_of_an_rdma_read_end_where_it_says() {
    let asked = |psn, length| {
        Wires::new().arrive(&read(to(ReadRequest, 0), 600)).arrive(&read(to(ReadRequest, psn), length))
    };
    let data = |kind, psn, bytes: usize| {
        let packet = from(kind, psn).data(&vec![1; bytes]);
        if kind == ReadMiddle { packet } else { packet.answer(0x1f, 1) }
    };
    let whole = || Wires::new().arrive(&read(to(ReadRequest, 0), 600)).leave(&data(ReadFirst, 0, 256));
    let _ = whole().leave(&data(ReadMiddle, 1, 256)).leave(&data(ReadLast, 2, 88));
    whole().breaks(&data(ReadLast, 1, 256), "due is");
    whole().breaks(&data(ReadMiddle, 2, 256), "due is");
    whole().leave(&data(ReadMiddle, 1, 256)).breaks(&data(ReadLast, 2, 89), "due is");
    // It is repeated for its first packet only.
    let _ = asked(0, 256).leave(&data(ReadOnly, 0, 256));
    // A later answer does not overtake the data.
    let later = || Wires::new().post(1).arrive(&read(to(ReadRequest, 0), 600)).arrive(&to(SendOnly, 3));
    later().breaks(&answer(3, 0x1f, 2), "due is");
}

#[test]
fn read_data_wait_while_the_queue_pair_is_stopped() {
    let data = |psn| from(ReadMiddle, psn).data(&[1; 256]);
    let first = from(ReadFirst, 0).answer(0x1f, 1).data(&[1; 256]);
    let begun = || Wires::new().arrive(&read(to(ReadRequest, 0), 2_000)).leave(&first);
    let stopped = || begun().change(PairState::Error).wait(400);
    // Two packets may have been built before.
    let built = || stopped().leave(&data(1)).leave(&data(2));
    built().breaks(&data(3), "due is");
    let _ = built().change(PairState::ReadyToSend).leave(&data(3));
}

#[test]
#[should_panic(expected = "an answer is missing")]
fn answer_that_never_leaves_is_missed() {
    let _ = Wires::new().post(1).wait(200).arrive(&to(SendOnly, 0)).wait(400);
}

#[test]
fn requests_follow_each_other() {
    let full = vec![1; 256];
    let begun = || Wires::new().leave(&from(SendFirst, 0).data(&full));
    let _ = begun().leave(&from(SendLast, 1).data(&[1]));
    begun().breaks(&from(SendOnly, 1), "before all packets of its predecessor are sent");
    begun().breaks(&from(WriteLast, 1).data(&[1]), "continues no request");
    begun().breaks(&from(SendLast, 1), "fit neither");
    Wires::new().breaks(&from(SendFirst, 0).data(&[1; 255]), "fit neither");
    Wires::new().breaks(&from(SendOnly, 1), "its PSN is not");
    let sent = || Wires::new().leave(&from(SendOnly, 0));
    let acknowledged = |syndrome| to(Acknowledge, 0).answer(syndrome, 1);
    // Sixteen are outstanding; one more begins when the first one is acknowledged.
    let sixteen = || (1..16).fold(sent(), |wires, psn| wires.leave(&from(SendOnly, psn)));
    sixteen().breaks(&from(SendOnly, 16), "16 before it are not acknowledged");
    let _ = sixteen().arrive(&acknowledged(0x1f)).leave(&from(SendOnly, 16));
    let strange = Packet { source_lid: 8, ..acknowledged(0x1f) };
    sixteen().arrive(&strange).breaks(&from(SendOnly, 16), "not acknowledged");
    // An RDMA READ is the only outstanding request.
    sent().breaks(&read(from(ReadRequest, 1), 5), "1 before it are not acknowledged");
    let reads = || sent().arrive(&acknowledged(0x1f)).leave(&read(from(ReadRequest, 1), 5));
    reads().breaks(&from(SendOnly, 2), "1 before it are not acknowledged");
    let _ = reads().arrive(&to(ReadOnly, 1).answer(0x1f, 2).data(&[1; 5])).leave(&from(SendOnly, 2));
    // After a restart, none begins before those outstanding are sent again.
    let again = || sixteen().arrive(&to(Acknowledge, 1).answer(0x60, 1)).wait(6).leave(&from(SendOnly, 1));
    again().breaks(&from(SendOnly, 16), "it skips packets");
    let _ = (2..17).fold(again(), |wires, psn| wires.leave(&from(SendOnly, psn)));
    sent().arrive(&acknowledged(0x61)).wait(80).breaks(&from(SendOnly, 0), "NAK for good");
    let write = |length, data| read(from(WriteOnly, 0), length).data(&vec![1; data]);
    let _ = Wires::new().leave(&write(5, 5));
    Wires::new().breaks(&write(6, 5), "fit neither");
}

#[test]
fn packet_is_sent_again_for_a_reason_only() {
    let good = from(SendOnly, 0);
    let sent = || Wires::new().leave(&good);
    let nak = |psn, syndrome| to(Acknowledge, psn).answer(syndrome, 0);
    // Time-out code 4 is 65.536 us.
    sent().wait(50).breaks(&good, "without a NAK");
    let _ = sent().wait(64).leave(&good);
    sent().wait(64 + 17 + 80).breaks(&good, "expired");
    sent().wait(64).leave(&good).wait(64).breaks(&good, "retry 2 of 1");
    sent().wait(64).breaks(&Packet { data: vec![1], ..good.clone() }, "sent again and was");
    // A NAK has no delay, an RNR NAK its own: code 8 is 163.84 us.
    let _ = sent().arrive(&nak(0, 0x60)).wait(6).leave(&good);
    sent().arrive(&nak(0, 0x60)).wait(6).leave(&good).breaks(&good, "without a NAK");
    sent().arrive(&nak(0, 0x28)).wait(100).breaks(&good, "asked for a delay of 163 us");
    let _ = sent().arrive(&nak(0, 0x28)).wait(163).leave(&good);
    sent().arrive(&nak(0, 0x28)).wait(300).breaks(&good, "waits longer");
    let twice = sent().arrive(&nak(0, 0x21)).wait(15).leave(&good).arrive(&nak(0, 0x21)).wait(15);
    twice.breaks(&good, "RNR retry 2 of 1");
    // One that arrives as the time-out expires asks for a restart of its own.
    let late = sent().wait(64).arrive(&nak(0, 0x60)).leave(&good);
    late.wait(6).breaks(&good, "retry 2 of 1");
    // A restart goes back to the oldest packet, with what it had.
    let full = vec![1; 256];
    let (first, second) = (from(SendFirst, 0).data(&full), from(SendLast, 1).data(&[1]));
    let both = || Wires::new().leave(&first).leave(&second).arrive(&nak(0, 0x1f)).wait(10);
    both().wait(60).breaks(&first, "it goes back to");
    let _ = both().wait(60).leave(&second);
}

#[test]
fn rest_of_an_rdma_read_is_asked_for_again() {
    let data = to(ReadFirst, 0).answer(0x1f, 1).data(&[1; 256]);
    let asked = || Wires::new().leave(&read(from(ReadRequest, 0), 600)).arrive(&data).wait(70);
    let rest = |address, length| from(ReadRequest, 1).remote(address, 0x55, length);
    let _ = asked().leave(&rest(0x1100, 344));
    asked().breaks(&rest(0x1000, 344), "sent again and was");
    asked().breaks(&rest(0x1100, 600), "sent again and was");
    asked().breaks(&read(from(ReadRequest, 0), 600), "it goes back to");
}

#[test]
fn restarts_are_counted_by_reason() {
    let good = from(SendOnly, 0);
    let wires = Wires::new().leave(&good).arrive(&to(Acknowledge, 0).answer(0x21, 0)).wait(15).leave(&good);
    let wires = wires.arrive(&to(Acknowledge, 0).answer(0x60, 0)).wait(6).leave(&good);
    assert_eq!(wires.monitor.restarts(1, PAIR), Restarts { timeouts: 0, naks: 1, rnr_naks: 1 });
    assert_eq!(wires.monitor.judged, 3);
}
