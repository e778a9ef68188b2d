use hdl::Stimulus;

use super::*;
use crate::fabric::LinkTiming;
use crate::fabric::switch::bench::{Bench, Handover, Sending, mark, sender};
use crate::fabric::unit::tests::{Flit, frame};

/// Gigabit Ethernet; the last unit of a frame stands for the silence that marks its end.
const CABLE: LinkTiming = LinkTiming {
    latency: Duration::from_ns(50),
    unit: Duration::from_ns(8),
    frame_overhead: Duration::from_ns(11 * 8),
    flow_control: false,
};

const CLOCK: ClockDomain = ClockDomain { period: Duration::from_ns(8), phase: Duration::ZERO };

const TIMING: StoreForwardTiming =
    StoreForwardTiming { latency: Duration::from_ns(4_350), clock: CLOCK, queue: 256 };

const GROUP: u16 = 0xffff;

fn bench(ports: usize, timing: &StoreForwardTiming) -> Bench<StoreForward<Flit>> {
    Bench::new(ports, CABLE, timing)
}

fn ns(ns: u64) -> Time {
    Time::ZERO + Duration::from_ns(ns)
}

/// Arrival time of the first unit of each frame, with its mark.
fn begins(out: &[(Time, Flit)]) -> Vec<(Time, u16)> {
    out.iter().filter(|(_, unit)| unit.bits == 1).map(|(time, unit)| (*time, unit.mark)).collect()
}

#[test]
fn frame_leaves_as_a_whole_after_the_latency() {
    let mut bench = bench(2, &TIMING);
    bench.senders[0].push_back(Sending { at: ns(8), frame: frame(1, 9, 73), gap: Duration::ZERO });
    bench.run(Time::END);
    let seen = bench.seen();
    let stored = (8 + 73 * 8 + 50_u64).next_multiple_of(8);
    let leaves = (stored + 4_350).next_multiple_of(8);
    // Its first unit is on the cable in the cycle before.
    let expected = frame(1, 9, 73).into_iter().zip(0..).map(|(unit, n)| (ns(leaves + 50 + 8 * n), unit));
    assert_eq!(seen.out[1], expected.collect::<Vec<_>>());
    assert_eq!(seen.totals(), (1, 0));
    let observed: Vec<_> = seen.observations.iter().map(|o| (o.time, o.place, o.event)).collect();
    let first = (8 + 8 + 50_u64).next_multiple_of(8);
    let expected = [
        (first, 0, Event::SwitchFirstIn),
        (leaves, 1, Event::SwitchFirstOut),
        (leaves + 72 * 8, 1, Event::SwitchLastOut),
    ];
    assert_eq!(observed, expected.map(|(time, port, event)| (ns(time), Place::Switch(port), event)));
    assert!(bench.ports.iter().all(StoreForward::is_idle));
}

#[test]
fn frame_for_a_group_leaves_all_ports_but_its_own() {
    let mut bench = bench(3, &TIMING);
    bench.send(1, frame(GROUP, 9, 73));
    bench.run(Time::END);
    let seen = bench.seen();
    assert_eq!(seen.totals(), (2, 0));
    for (out, copies) in seen.out.iter().zip([1, 0, 1]) {
        let units: Vec<_> = out.iter().map(|(_, unit)| *unit).collect();
        assert_eq!(units, frame(GROUP, 9, 73).repeat(copies));
    }
}

#[test]
fn frames_for_one_port_are_sent_one_after_another() {
    let mut bench = bench(3, &TIMING);
    for (port, to, mark) in [(0, 1, 1), (0, 7, 5), (2, 1, 2), (2, 1, 3)] {
        bench.send(port, frame(to, mark, 73));
    }
    bench.run(Time::END);
    let seen = bench.seen();
    let came = begins(&seen.out[1]);
    assert_eq!(came.iter().map(|(_, mark)| *mark).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(seen.totals(), (3, 1));
    assert_eq!(came[1].0 - came[0].0, Duration::from_ns((72 + 12) * 8), "there is a gap of 12 bytes");
}

/// Room is checked when the frame may leave rather than when it has arrived, because other frames may leave
/// in between.
#[test]
fn frame_is_discarded_if_the_queue_is_full_when_it_may_leave() {
    // Time of a frame with its gap.
    let turn = 100 * 8 + 88;
    let came = |last| {
        let mut bench = bench(4, &StoreForwardTiming { queue: 1, ..TIMING });
        // The first leaves at once, the second waits for it, the third finds the second; all have arrived
        // before the first leaves.
        for (port, at, mark) in [(0, 8, 0), (1, 16, 1), (2, 24, 2), (0, last, 3)] {
            let frame = frame(3, mark, 100);
            bench.senders[port].push_back(Sending { at: ns(at), frame, gap: Duration::ZERO });
        }
        bench.run(Time::END);
        let seen = bench.seen();
        (begins(&seen.out[3]).iter().map(|(_, mark)| *mark).collect::<Vec<_>>(), seen.totals().1)
    };
    assert_eq!(came(8 + turn), (vec![0, 1], 2), "it may leave when the second does, which is too early");
    assert_eq!(came(8 + turn + 8), (vec![0, 1, 3], 1));
}

/// Random traffic of frames of random lengths, with groups, into queues of random length.
fn traffic(seed: u64) -> Bench<StoreForward<Flit>> {
    let mut random = Stimulus::new(seed);
    let timing = StoreForwardTiming {
        latency: Duration::from_ns(1 + random.below(500)),
        clock: CLOCK,
        queue: 1 + random.below(5) as usize,
    };
    let ports = 2 + random.below(4);
    let mut bench = bench(ports as usize, &timing);
    let favourite = random.below(ports);
    for (port, frames) in bench.senders.iter_mut().enumerate() {
        let mut at = Time::ZERO;
        for number in 0..random.below(30) as u16 {
            at += Duration::from_ns(random.below(2) * random.below(1_000));
            let to = match random.below(8) {
                0 => u64::from(GROUP),
                1 | 2 => random.below(ports + 1),
                _ => favourite,
            };
            let frame = frame(to as u16, mark(port, number), 1 + random.below(30) as u16);
            frames.push_back(Sending { at, frame, gap: Duration::ZERO });
        }
    }
    bench
}

#[test]
fn every_frame_is_forwarded_in_order_or_counted_as_discarded() {
    let mut all_discarded = 0;
    for seed in 0..500 {
        let mut bench = traffic(seed);
        let sent = bench.unsent();
        bench.run(Time::END);
        assert!(bench.ports.iter().all(StoreForward::is_idle), "seed {seed}: something is left");
        let seen = bench.seen();
        let copies = |frame: &Vec<Flit>| if frame[0].to == GROUP { sent.len() as u64 - 1 } else { 1 };
        let (forwarded, discarded) = seen.totals();
        assert_eq!(forwarded + discarded, sent.iter().flatten().map(copies).sum::<u64>(), "seed {seed}");
        all_discarded += discarded;
        for to in 0..sent.len() {
            let came = seen.frames(to);
            for (from, sent) in sent.iter().enumerate() {
                // Some frames are missing; the others are in order.
                let mut went = sent.iter().filter(|f| usize::from(f[0].to) == to || f[0].to == GROUP);
                let mut came = came.iter().filter(|frame| sender(frame) == from);
                assert!(came.all(|came| went.any(|went| went == came)), "seed {seed}: from {from} to {to}");
            }
        }
    }
    assert!(all_discarded > 1_000, "{all_discarded}");
}

/// Threads rely on this: a part of a cluster receives crossings from another part at the end of an epoch.
#[test]
fn store_forward_results_do_not_depend_on_delivery_times() {
    for seed in 0..500 {
        let seen = |handover| {
            let mut bench = traffic(seed);
            bench.handover = handover;
            bench.run(Time::END);
            bench.seen()
        };
        let early = seen(Handover::Early);
        assert!(seen(Handover::Late) == early, "seed {seed}: late");
        assert!(seen(Handover::Random(Stimulus::new(seed))) == early, "seed {seed}: at random");
    }
}

#[test]
fn cargo_can_be_unpacked() {
    let frames: Vec<_> = (1..50).map(|units| frame(units, 7 * units, units)).collect();
    let mut words = Vec::new();
    frames.iter().for_each(|frame| StoreForward::pack(frame, &mut words));
    let mut words = words.into_iter();
    let back: Vec<_> = std::iter::from_fn(|| StoreForward::<Flit>::unpack(&mut words)).collect();
    assert_eq!(back, frames);
}

#[test]
fn invalid_words_are_not_unpacked() {
    let unpack = |words: &[u64]| StoreForward::<Flit>::unpack(&mut words.iter().copied());
    assert_eq!(unpack(&[1, 7, 1]), Some(vec![Flit { to: 0, mark: 0, bits: 7, last: true }]));
    assert_eq!(unpack(&[]), None);
    assert_eq!(unpack(&[0]), None, "a frame is never empty");
    assert_eq!(unpack(&[2, 7, 0, 7]), None, "a word is missing");
    assert_eq!(unpack(&[1, 7, 0]), None, "its end is missing");
    assert_eq!(unpack(&[2, 7, 1, 7, 1]), None, "it ends twice");
    assert_eq!(unpack(&[1, 7, 1 << 8]), None, "there are no such units");
    assert_eq!(unpack(&[u64::MAX, 7, 0]), None, "there are not so many words");
    let mut random = Stimulus::new(1);
    for _ in 0..10_000 {
        let words: Vec<_> = (0..random.below(9)).map(|_| random.word() >> random.below(64)).collect();
        let mut rest = words.into_iter();
        while StoreForward::<Flit>::unpack(&mut rest).is_some() {}
    }
}

#[test]
fn frame_is_held_from_its_end_until_it_leaves() {
    let mut bench = bench(2, &TIMING);
    bench.senders[0].push_back(Sending { at: ns(8), frame: frame(1, 9, 73), gap: Duration::ZERO });
    let held = |bench: &Bench<StoreForward<Flit>>| [bench.ports[0].held(), bench.ports[1].held()];
    bench.run(ns(8 + 73 * 8));
    assert_eq!(held(&bench), [0, 0], "it is still coming in");
    bench.run(ns(8 + 73 * 8 + 100));
    assert_eq!(held(&bench), [0, 73]);
    bench.run(Time::END);
    assert_eq!(held(&bench), [0, 0]);
}
