use cluster::{Duration, Fingerprint, Parts, RunError, Time, Topology, run};

use crate::relay::{Ring, card};
use crate::ring::{ring, rounds};
use crate::topologies::two_switches;

const LIMIT: Duration = Duration::from_us(1_000);

/// End, fingerprint and numbers returned to every tenth node, of a run on `threads` threads.
fn on(topology: &Topology, threads: usize) -> (Time, Fingerprint, Vec<u16>) {
    let nic = |_| Ok(card());
    let ran = run::<Ring, _, _>(
        topology,
        &(),
        threads,
        LIMIT,
        nic,
        |part| {
            let senders = part.here().filter(|node| node % 10 == 0);
            // Some finish long before others.
            let count = |node: usize| if node == 0 { 40 } else { 3 };
            senders
                .map(|node| part.spawn(node, "sender", move |host| rounds(host, count(node))))
                .collect::<Vec<_>>()
        },
        |_, outputs| outputs.iter().flat_map(|output| output.take().expect("it is done")).collect::<Vec<_>>(),
    );
    let ran = ran.unwrap();
    (ran.end, ran.fingerprint, ran.parts.concat().into_iter().map(|(number, _)| number).collect())
}

#[test]
fn result_does_not_depend_on_the_number_of_threads() {
    let stages = [17, 80].map(Topology::multistage);
    for topology in [Topology::star(80), two_switches(18), two_switches(80)].into_iter().chain(stages) {
        let once = on(&topology, 1);
        for threads in [2, 3, 5] {
            assert_eq!(on(&topology, threads), once, "{threads} threads");
        }
    }
}

#[test]
fn run_in_one_part_equals_a_cluster() {
    let (end, fingerprint, numbers) = on(&Topology::star(20), 1);
    let mut cluster = ring(20);
    let outputs = [(0, 40), (10, 3)]
        .map(|(node, count)| cluster.spawn(node, "sender", move |host| rounds(host, count)));
    assert_eq!(cluster.run(LIMIT).unwrap(), end);
    assert_eq!(cluster.fingerprint().unwrap(), fingerprint);
    let expected: Vec<_> =
        outputs.iter().flat_map(|output| output.take().unwrap()).map(|(number, _)| number).collect();
    assert_eq!(numbers, expected);
}

#[test]
fn parts_have_a_node_and_a_single_cable_is_not_divided() {
    let parts = |topology, parts| Parts::<Ring>::new(&topology, &(), parts, LIMIT).unwrap().count();
    assert_eq!([0, 1, 3, 5].map(|most| parts(Topology::star(3), most)), [1, 1, 3, 3]);
    assert_eq!(parts(Topology::back_to_back(), 2), 1);
}

#[test]
fn limit_and_failures_end_all_parts() {
    let topology = Topology::star(64);
    let begin = |part: &mut cluster::Cluster<Ring>| {
        if part.here().contains(&0) {
            part.spawn(0, "sender", |host| rounds(host, 1_000_000));
        }
    };
    let limited =
        run::<Ring, _, _>(&topology, &(), 4, Duration::from_us(20), |_| Ok(card()), begin, |_, ()| ());
    let Err(RunError::Limit { limit, waiting }) = limited else { panic!("{limited:?}") };
    assert_eq!((limit, waiting.len()), (Time::ZERO + Duration::from_us(20), 1));

    let nic = |node| if node == 40 { Err("no such card".into()) } else { Ok(card()) };
    let failed = run::<Ring, _, _>(&topology, &(), 4, LIMIT, nic, begin, |_, ()| ());
    let failed = failed.unwrap_err().to_string();
    assert_eq!(failed, "the device of node 40 stopped at 0.000000 us: no such card");
}

#[test]
#[should_panic(expected = "on purpose")]
fn panic_of_one_part_ends_the_others() {
    let begin = |part: &mut cluster::Cluster<Ring>| {
        if part.here().contains(&40) {
            part.spawn::<_, ()>(40, "panics", |_| async { panic!("on purpose") });
        }
        let first = part.here().start;
        part.spawn(first, "sender", |host| rounds(host, 10));
    };
    let _ = run::<Ring, _, _>(&Topology::star(64), &(), 4, LIMIT, |_| Ok(card()), begin, |_, ()| ());
}
