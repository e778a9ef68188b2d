use super::*;
use crate::protocol::{Rules, Sending};

/// An arbitrary peer; adjacent bits of its number differ.
const CHANNEL: u8 = 2;
const NODE: u16 = 0x2a5;

/// A peer with messages 6 to 8 in flight.
const CONTROL: Control = Control {
    sent: 8,
    acked: 5,
    received: 40,
    highest: 8,
    stamp: 100,
    epoch: 0x8001,
    sending: Sending::Running,
    rewound: false,
    dead: false,
    owed: false,
    reserved: 0,
    expiries: 0,
};

fn configuration() -> Configuration {
    Configuration { rules: Rules::REPAIRED, window: 8, timeout: 50, limit: 3, ..Configuration::default() }
}

/// The block with models of NIC memory, of the send buffers and of transmit DMA.
struct Bench {
    block: ApplyRule,
    pins: In,
    memory: [u32; 6],
    found: Vec<(bool, u8, u16)>,
    /// Cycles for which transmit DMA is busy before each frame.
    busy: u32,
}

/// Actions of a rule.
#[derive(Debug, Default)]
struct Seen {
    buffers: Vec<BufferRequest>,
    frames: Vec<Frame>,
    /// Output pins at the end of the rule.
    out: Out,
    cycles: u32,
    writes: u32,
}

impl Bench {
    fn new(control: Control) -> Self {
        let pins = In { configuration: configuration(), now: 120, ..In::default() };
        Self { block: ApplyRule::default(), pins, memory: control.words(), found: Vec::new(), busy: 0 }
    }

    fn control(&self) -> Control {
        Control::from_words(self.memory)
    }

    fn apply(&mut self, request: Request) -> Seen {
        let request = Request { channel: CHANNEL, node: NODE, epoch: CONTROL.epoch, ..request };
        let mut seen = Seen::default();
        let (mut rdata, mut busy) = (0, self.busy);
        let mut found = self.found.clone().into_iter();
        while !seen.out.done {
            let out = self.block.outputs();
            let mut pins = In { memory_rdata: rdata, transmit_idle: busy == 0, ..self.pins };
            (pins.start, pins.request) = (seen.cycles == 0, request);
            // An access is answered in the next cycle.
            let word = out.memory.address.wrapping_sub(control_structure(CHANNEL, NODE)) as usize;
            if out.memory.read {
                rdata = self.memory[word];
            }
            if out.memory.write {
                self.memory[word] = out.memory.wdata;
                seen.writes += 1;
            }
            if out.buffer_start {
                seen.buffers.push(out.buffer);
            }
            if self.block.state == State::Buffer {
                pins.buffer_done = true;
                if out.buffer.operation == Operation::Find.code() {
                    (pins.buffer_found, pins.buffer_slot, pins.buffer_size) =
                        found.next().unwrap_or_default();
                }
            }
            if out.frame_start {
                if pins.transmit_idle {
                    seen.frames.push(out.frame);
                    busy = self.busy;
                } else {
                    busy -= 1;
                }
            }
            seen.cycles += 1;
            self.block.tick(&pins);
            seen.out = self.block.outputs();
            assert!(seen.cycles < 2_000, "the rule ends");
        }
        self.block.tick(&In::default());
        assert_eq!(self.block.state, State::Idle);
        let after = self.block.outputs();
        assert!(!(after.done || after.unblock || after.dead), "they are high for one cycle");
        seen
    }
}

fn sender(cause: sender::Cause, number: u32) -> Request {
    Request { cause: cause.code(), number, ..Request::default() }
}

fn receiver(cause: receiver::Cause, number: u32) -> Request {
    Request { receives: true, cause: cause.code(), number, ..Request::default() }
}

fn numbers(seen: &Seen) -> Vec<u32> {
    seen.frames.iter().map(|frame| frame.number).collect()
}

/// Cycles of loading, of the rule, and of storing.
const LOAD: u32 = 7;
const RULE: u32 = RULE_CYCLES as u32 + 1;
const STORE: u32 = 6;
/// Cycles of one frame.
const FRAME: u32 = FRAME_CYCLES as u32 + 1;

#[test]
fn ack_frees_buffers_of_what_is_acknowledged_and_sends_nothing() {
    let mut bench = Bench::new(CONTROL);
    let seen = bench.apply(sender(sender::Cause::Ack, 7));
    let free = BufferRequest {
        operation: Operation::Free.code(),
        channel: CHANNEL,
        node: NODE,
        number: 6,
        count: 2,
        ..BufferRequest::default()
    };
    assert_eq!(seen.buffers, [free]);
    assert_eq!((seen.frames.len(), seen.writes), (0, 6));
    assert_eq!(bench.control(), Control { acked: 7, stamp: 120, ..CONTROL });
    assert!(seen.out.unblock && !seen.out.dead && !seen.out.accepted && !seen.out.deliver);
    // Idle, then Free, Buffer and Offer.
    assert_eq!(seen.cycles, 1 + LOAD + RULE + 3 + STORE);
}

#[test]
fn new_message_is_kept_and_sent_with_number_and_session() {
    let mut bench = Bench::new(CONTROL);
    let request = Request { slot: 0xa, size: 0x555, ..sender(sender::Cause::Offer, 0) };
    let seen = bench.apply(request);
    let keep = BufferRequest {
        operation: Operation::Keep.code(),
        channel: CHANNEL,
        node: NODE,
        number: 9,
        slot: 0xa,
        size: 0x555,
        ..BufferRequest::default()
    };
    assert_eq!(seen.buffers, [keep]);
    let frame = Frame {
        address: SEND_BUFFERS + BUFFER_WORDS * (16 * 2 + 0xa),
        size: 0x555,
        kind: Kind::Message.code(),
        channel: CHANNEL,
        node: NODE,
        number: 9,
        epoch: CONTROL.epoch,
        ..Frame::default()
    };
    assert_eq!(seen.frames, [frame]);
    assert_eq!(bench.control(), Control { sent: 9, highest: 9, ..CONTROL });
    assert!(seen.out.accepted && !seen.out.unblock);
    // Idle, then Keep and Buffer.
    assert_eq!(seen.cycles, 1 + LOAD + RULE + 2 + FRAME + STORE);
}

#[test]
fn new_message_behind_a_closed_window_or_a_rewind_is_left() {
    let full = Control { sent: 13, highest: 13, ..CONTROL };
    let rewound = Control { sent: 6, ..CONTROL };
    for control in [full, rewound] {
        let mut bench = Bench::new(control);
        let seen = bench.apply(sender(sender::Cause::Offer, 0));
        assert_eq!((seen.buffers.len(), seen.frames.len(), seen.writes), (0, 0, 0));
        assert!(!seen.out.accepted);
    }
}

#[test]
fn lose_resends_messages_with_buffers_and_skips_others() {
    let mut bench = Bench::new(CONTROL);
    bench.found = vec![(true, 3, 100), (false, 0, 0), (true, 5, 300)];
    let seen = bench.apply(sender(sender::Cause::Lose, 5));
    let asked: Vec<_> = seen.buffers.iter().map(|buffer| (buffer.operation, buffer.number)).collect();
    assert_eq!(asked, [6, 7, 8].map(|number| (Operation::Find.code(), number)));
    let sent: Vec<_> = seen.frames.iter().map(|frame| (frame.number, frame.size, frame.address)).collect();
    let buffer = |slot| SEND_BUFFERS + BUFFER_WORDS * (16 * u32::from(CHANNEL) + slot);
    assert_eq!(sent, [(6, 100, buffer(3)), (8, 300, buffer(5))]);
    // The first one is the oldest, so the timer restarts.
    assert_eq!(bench.control(), Control { rewound: true, stamp: 120, ..CONTROL });
}

#[test]
fn timer_that_expired_is_counted_and_sends_all_again() {
    let mut bench = Bench::new(CONTROL);
    bench.pins.now = 149;
    let early = bench.apply(sender(sender::Cause::Timer, 0));
    assert_eq!((early.writes, early.out.expired, early.out.unblock), (0, 0, false));
    bench.pins.now = 150;
    bench.found = vec![(true, 1, 64); 3];
    for expired in 1..=2 {
        let seen = bench.apply(sender(sender::Cause::Timer, 0));
        assert_eq!(numbers(&seen), [6, 7, 8]);
        assert_eq!((seen.out.expired, seen.out.unblock, seen.out.dead), (expired, true, false));
        assert_eq!((bench.control().expiries, bench.control().stamp), (expired as u8, bench.pins.now));
        bench.pins.now += 50;
    }
    // The third expiry is the limit.
    let seen = bench.apply(sender(sender::Cause::Timer, 0));
    assert_eq!((seen.frames.len(), seen.out.expired, seen.out.dead), (0, 3, true));
    assert!(bench.control().dead);
}

#[test]
fn timer_of_a_stopped_peer_sends_its_oldest_message_alone() {
    let mut bench = Bench::new(Control { sending: Sending::Stopped, ..CONTROL });
    bench.pins.now = 200;
    bench.found = vec![(true, 1, 64); 3];
    let seen = bench.apply(sender(sender::Cause::Timer, 0));
    assert_eq!(numbers(&seen), [6]);
    assert_eq!(bench.control().sending, Sending::Stopped);
    // A probe without a buffer is not sent.
    bench.pins.now = 300;
    bench.found = Vec::new();
    let seen = bench.apply(sender(sender::Cause::Timer, 0));
    assert_eq!((seen.buffers.len(), seen.frames.len()), (1, 0));
}

#[test]
fn frame_leaves_when_transmit_dma_takes_it() {
    let mut bench = Bench::new(CONTROL);
    let soon = bench.apply(receiver(receiver::Cause::Message, 41)).cycles;
    let mut bench = Bench::new(CONTROL);
    bench.busy = 20;
    assert_eq!(bench.apply(receiver(receiver::Cause::Message, 41)).cycles, soon + 20);
    bench.memory = CONTROL.words();
    bench.busy = 0;
    let soon = bench.apply(sender(sender::Cause::Offer, 0)).cycles;
    bench.memory = CONTROL.words();
    bench.busy = 20;
    assert_eq!(bench.apply(sender(sender::Cause::Offer, 0)).cycles, soon + 20);
}

#[test]
fn message_in_order_is_delivered_and_answered_without_data() {
    let mut bench = Bench::new(CONTROL);
    let seen = bench.apply(receiver(receiver::Cause::Message, 41));
    let [frame] = seen.frames[..] else { panic!("one answer: {:?}", seen.frames) };
    assert_eq!((frame.kind, frame.number, frame.size), (Kind::Ack.code(), 41, 0));
    assert_eq!((frame.channel, frame.node, frame.epoch), (CHANNEL, NODE, CONTROL.epoch));
    assert!(seen.out.deliver && !seen.out.unblock);
    assert_eq!(bench.control(), Control { received: 41, ..CONTROL });
    assert_eq!(seen.cycles, 1 + LOAD + RULE + FRAME + STORE);
    // A duplicate is answered, not delivered.
    let again = bench.apply(receiver(receiver::Cause::Message, 41));
    assert_eq!((numbers(&again), again.out.deliver), (vec![41], false));
}

#[test]
fn full_ring_has_its_own_channel_discard_until_there_is_room() {
    let mut bench = Bench::new(CONTROL);
    bench.pins.full = !(1 << CHANNEL) & 0xf;
    assert!(bench.apply(receiver(receiver::Cause::Message, 41)).out.deliver, "others are full");
    bench.pins.full = 1 << CHANNEL;
    let seen = bench.apply(receiver(receiver::Cause::Message, 42));
    assert_eq!((seen.frames[0].kind, seen.frames[0].number), (Kind::Stop.code(), 42));
    assert_eq!((seen.out.deliver, seen.out.discarding), (false, 1 << CHANNEL));
    // Room alone does not end discarding: the rule of the scan does.
    bench.pins.full = 0;
    let seen = bench.apply(receiver(receiver::Cause::Message, 42));
    assert_eq!((seen.out.deliver, seen.out.discarding), (false, 1 << CHANNEL));
    let seen = bench.apply(receiver(receiver::Cause::Room, 0));
    assert_eq!((seen.frames[0].kind, seen.frames[0].number), (Kind::Go.code(), 42));
    assert_eq!(seen.out.discarding, 0);
    // No other peer is owed a GO.
    let seen = bench.apply(receiver(receiver::Cause::Room, 0));
    assert_eq!((seen.frames.len(), seen.writes), (0, 6));
}

#[test]
fn frames_of_another_session_are_counted_and_do_nothing() {
    let mut bench = Bench::new(Control { epoch: CONTROL.epoch ^ 0x8000, ..CONTROL });
    let message = bench.apply(receiver(receiver::Cause::Message, 41));
    assert_eq!((message.frames.len(), message.out.deliver, message.out.wrong_epoch), (0, false, 1));
    let ack = bench.apply(sender(sender::Cause::Ack, 7));
    assert_eq!((ack.buffers.len(), ack.writes, ack.out.wrong_epoch), (0, 0, 2));
    // Events of the card itself have no session, and the printed rules have no sessions.
    let offer = bench.apply(sender(sender::Cause::Offer, 0));
    assert_eq!((offer.frames.len(), offer.out.wrong_epoch), (1, 2));
    bench.pins.now = 200;
    bench.apply(sender(sender::Cause::Timer, 0));
    let stored = bench.apply(receiver(receiver::Cause::Stored, 0));
    assert_eq!(stored.out.wrong_epoch, 2);
    bench.pins.configuration.rules = Rules::PRINTED;
    let printed = bench.apply(receiver(receiver::Cause::Message, 41));
    assert_eq!((printed.out.deliver, printed.out.wrong_epoch), (true, 2));
}
