//! Tests of the scheduler.

use super::*;
use crate::contexts::PAIRS;

const READY: In = In {
    enable: true,
    rings: false,
    refills: false,
    rung: 0,
    again: false,
    wakes: false,
    breaks: false,
    mends: false,
    pair: 0,
    due: false,
    late: 0,
    command: false,
    packet: false,
    free: true,
    done: false,
};
/// The adapter is stopped: queue pairs get work and none is served.
const STOPPED: In = In { enable: false, ..READY };

fn ring(rung: u8) -> In {
    In { rings: true, rung, ..STOPPED }
}

fn wake(pair: u8) -> In {
    In { wakes: true, pair, ..STOPPED }
}

fn due(late: u8) -> In {
    In { due: true, late, ..STOPPED }
}

/// A scheduler to which these pins have come, one after the other, and a cycle in which the last of them count.
fn after(pins: &[In]) -> Scheduler {
    let mut scheduler = Scheduler::default();
    pins.iter().chain([&STOPPED]).for_each(|pins| scheduler.tick(pins));
    scheduler
}

/// Queue pairs in the order in which their send queues are served until none waits.
fn served(mut scheduler: Scheduler) -> Vec<u8> {
    let mut served = Vec::new();
    for _ in 0..2_000 {
        let begins = scheduler.q.state == State::Idle;
        scheduler.tick(&In { done: true, ..READY });
        if begins && scheduler.outputs().send {
            served.push(scheduler.outputs().pair);
        }
    }
    assert!(scheduler.q.work.is_empty() && scheduler.q.state == State::Idle && !scheduler.search.ready);
    served
}

#[test]
fn command_goes_first_also_while_the_adapter_is_stopped() {
    for enable in [true, false] {
        let mut scheduler = after(&[ring(1)]);
        scheduler.tick(&In { enable, command: true, packet: true, ..READY });
        assert_eq!(scheduler.q.state, State::Command);
    }
    let mut stopped = after(&[ring(1)]);
    let before = stopped.q;
    stopped.tick(&In { packet: true, ..STOPPED });
    assert_eq!(stopped.q, before);
}

#[test]
fn packets_and_send_queues_take_turns() {
    let pins = In { packet: true, done: true, again: true, ..READY };
    let mut scheduler = after(&[wake(9)]);
    for _ in 0..3 {
        scheduler.tick(&pins);
        let out = scheduler.outputs();
        assert!(out.receive && !out.send && !out.command);
        (0..2).for_each(|_| scheduler.tick(&pins));
        let out = scheduler.outputs();
        assert!(out.send && !out.receive && !out.command);
        assert_eq!(out.pair, 9);
        // A turn is longer than a search.
        (0..3).for_each(|_| scheduler.tick(&In { done: false, ..pins }));
        scheduler.tick(&pins);
    }
    // If one of them has no work, the other one runs again.
    let state = |received, waits: &[In], pins| {
        let mut scheduler = after(waits);
        scheduler.q.received = received;
        scheduler.tick(&pins);
        scheduler.q.state
    };
    let packet = In { packet: true, ..READY };
    assert_eq!(state(true, &[], packet), State::Receive);
    assert_eq!(state(true, &[ring(1)], In { free: false, ..packet }), State::Receive);
    assert_eq!(state(false, &[ring(1)], READY), State::Send);
}

#[test]
fn send_queues_go_round() {
    for source in [ring, wake, due] {
        for first in [0, 1, 15, 16, 100, 254, 255] {
            let others = [0, 3, 17, 30, 31, 99, 101, 128, 255];
            let pins: Vec<In> = [first].into_iter().chain(others).map(source).collect();
            let mut expected: Vec<u8> = others.into_iter().filter(|pair| *pair != first).collect();
            expected.sort_by_key(|pair| pair.wrapping_sub(first));
            expected.insert(0, first);
            assert_eq!(served(after(&pins)), expected);
        }
    }
    let all: Vec<In> = PAIRS.map(ring).collect();
    assert_eq!(served(after(&all)), PAIRS.collect::<Vec<_>>());
}

#[test]
fn first_queue_with_work_is_in_front_a_cycle_later() {
    let all = In { rings: true, rung: 200, wakes: true, pair: 3, due: true, late: 77, ..STOPPED };
    // The work of an engine or a command counts a cycle later.
    for (pins, cycles, front) in [(all, 1, 200), (wake(3), 2, 3), (due(77), 1, 77)] {
        let mut scheduler = Scheduler::default();
        scheduler.tick(&pins);
        assert_eq!(scheduler.search.ready, cycles == 1);
        scheduler.tick(&STOPPED);
        assert!(scheduler.search.ready && scheduler.search.front == front);
    }
    assert_eq!(served(after(&[all])), [200, 3, 77]);
    // While another one has its turn, the next one is found in three cycles.
    let mut scheduler = after(&[ring(5), ring(250)]);
    scheduler.tick(&READY);
    assert_eq!((scheduler.q.state, scheduler.q.pair, scheduler.search.ready), (State::Send, 5, false));
    (0..3).for_each(|_| scheduler.tick(&READY));
    assert_eq!((scheduler.q.state, scheduler.search.ready, scheduler.search.front), (State::Send, true, 250));
}

#[test]
fn no_source_of_work_hides_another_one() {
    // Queue pair 9 is broken and has its turn; a queue pair is woken, and a doorbell refills the broken one.
    let mut scheduler = after(&[In { breaks: true, pair: 9, ..STOPPED }]);
    scheduler.tick(&READY);
    assert_eq!((scheduler.q.state, scheduler.q.pair), (State::Send, 9));
    (0..3).for_each(|_| scheduler.tick(&READY));
    scheduler.tick(&In { wakes: true, pair: 30, rings: true, refills: true, rung: 9, ..READY });
    // In the cycle in which both count, the turn ends with more work, a doorbell rings and a time-out passes.
    let again = In { done: true, again: true, ..STOPPED };
    scheduler.tick(&In { rings: true, rung: 20, due: true, late: 40, ..again });
    assert_eq!(scheduler.q.work, [9, 20, 30, 40].into_iter().collect());
    assert_eq!(served(scheduler), [20, 30, 40, 9]);
}

#[test]
fn queue_with_work_from_several_sources_has_one_turn() {
    let all = In { rings: true, rung: 3, wakes: true, pair: 3, due: true, late: 3, ..STOPPED };
    assert_eq!(served(after(&[all])), [3]);
    assert_eq!(served(after(&[ring(3), wake(3), due(3), ring(3)])), [3]);
}

#[test]
fn receive_queue_is_work_in_the_error_state_alone() {
    let refill = |rung| In { refills: true, ..ring(rung) };
    let of_pair = |breaks, mends, pair| In { breaks, mends, pair, ..STOPPED };
    assert_eq!(served(after(&[refill(4)])), []);
    assert_eq!(served(after(&[of_pair(true, false, 4)])), [4]);
    let mut broken = after(&[of_pair(true, false, 4), of_pair(true, false, 5)]);
    for pins in [READY, In { done: true, ..READY }].repeat(4) {
        broken.tick(&pins);
    }
    let then = |pins: &[In]| {
        let mut scheduler = broken.clone();
        pins.iter().chain([&STOPPED]).for_each(|pins| scheduler.tick(pins));
        served(scheduler)
    };
    assert_eq!(then(&[refill(4), refill(3)]), [4]);
    // A queue pair that is set up anew works; one that breaks in the same cycle does not.
    assert_eq!(then(&[of_pair(false, true, 4), STOPPED, refill(4), refill(5)]), [5]);
    assert_eq!(then(&[of_pair(true, true, 4), refill(4)]), [4]);
}

#[test]
fn turn_lasts_until_it_is_done() {
    let mut scheduler = after(&[ring(5), READY]);
    for pins in [READY, ring(1), wake(2), due(3)] {
        scheduler.tick(&In { enable: true, ..pins });
        assert_eq!((scheduler.q.state, scheduler.q.pair), (State::Send, 5));
    }
    scheduler.tick(&In { done: true, ..READY });
    assert_eq!(scheduler.q.state, State::Idle);
    assert_eq!(served(scheduler), [1, 2, 3]);
}

#[test]
fn doorbell_in_a_turn_is_for_another_turn() {
    // Rung as its queue is served, or while it has its turn.
    for at in 0..3 {
        let pins: [In; 3] = std::array::from_fn(|cycle| In { rings: cycle == at, rung: 5, ..READY });
        let mut scheduler = after(&[ring(5)]);
        pins.iter().for_each(|pins| scheduler.tick(pins));
        assert_eq!((scheduler.q.state, scheduler.q.pair), (State::Send, 5));
        scheduler.tick(&In { done: true, ..READY });
        assert_eq!(served(scheduler), [5]);
    }
}
