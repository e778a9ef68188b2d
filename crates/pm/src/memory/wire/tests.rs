use std::rc::Rc;

use cluster::NodeId;

use super::*;
use crate::channel::Channel;

/// A chance that always happens.
const ALWAYS: u32 = 1_000_000;

fn frame(kind: Kind, number: u32) -> Frame {
    let channel = Channel::new(0).expect("there is a channel");
    Frame { channel, from: NodeId(0), to: NodeId(1), kind, number, epoch: 0, bytes: Rc::default() }
}

fn wire(faults: Rates, latency: u32, lateness: u32, seed: u64) -> Wire {
    Wire::new(&Settings { faults, latency, lateness, seed, ..Settings::default() })
}

/// Sends messages at tick 0 and returns the ticks of their arrivals with their numbers.
fn arrivals(wire: &mut Wire, count: u32) -> Vec<(u64, u32)> {
    (0..count).for_each(|number| wire.send(frame(Kind::Message, number), 0));
    let mut all = Vec::new();
    for now in 0..1_000 {
        while let Some(frame) = wire.arrival(now) {
            all.push((now, frame.number));
        }
    }
    all
}

#[test]
fn frames_arrive_after_the_latency_in_their_order() {
    let mut wire = wire(Rates::default(), 10, 50, 1);
    wire.send(frame(Kind::Ack, 7), 5);
    wire.send(frame(Kind::Message, 8), 5);
    assert_eq!(wire.arrival(14), None);
    assert_eq!(wire.arrival(15).map(|frame| frame.number), Some(7));
    assert_eq!(wire.arrival(15).map(|frame| frame.number), Some(8));
    assert_eq!(wire.arrival(1_000), None);
    wire.send(frame(Kind::Stop, 9), 1_000);
    assert_eq!(wire.messages, 1);
    assert_eq!(wire.counters, LinkCounters { frames: 3, ..LinkCounters::default() });
}

/// Decisions draw numbers in their order, and a chance of 0 draws none.
#[test]
fn fault_happens_if_the_drawn_number_is_below_its_chance() {
    let rates: [fn(u32) -> Rates; 6] = [
        |burst| Rates { burst, burst_length: 1, ..Rates::default() },
        |loss| Rates { loss, ..Rates::default() },
        |corruption| Rates { corruption, ..Rates::default() },
        |cut| Rates { cut, ..Rates::default() },
        |reordering| Rates { reordering, ..Rates::default() },
        |duplication| Rates { duplication, ..Rates::default() },
    ];
    for seed in 0..20 {
        let drawn = Stimulus::new(seed).below(MILLION) as u32;
        for (fault, rates) in rates.iter().enumerate() {
            for (chance, happens) in [(0, false), (drawn, false), (drawn + 1, true)] {
                let mut wire = wire(rates(chance), 10, 50, seed);
                let arrived = arrivals(&mut wire, 1);
                let usual = arrived == [(10, 0)];
                assert_eq!(!usual, happens, "fault {fault}, seed {seed}, chance {chance}: {arrived:?}");
                let LinkCounters { lost, repeated, delayed, damaged, bursts, cut, .. } = wire.counters;
                let counts = [bursts, lost - bursts, damaged, cut, delayed, repeated];
                let expected: Vec<_> = (0..6).map(|other| u64::from(other == fault && happens)).collect();
                assert_eq!(counts[..], expected, "fault {fault}");
            }
        }
    }
}

#[test]
fn burst_loses_its_frames_and_no_more() {
    for length in [1, 2, 5] {
        // The first number begins a burst and the next one does not.
        let numbers = |seed| {
            let mut stimulus = Stimulus::new(seed);
            [stimulus.below(MILLION), stimulus.below(MILLION)]
        };
        let seed = (0..).find(|seed| numbers(*seed)[0] < numbers(*seed)[1]).expect("half of all seeds");
        let burst = numbers(seed)[0] as u32 + 1;
        let mut wire = wire(Rates { burst, burst_length: length, ..Rates::default() }, 10, 50, seed);
        let arrived = arrivals(&mut wire, length + 1);
        assert_eq!(arrived, [(10, length)]);
        assert_eq!((wire.counters.bursts, wire.counters.lost), (1, length.into()));
    }
    let mut wire = wire(Rates { burst: ALWAYS, burst_length: 3, ..Rates::default() }, 10, 50, 1);
    assert_eq!(arrivals(&mut wire, 7), []);
    assert_eq!((wire.counters.bursts, wire.counters.lost), (3, 7));
}

#[test]
fn late_frames_are_late_by_1_to_the_lateness() {
    let rates = Rates { reordering: ALWAYS, ..Rates::default() };
    let times: Vec<_> = (0..200).map(|seed| arrivals(&mut wire(rates, 10, 4, seed), 1)[0].0).collect();
    assert_eq!((times.iter().min(), times.iter().max()), (Some(&11), Some(&14)));
}

#[test]
fn second_frame_follows_within_the_latency() {
    let rates = Rates { duplication: ALWAYS, ..Rates::default() };
    let second = |seed| {
        let times = arrivals(&mut wire(rates, 4, 50, seed), 1);
        assert_eq!((times.len(), times[0]), (2, (4, 0)), "seed {seed}");
        times[1].0
    };
    let times: Vec<_> = (0..200).map(second).collect();
    assert_eq!((times.iter().min(), times.iter().max()), (Some(&4), Some(&8)));
    // Frames of one tick keep their order, each with its second one.
    let order = [(0, 0), (0, 0), (0, 1), (0, 1), (0, 2), (0, 2)];
    assert_eq!(arrivals(&mut wire(rates, 0, 50, 1), 3), order);
}
