//! A connection at the edges of its rules, with a peer that is played by hand.

use super::*;
use crate::modern::outbox::Next;
use crate::modern::packet::{Answer, Frame, Part, next_frame, put_ping};
use crate::modern::recovery::MOST_REORDERING;
use crate::modern::sent::State;
use crate::{Rules, Security};

struct Bench {
    config: Config,
    counters: Counters,
    events: VecDeque<Event>,
    ledger: Ledger,
    now: Instant,
    connection: Connection,
}

fn address(last: u8) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, last], 7))
}

impl Bench {
    /// A connection that is open.
    fn new() -> Self {
        let config = Config::new(Rules::MODERN, Security::Trusted);
        let now = Instant::ZERO + Duration::from_secs(3);
        let connection = Connection::new(now, &config, address(2), 11);
        let ledger = Ledger::new(config.budget, config.permit_life);
        let mut bench =
            Self { config, counters: Counters::default(), events: VecDeque::new(), ledger, now, connection };
        let hello = Hello { id: 12, window: 10_000, largest_block: 5_000, ..bench.hello() };
        bench.with(|connection, cx| {
            connection.meet(cx, &hello);
            connection.open(cx);
        });
        bench
    }

    fn hello(&self) -> Hello {
        self.connection.hello(&self.config)
    }

    fn with<T>(&mut self, what: impl FnOnce(&mut Connection, &mut Context<'_>) -> T) -> T {
        let mut cx = Context {
            now: self.now,
            peer: Peer { slot: 0, generation: 1 },
            config: &self.config,
            counters: &mut self.counters,
            events: &mut self.events,
            ledger: &mut self.ledger,
        };
        what(&mut self.connection, &mut cx)
    }

    /// An acknowledgement of these packets arrives.
    fn says(&mut self, answer: Answer, ranges: &[(u64, u64)]) {
        let ranges = ranges.to_vec();
        self.with(|connection, cx| connection.acknowledged(cx, &answer, ranges.into_iter()));
    }

    /// Sends packets of 1,000 bytes that carry nothing.
    fn sends(&mut self, count: usize) {
        for _ in 0..count {
            let mark = self.connection.sent.mark();
            self.connection.sent.push(self.now, 1_000, mark);
        }
    }

    /// A packet that asks for an answer arrives.
    fn hears(&mut self, number: u64, time: u32) {
        let mut frames = Vec::new();
        put_ping(&mut frames);
        self.with(|connection, cx| {
            connection.data(cx, (address(2), 0), false, number, time, &frames);
        });
    }

    /// The acknowledgement that leaves now.
    fn answers(&mut self) -> Answer {
        let mut out = Vec::new();
        self.with(|connection, cx| connection.put_ack(cx, &mut out));
        let mut frames = &out[..];
        let Ok(Some(Frame::Ack(answer, _))) = next_frame(&mut frames) else { panic!("it is one") };
        answer
    }
}

/// An acknowledgement that says nothing new.
fn nothing(bench: &Bench) -> Answer {
    Answer { echo: micros(bench.now), held: 0, limit: 0, permit: 0, bytes: 0, life: 0, marked: 0 }
}

#[test]
fn limit_of_a_stale_acknowledgement_changes_nothing() {
    for stale in [0, 10_063, 10_064] {
        let mut bench = Bench::new();
        let answer = nothing(&bench);
        bench.says(Answer { limit: 10_064, ..answer }, &[]);
        bench.says(Answer { limit: stale, ..answer }, &[]);
        bench.connection.outbox.push(0, &[1; 10_000]);
        assert!(matches!(bench.connection.outbox.next(), Next::Part(_)), "{stale}");
        bench.connection.outbox.push(0, &[1]);
        let Next::Part(part) = bench.connection.outbox.next() else { panic!("the first block goes on") };
        assert_eq!(part.block, 0);
    }
    // One byte less, and the block waits.
    let mut bench = Bench::new();
    let answer = nothing(&bench);
    bench.says(Answer { limit: 10_063, ..answer }, &[]);
    bench.connection.outbox.push(0, &[1; 10_000]);
    assert_eq!(bench.connection.outbox.next(), Next::Blocked);
}

#[test]
fn permit_counts_once_whatever_comes_again_with_its_number() {
    let mut bench = Bench::new();
    let permit = Answer { permit: 5, bytes: 9_000, life: 4_000, ..nothing(&bench) };
    bench.says(permit, &[]);
    let until = bench.now + Duration::from_millis(4);
    assert_eq!(bench.connection.permit, Some((9_000, until)));
    bench.now = bench.now + Duration::from_millis(1);
    for number in [0, 4, 5] {
        let again = Answer { permit: number, bytes: 20_000, life: 50_000, ..nothing(&bench) };
        bench.says(again, &[]);
        assert_eq!(bench.connection.permit, Some((9_000, until)), "{number}");
    }
    bench.says(Answer { permit: 6, bytes: 1, life: 1_000, ..nothing(&bench) }, &[]);
    assert_eq!(bench.connection.permit, Some((1, bench.now + Duration::from_millis(1))));
}

#[test]
fn life_of_a_permit_begins_at_the_echoed_time() {
    for (age, left) in [(0, 5_000), (1, 4_999), (4_999, 1), (5_000, 0), (5_001, 0)] {
        let mut bench = Bench::new();
        let echo = micros(bench.now).wrapping_sub(age);
        bench.says(Answer { permit: 1, bytes: 9_000, life: 5_000, echo, ..nothing(&bench) }, &[]);
        let until = bench.now + Duration::from_micros(left);
        assert_eq!(bench.connection.permit, Some((9_000, until)), "{age}");
        // At its end it is over.
        let valid = |at: Instant| bench.connection.flow(&bench.config, at).permit.is_some();
        assert_eq!(valid(bench.now), left > 0, "{age}");
        assert!(!valid(until));
    }
    // The echo is older than the wrap of the clock's 32 bits.
    let mut bench = Bench::new();
    bench.now = Instant::ZERO + Duration::from_micros((1 << 32) + 10);
    bench.says(Answer { permit: 1, bytes: 9, life: 100, echo: u32::MAX - 9, ..nothing(&bench) }, &[]);
    assert_eq!(bench.connection.permit, Some((9, bench.now + Duration::from_micros(80))));
}

#[test]
fn marks_count_when_their_number_grows_alone() {
    let mut bench = Bench::new();
    bench.sends(4);
    bench.says(Answer { marked: 3, ..nothing(&bench) }, &[(0, 0)]);
    let (marks, congestion) = (bench.connection.marks_there, bench.connection.congestion);
    assert_eq!(marks, 3);
    // New packets, so that a mark would count as one of a new round.
    bench.sends(8);
    for stale in [0, 2, 3] {
        bench.says(Answer { marked: stale, ..nothing(&bench) }, &[]);
        assert_eq!((bench.connection.marks_there, &bench.connection.congestion), (3, &congestion), "{stale}");
    }
    bench.connection.highest = Some(9);
    let window = bench.connection.congestion.window();
    bench.says(Answer { marked: 4, ..nothing(&bench) }, &[]);
    assert!(bench.connection.congestion.window() < window);
}

#[test]
fn progress_alone_ends_a_probe() {
    let mut bench = Bench::new();
    bench.sends(3);
    bench.says(nothing(&bench), &[(0, 0)]);
    (bench.connection.probe, bench.connection.in_vain) = (true, 2);
    // An acknowledgement of the same packet again is no progress.
    bench.says(nothing(&bench), &[(0, 0)]);
    assert_eq!((bench.connection.probe, bench.connection.in_vain), (true, 2));
    bench.says(nothing(&bench), &[(1, 1)]);
    assert_eq!((bench.connection.probe, bench.connection.in_vain), (false, 0));
}

#[test]
fn time_that_is_echoed_is_that_of_the_highest_number() {
    let mut bench = Bench::new();
    let began = bench.now;
    let ms = |count: u64| Duration::from_millis(count);
    for (at, number, time, echo, held) in
        [(0, 5, 100, 100, 0), (2, 3, 50, 100, 2), (4, 6, 120, 120, 0), (9, 4, 60, 120, 5)]
    {
        bench.now = began + ms(at);
        bench.hears(number, time);
        let answer = bench.answers();
        assert_eq!((answer.echo, answer.held), (echo, held * 1_000), "packet {number}");
    }
}

#[test]
fn life_of_a_permit_runs_down_between_acknowledgements() {
    let mut bench = Bench::new();
    bench.hears(0, 1);
    bench.connection.wants_permit = true;
    let first = bench.answers();
    assert!(first.permit == 1 && first.life > 0 && first.bytes > 0, "{first:?}");
    let life = Duration::from_micros(first.life.into());
    bench.now = bench.now + (life / 4 - Duration::from_micros(1));
    bench.connection.wants_permit = true;
    let next = bench.answers();
    assert_eq!((next.permit, next.bytes, next.life), (1, first.bytes, first.life - first.life / 4 + 1));
    // From a quarter on it is renewed.
    bench.now = bench.now + Duration::from_micros(1);
    let renewed = bench.answers();
    assert_eq!((renewed.permit, renewed.life), (2, first.life));
}

#[test]
fn block_has_to_fit_the_peer_and_the_queue_to_the_last_byte() {
    let mut bench = Bench::new();
    let config = Config { queue: 4 * cost(5_000), ..bench.config.clone() };
    let refused = bench.connection.send(&config, 0, &[1; 5_001]);
    assert_eq!(refused, Err(SendError::TooLarge { length: 5_001, limit: 5_000 }));
    for _ in 0..3 {
        assert_eq!(bench.connection.send(&config, 0, &[1; 5_000]), Ok(()));
    }
    assert_eq!(bench.connection.send(&config, 0, &[1; 4_999]), Ok(()));
    assert_eq!(bench.connection.flow(&config, bench.now).room, 0);
    assert!(matches!(bench.connection.send(&config, 0, &[]), Err(SendError::Full { .. })));
    assert!(bench.connection.owes_writable);
    // The last byte that is left.
    let mut bench = Bench::new();
    (0..3).for_each(|_| bench.connection.send(&config, 0, &[1; 5_000]).expect("there is room"));
    assert_eq!(bench.connection.flow(&config, bench.now).room, 5_000);
    assert_eq!(bench.connection.send(&config, 0, &[1; 5_000]), Ok(()));
    assert_eq!(bench.connection.outbox.queued_bytes(), config.queue);
}

#[test]
fn closing_connection_says_so_and_asks_no_new_address() {
    let mut bench = Bench::new();
    bench.connection.candidate = Some(Candidate { address: address(9), question: 1, due: true });
    bench.connection.close();
    let mut out = Vec::new();
    let to = bench.with(|connection, cx| connection.transmit(cx, &mut out));
    assert_eq!((to, out.last()), (Some(address(2)), Some(&4)), "a Close frame, to the peer");
    // Without a close the new address is asked.
    let mut bench = Bench::new();
    bench.connection.candidate = Some(Candidate { address: address(9), question: 1, due: true });
    assert_eq!(bench.with(|connection, cx| connection.transmit(cx, &mut out)), Some(address(9)));
    assert_ne!(bench.with(|connection, cx| connection.transmit(cx, &mut out)), Some(address(9)), "once");
}

#[test]
fn idle_peer_is_probed_at_the_end_of_its_time() {
    let mut bench = Bench::new();
    let heard = bench.connection.heard;
    bench.now = heard + (bench.config.keep_alive - Duration::from_nanos(1));
    assert_eq!(bench.with(|connection, cx| connection.expire(cx)), None);
    assert!(!bench.connection.ping);
    bench.now = bench.now + Duration::from_nanos(1);
    assert_eq!(bench.with(|connection, cx| connection.expire(cx)), None);
    assert!(bench.connection.ping);
    // Nothing is heard from the probe on.
    let mut out = Vec::new();
    assert!(bench.with(|connection, cx| connection.transmit(cx, &mut out)).is_some());
    bench.now = bench.now + (bench.config.give_up - Duration::from_nanos(1));
    assert_eq!(bench.with(|connection, cx| connection.expire(cx)), None);
    bench.now = bench.now + Duration::from_nanos(1);
    assert!(bench.with(|connection, cx| connection.expire(cx)).is_some());
}

#[test]
fn challenge_is_answered_once() {
    let mut bench = Bench::new();
    bench.connection.asked = Some(0x1234);
    let mut responses = 0;
    for _ in 0..3 {
        let mut out = Vec::new();
        if bench.with(|connection, cx| connection.transmit(cx, &mut out)).is_some() {
            let number = 0x1234u64.to_be_bytes();
            responses += usize::from(out.windows(8).any(|window| window == number));
        }
    }
    assert_eq!(responses, 1);
}

#[test]
fn retry_repeats_a_call_once() {
    let mut bench = Bench::new();
    bench.connection.stage = Stage::Calling;
    let cookie = Cookie { created: 1, hash: [1; 16] };
    let retry = |bench: &mut Bench, cookie: Cookie, later: u64| {
        bench.now = bench.now + Duration::from_millis(later);
        bench.connection.tries = 3;
        bench.with(|connection, cx| connection.retry(cx, cookie));
        (
            bench.connection.hello_at == bench.now,
            bench.connection.tries,
            bench.counters.dropped(Dropped::Stale),
        )
    };
    assert_eq!(retry(&mut bench, cookie, 1), (true, 0, 0));
    assert_eq!(retry(&mut bench, cookie, 1), (false, 3, 1));
    let mut other = cookie;
    other.hash[15] ^= 1;
    assert_eq!(retry(&mut bench, other, 1), (true, 0, 1));
    bench.connection.stage = Stage::Open;
    assert_eq!(retry(&mut bench, cookie, 1), (false, 3, 2));
}

#[test]
fn late_packet_widens_the_threshold_up_to_its_most() {
    let mut bench = Bench::new();
    let part = Part { priority: 0, block: 0, index: 0 };
    for _ in 0..8 {
        let mark = bench.connection.sent.mark();
        bench.connection.sent.carries(part);
        bench.connection.sent.push(bench.now, 1_000, mark);
    }
    for number in 0..8 {
        bench.connection.sent.set(number, State::Lost);
    }
    let mut expected = REORDERING;
    for number in 0..8u64 {
        bench.says(nothing(&bench), &[(number, number)]);
        expected = (expected * 2).min(MOST_REORDERING);
        assert_eq!((bench.connection.reordering, bench.counters.spurious), (expected, number + 1));
        // The same again is not late once more.
        bench.says(nothing(&bench), &[(number, number)]);
        assert_eq!(bench.counters.spurious, number + 1);
    }
    assert_eq!(expected, MOST_REORDERING);
}

#[test]
fn lost_mtu_probe_is_no_congestion() {
    for trial in [true, false] {
        let mut bench = Bench::new();
        if trial {
            bench.connection.mtu.tried(1_400, 0);
        }
        bench.sends(4);
        bench.says(nothing(&bench), &[(3, 3)]);
        let lost = bench.counters.lost;
        assert_eq!(lost, u64::from(!trial), "number 0 is three packets behind");
        let fresh = Bench::new().connection.congestion.window();
        assert_eq!(bench.connection.congestion.window() < fresh, !trial);
        assert_eq!(bench.connection.sent.get(0).map(|packet| packet.state), Some(State::Lost));
    }
}

#[test]
fn loss_rate_moves_by_a_64th_of_its_distance() {
    let mut bench = Bench::new();
    bench.connection.loss = 640_000;
    bench.sends(8);
    bench.says(nothing(&bench), &[(0, 0)]);
    assert_eq!(bench.connection.loss, 630_000, "a packet has arrived");
    bench.says(nothing(&bench), &[(0, 0)]);
    assert_eq!(bench.connection.loss, 630_000, "it has not arrived again");
    bench.connection.loss = 360_000;
    bench.connection.highest = Some(1 + REORDERING);
    bench.with(|connection, cx| connection.find_lost(cx));
    assert_eq!((bench.connection.loss, bench.counters.lost), (370_000, 1));
}

#[test]
fn application_hears_of_room_for_the_largest_block() {
    // Bytes of the queued block, if any, the largest block here, and the room left.
    for (queued, largest, room, told) in [
        (None, 5_000, 0, true),
        (Some(1), 5_000, cost(5_000) - 1, false),
        (Some(1), 5_000, cost(5_000), true),
        (Some(4_000), 3_000, cost(3_000) - 1, false),
        (Some(4_000), 3_000, cost(3_000), true),
        (Some(4_000), 6_000, cost(5_000), true),
    ] {
        for owes in [true, false] {
            let mut bench = Bench::new();
            if let Some(bytes) = queued {
                bench.connection.outbox.push(0, &vec![1; bytes]);
            }
            bench.events.clear();
            bench.config.largest_block = largest;
            bench.config.queue = bench.connection.outbox.queued_bytes() + room;
            bench.connection.owes_writable = owes;
            for _ in 0..2 {
                bench.says(nothing(&bench), &[]);
            }
            let events = bench.events.iter().filter(|event| matches!(event, Event::Writable { .. })).count();
            assert_eq!(events, usize::from(told && owes), "{queued:?} {largest} {room}");
            assert_eq!(bench.connection.owes_writable, owes && !told);
        }
    }
}

#[test]
fn block_that_no_queue_can_hold_is_too_large() {
    let mut bench = Bench::new();
    let config = Config { queue: cost(100), ..bench.config.clone() };
    let refused = bench.connection.send(&config, 0, &[1; 101]);
    assert_eq!(refused, Err(SendError::TooLarge { length: 101, limit: 100 }));
    assert!(!bench.connection.owes_writable);
    assert_eq!(bench.connection.send(&config, 0, &[1; 100]), Ok(()));
}

#[test]
fn probe_that_is_to_be_sent_has_no_timer() {
    let mut bench = Bench::new();
    let idle = Some(bench.connection.heard + bench.config.keep_alive);
    assert_eq!(bench.connection.timeout(&bench.config), idle);
    bench.sends(1);
    let timeout = bench.connection.last_sent + bench.connection.probe_timeout(&bench.config);
    assert_eq!(bench.connection.timeout(&bench.config), Some(timeout));
    bench.connection.probe = true;
    assert_eq!(bench.connection.timeout(&bench.config), idle);
}

#[test]
fn pacing_has_a_timer_while_it_alone_holds_a_part_back() {
    for (queued, full, held) in [(true, false, true), (false, false, false), (true, true, false)] {
        let mut bench = Bench::new();
        bench.connection.trip = bench.connection.trip.sample(Duration::from_millis(10), Duration::ZERO);
        let trip = bench.connection.trip.smoothed();
        for _ in 0..20 {
            bench.connection.congestion.departed(bench.now, 1_000, trip);
        }
        if queued {
            bench.connection.outbox.push(0, &[1; 100]);
        }
        if full {
            bench.sends(60);
        }
        let departure = bench.connection.congestion.departure(trip);
        assert!(departure > bench.now);
        let mut out = Vec::new();
        assert_eq!(bench.with(|connection, cx| connection.transmit(cx, &mut out)), None);
        assert_eq!(bench.connection.paced_until, held.then_some(departure), "{queued} {full}");
        // At its time it leaves, and the timer ends.
        bench.now = departure;
        let leaves = bench.with(|connection, cx| connection.transmit(cx, &mut out)).is_some();
        assert_eq!((leaves, bench.connection.paced_until), (held, None));
    }
}

#[test]
fn larger_datagram_is_tried_when_data_fills_it() {
    for (above, sent, tried) in [(1, false, true), (0, false, false), (1, true, false)] {
        let mut bench = Bench::new();
        bench.connection.unscheduled = 100_000;
        let size = bench.connection.mtu.trial(bench.now).expect("the path is not known yet");
        bench.connection.outbox.push(0, &vec![1; size + above - cost(0)]);
        while sent && let Next::Part(part) = bench.connection.outbox.next() {
            bench.connection.outbox.sent(&part);
        }
        let mut out = Vec::new();
        let leaves = bench.with(|connection, cx| connection.transmit(cx, &mut out)).is_some();
        assert_eq!((leaves, bench.connection.mtu.is_trial(0)), (!sent, tried), "{above} {sent}");
        assert_eq!(out.len() == size, tried);
    }
}
