use std::cell::RefCell;
use std::rc::Rc;

use cluster::{Duration, Rates, RunError};
use gigae_pm_machine::{GigaePm, Settings};
use lab::{Benchmark, Parallel};
use mpi::programs::{all, waits};
use mpi::{Options, Source, Tag, deadlock};

use super::switched;

/// All programs of MPI on so many nodes; frames that were struck.
fn run(nodes: usize, faults: Rates) -> u64 {
    let mut cluster = switched(nodes, &Settings { timeout: Duration::from_us(300), ..Settings::default() });
    cluster.set_faults(faults, 1);
    let ends: Vec<_> = (0..nodes)
        .map(|node| {
            cluster.spawn(node, "program", move |port| async move {
                let world = GigaePm::world(port, nodes, Options { eager: 3000, ..Options::default() }).await;
                all(&world, &[0, 5000], 2).await
            })
        })
        .collect();
    cluster.run(Duration::from_us(1_000_000)).expect("all programs end");
    assert!(ends.iter().all(|end| end.take() == Some(Ok(()))));
    (0..nodes).map(|node| cluster.link_from(node).faults().counters().struck()).sum()
}

#[test]
fn all_calls_of_mpi_do_what_loops_do_on_two_to_nine_hosts() {
    for nodes in [2, 3, 5, 9] {
        run(nodes, Rates::default());
    }
}

#[test]
fn all_calls_of_mpi_do_what_loops_do_over_bad_wires() {
    let faults = Rates { loss: 10_000, duplication: 10_000, reordering: 10_000, ..Rates::default() };
    assert!(run(4, faults) > 20);
}

#[test]
fn ranks_that_wait_for_each_other_are_named_though_they_poll() {
    let mut cluster = switched(2, &Settings::default());
    let watchers = Rc::new(RefCell::new(Vec::new()));
    for node in 0..2 {
        let watchers = watchers.clone();
        cluster.spawn(node, "waits", move |port| async move {
            let world = GigaePm::world(port, 2, Options::default()).await;
            watchers.borrow_mut().push((node, world.watcher()));
            world.barrier().await?;
            world.receive(Source::Rank(1 - node), Tag::Is(node as u32), 4).await
        });
    }
    let dead = || {
        watchers.borrow_mut().sort_by_key(|(node, _)| *node);
        deadlock(&watchers.borrow().iter().map(|(_, watcher)| watcher.clone()).collect::<Vec<_>>())
    };
    assert!(matches!(cluster.run(Duration::from_us(50)), Err(RunError::Limit { .. })));
    assert_eq!(dead(), None, "a barrier takes longer");
    assert!(cluster.run(Duration::from_us(1_000)).is_err());
    let waits = [["a message of rank 1 of tag 0"], ["a message of rank 0 of tag 1"]];
    assert_eq!(dead(), Some(waits.map(|words| words.map(String::from).to_vec()).to_vec()));
}

#[test]
fn benchmark_takes_longer_where_an_operation_does_and_less_on_two_hosts() {
    let time = |nodes: usize, operation: Duration| {
        let mut settings = Settings::default();
        settings.costs.operation = operation;
        let timed =
            Benchmark::Is.run(&mut switched(nodes, &settings), &Options::default(), Duration::ZERO).unwrap();
        assert!(timed.right, "{}", timed.says);
        timed.time
    };
    let operation = Settings::default().costs.operation;
    let one = time(1, operation);
    assert!(one > time(1, Duration::ZERO));
    assert!(one > time(2, operation));
}

#[test]
fn looks_in_vain_that_are_left_out_leave_no_trace() {
    // Longer than the time between samples, shorter, and off every clock.
    let computing = [430_000_000, 31_234_567, 750_000_001, 99].map(Duration::from_ps);
    for faults in [Rates::default(), Rates { loss: 20_000, ..Rates::default() }] {
        let waits = |skipping| {
            let mut cluster = switched(3, &Settings::default());
            cluster.set_skipping(skipping);
            cluster.set_faults(faults, 1);
            for node in 0..3 {
                cluster.spawn(node, "waits", move |port| async move {
                    let world = GigaePm::world(port, 3, Options::default()).await;
                    waits(&world, &computing).await.unwrap();
                });
            }
            let end = cluster.run(Duration::from_us(1_000_000)).unwrap();
            let buses = (0..3).map(|node| cluster.nodes()[node].side().bus_busy()).collect::<Vec<_>>();
            (cluster.fingerprint().unwrap(), end, buses)
        };
        assert_eq!(waits(true), waits(false));
    }
}
