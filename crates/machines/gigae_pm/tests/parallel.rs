use std::cell::RefCell;
use std::rc::Rc;

use cluster::{Duration, Rates, RunError, Side as _, Time};
use gigae_pm_machine::{GigaePm, Settings};
use hdl::Stimulus;
use machine_api::{Benchmark, CarrierChoice, Parallel, Wait, Wanted, spawn_ranks};
use mpi::programs::{all, waits};
use mpi::{
    AllBytes, Bytes, Communicator, Error, Exposed, LibraryCost, LockKind, Options, Source, Tag, TargetPlace,
    Window, deadlock,
};

use super::switched;

fn over(carrier: &str, wait: Wait) -> CarrierChoice<GigaePm> {
    let wanted = Wanted { carrier: Some(carrier), wait: Some(wait), mtu: None };
    CarrierChoice::find(GigaePm::CARRIERS, wanted).unwrap()
}

/// Runs all programs of MPI; returns the number of frames hit by faults.
fn run(way: CarrierChoice<GigaePm>, nodes: usize, faults: Rates) -> u64 {
    let mut cluster = switched(nodes, &Settings { timeout: Duration::from_us(300), ..Settings::default() });
    cluster.set_faults(faults, 1);
    let options = Options { eager: 3000, ..Options::default() };
    let program = |world| async move { all(&world, &[0, 5000], 2).await };
    let ends = spawn_ranks(&mut cluster, way, &options, program);
    cluster.run(Duration::from_us(1_000_000_000)).expect("all programs end");
    assert!(ends.iter().all(|end| end.take() == Some(Ok(()))));
    (0..nodes).map(|node| cluster.link_from(node).faults().counters().struck()).sum()
}

#[test]
fn all_calls_of_mpi_do_what_loops_do_on_two_to_nine_hosts() {
    for nodes in [2, 3, 5, 9] {
        run(over("pm", Wait::Poll), nodes, Rates::default());
    }
    for nodes in [2, 5] {
        run(over("tcp", Wait::Event), nodes, Rates::default());
    }
}

#[test]
fn all_calls_of_mpi_do_what_loops_do_however_a_rank_waits() {
    for wait in [Wait::Poll, Wait::Interrupt] {
        run(over("tcp", wait), 2, Rates::default());
    }
}

#[test]
fn all_calls_of_mpi_do_what_loops_do_over_bad_wires() {
    let faults = Rates { loss: 10_000, duplication: 10_000, reordering: 10_000, ..Rates::default() };
    assert!(run(over("pm", Wait::Poll), 4, faults) > 20);
    assert!(run(over("tcp", Wait::Event), 3, faults) > 20);
    assert!(run(over("tcp", Wait::Event), 2, Rates { loss: 100_000, ..Rates::default() }) > 20);
}

#[test]
fn deadlocked_ranks_are_named_whether_they_poll_or_sleep() {
    // Streams are opened before the ranks begin.
    for (way, begins) in [(over("pm", Wait::Poll), 50), (over("tcp", Wait::Event), 350)] {
        let mut cluster = switched(2, &Settings::default());
        let watchers = Rc::new(RefCell::new(Vec::new()));
        for node in 0..2 {
            let watchers = watchers.clone();
            GigaePm::spawn_rank(
                &mut cluster,
                node,
                "waits",
                way,
                Options::default(),
                move |world, _| async move {
                    watchers.borrow_mut().push((node, world.watcher()));
                    world.barrier().await?;
                    world.receive(Source::Rank(1 - node), Tag::Is(node as u32), 4).await
                },
            );
        }
        let dead = || {
            watchers.borrow_mut().sort_by_key(|(node, _)| *node);
            deadlock(&watchers.borrow().iter().map(|(_, watcher)| watcher.clone()).collect::<Vec<_>>())
        };
        assert!(matches!(cluster.run(Duration::from_us(begins)), Err(RunError::Limit { .. })));
        assert_eq!(dead(), None, "a barrier takes longer");
        assert!(cluster.run(Duration::from_us(1_000)).is_err());
        let waits = [["a message of rank 1 of tag 0"], ["a message of rank 0 of tag 1"]];
        assert_eq!(dead(), Some(waits.map(|words| words.map(String::from).to_vec()).to_vec()));
    }
}

#[test]
fn unreachable_rank_is_an_error_of_all_that_wait_for_it() {
    let mut cluster = switched(2, &Settings::default());
    // Node 0 has no rank, and its card is not set up.
    let way = over("tcp", Wait::Event);
    let waits =
        GigaePm::spawn_rank(&mut cluster, 1, "waits", way, Options::default(), |world, _| async move {
            let received = world.receive(Source::Rank(0), Tag::Any, 4).await;
            [received.unwrap_err(), world.send(0, 0, b"anybody?").await.unwrap_err()]
        });
    cluster.run(Duration::from_us(100_000_000)).unwrap();
    assert_eq!(waits.take(), Some([Error::Unreachable(0); 2]));
}

#[test]
fn ranks_whose_cables_are_cut_are_an_error_of_each_other() {
    let mut cluster = switched(2, &Settings::default());
    let way = over("tcp", Wait::Event);
    let ends = [0, 1].map(|node| {
        GigaePm::spawn_rank(
            &mut cluster,
            node,
            "waits",
            way,
            Options::default(),
            move |world, _| async move {
                world.barrier().await?;
                world.compute(Duration::from_us(2_000)).await;
                // A connection without unacknowledged data does not notice.
                world.send(1 - node, 0, b"lost").await?;
                world.receive(Source::Rank(1 - node), Tag::Any, 4).await.map(|_| ())
            },
        )
    });
    assert!(cluster.run(Duration::from_us(1_500)).is_err(), "they compute");
    cluster.set_faults(Rates { loss: 1_000_000, ..Rates::default() }, 1);
    cluster.run(Duration::from_us(300_000_000)).unwrap();
    assert_eq!(ends.map(|end| end.take()), [1, 0].map(|other| Some(Err(Error::Unreachable(other)))));
}

#[test]
fn lock_of_a_rank_whose_cable_is_cut_goes_to_the_next() {
    const US: fn(u64) -> Duration = Duration::from_us;
    let mut cluster = switched(3, &Settings::default());
    let parts = Rc::new(vec![Bytes::new(8), Bytes::new(8), Bytes::new(8)]);
    let memory = parts.clone();
    let way = over("tcp", Wait::Event);
    let ends = spawn_ranks(&mut cluster, way, &Options::default(), move |world: Communicator| {
        let all = AllBytes { parts: parts.clone(), own: world.rank() };
        async move {
            let exposed = Exposed::Fixed { base: Bytes::BASE, size: 8 };
            let window = Window::create(&world, Rc::new(all), exposed, 1).await?;
            match world.rank() {
                // The target grants the lock to rank 1 when it has computed, and notices that rank 1 is dead.
                0 => {
                    world.compute(US(30_000)).await;
                    world.send(1, 0, b"anybody?").await?;
                    world.receive(Source::Rank(2), Tag::Any, 0).await?;
                }
                1 => {
                    window.lock(0, LockKind::Exclusive, false).await?;
                    world.compute(US(1_000_000)).await;
                }
                _ => {
                    world.compute(US(25_000)).await;
                    window.lock(0, LockKind::Exclusive, false).await?;
                    let at = TargetPlace { rank: 0, displacement: 0, runs: &[(0, 8)] };
                    window.put(at, &[7; 8]).await?;
                    window.unlock(0).await?;
                    // The window has failed for a rank, not for the others.
                    assert_eq!(window.lock_all(false).await, Err(Error::Unreachable(1)));
                    window.lock(0, LockKind::Exclusive, false).await?;
                    window.unlock(0).await?;
                    world.send(0, 0, &[]).await?;
                }
            }
            Ok::<_, Error>(())
        }
    });
    assert!(cluster.run(US(20_000)).is_err(), "rank 1 has asked for the lock");
    let cut = Rates { loss: 1_000_000, ..Rates::default() };
    cluster.link_from_mut(1).faults_mut().strike(cut, 1);
    cluster.link_to_mut(1).faults_mut().strike(cut, 2);
    cluster.run(US(1_000_000_000)).unwrap();
    let ends: Vec<_> = ends.iter().map(|end| end.take()).collect();
    assert_eq!(ends, [Some(Ok(())), Some(Err(Error::Unreachable(0))), Some(Ok(()))]);
    assert_eq!(memory[0].to_vec(), [7; 8]);
}

#[test]
fn what_a_carrier_cannot_do_is_told_with_what_it_can() {
    let told = |carrier, wait, mtu| {
        CarrierChoice::find(GigaePm::CARRIERS, Wanted { carrier, wait, mtu })
            .err()
            .expect("it cannot be")
            .reason
    };
    assert_eq!(told(Some("udp"), None, None), "GigaE PM has pm, tcp");
    assert!(told(None, Some(Wait::Event), None).starts_with("pm of GigaE PM has poll, because the card"));
    assert!(told(Some("tcp"), None, Some(1500)).starts_with("tcp of GigaE PM does not support it, because"));
}

#[test]
fn benchmark_time_follows_operations_and_hosts() {
    let time = |nodes: usize, operation: Duration| {
        let mut settings = Settings::default();
        settings.costs.operation = operation;
        let timed = Benchmark::Is
            .run(&mut switched(nodes, &settings), over("pm", Wait::Poll), &Options::default())
            .unwrap();
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
                let (way, options) = (over("pm", Wait::Poll), Options::default());
                GigaePm::spawn_rank(&mut cluster, node, "waits", way, options, move |world, _| async move {
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

/// A card counts while a message waits for its ACK, which comes with the answer or by itself.
#[test]
fn looks_in_vain_at_cards_that_count_leave_no_trace() {
    const ROUNDS: usize = 30;
    let talk = |seed, skipping| {
        let mut cluster = switched(2, &Settings::default());
        cluster.set_skipping(skipping);
        let program = move |world: Communicator| async move {
            let mut random = Stimulus::new(seed);
            for round in 0..ROUNDS {
                let (pause, size) = (random.below(90_000_000), 1 + random.below(1_000) as usize);
                if world.rank() == round % 2 {
                    world.compute(Duration::from_ps(pause)).await;
                    world.send(1 - round % 2, 0, &vec![round as u8; size]).await?;
                } else {
                    world.receive(Source::Rank(round % 2), Tag::Is(0), size).await?;
                }
            }
            Ok::<_, Error>(())
        };
        let ends = spawn_ranks(&mut cluster, over("pm", Wait::Poll), &Options::default(), program);
        let end = cluster.run(Duration::from_us(1_000_000)).unwrap();
        assert!(ends.iter().all(|end| end.take() == Some(Ok(()))));
        let buses = (0..2).map(|node| cluster.nodes()[node].side().bus_busy()).collect::<Vec<_>>();
        (cluster.fingerprint().unwrap(), end, buses)
    };
    for seed in 1..=3 {
        assert_eq!(talk(seed, true), talk(seed, false), "seed {seed}");
    }
}

/// A packet that waits for a buffer of the card is built once, however often the library tries to send it.
#[test]
fn waiting_packets_are_built_once() {
    const MESSAGES: u64 = 60;
    let settings = Settings { library: LibraryCost::Counted, ..Settings::default() };
    let mut cluster = switched(2, &settings);
    let ends = spawn_ranks(&mut cluster, over("pm", Wait::Poll), &Options::default(), |world| async move {
        if world.rank() == 0 {
            for _ in 0..MESSAGES {
                world.send(1, 0, &[1; 4]).await?;
            }
        } else {
            world.compute(Duration::from_us(2_000)).await;
            for _ in 0..MESSAGES {
                world.receive(Source::Rank(0), Tag::Is(0), 4).await?;
            }
        }
        let watcher = world.watcher();
        Ok::<_, Error>((watcher.library_time(), watcher.packets(), world.now()))
    });
    cluster.run(Duration::from_us(1_000_000)).unwrap();
    let (time, packets, end) = ends[0].take().unwrap().unwrap();
    assert!(end > Time::ZERO + Duration::from_us(2_000), "the sender waits for the receiver: {end}");
    // A call has 486 instructions and a packet 1,310, of 2.5 ns each; the sender receives nothing.
    assert_eq!((packets, time), (MESSAGES, Duration::from_ps((486 + 1_310) * 2_500 * MESSAGES)));
}
