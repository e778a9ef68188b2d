use std::rc::Rc;

use cluster::{Duration, Rates};
use hca_machine::settings::Bus;
use hca_machine::{Cluster, Hca, Settings};
use machine_api::{CarrierChoice, Parallel, spawn_ranks};
use mpi::carrier::OneSided;
use mpi::programs::{ACCESSED, accesses, all, incast, waits};
use mpi::{AllBytes, Bytes, Error, Exposed, Flush, LockKind, Options, Source, Tag, TargetPlace, Window};

use crate::{LIMIT, models, run};

/// Virtual time at which a cable is cut: all hosts have their window.
const CUT: Duration = Duration::from_us(3_000);

/// Sizes around a packet of the network, the longest eager message, and the longest packet of MPI.
static SIZES: [usize; 10] = [0, 1, 2_023, 2_024, 2_025, 8_168, 8_192, 8_193, 65_536, 150_000];

#[test]
fn all_calls_of_mpi_are_right_on_every_bus() {
    for bus in Bus::ALL {
        let ends = run(&Settings { bus, ..Settings::default() }, 3, |world| async move {
            let ran = all(&world, &SIZES, 2).await;
            world.finalize().await.unwrap();
            ran
        });
        ends.into_iter().for_each(|end| end.unwrap());
    }
}

#[test]
fn no_message_to_a_host_that_computes_is_lost() {
    let ends = run(&Settings::default(), 16, |world| async move {
        let ran = incast(&world, 20, Duration::from_us(2_000)).await;
        world.finalize().await.unwrap();
        ran
    });
    ends.into_iter().for_each(|end| end.unwrap());
}

#[test]
fn accesses_of_all_shapes_do_what_copies_do() {
    for one_sided in OneSided::ALL {
        for (ranks, is_allocated) in [(2, false), (3, true)] {
            let memory = Rc::new((0..ranks).map(|_| Bytes::new(ACCESSED)).collect::<Vec<_>>());
            let ends = run(&Settings { one_sided, ..Settings::default() }, ranks, move |world| {
                let memory = memory.clone();
                async move {
                    let ran = accesses(&world, &memory, is_allocated).await;
                    world.finalize().await.unwrap();
                    ran
                }
            });
            ends.into_iter().for_each(|end| end.unwrap());
        }
    }
}

#[test]
fn put_reaches_the_memory_of_a_host_that_computes() {
    let parts = Rc::new(vec![Bytes::new(200_000), Bytes::new(200_000)]);
    let memory = parts.clone();
    let ends = run(&Settings::default(), 2, move |world| {
        let all = AllBytes { parts: parts.clone(), own: world.rank() };
        async move {
            let exposed = Exposed::Fixed { base: Bytes::BASE, size: 200_000 };
            let window = Window::create(&world, Rc::new(all), exposed, 1).await.unwrap();
            world.barrier().await.unwrap();
            let begin = world.now();
            if world.rank() == 0 {
                let at = TargetPlace { rank: 1, displacement: 8, runs: &[(0, 150_000)] };
                window.lock(1, LockKind::Exclusive, true).await.unwrap();
                window.put(at, &[7; 150_000]).await.unwrap();
                window.flush(1, Flush::Whole).await.unwrap();
                window.unlock(1).await.unwrap();
            } else {
                world.compute(Duration::from_us(10_000)).await;
            }
            let time = world.now() - begin;
            window.free().await.unwrap();
            world.finalize().await.unwrap();
            time
        }
    });
    assert!(ends[0] < Duration::from_us(1_000), "it does not wait for the other host: {ends:?}");
    let bytes = memory[1].to_vec();
    assert!(bytes[..8] == [0; 8] && bytes[8..150_008].iter().all(|byte| *byte == 7));
    assert_eq!(bytes[150_008..], [0; 49_992]);
}

#[test]
fn accesses_to_a_host_whose_cable_is_cut_are_errors() {
    let parts = Rc::new(vec![Bytes::new(64), Bytes::new(64)]);
    let mut cluster = Cluster::with_switch(models(2), &Settings::default());
    let way = CarrierChoice::over(&Hca::CARRIERS[0]);
    let ends = spawn_ranks(&mut cluster, way, &Options::default(), move |world| {
        let all = AllBytes { parts: parts.clone(), own: world.rank() };
        async move {
            let exposed = Exposed::Fixed { base: Bytes::BASE, size: 64 };
            let window = Window::create(&world, Rc::new(all), exposed, 1).await.unwrap();
            world.compute(CUT).await;
            let at = TargetPlace { rank: 1, displacement: 0, runs: &[(0, 8)] };
            if world.rank() == 1 {
                return Vec::new();
            }
            window.lock(1, LockKind::Shared, true).await.unwrap();
            let put = window.put(at, &[1; 8]).await;
            let flush = window.flush(1, Flush::Whole).await;
            let get = window.get(at, 8).await.map(|_| ());
            vec![put, flush, get, window.unlock(1).await]
        }
    });
    assert!(cluster.run(CUT).is_err(), "both hosts compute");
    cluster.set_faults(Rates { loss: 1_000_000, ..Rates::default() }, 1);
    cluster.run(LIMIT).unwrap();
    let dead = Err(Error::Unreachable(1));
    let [first, other] =
        ends.try_into().map(|ends: [_; 2]| ends.map(|end| end.take().unwrap())).ok().unwrap();
    assert_eq!((first, other), (vec![Ok(()), dead, dead, Ok(())], Vec::new()));
}

#[test]
fn looks_in_vain_that_are_left_out_leave_no_trace() {
    // Longer than the time between samples, shorter, and off every clock.
    let computing = [230_000_000, 1_234_567, 350_000_001, 99].map(Duration::from_ps);
    let lossy = Rates { loss: 20_000, ..Rates::default() };
    for (bus, faults) in Bus::ALL.into_iter().zip([Rates::default(), lossy, Rates::default()]) {
        let run = |skipping| {
            let settings = Settings { bus, ..Settings::default() };
            let mut cluster = Cluster::with_switch(models(3), &settings);
            cluster.set_skipping(skipping);
            cluster.set_faults(faults, 1);
            let way = CarrierChoice::over(&Hca::CARRIERS[0]);
            let ends = spawn_ranks(&mut cluster, way, &Options::default(), move |world| async move {
                waits(&world, &computing).await
            });
            cluster.run(LIMIT).unwrap();
            ends.into_iter().for_each(|end| end.take().unwrap().unwrap());
            (cluster.fingerprint().unwrap(), cluster.now())
        };
        assert_eq!(run(true), run(false), "{bus:?}");
    }
}

#[test]
fn looks_between_sends_leave_no_trace() {
    let mut settings = Settings::default();
    // No multiple of the time of a poll.
    settings.costs.complete = Duration::from_ps(97_531);
    let run = |skipping| {
        let mut cluster = Cluster::with_switch(models(2), &settings);
        cluster.set_skipping(skipping);
        let way = CarrierChoice::over(&Hca::CARRIERS[0]);
        let ends = spawn_ranks(&mut cluster, way, &Options::default(), move |world| async move {
            let (own, other) = (world.rank(), 1 - world.rank());
            for round in 0..400 {
                // Completions and messages fall into all parts of a poll.
                if round % 2 == own {
                    world.compute(Duration::from_ps(20_000_123 + 1_009 * round as u64)).await;
                }
                world.send(other, 0, &[1; 4]).await.unwrap();
                world.receive(Source::Any, Tag::Any, 4).await.unwrap();
            }
        });
        cluster.run(LIMIT).unwrap();
        ends.into_iter().for_each(|end| end.take().unwrap());
        (cluster.fingerprint().unwrap(), cluster.now())
    };
    assert_eq!(run(true), run(false));
}
