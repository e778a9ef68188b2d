use std::cell::RefCell;
use std::rc::Rc;

use cluster::{Duration, Fingerprint, Rates, RunError, Side as _};
use dimmnet2::Dimmnet2 as Board;
use dimmnet2_machine::programs::measure::Start;
use dimmnet2_machine::programs::measure::lhs::{Case, Load};
use dimmnet2_machine::{AnyNic, Cluster, Dimmnet2, Settings};
use hdl::Model;
use machine_api::{CarrierChoice, Parallel, Wanted, spawn_ranks};
use mpi::programs::{Wrong, all, ping, pong, waits};
use mpi::{Communicator, Error, Kind, Mode, Operation, Options, Predefined, Source, Tag, deadlock};

const LIMIT: Duration = Duration::from_us(1_000_000);

fn switched(nodes: usize) -> Cluster {
    let board = || Box::new(Model::new(Board::default())) as Box<AnyNic>;
    Cluster::with_switch((0..nodes).map(|_| board()).collect(), &Settings::default())
}

/// The default carrier.
fn way() -> CarrierChoice<Dimmnet2> {
    CarrierChoice::over(&Dimmnet2::CARRIERS[0])
}

/// The carrier with long messages through the Prefetch Windows.
fn streaming() -> CarrierChoice<Dimmnet2> {
    CarrierChoice::find(Dimmnet2::CARRIERS, Wanted { carrier: Some("rvs"), ..Wanted::default() }).unwrap()
}

/// Runs a program on all nodes of a cluster.
fn run<F>(
    cluster: &mut Cluster,
    options: Options,
    program: impl Fn(Communicator) -> F + Clone + 'static,
) -> Fingerprint
where
    F: Future<Output = Result<(), Wrong>> + 'static,
{
    run_in(way(), cluster, options, program)
}

fn run_in<F>(
    way: CarrierChoice<Dimmnet2>,
    cluster: &mut Cluster,
    options: Options,
    program: impl Fn(Communicator) -> F + Clone + 'static,
) -> Fingerprint
where
    F: Future<Output = Result<(), Wrong>> + 'static,
{
    let ends = spawn_ranks(cluster, way, &options, program);
    cluster.run(LIMIT).expect("all programs end");
    for end in ends {
        end.take().expect("the program has ended").unwrap();
    }
    cluster.fingerprint().unwrap()
}

/// Runs all programs of MPI; returns the number of frames hit by faults.
fn run_all(way: CarrierChoice<Dimmnet2>, nodes: usize, faults: Rates) -> u64 {
    let mut cluster = switched(nodes);
    cluster.set_faults(faults, 1);
    let options = Options { eager: 3000, ..Options::default() };
    run_in(way, &mut cluster, options, |world| async move { all(&world, &[0, 5000], 2).await });
    (0..nodes).map(|node| cluster.link_from(node).faults().counters().struck()).sum()
}

#[test]
fn all_calls_of_mpi_do_what_loops_do_on_two_to_nine_hosts() {
    for nodes in [2, 3, 5, 9] {
        run_all(way(), nodes, Rates::default());
    }
    for nodes in [2, 5] {
        run_all(streaming(), nodes, Rates::default());
    }
}

#[test]
fn all_calls_of_mpi_do_what_loops_do_over_bad_wires() {
    let faults = Rates { loss: 10_000, duplication: 10_000, reordering: 10_000, ..Rates::default() };
    assert!(run_all(way(), 4, faults) > 20);
    assert!(run_all(streaming(), 4, faults) > 20);
}

#[test]
fn ranks_that_wait_for_each_other_are_named_though_they_poll() {
    let mut cluster = switched(2);
    let watchers = Rc::new(RefCell::new(Vec::new()));
    for node in 0..2 {
        let watchers = watchers.clone();
        Dimmnet2::spawn_rank(
            &mut cluster,
            node,
            "waits",
            way(),
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
    assert!(matches!(cluster.run(Duration::from_us(41)), Err(RunError::Limit { .. })));
    assert_eq!(dead(), None, "a barrier takes longer");
    assert!(cluster.run(Duration::from_us(1_000)).is_err());
    let waits = [["a message of rank 1 of tag 0"], ["a message of rank 0 of tag 1"]];
    assert_eq!(dead(), Some(waits.map(|words| words.map(String::from).to_vec()).to_vec()));
}

#[test]
fn messages_at_all_borders_come_whole() {
    // Sizes around the LH Buffer, a packet, the longest eager message and a unit of a ring.
    let borders = [0, 48, 488, 16 << 10, 64 << 10];
    let mut sizes: Vec<usize> =
        borders.into_iter().flat_map(|size: usize| size.saturating_sub(1)..=size + 1).collect();
    sizes.extend([4 << 10, 1 << 20]);
    come_whole(way(), sizes);
    // Sizes around the longest eager message, a packet and all windows.
    let borders = [480, 488, 976, 7 * 488, 8 * 488];
    let mut sizes: Vec<usize> = borders.into_iter().flat_map(|size: usize| size - 1..=size + 1).collect();
    sizes.extend([0, 1, 100_000]);
    come_whole(streaming(), sizes);
}

/// Messages of these sizes there and back.
fn come_whole(way: CarrierChoice<Dimmnet2>, sizes: Vec<usize>) {
    run_in(way, &mut switched(2), Options::default(), move |world| {
        let sizes = sizes.clone();
        async move {
            for size in sizes {
                match world.rank() {
                    0 => ping(&world, 1, size, 1).await.map(|_| ())?,
                    _ => pong(&world, 0, size, 1).await?,
                }
            }
            world.finalize().await.map_err(|error| failed(&world, error))
        }
    });
}

/// Long messages in a circle, so that each rank sends and receives one at a time; then all to the first one, whose
/// windows hold one of them at a time; then messages without data that wait for their receivers.
async fn contend(world: Communicator) -> Result<(), Wrong> {
    let failed = |error| failed(&world, error);
    let (ranks, rank) = (world.size(), world.rank());
    let content = |from: usize, size: usize| (0..size).map(|at| (at * 7 + from) as u8).collect::<Vec<_>>();
    for size in [0, 600, 20_000] {
        let (to, from) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
        let sent = world.isend(Mode::Synchronous, to, 1, content(rank, size)).await.map_err(failed)?;
        let message = world.receive(Source::Rank(from), Tag::Is(1), size).await.map_err(failed)?;
        assert_eq!(message.bytes, content(from, size));
        sent.wait().await.map_err(failed)?;
        if rank > 0 {
            let mut requests = Vec::new();
            for tag in [2, 3] {
                let sent = world.isend(Mode::Synchronous, 0, tag, content(rank, size)).await;
                requests.push(sent.map_err(failed)?);
            }
            for request in requests {
                request.wait().await.map_err(failed)?;
            }
        } else {
            // All ranks request the windows at once, and the last one gets them first.
            let mut requests = Vec::new();
            for from in (1..ranks).rev() {
                for tag in [3, 2] {
                    let receive = world.ireceive(Source::Rank(from), Tag::Is(tag), size).await;
                    requests.push((from, receive.map_err(failed)?));
                }
            }
            for (from, request) in requests {
                assert_eq!(request.wait().await.map_err(failed)?.bytes, content(from, size));
            }
        }
    }
    world.finalize().await.map_err(failed)
}

#[test]
fn long_messages_that_want_the_same_windows_take_turns() {
    for nodes in [2, 3, 5] {
        run_in(streaming(), &mut switched(nodes), Options::default(), contend);
    }
}

#[test]
fn messages_come_whole_with_each_mtu() {
    let time = |mtu| {
        let mut cluster = switched(2);
        let program = |world: Communicator| async move {
            match world.rank() {
                0 => ping(&world, 1, 64 << 10, 1).await.map(|_| ()),
                _ => pong(&world, 0, 64 << 10, 1).await,
            }
        };
        run_in(CarrierChoice { mtu, ..way() }, &mut cluster, Options::default(), program);
        cluster.now()
    };
    let times: Vec<_> = way().carrier.mtus.has.iter().map(|mtu| time(Some(*mtu))).collect();
    let mut others = times.clone();
    others.sort();
    others.dedup();
    assert_eq!(others.len(), times.len(), "{times:?}");
    assert_eq!(time(None), times[2], "2048 bytes are what a board has after reset");
}

fn failed(world: &Communicator, error: Error) -> Wrong {
    Wrong::Call { rank: world.rank(), what: "call".to_string(), error }
}

/// Each rank but the first sends it messages of all kinds while it computes; then it takes them, the last ones first.
async fn flood(world: Communicator) -> Result<(), Wrong> {
    const MESSAGES: u32 = 80;
    let failed = |error| failed(&world, error);
    let size = |tag: u32| [8, 48, 300, 4000][tag as usize % 4];
    let mut requests = Vec::new();
    if world.rank() > 0 {
        for tag in 0..MESSAGES {
            requests
                .push(world.isend(Mode::Standard, 0, tag, vec![tag as u8; size(tag)]).await.map_err(failed)?);
        }
    } else {
        world.compute(Duration::from_us(1_000)).await;
        for tag in (0..MESSAGES).rev() {
            for _ in 1..world.size() {
                let message = world.receive(Source::Any, Tag::Is(tag), 4000).await.map_err(failed)?;
                assert_eq!(message.bytes, vec![tag as u8; size(tag)]);
            }
        }
    }
    for request in requests {
        request.wait().await.map_err(failed)?;
    }
    world.finalize().await.map_err(failed)
}

#[test]
fn no_board_waits_for_room_while_all_send_to_one() {
    for (nodes, entries) in [(2, 63), (4, 63), (8, 63), (9, 56)] {
        let mut cluster = switched(nodes);
        let ends: Vec<_> = (0..nodes)
            .map(|node| {
                let options = Options::default();
                Dimmnet2::spawn_rank(&mut cluster, node, "flood", way(), options, |world, _| flood(world))
            })
            .collect();
        // All permitted messages have arrived, and the host has not looked.
        assert!(matches!(cluster.run(Duration::from_us(900)), Err(RunError::Limit { .. })));
        let nic = cluster.nodes()[0].nic();
        let (mut sample, signals) = (Vec::new(), nic.signals());
        nic.sample(&mut sample);
        let value = |block: &str, name: &str| {
            let signal = signals.iter().find(|signal| signal.block.ends_with(block) && signal.name == name);
            signal.expect("a board has this block").words(&sample)[0]
        };
        assert_eq!(value("lh_buffer", "tail0"), entries, "entries of {nodes} are used");
        assert_eq!(value("packet_control", "state"), 0, "the Receive Controller of {nodes} waits");
        cluster.run(LIMIT).expect("all programs end");
        assert!(ends.iter().all(|end| end.take() == Some(Ok(()))), "{nodes}");
    }
}

#[test]
fn sixty_four_ranks_have_one_place_each_at_each_other_and_go_on() {
    let program = |world: Communicator| async move {
        let failed = |error| failed(&world, error);
        let ranks = world.size();
        world.barrier().await.map_err(failed)?;
        let operand = (world.rank() as u64).to_le_bytes().to_vec();
        let sum = Operation::Predefined(Predefined::Sum, Kind::Uint64);
        let result = world.allreduce(operand, sum).await.map_err(failed)?;
        assert_eq!(result, ((ranks * (ranks - 1) / 2) as u64).to_le_bytes());
        // Each rank sends the next one more messages than it has entries.
        let (to, from) = ((world.rank() + 1) % ranks, (world.rank() + ranks - 1) % ranks);
        let mut requests = Vec::new();
        for tag in 0..4 {
            requests.push(world.isend(Mode::Standard, to, tag, vec![tag as u8; 100]).await.map_err(failed)?);
        }
        for tag in (0..4).rev() {
            let message = world.receive(Source::Rank(from), Tag::Is(tag), 100).await.map_err(failed)?;
            assert_eq!(message.bytes, vec![tag as u8; 100]);
        }
        for request in requests {
            request.wait().await.map_err(failed)?;
        }
        world.finalize().await.map_err(failed)
    };
    run(&mut switched(64), Options::default(), program);
    assert_eq!(Dimmnet2::CARRIERS[0].most_ranks, 64);
}

#[test]
fn one_run_is_like_another() {
    for way in [way(), streaming()] {
        let once = || run_in(way, &mut switched(4), Options::default(), flood);
        assert_eq!(once(), once());
    }
}

#[test]
fn message_that_no_place_can_hold_is_an_error_of_its_call() {
    let mut cluster = switched(2);
    let options = Options::default();
    let sent = Dimmnet2::spawn_rank(&mut cluster, 0, "send", way(), options, |world, _| async move {
        world.isend(Mode::Standard, 1, 0, vec![0; (240 << 20) + 1]).await.map(|_| ())
    });
    cluster.run(LIMIT).unwrap();
    assert_eq!(sent.take(), Some(Err(Error::Count((240 << 20) + 1))));
}

/// The mean of half a round trip of MPI between two hosts, for each size, without the first round.
fn half_round_trips<const N: usize>(way: CarrierChoice<Dimmnet2>, sizes: [usize; N]) -> [Duration; N] {
    const ROUNDS: usize = 17;
    let mut cluster = switched(2);
    let options = Options::default();
    let turns =
        Dimmnet2::spawn_rank(&mut cluster, 0, "ping", way, options.clone(), move |world, _| async move {
            let mut turns = Vec::new();
            for size in sizes {
                turns.push(ping(&world, 1, size, ROUNDS).await?);
            }
            Ok::<_, Wrong>(turns)
        });
    Dimmnet2::spawn_rank(&mut cluster, 1, "pong", way, options, move |world, _| async move {
        for size in sizes {
            pong(&world, 0, size, ROUNDS).await?;
        }
        Ok::<_, Wrong>(())
    });
    cluster.run(LIMIT).unwrap();
    let turns = turns.take().unwrap().unwrap();
    std::array::from_fn(|i| {
        let all: u64 = turns[i][1..].iter().map(|turn| (turn.end - turn.begin).ps()).sum();
        Duration::from_ps(all / 2 / (ROUNDS as u64 - 1))
    })
}

#[test]
fn half_round_trip_of_8_bytes_is_within_1_us_of_the_board() {
    let mut cluster = switched(2);
    // The envelope is part of the message there.
    let load = Load { bytes: 8 + 8, case: Case::LhsV1 };
    let ends = [0, 1].map(|node| {
        cluster.spawn(node, "exchange", move |host| load.exchange(host, Start::default(), node == 0))
    });
    cluster.run(LIMIT).unwrap();
    let board = ends[0].take().unwrap();
    let sizes = [0, 8, 48, 49, 1 << 10, 16 << 10, (16 << 10) + 1, 64 << 10];
    let mpi = half_round_trips(way(), sizes);
    println!("half a round trip: {board} by the board alone with 8 bytes; by MPI");
    for (size, time) in sizes.iter().zip(mpi) {
        println!("{size:6} bytes  {time}");
    }
    assert!(board < mpi[1] && mpi[1] < board + Duration::from_us(1), "{board} and {}", mpi[1]);
}

#[test]
fn looks_in_vain_that_are_left_out_leave_no_trace() {
    // Longer than the time between samples, shorter, and off every clock.
    let computing = [230_000_000, 1_234_567, 350_000_001, 99].map(Duration::from_ps);
    let lossy = Rates { loss: 20_000, ..Rates::default() };
    for (way, faults) in [(way(), Rates::default()), (way(), lossy), (streaming(), lossy)] {
        let waits =
            |skipping| {
                let mut cluster = switched(3);
                cluster.set_skipping(skipping);
                cluster.set_faults(faults, 1);
                let options = Options::default();
                let print = run_in(way, &mut cluster, options, move |world| async move {
                    waits(&world, &computing).await
                });
                let buses = (0..3).map(|node| cluster.nodes()[node].side().bus_busy()).collect::<Vec<_>>();
                (print, cluster.now(), buses)
            };
        assert_eq!(waits(true), waits(false));
    }
}

#[test]
fn prefetch_windows_halve_the_time_of_long_messages() {
    let sizes = [0, 8, 48, 488, 489, 1 << 10, 4 << 10, 16 << 10, 64 << 10];
    let [places, windows] = [way(), streaming()].map(|way| half_round_trips(way, sizes));
    println!("half a round trip by lhs and by rvs");
    for ((size, places), windows) in sizes.iter().zip(places).zip(windows) {
        println!("{size:6} bytes  {places}  {windows}");
    }
    assert_eq!(places[..4], windows[..4]);
    assert!(windows[8] * 2 < places[8]);
}
