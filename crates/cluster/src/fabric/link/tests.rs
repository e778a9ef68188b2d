use hdl::Stimulus;

use super::*;
use crate::fabric::unit::tests::{Flit, frame};
use crate::fabric::{LinkCounters, Rates};

/// A cable of 2 m on which a unit takes 8 ns.
pub const TIMING: LinkTiming = LinkTiming {
    latency: Duration::from_ns(10),
    unit: Duration::from_ns(8),
    frame_overhead: Duration::from_ns(4),
    flow_control: true,
};

const FREE: LinkTiming = LinkTiming { flow_control: false, ..TIMING };

const ALL: u32 = 1_000_000;

fn ready_link() -> Link<Flit> {
    let mut link = Link::new(TIMING);
    link.announce(Time::ZERO, true);
    link
}

fn ns(ns: u64) -> Time {
    Time::ZERO + Duration::from_ns(ns)
}

/// Sends frames back to back.
fn send(link: &mut Link<Flit>, frames: &[Vec<Flit>]) {
    for unit in frames.iter().flatten() {
        link.send(link.free_at(), *unit);
    }
}

/// All units that arrive, with their times.
fn arrivals(link: &mut Link<Flit>) -> Vec<(Time, Flit)> {
    std::iter::from_fn(|| link.receive(Time::END)).collect()
}

/// Frames with marks 0, 1, 2 ... as they arrive over a link with these fault rates.
fn carry(rates: Rates, frames: u16) -> (Vec<Vec<Flit>>, LinkCounters) {
    let mut link = Link::new(FREE);
    link.faults_mut().strike(rates, 1);
    send(&mut link, &(0..frames).map(|mark| frame(1, mark, 6)).collect::<Vec<_>>());
    let arrived: Vec<_> = arrivals(&mut link).into_iter().map(|(_, unit)| unit).collect();
    (arrived.split_inclusive(|unit| unit.last).map(<[Flit]>::to_vec).collect(), link.faults().counters())
}

fn marks(rates: Rates) -> Vec<u16> {
    carry(rates, 4).0.iter().map(|frame| frame[0].mark).collect()
}

#[test]
fn unit_arrives_after_its_length_and_the_latency() {
    let mut link = ready_link();
    assert!(!link.takes(Time::from_ps(9_999), Time::from_ps(9_999)), "the sender does not know yet");
    assert!(link.takes(ns(10), ns(10)));
    let units = frame(1, 0, 2);
    link.send(ns(10), units[0]);
    assert_eq!(link.next_arrival(), Some(ns(10 + 8 + 10)));
    assert_eq!(link.receive(Time::from_ps(27_999)), None);
    assert_eq!(link.receive(ns(28)), Some((ns(28), units[0])));
}

#[test]
fn frame_occupies_its_units_and_the_overhead() {
    let mut link = ready_link();
    let units = frame(1, 0, 2);
    link.send(ns(16), units[0]);
    assert!(!link.takes(ns(16), Time::from_ps(23_999)));
    assert!(link.takes(ns(16), ns(24)));
    assert_eq!((link.busy(), link.in_frame()), (Duration::from_ns(8), true));
    link.send(ns(24), units[1]);
    assert_eq!(link.free_at(), ns(24 + 8 + 4));
    assert_eq!((link.busy(), link.in_frame(), link.is_idle()), (Duration::from_ns(20), false, false));
    arrivals(&mut link);
    assert!(link.is_idle());
}

#[test]
fn started_frame_completes_after_the_receiver_is_not_ready() {
    let mut link = ready_link();
    let units = frame(1, 0, 3);
    assert!(link.takes(ns(16), ns(16)));
    link.send(ns(16), units[0]);
    link.announce(ns(16), false);
    assert!(link.takes(ns(40), ns(40)));
    link.send(ns(40), units[1]);
    link.send(ns(48), units[2]);
    assert!(!link.takes(ns(80), ns(80)), "a next frame must wait");
    link.announce(ns(80), true);
    assert_eq!(link.next_change(), Some(ns(90)));
    assert!(!link.takes(Time::from_ps(89_999), Time::from_ps(89_999)));
    assert!(link.takes(ns(90), ns(90)));
}

#[test]
fn readiness_that_does_not_change_is_not_announced_again() {
    let mut link = ready_link();
    link.announce(ns(1), true);
    assert!(link.takes(ns(10), ns(10)));
    assert_eq!(link.next_change(), None);
}

#[test]
fn link_without_flow_control_ignores_readiness() {
    assert!(!Link::<Flit>::new(TIMING).takes(ns(100), ns(100)));
    assert!(Link::<Flit>::new(FREE).takes(Time::ZERO, Time::ZERO));
}

#[test]
fn frame_has_arrived_when_its_last_unit_has() {
    let mut link = Link::new(FREE);
    send(&mut link, &[frame(1, 0, 3), frame(1, 1, 2)]);
    assert_eq!(link.next_frame_end(), Some(ns(3 * 8 + 10)));
    assert_eq!(link.units().map(|unit| unit.mark).collect::<Vec<_>>(), [0, 0, 0, 1, 1]);
    for _ in 0..3 {
        link.receive(ns(34));
    }
    assert_eq!(link.next_frame_end(), Some(ns(5 * 8 + 4 + 10)));
}

#[test]
fn faults_at_full_rate_affect_every_frame() {
    let none = Rates::default();
    assert_eq!(marks(none), [0, 1, 2, 3]);
    assert!(marks(Rates { loss: ALL, ..none }).is_empty());
    assert_eq!(marks(Rates { duplication: ALL, ..none }), [0, 0, 1, 1, 2, 2, 3, 3], "a frame and its copy");
    assert_eq!(marks(Rates { reordering: ALL, ..none }), [0, 1, 2], "each behind the next");
    let (arrived, counters) = carry(Rates { corruption: ALL, ..none }, 4);
    assert_eq!(counters, LinkCounters { frames: 4, damaged: 4, ..LinkCounters::default() });
    for (arrived, mark) in arrived.iter().zip(0..) {
        let wrong = arrived.iter().zip(frame(1, mark, 6)).map(|(a, b)| (a.bits ^ b.bits).count_ones());
        assert_eq!(wrong.sum::<u32>(), 1);
    }
    let (arrived, counters) = carry(Rates { cut: ALL, ..none }, 100);
    assert_eq!((arrived.len(), counters.cut, counters.struck()), (100, 100, 100));
    assert!(arrived.iter().any(|frame| frame.len() < 6 && *frame.last().unwrap() == Flit::END));
}

#[test]
fn burst_loses_a_run_of_frames_and_no_others() {
    let (arrived, counters) = carry(Rates { burst: 40_000, burst_length: 5, ..Rates::default() }, 180);
    let arrived: Vec<_> = arrived.iter().map(|frame| frame[0].mark).collect();
    let lost: Vec<_> = (0..180).filter(|mark| !arrived.contains(mark)).collect();
    let runs = lost.chunk_by(|a, b| a + 1 == *b).map(<[u16]>::len).collect::<Vec<_>>();
    assert!(counters.bursts > 2 && runs.iter().all(|run| run.is_multiple_of(5)), "{runs:?}");
    assert_eq!((lost.len() as u64, counters.lost), (5 * counters.bursts, 5 * counters.bursts));
}

/// Marks of the frames that arrive of frames 0, 1, 2 ... with these faults.
fn order(faults: &[Option<Fault>]) -> Vec<u16> {
    let (mut order, mut late) = (Vec::new(), None);
    for (fault, mark) in faults.iter().zip(0..) {
        let waited = late.take();
        match fault {
            None => order.push(mark),
            Some(Fault::Repeat) => order.extend([mark; 2]),
            Some(Fault::Delay) => late = Some(mark),
            Some(_) => {}
        }
        order.extend(waited);
    }
    order
}

#[test]
fn duplicated_and_delayed_frames_are_not_interleaved() {
    for seed in 0..200 {
        let mut random = Stimulus::new(seed);
        let mut link = Link::new(FREE);
        let rates = Rates { loss: 100_000, duplication: 300_000, reordering: 300_000, ..Rates::default() };
        link.faults_mut().strike(rates, seed);
        let mut faults = Vec::new();
        for mark in 0..20 {
            let struck = link.faults().struck().len();
            let mut start = link.free_at() + Duration::from_ns(random.below(2) * random.below(200));
            for unit in frame(1, mark, 1 + random.below(9) as u16) {
                link.send(start, unit);
                start = link.free_at();
            }
            faults.push(link.faults().struck().get(struck).copied());
        }
        let mut arrived = Vec::new();
        while let Some(end) = link.next_frame_end() {
            arrived.push(link.receive(Time::END).expect("a frame is on its way"));
            let (time, unit) = arrived[arrived.len() - 1];
            assert!(if unit.last { time == end } else { time < end }, "seed {seed}: its end is known before");
        }
        assert!(link.is_idle());
        let frames: Vec<_> = arrived.split_inclusive(|(_, unit)| unit.last).collect();
        assert_eq!(frames.iter().map(|f| f[0].1.mark).collect::<Vec<_>>(), order(&faults), "seed {seed}");
        for received in frames {
            let units: Vec<_> = received.iter().map(|(_, unit)| *unit).collect();
            assert_eq!(units, frame(1, units[0].mark, units.len() as u16), "seed {seed}");
        }
        for pair in arrived.windows(2) {
            let gap = if pair[0].1.last { 8 + 4 } else { 8 };
            assert!(pair[1].0 - pair[0].0 >= Duration::from_ns(gap), "seed {seed}: {pair:?}");
        }
    }
}

#[test]
fn checked_link_drops_only_truncated_and_corrupted_frames() {
    let mut link = Link::new(FREE);
    link.faults_mut().checked = true;
    for fault in [Fault::Cut(2), Fault::Corrupt(20), Fault::Repeat, Fault::Delay] {
        link.faults_mut().add(fault);
    }
    send(&mut link, &(0..6).map(|mark| frame(1, mark, 3)).collect::<Vec<_>>());
    let arrived: Vec<_> = arrivals(&mut link).into_iter().map(|(_, unit)| unit).collect();
    assert_eq!(arrived, [2, 2, 4, 3, 5].map(|mark| frame(1, mark, 3)).concat());
}

#[test]
fn frames_are_captured_as_sent_regardless_of_faults() {
    let mut link = Link::new(FREE);
    link.capture();
    let faults = [Fault::Drop, Fault::Cut(1), Fault::Corrupt(17), Fault::Repeat, Fault::Delay];
    faults.iter().for_each(|fault| link.faults_mut().add(*fault));
    let frames: Vec<_> = (0..6).map(|mark| frame(1, mark, 3)).collect();
    send(&mut link, &frames);
    let captured: Vec<_> = link.take_captured(Direction::From(7)).collect();
    for (n, captured) in captured.iter().enumerate() {
        let time = ns(n as u64 * (3 * 8 + 4) + 3 * 8);
        let (fault, units) = (faults.get(n).copied(), frames[n].clone());
        assert_eq!(*captured, Captured { direction: Direction::From(7), time, fault, units });
    }
    assert_eq!(captured.len(), 6);
    assert_eq!(link.take_captured(Direction::From(7)).count(), 0);
}

#[test]
fn capture_enabled_within_a_frame_starts_with_the_next() {
    let mut link = Link::new(FREE);
    let frames = [frame(1, 0, 3), frame(1, 1, 3)];
    link.send(link.free_at(), frames[0][0]);
    link.capture();
    send(&mut link, &[frames[0][1..].to_vec(), frames[1].clone()]);
    let captured: Vec<_> = link.take_captured(Direction::To(0)).map(|captured| captured.units).collect();
    assert_eq!(captured, frames[1..]);
}

#[test]
fn heads_are_seen_as_sent_once_their_last_unit_has_left() {
    let mut link = Link::new(FREE);
    link.collect_heads(2);
    link.faults_mut().add(Fault::Drop);
    // A frame of one unit is all of its head.
    let frames = [frame(1, 0, 3), frame(1, 1, 1), frame(1, 2, 2)];
    send(&mut link, &frames);
    let second = ns(2 * 8);
    assert_eq!(link.take_head(second.saturating_sub(Duration::from_ps(1))), None);
    let head = link.take_head(second).unwrap();
    assert_eq!((head.time, head.fault, head.units), (second, Some(Fault::Drop), frames[0][..2].to_vec()));
    let rest: Vec<_> = std::iter::from_fn(|| link.take_head(Time::END)).map(|head| head.units).collect();
    assert_eq!(rest, frames[1..]);
}

#[test]
fn heads_that_are_not_taken_do_not_grow() {
    let mut link = Link::new(FREE);
    link.collect_heads(1);
    let frames: Vec<_> = (0..100).map(|mark| frame(1, mark, 2)).collect();
    send(&mut link, &frames);
    let marks: Vec<_> =
        std::iter::from_fn(|| link.take_head(Time::END)).map(|head| head.units[0].mark).collect();
    assert_eq!(marks, (84..100).collect::<Vec<_>>());
}
