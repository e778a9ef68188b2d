use std::cell::RefCell;
use std::rc::Rc;

use cluster::Duration;
use mpi::carrier::memory::{Cluster, RunError, Settings};
use mpi::programs::{messages, ping, pong};
use mpi::{
    Completion, Error, Kind, Mode, Operation, Options, Predefined, Progress, Source, Status, Tag, deadlock,
    wait_any,
};

use crate::run;

const LIMIT: Duration = Duration::from_us(1_000_000);

#[test]
fn messages_of_all_modes_and_sizes_arrive_once_and_whole() {
    for eager in [0, 1000, 1 << 30] {
        let options = Options { eager, ..Options::default() };
        for ranks in 1..=5 {
            let sizes = [0, 1, 1000, 1001, 1444, 1445, 20_000];
            run(ranks, &options, move |world| async move { messages(&world, &sizes).await }).unwrap();
        }
    }
}

#[test]
fn half_round_trip_is_the_time_of_wire_and_host() {
    let mut cluster = Cluster::new(2, Settings::default(), Options::default());
    let turns = cluster.spawn(0, "ping", |world| async move { ping(&world, 1, 4, 3).await });
    let pong = cluster.spawn(1, "pong", |world| async move { pong(&world, 0, 4, 3).await });
    cluster.run(LIMIT).unwrap();
    assert_eq!(pong.take(), Some(Ok(())));
    let turns = turns.take().unwrap().unwrap();
    // Overhead on either side, 28 bytes at 8 ns, and 10 us of latency.
    let wire = 2 * (1_000_000 + 28 * 8_000 + 10_000_000 + 1_000_000);
    for turn in turns {
        let library = (turn.end - turn.begin).ps() - wire;
        // One look for the send call and for the packet, its receive and its word. Later steps overlap with
        // the wire.
        assert_eq!(library, 2 * 4 * 10_000);
    }
}

#[test]
fn deadlock_ends_the_run_and_names_the_pending_receives() {
    let mut cluster = Cluster::new(3, Settings::default(), Options { eager: 10, ..Options::default() });
    cluster.spawn(0, "receives", |world| async move { world.receive(Source::Rank(1), Tag::Is(5), 4).await });
    cluster.spawn(1, "sends", |world| async move { world.send(2, 6, &[0; 11]).await });
    cluster.spawn(2, "enters", |world| async move { world.barrier().await });
    let error = cluster.run(LIMIT).unwrap_err();
    let RunError::Stalled { waiting, .. } = &error else { panic!("{error}") };
    assert_eq!(
        waiting[..],
        [
            "process 0 for a message of rank 1 of tag 5",
            "process 1 for process 2 to receive 11 bytes of tag 6",
            "process 2 for rank 1 in collective call 0",
        ]
    );
}

#[test]
fn deadlock_is_seen_from_outside_after_operations_have_ended() {
    let mut cluster = Cluster::new(2, Settings::default(), Options::default());
    let watchers = Rc::new(RefCell::new(Vec::new()));
    for rank in 0..2 {
        let watchers = watchers.clone();
        cluster.spawn(rank, "program", |world| async move {
            watchers.borrow_mut().push(world.watcher());
            let sum = Operation::Predefined(Predefined::Sum, Kind::Int32);
            world.allreduce(vec![1, 0, 0, 0], sum).await?;
            world.receive(Source::Rank(1 - rank), Tag::Is(5), 4).await
        });
    }
    assert!(cluster.run(LIMIT).is_err());
    let receive = |rank| vec![format!("a message of rank {rank} of tag 5")];
    assert_eq!(deadlock(&watchers.borrow()), Some(vec![receive(1), receive(0)]));
}

#[test]
fn truncated_message_fails_its_receive_alone() {
    let mut cluster = Cluster::new(2, Settings::default(), Options { eager: 100, ..Options::default() });
    let sends = cluster.spawn(0, "sends", |world| async move {
        for size in [50, 500, 8] {
            world.send(1, 0, &vec![7; size]).await?;
        }
        Ok::<_, Error>(())
    });
    let receives = cluster.spawn(1, "receives", |world| async move {
        let mut ends = Vec::new();
        for _ in 0..3 {
            ends.push(world.receive(Source::Any, Tag::Any, 10).await);
        }
        ends
    });
    cluster.run(LIMIT).unwrap();
    assert_eq!(sends.take(), Some(Ok(())));
    let status = Status { source: 0, tag: 0, bytes: 8, cancelled: false };
    let expected = vec![
        Err(Error::Truncated { bytes: 50, most: 10 }),
        Err(Error::Truncated { bytes: 500, most: 10 }),
        Ok(Completion { status, bytes: vec![7; 8] }),
    ];
    assert_eq!(receives.take(), Some(expected));
}

#[test]
fn synchronous_send_ends_at_the_receive_and_buffered_at_once() {
    let mut cluster = Cluster::new(2, Settings::default(), Options::default());
    let sends = cluster.spawn(0, "sends", |world| async move {
        let mut ends = Vec::new();
        for mode in [Mode::Buffered, Mode::Standard, Mode::Synchronous] {
            world.send_as(mode, 1, 0, vec![1]).await.unwrap();
            ends.push(world.now().ps() / 1_000_000);
        }
        ends
    });
    cluster.spawn(1, "receives", |world| async move {
        world.compute(Duration::from_us(500)).await;
        for _ in 0..3 {
            world.receive(Source::Any, Tag::Any, 1).await.unwrap();
        }
    });
    cluster.run(LIMIT).unwrap();
    let ends = sends.take().unwrap();
    assert!(ends[1] < 10 && (500..540).contains(&ends[2]), "{ends:?}");
}

#[test]
fn unmatched_receive_can_be_cancelled() {
    let mut cluster = Cluster::new(2, Settings::default(), Options::default());
    let end = cluster.spawn(0, "gives up", |world| async move {
        let request = world.ireceive(Source::Rank(1), Tag::Is(1), 4).await.unwrap();
        assert!(!request.test().await);
        assert!(request.cancel());
        assert!(!request.cancel());
        let end = request.wait().await.unwrap();
        (end.status.cancelled, request.wait().await)
    });
    cluster.run(LIMIT).unwrap();
    assert_eq!(end.take(), Some((true, Err(Error::Request))));
}

#[test]
fn wait_any_returns_the_request_whose_message_came() {
    let mut cluster = Cluster::new(3, Settings::default(), Options::default());
    let first = cluster.spawn(0, "waits", |world| async move {
        let mut requests = Vec::new();
        for rank in [1, 2] {
            requests.push(world.ireceive(Source::Rank(rank), Tag::Any, 4).await.unwrap());
        }
        let first = wait_any(&requests).await;
        let second = requests[0].wait().await.unwrap().status.source;
        (first, second, wait_any(&[]).await)
    });
    for (rank, after) in [(1, 100), (2, 50)] {
        cluster.spawn(rank, "sends", move |world| async move {
            world.compute(Duration::from_us(after)).await;
            world.send(0, 0, &[0; 4]).await
        });
    }
    cluster.run(LIMIT).unwrap();
    assert_eq!(first.take(), Some((Some(1), 1, None)));
}

#[test]
fn invalid_arguments_are_errors() {
    let mut cluster = Cluster::new(2, Settings::default(), Options::default());
    let errors = cluster.spawn(0, "errs", |world| async move {
        use mpi::Collective::*;
        [
            world.send(2, 0, &[]).await.unwrap_err(),
            world.receive(Source::Rank(9), Tag::Any, 0).await.unwrap_err(),
            world.broadcast(Vec::new(), 2).await.unwrap_err(),
            world.call(Allgatherv { bytes: vec![1], counts: vec![1] }).await.unwrap_err(),
            world.call(Scatter { bytes: vec![1], count: 1, root: 0.into() }).await.unwrap_err(),
            world.call(Alltoall { bytes: vec![1] }).await.unwrap_err(),
        ]
    });
    cluster.run(LIMIT).unwrap();
    let errors = errors.take().unwrap().map(|error| error.to_string());
    assert_eq!(
        errors,
        [
            "there is no rank 2 among 2",
            "there is no rank 9 among 2",
            "there is no root 2 among 2",
            "there is a count for each rank",
            "1 bytes are given where 2 are needed",
            "all parts are of one length",
        ]
    );
}

#[test]
fn runs_are_deterministic() {
    let options = Options::default();
    let time = || run(5, &options, |world| async move { messages(&world, &[10, 30_000]).await }).unwrap();
    assert_eq!(time(), time());
}

#[test]
fn progress_thread_answers_while_its_process_computes() {
    let wake = Duration::from_us(5);
    let end = |progress| {
        let mut cluster =
            Cluster::new(2, Settings::default(), Options { eager: 10, progress, ..Options::default() });
        let sends = cluster.spawn(0, "sends", |world| async move {
            world.send(1, 0, &[7; 1_000]).await.unwrap();
            world.now().ps() / 1_000_000
        });
        let computes = cluster.spawn(1, "computes", |world| async move {
            let coming = world.ireceive(Source::Rank(0), Tag::Any, 1_000).await.unwrap();
            let begin = world.now();
            world.compute(Duration::from_us(1_000)).await;
            let took = (world.now() - begin).ps() / 1_000_000;
            assert_eq!(coming.wait().await.unwrap().bytes, [7; 1_000]);
            took
        });
        cluster.run(LIMIT).unwrap();
        [sends, computes].map(|end| end.take().unwrap())
    };
    let [sent, took] = end(None);
    assert!(sent > 1_000 && took == 1_000, "{sent} us, {took} us");
    let [sent, took] = end(Some(Progress { period: Duration::from_us(100), switch: wake }));
    assert!(sent < 300, "{sent} us");
    // The thread wakes nine or ten times in that time.
    assert!((1_045..1_060).contains(&took), "{took} us");
}

#[test]
fn eager_limit_is_exact_and_synchronous_sends_ask_at_any_length() {
    let packets =
        |mode, length: usize| {
            let mut cluster =
                Cluster::new(2, Settings::default(), Options { eager: 1_000, ..Options::default() });
            cluster.spawn(0, "sends", move |world| async move {
                world.send_as(mode, 1, 0, vec![1; length]).await
            });
            cluster.spawn(
                1,
                "receives",
                |world| async move { world.receive(Source::Any, Tag::Any, 2_000).await },
            );
            cluster.run(LIMIT).unwrap();
            cluster.packets()
        };
    // One packet, or a request, its clearance and the data.
    assert_eq!([999, 1_000, 1_001].map(|length| packets(Mode::Standard, length)), [1, 1, 3]);
    assert_eq!([999, 1_000].map(|length| packets(Mode::Buffered, length)), [1, 1]);
    assert_eq!([1, 1_000].map(|length| packets(Mode::Synchronous, length)), [3, 3]);
}

#[test]
fn pending_rendezvous_comes_before_the_eager_message_behind_it() {
    let mut cluster = Cluster::new(2, Settings::default(), Options { eager: 10, ..Options::default() });
    let sends = cluster.spawn(0, "sends", |world| async move {
        let mut requests = Vec::new();
        for length in [5_000, 1, 20, 10, 0] {
            requests.push(world.isend(Mode::Standard, 1, 3, vec![length as u8; length]).await?);
        }
        for request in requests {
            request.wait().await?;
        }
        Ok::<_, Error>(())
    });
    let receives = cluster.spawn(1, "receives", |world| async move {
        world.compute(Duration::from_us(500)).await;
        let mut lengths = Vec::new();
        for _ in 0..5 {
            lengths.push(world.receive(Source::Rank(0), Tag::Is(3), 5_000).await?.bytes.len());
        }
        Ok::<_, Error>(lengths)
    });
    cluster.run(LIMIT).unwrap();
    assert_eq!((sends.take(), receives.take()), (Some(Ok(())), Some(Ok(vec![5_000, 1, 20, 10, 0]))));
}
