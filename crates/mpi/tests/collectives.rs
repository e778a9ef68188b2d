use std::rc::Rc;

use cluster::{Duration, Time};
use mpi::carrier::memory::{Cluster, Settings};
use mpi::collective::{Algorithms, Allgather, Allreduce, Alltoall, Broadcast, Gather, Reduce, ReduceScatter};
use mpi::programs::{collectives, splits};
use mpi::{Collective, Comparison, Costs, Operation, Options, UserFunction};

use crate::run;

#[test]
fn collectives_equal_naive_loops_on_one_to_nine_ranks() {
    for ranks in 1..=9 {
        for units in [0, 1, 40] {
            let program = move |world| async move { collectives(&world, units).await };
            run(ranks, &Options::default(), program).unwrap();
        }
    }
}

#[test]
fn all_algorithms_give_the_same_results() {
    let mut all = vec![Algorithms::MPICH_1_0];
    let mut add = |set: &dyn Fn(&mut Algorithms)| {
        let mut algorithms = Algorithms::default();
        set(&mut algorithms);
        all.push(algorithms);
    };
    Broadcast::ALL.iter().for_each(|choice| add(&|all| all.broadcast = Some(*choice)));
    Gather::ALL.iter().for_each(|choice| add(&|all| all.gather = Some(*choice)));
    Allgather::ALL.iter().for_each(|choice| add(&|all| all.allgather = Some(*choice)));
    Alltoall::ALL.iter().for_each(|choice| add(&|all| all.alltoall = Some(*choice)));
    Reduce::ALL.iter().for_each(|choice| add(&|all| all.reduce = Some(*choice)));
    Allreduce::ALL.iter().for_each(|choice| add(&|all| all.allreduce = Some(*choice)));
    ReduceScatter::ALL.iter().for_each(|choice| add(&|all| all.reduce_scatter = Some(*choice)));
    for algorithms in all {
        let options = Options { algorithms, ..Options::default() };
        for ranks in [2, 5, 8] {
            let program = move |world| async move { collectives(&world, 7).await };
            run(ranks, &options, program).unwrap_or_else(|error| panic!("{algorithms:?}: {error}"));
        }
    }
}

#[test]
fn all_collectives_work_by_rendezvous() {
    let options = Options { eager: 0, ..Options::default() };
    for ranks in [2, 3, 8] {
        run(ranks, &options, |world| async move { collectives(&world, 100).await }).unwrap();
    }
}

#[test]
fn communicators_are_derived_on_one_to_nine_ranks() {
    for ranks in 1..=9 {
        run(ranks, &Options::default(), |world| async move { splits(&world).await }).unwrap();
    }
}

/// Virtual time of a program of one collective call.
fn time_of(
    ranks: usize,
    algorithms: Algorithms,
    call: impl Fn(usize) -> Option<Collective> + 'static,
) -> Time {
    let options = Options { algorithms, ..Options::default() };
    let call = Rc::new(call);
    run(ranks, &options, move |world| {
        let call = call.clone();
        async move {
            if let Some(call) = call(world.rank()) {
                world.call(call).await.expect("the call is valid");
            }
            Ok(())
        }
    })
    .unwrap()
}

#[test]
fn barrier_of_four_takes_no_longer_than_of_three() {
    let barrier = |ranks| time_of(ranks, Algorithms::default(), |_| Some(Collective::Barrier));
    assert_eq!(barrier(1), time_of(1, Algorithms::default(), |_| None));
    assert_eq!(barrier(4), barrier(3));
}

#[test]
fn copies_of_a_gather_take_time() {
    let gather = |algorithm, root: usize, ranks, size| {
        let algorithms = Algorithms { gather: Some(algorithm), ..Algorithms::default() };
        time_of(ranks, algorithms, move |_| {
            Some(Collective::Gather { bytes: vec![1; size], root: root.into() })
        })
    };
    // The root copies its own part.
    assert!(gather(Gather::Linear, 0, 1, 1000) > gather(Gather::Linear, 0, 1, 0));
    // Places begin at the root, so another root than 0 rotates all parts.
    assert!(gather(Gather::Binomial, 1, 2, 1000) > gather(Gather::Binomial, 0, 2, 1000));
}

#[test]
fn freed_numbers_are_used_again() {
    run(2, &Options::default(), |world| async move {
        let first = world.duplicate().await.expect("there are numbers");
        let number = first.number();
        assert_eq!(world.compare(&world), Comparison::Identical);
        assert_eq!(world.compare(&first), Comparison::Congruent);
        first.free();
        assert_eq!(world.duplicate().await.expect("there are numbers").number(), number);
        Ok(())
    })
    .unwrap();
}

/// Steps of the library that cost no time are taken as soon as a reduction function ends.
#[test]
fn receive_after_a_slow_operation_needs_no_news() {
    let settings = Settings { costs: Costs::FREE, ..Settings::default() };
    let algorithms = Algorithms { reduce: Some(Reduce::Binomial), ..Algorithms::default() };
    let mut cluster = Cluster::new(4, settings, Options { eager: 0, algorithms, ..Options::default() });
    let ends: Vec<_> = (0..4)
        .map(|rank| {
            cluster.spawn(rank, "program", move |world| async move {
                let own = world.clone();
                let function: UserFunction = Rc::new(move |lower, higher| {
                    let own = own.clone();
                    Box::pin(async move {
                        // The next message waits for its receive when this ends.
                        if rank == 0 {
                            own.compute(Duration::from_us(1_000)).await;
                        }
                        Ok(vec![lower[0] + higher[0]])
                    })
                });
                let operation = Operation::User { commutative: true, element: 1, function };
                world
                    .call(Collective::Reduce { bytes: vec![1 + rank as u8], operation, root: 0.into() })
                    .await
            })
        })
        .collect();
    cluster.run(Duration::from_us(1_000_000)).unwrap();
    assert_eq!(ends[0].take(), Some(Ok(vec![10])));
}
