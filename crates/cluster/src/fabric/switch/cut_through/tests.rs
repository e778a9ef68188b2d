use hdl::Stimulus;

use super::*;
use crate::fabric::link::tests::TIMING as CABLE;
use crate::fabric::switch::bench::{Bench, Handover, Sending, mark, sender};
use crate::fabric::unit::tests::{Flit, HIDDEN, frame};
use crate::fabric::{Fault, LinkTiming, Rates};

/// Timing of decision 0013, with credits.
const TIMING: CutThroughTiming = CutThroughTiming {
    cut_through: Duration::from_ns(385),
    unit: CABLE.unit,
    credit: Duration::from_ns(385),
    input: 2048,
    longest: 520,
};

/// Addresses of all ports but that of the sender, and of all.
const OTHERS: u16 = 0xffff;
const EVERYONE: u16 = 0xfffe;

type Switched = Bench<CutThrough<Flit>>;

fn bench(ports: usize) -> Switched {
    Bench::new(ports, CABLE, &TIMING)
}

/// A bench at 16 ns, when senders know that they may send.
fn ready(ports: usize) -> Switched {
    let mut bench = bench(ports);
    bench.run(ns(16));
    bench.now = ns(16);
    bench
}

fn ns(ns: u64) -> Time {
    Time::ZERO + Duration::from_ns(ns)
}

/// Marks of frames in order of arrival.
fn marks(out: &[(Time, Flit)]) -> Vec<u16> {
    out.iter().filter(|(_, unit)| unit.last).map(|(_, unit)| unit.mark).collect()
}

#[test]
fn frame_leaves_after_the_cut_through_latency() {
    let mut bench = ready(2);
    bench.send(0, frame(1, 0, 64));
    bench.run(Time::END);
    let seen = bench.seen();
    let cables = 2 * 10;
    let expected =
        frame(1, 0, 64).into_iter().zip(1..).map(|(unit, n)| (ns(16 + cables + 385 + 8 * n), unit));
    assert_eq!(seen.out[1], expected.collect::<Vec<_>>());
    let SwitchCounters { forwarded, discarded, deepest, waited } = seen.counters[1];
    assert_eq!((forwarded, discarded, deepest, waited), (1, 0, 1, Duration::ZERO));
    assert!(bench.ports.iter().all(CutThrough::is_idle));
}

#[test]
fn frames_are_observed_unless_they_concern_only_links() {
    let mut bench = ready(2);
    bench.send(0, frame(1, 0, 4));
    bench.send(0, frame(1, HIDDEN, 4));
    bench.run(Time::END);
    let first_bit = 16 + 10;
    let expected = [
        (first_bit + 8, 0, Event::SwitchFirstIn),
        (first_bit + 385, 1, Event::SwitchFirstOut),
        (first_bit + 385 + 3 * 8, 1, Event::SwitchLastOut),
    ];
    let seen = bench.seen();
    let observed: Vec<_> = seen.observations.iter().map(|o| (o.time, o.place, o.event)).collect();
    assert_eq!(observed, expected.map(|(time, port, event)| (ns(time), Place::Switch(port), event)));
    assert_eq!(marks(&seen.out[1]), [0, HIDDEN]);
}

#[test]
fn frames_for_one_port_alternate_and_never_mix() {
    let mut bench = ready(3);
    for n in 0..3 {
        bench.send(0, frame(2, 10 + n, 4));
        bench.send(1, frame(2, 20 + n, 4));
    }
    bench.run(Time::END);
    let out: Vec<_> = bench.seen().out[2].iter().map(|(_, unit)| *unit).collect();
    assert_eq!(out, [10, 20, 11, 21, 12, 22].map(|mark| frame(2, mark, 4)).concat());
}

#[test]
fn frames_for_different_ports_leave_at_the_same_time() {
    let mut bench = ready(4);
    bench.send(0, frame(2, 1, 8));
    bench.send(1, frame(3, 2, 8));
    bench.run(Time::END);
    let out = bench.seen().out;
    assert_eq!(out[2][0].0, out[3][0].0);
}

#[test]
fn frame_leaves_one_latency_after_its_receiver_is_ready() {
    let mut bench = ready(2);
    bench.receivers = [(ns(16), 1, false), (ns(2_000), 1, true)].into();
    bench.send(0, frame(1, 0, 4));
    bench.run(ns(1_999));
    assert_eq!(bench.outs[1].next_arrival(), None);
    bench.run(Time::END);
    let seen = bench.seen();
    assert_eq!(seen.out[1][0].0, ns(2_000 + 10 + 8 + 10));
    let waited = 2_000 + 10 - (16 + 10 + 385);
    assert_eq!((seen.counters[1].deepest, seen.counters[1].waited), (4, Duration::from_ns(4 * waited)));
}

/// Each output has its own queue per input, so a frame that waits for one port does not delay frames for
/// another.
#[test]
fn frame_overtakes_one_that_waits_for_another_port() {
    let mut bench = ready(3);
    bench.receivers = [(ns(16), 2, false), (ns(5_000), 2, true)].into();
    for (port, mark) in [(2, 1), (1, 2), (2, 3), (1, 4)] {
        bench.send(0, frame(port, mark, 4));
    }
    bench.run(ns(4_999));
    assert_eq!(
        bench.outs[1].units().filter(|unit| unit.last).map(|unit| unit.mark).collect::<Vec<_>>(),
        [2, 4]
    );
    assert_eq!(bench.outs[2].next_arrival(), None);
    bench.run(Time::END);
    assert_eq!(marks(&bench.seen().out[2]), [1, 3]);
}

#[test]
fn freed_port_goes_to_the_frame_that_waited() {
    for (port, behind, discarded) in [(2, 0, 0), (2, 9, 1), (0, 2, 0), (9, 0, 2)] {
        let mut bench = ready(3);
        bench.send(0, frame(port, 1, 100));
        bench.send(1, frame(port, 2, 4));
        bench.send(1, frame(behind, 3, 4));
        bench.send(1, frame(1, 4, 4));
        bench.run(Time::END);
        assert!(bench.ports.iter().all(CutThrough::is_idle), "a frame for {behind} behind one for {port}");
        assert_eq!(bench.seen().totals(), (4 - discarded, discarded));
    }
}

#[test]
fn full_input_stops_the_sender_before_it_overflows() {
    let mut bench = ready(2);
    bench.receivers = [(ns(16), 1, false)].into();
    for mark in 0..5 {
        bench.send(0, frame(1, mark, 512));
    }
    bench.run(Time::END);
    assert_eq!(bench.senders[0].len(), 2, "three frames fit, and what is under way beside them");
}

/// The room of a frame is returned one credit time after its end, all at once, rather than line by line.
#[test]
fn room_of_a_frame_returns_one_credit_time_after_its_end() {
    let mut bench = ready(2);
    bench.receivers = [(ns(16), 1, false), (ns(50_000), 1, true)].into();
    for mark in 0..4 {
        bench.send(0, frame(1, mark, 512));
    }
    bench.run(ns(50_000));
    assert_eq!(bench.senders[0].len(), 1);
    let last_unit = 50_000 + 10 + 511 * 8;
    bench.run(ns(last_unit + 384));
    assert_eq!(bench.ins[0].next_change(), None, "there is no room yet");
    bench.run(ns(last_unit + 385));
    assert_eq!(bench.ins[0].next_change(), Some(ns(last_unit + 385 + 10)));
    bench.run(Time::END);
    assert_eq!(marks(&bench.seen().out[1]), [0, 1, 2, 3]);
}

#[test]
fn frame_without_a_route_is_discarded_and_the_next_one_passes() {
    let mut bench = ready(2);
    for mark in 0..100 {
        bench.send(0, frame(9, mark, 512));
    }
    bench.send(0, frame(1, 100, 4));
    bench.run(Time::END);
    let seen = bench.seen();
    assert_eq!((seen.counters[1].forwarded, seen.counters[0].discarded), (1, 100));
    assert_eq!(marks(&seen.out[1]), [100], "frames that are discarded give their room back");
}

#[test]
fn frame_for_a_group_holds_its_room_until_all_have_sent_it() {
    for (group, to_sender) in [(OTHERS, vec![]), (EVERYONE, vec![0, 1, 2, 3])] {
        let mut bench = ready(3);
        bench.receivers = [(ns(16), 2, false), (ns(50_000), 2, true)].into();
        for mark in 0..4 {
            bench.send(0, frame(group, mark, 512));
        }
        bench.run(ns(50_000));
        assert_eq!(bench.senders[0].len(), 1, "three of them fill the input");
        bench.run(Time::END);
        let seen = bench.seen();
        assert_eq!(
            [0, 1, 2].map(|port| marks(&seen.out[port])),
            [to_sender, vec![0, 1, 2, 3], vec![0, 1, 2, 3]]
        );
        assert!(bench.ports.iter().all(CutThrough::is_idle));
    }
    // There is no other port.
    let mut bench = ready(1);
    bench.send(0, frame(OTHERS, 0, 4));
    bench.run(Time::END);
    assert_eq!(bench.seen().totals(), (0, 1));
}

/// Random traffic: cables and switch, frames of random lengths with random gaps, at times for `groups`, receivers that
/// stop and start.
fn traffic(seed: u64, groups: bool) -> Switched {
    let mut random = Stimulus::new(seed);
    let cable = LinkTiming {
        latency: Duration::from_ns(1 + random.below(30)),
        frame_overhead: Duration::from_ns(random.below(2) * 4),
        ..CABLE
    };
    let longest = 1 + random.below(20) as usize;
    let under_way = under_way(&Link::<Flit>::new(cable));
    let timing = CutThroughTiming {
        cut_through: Duration::from_ns(9 + random.below(100)),
        unit: cable.unit,
        credit: Duration::from_ns(1 + random.below(100)),
        input: longest + under_way + random.below(2) as usize * random.below(40) as usize,
        longest,
    };
    let ports = 2 + random.below(4);
    let mut bench = Bench::new(ports as usize, cable, &timing);
    bench.slowness = Duration::from_ns(random.below(2) * 8);
    // Some ports are preferred, so that frames wait for them.
    let favourite = random.below(ports);
    for (port, frames) in bench.senders.iter_mut().enumerate() {
        let (mut at, gaps) = (Time::ZERO, random.one_in(4));
        for number in 0..random.below(30) as u16 {
            at += Duration::from_ns(random.below(2) * random.below(200));
            let to = if random.one_in(2) { favourite } else { random.below(ports + 1) };
            let length = if random.one_in(2) { longest as u64 } else { 1 + random.below(longest as u64) };
            let gap = Duration::from_ns(if gaps { random.below(20) } else { 0 });
            let group = groups && random.one_in(4);
            let to = if group { [OTHERS, EVERYONE][random.below(2) as usize] } else { to as u16 };
            let frame = frame(to, mark(port, number), length as u16);
            frames.push_back(Sending { at, frame, gap });
        }
    }
    let mut changes = Vec::new();
    for port in 0..ports as usize {
        let mut at = Time::ZERO;
        for _ in 0..random.below(20) {
            at += Duration::from_ns(1 + random.below(400));
            changes.push((at, port, random.one_in(2)));
        }
        changes.push((at + Duration::from_ns(1), port, true));
    }
    changes.sort();
    bench.receivers = changes.into();
    bench
}

#[test]
fn every_frame_is_forwarded_once_and_in_order() {
    for seed in 0..1_000 {
        let mut bench = traffic(seed, seed >= 500);
        let sent = bench.unsent();
        // An input asserts that it never overflows.
        bench.run(Time::END);
        assert!(bench.ports.iter().all(CutThrough::is_idle), "seed {seed}: something is left");
        assert!(bench.senders.iter().all(|frames| frames.is_empty()), "seed {seed}: a sender waits for ever");
        let seen = bench.seen();
        for (from, sent) in sent.iter().enumerate() {
            for to in 0..seen.out.len() {
                let came = seen.frames(to).into_iter().filter(|frame| sender(frame) == from);
                let goes = |frame: &&Vec<Flit>| match frame[0].to {
                    OTHERS => from != to,
                    EVERYONE => true,
                    port => usize::from(port) == to,
                };
                let went = sent.iter().filter(goes).cloned();
                assert!(came.eq(went), "seed {seed}: from {from} to {to}");
            }
            let nowhere = sent.iter().filter(|frame| usize::from(frame[0].to) == seen.out.len()).count();
            assert_eq!(seen.counters[from].discarded, nowhere as u64, "seed {seed}");
        }
    }
}

/// The sender learns of the stop late, and commits to its next line early; lines sent in the meantime must
/// have room.
#[test]
fn longest_frame_has_room_after_any_number_of_short_ones() {
    let cable = LinkTiming { frame_overhead: Duration::ZERO, ..CABLE };
    for (latency, under_way) in [(1, 1 + 2), (4, 1 + 2), (10, 3 + 2), (16, 4 + 2), (17, 5 + 2)] {
        let cable = LinkTiming { latency: Duration::from_ns(latency), ..cable };
        let timing = CutThroughTiming { longest: 20, input: 20 + under_way, ..TIMING };
        for short in 0..20 {
            let mut bench = Bench::<CutThrough<Flit>>::new(2, cable, &timing);
            bench.slowness = cable.unit;
            bench.receivers = [(ns(1), 1, false), (ns(2_000), 1, true)].into();
            let lengths = std::iter::repeat_n(1, short).chain([20; 3]);
            lengths.zip(0..).for_each(|(length, mark)| bench.send(0, frame(1, mark, length)));
            bench.run(Time::END);
            let seen = bench.seen();
            assert_eq!(
                seen.totals(),
                (short as u64 + 3, 0),
                "{short} short frames, a latency of {latency} ns"
            );
        }
    }
}

/// A duplicated frame arrives without a check for room.
#[test]
fn frame_without_room_is_discarded() {
    // Room for one frame, and for units in flight when it stops the sender.
    let timing = CutThroughTiming { longest: 8, input: 8 + 5, ..TIMING };
    let mut bench = Bench::<CutThrough<Flit>>::new(2, CABLE, &timing);
    bench.receivers = [(ns(16), 1, false), (ns(2_000), 1, true)].into();
    bench.ins[0].faults_mut().add(Fault::Repeat);
    bench.send(0, frame(1, 1, 8));
    bench.send(0, frame(1, 2, 8));
    bench.run(Time::END);
    let seen = bench.seen();
    assert_eq!(marks(&seen.out[1]), [1, 2]);
    assert_eq!((seen.counters[0].discarded, seen.totals()), (1, (2, 1)));
}

#[test]
fn every_frame_is_forwarded_or_counted_as_discarded() {
    for seed in 0..1_000 {
        let groups = seed >= 500;
        let mut bench = traffic(seed, groups);
        let none = Rates::default();
        let rates = Rates { loss: 50_000, duplication: 300_000, reordering: 300_000, cut: 50_000, ..none };
        for (link, port) in bench.ins.iter_mut().zip(0..) {
            link.faults_mut().strike(rates, seed << 8 | port);
        }
        bench.run(Time::END);
        assert!(bench.ports.iter().all(CutThrough::is_idle), "seed {seed}: something is left");
        let seen = bench.seen();
        let arrived = seen.observations.iter().filter(|o| o.event == Event::SwitchFirstIn).count() as u64;
        let (forwarded, discarded) = seen.totals();
        if groups {
            assert!(forwarded + discarded >= arrived, "seed {seed}");
        } else {
            assert_eq!(forwarded + discarded, arrived, "seed {seed}");
        }
    }
}

/// Threads rely on this: a part of a cluster receives crossings from another part at the end of an epoch.
#[test]
fn cut_through_results_do_not_depend_on_delivery_times() {
    for seed in 0..1_000 {
        let seen = |handover| {
            let mut bench = traffic(seed, seed >= 500);
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
    let mut random = Stimulus::new(1);
    let cargo: Vec<Cargo<Flit>> = (0..1_000)
        .map(|_| match random.below(3) {
            0 => Cargo::Unit(Flit::from_word((random.word() & 0xffff_ffff_ffff, random.below(2) as u8))),
            1 => Cargo::Copy(random.word() as u32),
            _ => Cargo::Credit(random.word() as u32),
        })
        .collect();
    let mut words = Vec::new();
    cargo.iter().for_each(|cargo| CutThrough::pack(cargo, &mut words));
    let mut words = words.into_iter();
    let back: Vec<_> = std::iter::from_fn(|| CutThrough::<Flit>::unpack(&mut words)).collect();
    assert_eq!(back, cargo);
}

#[test]
fn invalid_words_are_not_unpacked() {
    let unpack = |words: &[u64]| CutThrough::<Flit>::unpack(&mut words.iter().copied());
    assert_eq!(unpack(&[]), None);
    assert_eq!(unpack(&[0]), None, "a unit has two words");
    assert_eq!(unpack(&[1 << 34 | 1]), None, "no input has so much room");
    assert_eq!(unpack(&[1 << 9, 7]), None, "there are no such units");
    let mut random = Stimulus::new(1);
    for _ in 0..10_000 {
        let words: Vec<_> = (0..random.below(5)).map(|_| random.word() >> random.below(64)).collect();
        let mut rest = words.into_iter();
        while CutThrough::<Flit>::unpack(&mut rest).is_some() {}
    }
}

#[test]
fn frame_that_waits_for_its_port_is_held_there() {
    let mut bench = ready(3);
    bench.send(0, frame(2, 0, 64));
    bench.send(1, frame(2, 1, 64));
    // Both have arrived; the first one leaves.
    bench.run(ns(16 + 10 + 385 + 64 * 8));
    let held = |bench: &Switched| bench.ports.iter().map(CutThrough::held).collect::<Vec<_>>();
    assert_eq!(held(&bench), [0, 0, 64]);
    bench.run(Time::END);
    assert_eq!(held(&bench), [0, 0, 0]);
}
