use cluster::{Duration, Rates};
use dimmnet2::Dimmnet2 as Board;
use dimmnet2_machine::{AnyNic, Cluster, Dimmnet2, Settings};
use hdl::Model;
use lab::Parallel;
use mpi::Options;
use mpi::programs::{Wrong, collectives, messages, splits};

/// All programs of MPI on so many nodes; frames that were struck.
fn run(nodes: usize, faults: Rates) -> u64 {
    let board = || Box::new(Model::new(Board::default())) as Box<AnyNic>;
    let mut cluster = Cluster::with_switch((0..nodes).map(|_| board()).collect(), &Settings::default());
    cluster.set_faults(faults, 1);
    let ends: Vec<_> = (0..nodes)
        .map(|node| {
            cluster.spawn(node, "program", move |port| async move {
                let world = Dimmnet2::world(port, nodes, Options { eager: 3000, ..Options::default() }).await;
                messages(&world, &[0, 5000]).await?;
                splits(&world).await?;
                collectives(&world, 2).await?;
                Ok::<_, Wrong>(())
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
