use std::rc::Rc;

use cluster::Duration;
use hca_machine::Settings;
use hca_machine::settings::Bus;
use mpi::carrier::OneSided;
use mpi::programs::{ACCESSED, accesses, all, incast};
use mpi::{AllBytes, Bytes, Exposed, Flush, LockKind, TargetPlace, Window};

use crate::run;

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
