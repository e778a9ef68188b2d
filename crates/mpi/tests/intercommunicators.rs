use cluster::Duration;
use mpi::carrier::memory::{Cluster, Settings};
use mpi::collective::Algorithms;
use mpi::programs::intercommunicators;
use mpi::{Collective, Communicator, Error, Options, Peer, Root};

use crate::run;

#[test]
fn calls_between_groups_equal_naive_loops() {
    for ranks in 2..=7 {
        for first in [1, ranks / 2, ranks - 1] {
            let program = move |world| async move { intercommunicators(&world, first, ranks % 3).await };
            run(ranks, &Options::default(), program).unwrap();
        }
    }
}

#[test]
fn calls_between_groups_work_by_rendezvous_and_with_the_algorithms_of_mpich_1_0() {
    let options = Options { eager: 0, algorithms: Algorithms::MPICH_1_0, ..Options::default() };
    run(5, &options, |world| async move { intercommunicators(&world, 2, 30).await }).unwrap();
}

/// Results of a program on `ranks` ranks.
fn results<T: 'static, F: Future<Output = T> + 'static>(
    ranks: usize,
    program: impl Fn(Communicator) -> F,
) -> Vec<T> {
    let mut cluster = Cluster::new(ranks, Settings::default(), Options::default());
    let ends: Vec<_> = (0..ranks).map(|rank| cluster.spawn(rank, "program", &program)).collect();
    cluster.run(Duration::from_us(1_000_000)).unwrap();
    ends.into_iter().map(|end| end.take().expect("the program has ended")).collect()
}

#[test]
fn groups_with_a_common_process_are_refused_at_all_ranks() {
    let errors = results(3, |world| async move {
        // Both groups are led by rank 0, which is in both.
        let peer = Peer { communicator: world.clone(), rank: 0 };
        world.create_intercommunicator(0, Some(peer), 1).await.err()
    });
    assert_eq!(errors, vec![Some(Error::Communicator("the groups have a process in common")); 3]);
}

#[test]
fn invalid_arguments_between_groups_are_errors() {
    let errors = results(2, |world| async move {
        let own = world.split(Some(world.rank() as u32), 0).await.unwrap().unwrap();
        let path = |rank| Some(Peer { communicator: world.clone(), rank });
        let mut errors = vec![
            own.create_intercommunicator(1, None, 0).await.err(),
            own.create_intercommunicator(0, None, 0).await.err(),
            own.create_intercommunicator(0, path(2), 0).await.err(),
            world.merge(false).await.err(),
            world.call(Collective::Broadcast { bytes: Vec::new(), root: Root::Here }).await.err(),
        ];
        let between = own.create_intercommunicator(0, path(1 - world.rank()), 0).await.unwrap();
        let operation = mpi::Operation::Predefined(mpi::Predefined::Sum, mpi::Kind::Int32);
        for call in [
            Collective::Broadcast { bytes: Vec::new(), root: Root::Rank(1) },
            Collective::Allgatherv { bytes: Vec::new(), counts: vec![0, 0] },
            Collective::Scan { bytes: vec![0; 4], operation },
        ] {
            errors.push(between.call(call).await.err());
        }
        errors.into_iter().map(|error| error.map(|error| error.class())).collect::<Vec<_>>()
    });
    let [root, argument, communicator] = ["MPI_ERR_ROOT", "MPI_ERR_ARG", "MPI_ERR_COMM"].map(Some);
    let expected = [root, argument, Some("MPI_ERR_RANK"), communicator, root, root, argument, communicator];
    assert_eq!(errors, vec![expected.to_vec(); 2]);
}

#[test]
fn ranks_that_disagree_about_a_merge_get_an_error_everywhere() {
    let errors = results(3, |world| async move {
        let half = world.split(Some((world.rank() > 0).into()), 0).await.unwrap().unwrap();
        let other = if world.rank() == 0 { 1 } else { 0 };
        let peer = (half.rank() == 0).then(|| Peer { communicator: world.clone(), rank: other });
        let between = half.create_intercommunicator(0, peer, 0).await.unwrap();
        between.merge(world.rank() == 2).await.err().map(|error| error.class())
    });
    assert_eq!(errors, [Some("MPI_ERR_ARG"); 3]);
}
