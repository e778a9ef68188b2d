use mpi::Options;
use mpi::collective::{Algorithms, Allgather, Allreduce, Alltoall, Broadcast, Gather, Reduce, ReduceScatter};
use mpi::programs::{collectives, splits};

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
