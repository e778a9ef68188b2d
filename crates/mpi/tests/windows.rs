//! One-sided communication over the carrier in memory.

use std::rc::Rc;

use cluster::Duration;
use mpi::carrier::memory::{Cluster, RunError, Settings};
use mpi::programs::{ACCESSED, accesses};
use mpi::{
    Bytes, Communicator, Error, Exposed, Flush, Kind, LockKind, Options, Predefined, Source, Tag,
    TargetPlace, Window,
};

const LIMIT: Duration = Duration::from_us(10_000_000);

/// The word at an offset of the memory.
fn word_of(memory: &Bytes, at: usize) -> i32 {
    i32::from_le_bytes(*memory.to_vec()[at..].first_chunk().unwrap())
}

/// A window of `bytes` bytes at each rank, with displacements in words of 4 bytes.
async fn window(world: &Communicator, bytes: usize) -> Result<(Window, Bytes), Error> {
    let memory = Bytes::new(bytes);
    let exposed = Exposed::Fixed { base: Bytes::BASE, size: bytes as u64 };
    Ok((Window::create(world, Rc::new(memory.clone()), exposed, 4).await?, memory))
}

/// Four bytes at a displacement in words.
fn word(rank: usize, displacement: i64) -> TargetPlace<'static> {
    TargetPlace { rank, displacement, runs: &[(0, 4)] }
}

/// Runs a program on `ranks` ranks with eager messages up to `eager` bytes and returns the results.
fn run<F, T: 'static>(ranks: usize, eager: usize, program: impl Fn(Communicator) -> F) -> Vec<T>
where
    F: Future<Output = Result<T, Error>> + 'static,
{
    let options = Options { eager, ..Options::default() };
    let mut cluster = Cluster::new(ranks, Settings::default(), options);
    let ends: Vec<_> = (0..ranks).map(|rank| cluster.spawn(rank, "program", &program)).collect();
    cluster.run(LIMIT).unwrap();
    ends.into_iter().map(|end| end.take().expect("it has ended").unwrap()).collect()
}

#[test]
fn puts_and_gets_between_fences_see_all_ranks() {
    for eager in [0, 1 << 20] {
        for ranks in 1..=4 {
            run(ranks, eager, move |world| async move {
                let (rank, size) = (world.rank(), world.size());
                let (window, memory) = window(&world, 4 * size + 4000).await?;
                window.fence(false).await?;
                for target in 0..size {
                    window
                        .put(word(target, rank as i64), &(100 * rank as i32 + target as i32).to_le_bytes())
                        .await?;
                }
                window.fence(false).await?;
                for other in 0..size {
                    assert_eq!(word_of(&memory, 4 * other), 100 * other as i32 + rank as i32);
                }
                let long =
                    TargetPlace { rank: (rank + 1) % size, displacement: 0, runs: &[(0, 4), (4, 3000)] };
                let get = window.get(long, 3004).await?;
                window.fence(true).await?;
                let got = get.take().expect("the fence completes it")?;
                assert_eq!(got.bytes[..4], ((rank as i32 + 1) % size as i32).to_le_bytes());
                assert_eq!(got.bytes.len(), 3004);
                window.free().await
            });
        }
    }
}

#[test]
fn accesses_of_all_shapes_do_what_copies_do() {
    for is_allocated in [false, true] {
        let memory = Rc::new((0..3).map(|_| Bytes::new(ACCESSED)).collect::<Vec<_>>());
        let ends = run(3, 1 << 14, move |world| {
            let memory = memory.clone();
            async move { Ok(accesses(&world, &memory, is_allocated).await) }
        });
        ends.into_iter().for_each(|end| end.unwrap());
    }
}

#[test]
fn accumulates_are_atomic_and_fetches_see_each_value_once() {
    let seen = run(4, 1 << 14, |world| async move {
        let (window, memory) = window(&world, 64).await?;
        let mut seen = Vec::new();
        window.lock_all(false).await?;
        for _ in 0..10 {
            let one = 1i32.to_le_bytes();
            window.accumulate(word(0, 1), Predefined::Sum, Kind::Int32, &one).await?;
            let fetched = window.fetch(word(0, 0), Predefined::Sum, Kind::Int32, &one).await?.wait().await?;
            seen.push(i32::from_le_bytes(fetched.bytes.try_into().unwrap()));
        }
        window.unlock_all().await?;
        world.barrier().await?;
        if world.rank() == 0 {
            assert_eq!((word_of(&memory, 0), word_of(&memory, 4)), (40, 40));
        }
        window.free().await?;
        Ok(seen)
    });
    let mut all = seen.concat();
    all.sort_unstable();
    assert_eq!(all, (0..40).collect::<Vec<_>>());
}

#[test]
fn exclusive_locks_exclude_each_other() {
    run(4, 0, |world| async move {
        let (window, memory) = window(&world, 8).await?;
        for _ in 0..5 {
            window.lock(0, LockKind::Exclusive, false).await?;
            let old = window.get(word(0, 0), 4).await?;
            window.flush(0, Flush::Local).await?;
            let old = i32::from_le_bytes(old.take().unwrap()?.bytes.try_into().unwrap());
            window.put(word(0, 0), &(old + 1).to_le_bytes()).await?;
            window.unlock(0).await?;
        }
        world.barrier().await?;
        if world.rank() == 0 {
            assert_eq!(word_of(&memory, 0), 20);
        }
        window.free().await
    });
}

#[test]
fn compare_and_swap_stores_only_over_the_expected_value() {
    let winners = run(3, 1 << 14, |world| async move {
        let (window, memory) = window(&world, 4).await?;
        window.lock(2, LockKind::Shared, false).await?;
        let own = world.rank() as i32 + 10;
        let swap = window.compare_and_swap(word(2, 0), &0i32.to_le_bytes(), &own.to_le_bytes()).await?;
        let before = i32::from_le_bytes(swap.wait().await?.bytes.try_into().unwrap());
        window.unlock(2).await?;
        world.barrier().await?;
        let last = word_of(&memory, 0);
        window.free().await?;
        Ok((before == 0, own, last))
    });
    let won: Vec<_> = winners.iter().filter(|(won, ..)| *won).collect();
    assert_eq!(won.len(), 1);
    assert_eq!(winners[2].2, won[0].1);
}

#[test]
fn exposure_epochs_order_puts_and_loads() {
    run(3, 1 << 14, |world| async move {
        let rank = world.rank();
        let (window, memory) = window(&world, 8).await?;
        for round in 0..4i32 {
            if rank == 0 {
                window.post(&[1, 2], false).await?;
                if round % 2 == 0 {
                    window.wait().await?;
                } else {
                    while !window.test().await? {}
                }
                assert_eq!((word_of(&memory, 0), word_of(&memory, 4)), (10 * round + 1, 10 * round + 2));
            } else {
                window.start(&[0], false).await?;
                window.put(word(0, rank as i64 - 1), &(10 * round + rank as i32).to_le_bytes()).await?;
                window.complete().await?;
            }
        }
        window.free().await
    });
}

#[test]
fn dynamic_memory_is_accessed_only_while_attached() {
    run(2, 1 << 14, |world| async move {
        let memory = Bytes::new(100);
        let exposed = Exposed::Dynamic(Vec::new());
        let window = Window::create(&world, Rc::new(memory.clone()), exposed, 1).await?;
        window.attach(Bytes::BASE + 20, 20)?;
        world.barrier().await?;
        let other = 1 - world.rank();
        let at = |address: u64| TargetPlace { displacement: address as i64, ..word(other, 0) };
        window.lock(other, LockKind::Shared, false).await?;
        window.put(at(Bytes::BASE + 36), &[1; 4]).await?;
        assert_eq!(window.flush(other, Flush::Whole).await, Ok(()));
        for outside in [Bytes::BASE + 37, Bytes::BASE + 16, 0] {
            window.put(at(outside), &[1; 4]).await?;
            assert_eq!(
                window.flush(other, Flush::Whole).await,
                Err(Error::RmaRange { at: outside, bytes: 4 })
            );
            let get = window.get(at(outside), 4).await?;
            assert_eq!(window.flush(other, Flush::Whole).await, Ok(()));
            assert_eq!(get.take(), Some(Err(Error::RmaRange { at: outside, bytes: 4 })));
        }
        window.unlock(other).await?;
        world.barrier().await?;
        assert_eq!(memory.to_vec()[36..40], [1; 4]);
        window.detach(Bytes::BASE + 20)?;
        window.free().await
    });
}

#[test]
fn wrong_arguments_and_epochs_are_refused_at_the_origin() {
    run(2, 1 << 14, |world| async move {
        let (window, _) = window(&world, 8).await?;
        let one = [0; 4];
        assert!(matches!(window.put(word(0, 0), &one).await, Err(Error::RmaSync(_))));
        window.fence(false).await?;
        assert!(matches!(window.put(word(2, 0), &one).await, Err(Error::Rank { .. })));
        assert!(matches!(window.put(word(0, -1), &one).await, Err(Error::Displacement(_))));
        assert!(matches!(window.put(word(0, 2), &one).await, Err(Error::RmaRange { at: 8, bytes: 4 })));
        assert!(matches!(window.put(word(0, i64::MAX), &one).await, Err(Error::RmaRange { .. })));
        assert!(matches!(window.put(word(0, 0), &[0; 3]).await, Err(Error::Buffer { .. })));
        assert!(matches!(window.check_passive(0), Err(Error::RmaSync(_))));
        assert!(matches!(window.complete().await, Err(Error::RmaSync(_))));
        assert!(matches!(window.wait().await, Err(Error::RmaSync(_))));
        assert!(matches!(window.unlock(0).await, Err(Error::RmaSync(_))));
        assert!(matches!(window.flush_all(Flush::Whole).await, Err(Error::RmaSync(_))));
        window.fence(true).await?;
        window.lock(0, LockKind::Shared, false).await?;
        assert!(matches!(window.check_free(), Err(Error::RmaSync(_))));
        window.unlock(0).await?;
        window.free().await
    });
}

#[test]
fn lock_of_exposed_memory_is_a_conflict() {
    run(2, 1 << 14, |world| async move {
        let (window, _) = window(&world, 8).await?;
        if world.rank() == 0 {
            window.post(&[1], false).await?;
            world.barrier().await?;
            window.wait().await?;
        } else {
            world.barrier().await?;
            let refused = window.lock(0, LockKind::Exclusive, false).await;
            assert!(matches!(refused, Err(Error::RmaConflict(_))));
            window.start(&[0], false).await?;
            window.complete().await?;
        }
        window.free().await
    });
}

#[test]
fn computing_target_answers_when_it_calls_the_library() {
    let times = run(2, 1 << 14, |world| async move {
        let (window, _) = window(&world, 8).await?;
        world.barrier().await?;
        let begin = world.now();
        if world.rank() == 0 {
            world.compute(Duration::from_us(1000)).await;
        } else {
            window.lock(0, LockKind::Shared, false).await?;
            window.unlock(0).await?;
        }
        let time = world.now() - begin;
        window.free().await?;
        Ok(time)
    });
    assert!(times[1] > Duration::from_us(1000), "{times:?}");
}

#[test]
fn deadlock_names_the_synchronization() {
    let mut cluster = Cluster::new(2, Settings::default(), Options::default());
    for rank in 0..2 {
        cluster.spawn(rank, "waits", |world| async move {
            let (window, _) = window(&world, 8).await?;
            window.lock(1, LockKind::Exclusive, false).await?;
            // Rank 1 is nearer to its own memory and keeps the lock.
            world.receive(Source::Rank(0), Tag::Is(0), 0).await?;
            Ok::<_, Error>(())
        });
    }
    let error = cluster.run(LIMIT).unwrap_err();
    let RunError::Stalled { waiting, .. } = &error else { panic!("{error}") };
    assert_eq!(
        waiting[..],
        ["process 0 for rank 1 to grant a lock on a window", "process 1 for a message of rank 0 of tag 0",]
    );
}
