use std::cell::RefCell;
use std::rc::Rc;

use cluster::{Duration, Fingerprint, Rates, RunError, Side as _};
use dimmnet2::Dimmnet2 as Board;
use dimmnet2_machine::{AnyNic, Cluster, Dimmnet2, Settings};
use hdl::Model;
use machine_api::{CarrierChoice, Parallel, Placement, spawn_ranks};
use mpi::programs::{ACCESSED, accesses, all, waits};
use mpi::{
    AllBytes, Bytes, Communicator, Error, Exposed, LockKind, Options, Source, Tag, TargetPlace, Window,
    deadlock,
};

const LIMIT: Duration = Duration::from_us(1_000_000);

/// Address of the first window of the rank in slot 1: the upper half of its region, behind the lists.
const WINDOW_OF_SLOT_1: u64 = 0x1000_0000 + 0x800_0000 + 0x10_0000;

fn boards(ranks: usize) -> Cluster {
    let board = || Box::new(Model::new(Board::default())) as Box<AnyNic>;
    Cluster::with_switch((0..ranks.div_ceil(2)).map(|_| board()).collect(), &Settings::default())
}

/// Two ranks on each board, over a carrier.
fn way(carrier: usize, ranks: usize) -> CarrierChoice<Dimmnet2> {
    let placement = Some(Placement::new(ranks, 2));
    CarrierChoice { placement, ..CarrierChoice::over(&Dimmnet2::CARRIERS[carrier]) }
}

/// Runs a program on two ranks of each board and returns the results.
fn run<F, T: 'static>(
    cluster: &mut Cluster,
    way: CarrierChoice<Dimmnet2>,
    options: &Options,
    program: impl Fn(Communicator) -> F + Clone + 'static,
) -> Vec<T>
where
    F: Future<Output = T> + 'static,
{
    let ends = spawn_ranks(cluster, way, options, program);
    cluster.run(LIMIT).unwrap_or_else(|error| panic!("{error}"));
    ends.into_iter().map(|end| end.take().expect("the program has ended")).collect()
}

/// Runs all calls of MPI; returns the fingerprint and the number of frames hit by faults.
fn run_all(carrier: usize, ranks: usize, faults: Rates) -> (Fingerprint, u64) {
    let mut cluster = boards(ranks);
    cluster.set_faults(faults, 1);
    let options = Options { eager: 3000, ..Options::default() };
    let program = |world| async move { all(&world, &[0, 5000], 2).await };
    run(&mut cluster, way(carrier, ranks), &options, program).into_iter().for_each(|end| end.unwrap());
    let nodes = 0..ranks.div_ceil(2);
    let struck = nodes.map(|node| cluster.link_from(node).faults().counters().struck()).sum();
    (cluster.fingerprint().unwrap(), struck)
}

#[test]
fn all_calls_of_mpi_do_what_loops_do_with_two_ranks_on_a_board() {
    for (carrier, ranks) in [(0, 2), (0, 5), (1, 3)] {
        let once = run_all(carrier, ranks, Rates::default());
        assert_eq!(once, run_all(carrier, ranks, Rates::default()), "{ranks} ranks");
    }
}

#[test]
fn all_calls_of_mpi_do_what_loops_do_over_bad_wires() {
    let faults = Rates { loss: 10_000, duplication: 10_000, reordering: 10_000, ..Rates::default() };
    for carrier in 0..2 {
        assert!(run_all(carrier, 4, faults).1 > 20);
    }
}

#[test]
fn accesses_between_ranks_of_a_board_do_what_copies_do() {
    for (carrier, ranks) in [(0, 3), (1, 2)] {
        let memory = Rc::new((0..ranks).map(|_| Bytes::new(ACCESSED)).collect::<Vec<_>>());
        let mut cluster = boards(ranks);
        let ends = run(&mut cluster, way(carrier, ranks), &Options::default(), move |world| {
            let memory = memory.clone();
            async move { accesses(&world, &memory, true).await }
        });
        ends.into_iter().for_each(|end| end.unwrap());
    }
}

#[test]
fn windows_of_two_ranks_lie_in_their_own_regions() {
    const BYTES: usize = 1000;
    let parts = Rc::new(vec![Bytes::new(BYTES), Bytes::new(BYTES)]);
    let mut cluster = boards(2);
    let ends = run(&mut cluster, way(0, 2), &Options::default(), move |world| {
        let parts = parts.clone();
        async move {
            let (own, other) = (world.rank(), 1 - world.rank());
            let memory = Rc::new(AllBytes { parts, own });
            let exposed = Exposed::Fixed { base: Bytes::BASE, size: BYTES as u64 };
            let window = Window::allocate(&world, memory, exposed, 1).await?;
            window.lock(other, LockKind::Exclusive, true).await?;
            let at = TargetPlace { rank: other, displacement: 8, runs: &[(0, 600)] };
            window.put(at, &[own as u8 + 1; 600]).await?;
            window.unlock(other).await?;
            window.free().await?;
            Ok::<_, Error>(())
        }
    });
    ends.into_iter().for_each(|end| end.unwrap());
    let side = cluster.nodes()[0].side();
    assert_eq!(side.peek_memory(WINDOW_OF_SLOT_1 + 8, 600), [1; 600]);
    assert_eq!(side.peek_memory(WINDOW_OF_SLOT_1 - 0x1000_0000 + 8, 600), [2; 600]);
}

#[test]
fn looks_in_vain_of_both_ranks_leave_no_trace_when_left_out() {
    // Longer than the time between samples, shorter, and off every clock.
    let computing = [230_000_000, 1_234_567, 350_000_001, 99].map(Duration::from_ps);
    let lossy = Rates { loss: 20_000, ..Rates::default() };
    for (carrier, ranks, faults) in
        [(0, 2, Rates::default()), (0, 4, Rates::default()), (0, 5, lossy), (1, 4, lossy)]
    {
        let waits = |skipping| {
            let mut cluster = boards(ranks);
            cluster.set_skipping(skipping);
            cluster.set_faults(faults, 1);
            let ends = run(&mut cluster, way(carrier, ranks), &Options::default(), move |world| async move {
                waits(&world, &computing).await
            });
            ends.into_iter().for_each(|end| end.unwrap());
            let buses: Vec<_> = cluster.nodes().iter().map(|node| node.side().bus_busy()).collect();
            (cluster.fingerprint().unwrap(), cluster.now(), buses)
        };
        assert_eq!(waits(true), waits(false), "carrier {carrier}, {ranks} ranks");
    }
}

#[test]
fn ranks_of_a_board_that_wait_for_each_other_are_named() {
    let mut cluster = boards(2);
    let watchers = Rc::new(RefCell::new(Vec::new()));
    let shown = watchers.clone();
    spawn_ranks(&mut cluster, way(0, 2), &Options::default(), move |world| {
        let watchers = watchers.clone();
        async move {
            watchers.borrow_mut().push(world.watcher());
            world.receive(Source::Rank(1 - world.rank()), Tag::Is(7), 4).await.is_ok()
        }
    });
    assert!(matches!(cluster.run(Duration::from_us(1_000)), Err(RunError::Limit { .. })));
    assert!(deadlock(&shown.borrow()).is_some());
}
