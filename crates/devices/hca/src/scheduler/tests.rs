//! Tests of the scheduler.

use super::*;

const READY: In = In {
    enable: true,
    rings: false,
    refills: false,
    rung: 0,
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
/// The adapter is stopped: queue pairs join lines and none is served.
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

/// A scheduler to which these pins have come, one after the other.
fn after(pins: &[In]) -> Scheduler {
    let mut scheduler = Scheduler::default();
    pins.iter().for_each(|pins| scheduler.tick(pins));
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
    assert!(scheduler.q.waiting.is_empty() && scheduler.q.state == State::Idle);
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
    let pins = In { packet: true, done: true, wakes: true, pair: 9, ..READY };
    let mut scheduler = after(&[wake(9)]);
    for _ in 0..3 {
        scheduler.tick(&pins);
        let out = scheduler.outputs();
        assert!(out.receive && !out.send && !out.command);
        (0..2).for_each(|_| scheduler.tick(&pins));
        let out = scheduler.outputs();
        assert!(out.send && !out.receive && !out.command);
        assert_eq!(out.pair, 9);
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
fn each_queue_pair_is_served_once_in_the_order_of_its_line() {
    for source in [ring, wake, due] {
        let order: Vec<u8> = (0..=u8::MAX).map(|number| number.wrapping_mul(77) ^ 0x35).collect();
        let pins: Vec<In> = order.iter().chain(&order).map(|&pair| source(pair)).collect();
        assert_eq!(served(after(&pins)), order);
    }
}

#[test]
fn lines_are_served_in_turn() {
    let pins: Vec<In> = (0..4).flat_map(|i| [ring(i), wake(16 + i), due(32 + i)]).collect();
    // The line of doorbells counts as the last one served at first.
    let expected = [16, 32, 0, 17, 33, 1, 18, 34, 2, 19, 35, 3];
    assert_eq!(served(after(&pins)), expected);
    assert_eq!(served(after(&[ring(5), ring(6), due(7)])), [7, 5, 6]);
}

#[test]
fn queue_pair_waits_in_one_line_only() {
    let all = In { rings: true, rung: 3, wakes: true, pair: 3, due: true, late: 3, ..STOPPED };
    assert_eq!(served(after(&[all])), [3]);
    assert_eq!(served(after(&[ring(3), wake(3), due(3), ring(3)])), [3]);
    let others = In { pair: 200, late: 201, ..all };
    assert_eq!(served(after(&[others])), [200, 201, 3]);
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
        pins.iter().for_each(|pins| scheduler.tick(pins));
        served(scheduler)
    };
    assert_eq!(then(&[refill(4), refill(3)]), [4]);
    // A queue pair that is set up anew works; one that breaks in the same cycle does not.
    assert_eq!(then(&[of_pair(false, true, 4), refill(4), refill(5)]), [5]);
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
    assert_eq!(served(scheduler), [2, 3, 1]);
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
