use std::cell::Cell;
use std::rc::Rc;

use cluster::{Cluster, Direction, Duration, Fingerprint, Rates, RunError, Time, Topology, TopologyError};

use crate::relay::{Host, Ring, card};

const LIMIT: Duration = Duration::from_us(1_000);

pub fn ring(nodes: usize) -> Cluster<Ring> {
    Cluster::with_switch((0..nodes).map(|_| card()).collect(), &())
}

/// Sends a number around the ring `rounds` times; returns what came back, with the times.
pub async fn rounds(host: Host, rounds: usize) -> Vec<(u16, Time)> {
    host.cpu.compute(Duration::from_ns(50)).await;
    host.send(0);
    let mut back = Vec::new();
    while back.len() < rounds {
        back.push((host.receive().await, host.cpu.now()));
    }
    back
}

#[test]
fn number_returns_incremented_by_every_card() {
    let mut cluster = ring(5);
    let back = cluster.spawn(0, "sender", |host| rounds(host, 3));
    cluster.run(LIMIT).unwrap();
    let numbers: Vec<_> = back.take().unwrap().iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [4, 9, 14]);
}

#[test]
fn skipped_and_executed_edges_give_the_same_result() {
    let run = |skipping| {
        let mut cluster = ring(7);
        cluster.set_skipping(skipping);
        let back = cluster.spawn(0, "sender", |host| rounds(host, 100));
        cluster.run(LIMIT).unwrap();
        cluster.run_until(cluster.now() + Duration::from_us(200)).unwrap();
        (back.take(), cluster.fingerprint().unwrap())
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn skipped_polling_iterations_leave_no_trace() {
    let run = |skipping| {
        let mut cluster = ring(3);
        cluster.set_skipping(skipping);
        cluster.spawn(0, "sender", |host| async move {
            // A sample is taken every 50 us.
            host.cpu.compute(Duration::from_us(170)).await;
            host.send(0);
        });
        let looks = cluster
            .spawn(1, "receiver", |host| async move { (host.receive().await, host.cpu.now(), host.looks()) });
        let end = cluster.run(LIMIT).unwrap();
        let (number, came, looks) = looks.take().unwrap();
        (looks, (number, came, end, cluster.fingerprint().unwrap()))
    };
    let ((few, leapt), (many, walked)) = (run(true), run(false));
    assert_eq!(leapt, walked);
    assert_eq!((few, many), (7, 8508));
}

/// Both numbers with the times at which programs got them, the end, and the fingerprint.
type Received = ([Option<(u16, Time)>; 2], Time, Fingerprint);

/// Two programs of a host poll with these periods in ns, the second one from `late` on, for two numbers. Returns the
/// number of polls, and what the programs received.
fn polls_of_two(skipping: bool, periods: [u64; 2], late: Duration) -> (u32, Received) {
    let mut cluster = ring(3);
    cluster.set_skipping(skipping);
    cluster.spawn(0, "sender", |host| async move {
        for (number, duration) in [170_003, 220_001].into_iter().enumerate() {
            host.cpu.compute(Duration::from_ns(duration)).await;
            host.send(number as u16);
        }
    });
    let looks = Rc::new(Cell::new(0));
    let receivers = [0, 1].map(|number| {
        let (period, looks) = (Duration::from_ns(periods[number]), looks.clone());
        cluster.spawn(1, "receiver", move |host| async move {
            host.cpu.compute(late * number as u64).await;
            let got = host.receive_by_polls(period).await;
            looks.set(host.looks());
            (got, host.cpu.now())
        })
    });
    let end = cluster.run(LIMIT).unwrap();
    (looks.get(), (receivers.map(|got| got.take()), end, cluster.fingerprint().unwrap()))
}

#[test]
fn skipped_polling_iterations_of_two_programs_leave_no_trace() {
    let all = [
        ([20, 20], Duration::ZERO, [17, 17_036]),
        ([20, 20], Duration::from_ns(3), [18, 17_036]),
        ([20, 30], Duration::from_ns(7), [43, 14_200]),
        ([35, 20], Duration::from_ns(1_001), [85, 13_340]),
        ([7, 11], Duration::from_us(120), [166, 28_902]),
        ([45, 20], Duration::from_us(300), [8, 3_783]),
    ];
    for (periods, late, polls) in all {
        let ((few, leapt), (many, walked)) =
            (polls_of_two(true, periods, late), polls_of_two(false, periods, late));
        assert_eq!(leapt, walked, "{periods:?}, {late}");
        assert_eq!([few, many], polls, "{periods:?}, {late}");
    }
}

#[test]
fn number_that_comes_between_a_read_and_its_use_is_seen_in_time() {
    let run = |skipping, sent: u64| {
        let mut cluster = ring(3);
        cluster.set_skipping(skipping);
        cluster.spawn(0, "sender", move |host| async move {
            host.cpu.compute(Duration::from_ns(sent)).await;
            host.send(7);
        });
        let receivers = [20, 240].map(|period| {
            cluster.spawn(1, "receiver", move |host| async move {
                (host.see_late(Duration::from_ns(period)).await, host.cpu.now())
            })
        });
        let end = cluster.run(LIMIT).unwrap();
        (receivers.map(|seen| seen.take()), end, cluster.fingerprint().unwrap())
    };
    for sent in (70_000..70_240).step_by(20) {
        assert_eq!(run(true, sent), run(false, sent), "sent after {sent} ns");
    }
}

#[test]
fn program_that_polls_and_computes_by_turns_keeps_its_time() {
    let run = |skipping| {
        let mut cluster = ring(3);
        cluster.set_skipping(skipping);
        cluster.spawn(0, "sender", |host| async move {
            for number in 0..6 {
                host.cpu.compute(Duration::from_ns(40_000 + 77 * u64::from(number))).await;
                host.send(number);
            }
        });
        let receivers = [20, 35].map(|period| {
            cluster.spawn(1, "receiver", move |host| async move {
                let mut all = Vec::new();
                for pause in [1_000, 33_333, 0] {
                    host.cpu.compute(Duration::from_ns(pause)).await;
                    all.push((host.receive_by_polls(Duration::from_ns(period)).await, host.cpu.now()));
                }
                all
            })
        });
        let end = cluster.run(LIMIT).unwrap();
        (receivers.map(|all| all.take()), end, cluster.fingerprint().unwrap())
    };
    let leapt = run(true);
    assert_eq!(leapt, run(false));
    assert!(leapt.0.iter().all(Option::is_some));
}

#[test]
fn run_may_end_within_skipped_iterations_and_continue() {
    let run = |skipping| {
        let mut cluster = ring(3);
        cluster.set_skipping(skipping);
        let came = cluster.spawn(1, "receiver", |host| async move { (host.receive().await, host.cpu.now()) });
        let limit = cluster.run(Duration::from_ns(70_007)).unwrap_err().to_string();
        let before = cluster.fingerprint().unwrap();
        cluster.spawn(0, "sender", |host| async move { host.send(0) });
        cluster.run(LIMIT).unwrap();
        (limit, before, came.take(), cluster.fingerprint().unwrap())
    };
    let leapt = run(true);
    assert!(leapt.0.contains("its own computing since 70.000000 us"), "{}", leapt.0);
    assert_eq!(leapt, run(false));
}

#[test]
fn cable_order_equals_instant_order() {
    // The last program finishes within an epoch, long after the first one.
    let begin = |cluster: &mut Cluster<Ring>| {
        [(0, 9), (3, 40), (4, 2)]
            .map(|(node, count)| cluster.spawn(node, "sender", move |host| rounds(host, count)))
    };
    let mut at_once = ring(9);
    let outputs = begin(&mut at_once);
    let end = at_once.run(LIMIT).unwrap();
    let numbers = outputs.map(|output| output.take().unwrap());

    let mut by_instants = ring(9);
    let outputs = begin(&mut by_instants);
    let mut came = outputs.each_ref().map(|_| None);
    while came.iter().any(Option::is_none) {
        assert!(by_instants.step(Time::ZERO + LIMIT).unwrap());
        for (came, output) in came.iter_mut().zip(&outputs) {
            *came = came.take().or_else(|| output.take());
        }
    }
    assert_eq!((by_instants.now(), came.map(Option::unwrap)), (end, numbers));
    assert_eq!(by_instants.fingerprint().unwrap(), at_once.fingerprint().unwrap());
    assert_eq!(by_instants.switch_counters(), at_once.switch_counters());
}

#[test]
fn run_ends_when_the_last_program_gets_stuck() {
    let mut cluster = ring(5);
    for (node, us) in [(1, 3), (2, 7), (4, 5)] {
        cluster.spawn::<_, ()>(node, "stuck", move |host| async move {
            host.cpu.compute(Duration::from_us(us)).await;
            std::future::pending().await
        });
    }
    let Err(RunError::Stalled { time, waiting }) = cluster.run(LIMIT) else { panic!("nobody can go on") };
    assert_eq!((time, waiting.len()), (Time::ZERO + Duration::from_us(7), 3));
}

#[test]
fn resting_nodes_have_no_events() {
    let mut cluster = ring(3);
    // Samples are due every 50 us and do not wake the nodes.
    assert!(cluster.step(Time::ZERO + Duration::from_us(1)).unwrap(), "cards are switched on");
    cluster.run_until(Time::ZERO + Duration::from_us(2)).unwrap();
    assert!(!cluster.step(Time::ZERO + Duration::from_us(10_000)).unwrap());
}

#[test]
fn dropped_number_does_not_return() {
    let mut cluster = ring(2);
    cluster.set_faults(Rates { loss: 1_000_000, ..Rates::default() }, 1);
    cluster.spawn(0, "sender", |host| rounds(host, 1));
    assert!(matches!(cluster.run(Duration::from_us(5)), Err(RunError::Limit { .. })));
    assert_eq!(cluster.link_from(0).faults().counters().lost, 1);
}

#[test]
fn frames_are_captured_on_every_cable_in_the_order_of_time() {
    let captured = |mut cluster: Cluster<Ring>| {
        cluster.capture();
        cluster.spawn(0, "sender", |host| rounds(host, 1));
        cluster.run(LIMIT).unwrap();
        let captured = cluster.take_captured();
        assert!(captured.is_sorted_by_key(|captured| captured.time));
        assert_eq!(cluster.take_captured(), [], "they are taken once");
        captured.into_iter().map(|captured| captured.direction).collect::<Vec<_>>()
    };
    let [from, to] = [Direction::From, Direction::To];
    assert_eq!(captured(ring(2))[..4], [from(0), to(1), from(1), to(0)]);
    let direct = Cluster::back_to_back([card(), card()], &());
    assert_eq!(captured(direct)[..2], [from(0), from(1)], "a cable without a switch has no other end");
}

#[test]
fn run_stalls_unless_a_program_waits_for_a_signal() {
    let mut cluster = ring(2);
    cluster.spawn(1, "waits", |host| async move { host.wait_in_vain().await });
    assert!(matches!(cluster.run(Duration::from_us(5)), Err(RunError::Limit { .. })));
    let mut cluster = ring(2);
    cluster.spawn::<_, ()>(1, "stuck", |_| std::future::pending());
    assert!(matches!(cluster.run(Duration::from_us(5)), Err(RunError::Stalled { .. })));
}

#[test]
fn more_nodes_than_addresses_are_refused() {
    let cards = |nodes: usize| (0..nodes).map(|_| card()).collect();
    let refused = |nodes| Cluster::<Ring>::new(Topology::star(nodes), cards(nodes), &()).err();
    assert_eq!(refused(100), None);
    assert_eq!(refused(0), Some(TopologyError::Empty));
    let error = refused(101).unwrap();
    assert_eq!(error.to_string(), "the ring has addresses for 100 nodes, not for 101");
}
