use std::rc::Rc;

use cluster::{Duration, Rates};
use dimmnet2::Dimmnet2 as Board;
use dimmnet2_machine::{AnyNic, Cluster, Dimmnet2, Settings};
use hdl::Model;
use machine_api::{CarrierChoice, Parallel, spawn_ranks};
use mpi::carrier::OneSided;
use mpi::programs::{ACCESSED, Transfer, accesses, put_and_send};
use mpi::{
    AllBytes, Bytes, Communicator, Error, Exposed, Flush, LockKind, Memory, Options, TargetPlace, Window,
};

const LIMIT: Duration = Duration::from_us(1_000_000);

/// Address of the first window in the SO-DIMMs: the region of slot 1, behind the lists.
const FIRST_WINDOW: u64 = 0x1000_0000 + 0x10_0000;

fn cluster(nodes: usize, one_sided: OneSided) -> Cluster {
    let board = || Box::new(Model::new(Board::default())) as Box<AnyNic>;
    let settings = Settings { one_sided, ..Settings::default() };
    Cluster::with_switch((0..nodes).map(|_| board()).collect(), &settings)
}

/// Runs a program on all nodes and returns the results.
fn run<F, T: 'static>(
    cluster: &mut Cluster,
    carrier: usize,
    program: impl Fn(Communicator) -> F + Clone + 'static,
) -> Vec<T>
where
    F: Future<Output = T> + 'static,
{
    let way = CarrierChoice::over(&Dimmnet2::CARRIERS[carrier]);
    let ends = spawn_ranks(cluster, way, &Options::default(), program);
    cluster.run(LIMIT).unwrap_or_else(|error| panic!("{error}"));
    ends.into_iter().map(|end| end.take().expect("the program has ended")).collect()
}

/// Memory of two ranks.
fn memory(bytes: usize) -> Rc<Vec<Bytes>> {
    Rc::new(vec![Bytes::new(bytes), Bytes::new(bytes)])
}

async fn allocate(world: &Communicator, memory: &Rc<Vec<Bytes>>, bytes: u64) -> Result<Window, Error> {
    let all = AllBytes { parts: memory.clone(), own: world.rank() };
    let exposed = Exposed::Fixed { base: Bytes::BASE, size: bytes };
    Window::allocate(world, Rc::new(all), exposed, 1).await
}

fn accesses_are_right(cluster: &mut Cluster, carrier: usize, is_allocated: bool) {
    let memory = Rc::new(cluster.nodes().iter().map(|_| Bytes::new(ACCESSED)).collect::<Vec<_>>());
    let ends = run(cluster, carrier, move |world| {
        let memory = memory.clone();
        async move { accesses(&world, &memory, is_allocated).await }
    });
    ends.into_iter().for_each(|end| end.unwrap());
}

#[test]
fn accesses_of_all_shapes_do_what_copies_do_on_both_carriers() {
    for carrier in 0..Dimmnet2::CARRIERS.len() {
        accesses_are_right(&mut cluster(3, OneSided::Native), carrier, true);
        accesses_are_right(&mut cluster(2, OneSided::Native), carrier, false);
    }
    accesses_are_right(&mut cluster(2, OneSided::Messages), 0, true);
}

#[test]
fn accesses_do_what_copies_do_over_bad_wires() {
    let mut cluster = cluster(2, OneSided::Native);
    // Frames per million.
    cluster.set_faults(Rates { loss: 10_000, corruption: 10_000, ..Rates::default() }, 1);
    accesses_are_right(&mut cluster, 0, true);
    assert!(cluster.link_from(0).faults().counters().struck() > 0);
}

/// Time of a put with a flush and of a get, and that of their target, which computes for 10 ms meanwhile.
fn at_a_computing_target(one_sided: OneSided) -> (Duration, Duration) {
    const BYTES: usize = 100_000;
    let parts = memory(BYTES);
    let (shown, mut cluster) = (parts.clone(), cluster(2, one_sided));
    let ends = run(&mut cluster, 0, move |world| {
        let parts = parts.clone();
        async move {
            let window = allocate(&world, &parts, BYTES as u64).await?;
            world.barrier().await?;
            let begin = world.now();
            if world.rank() == 0 {
                let at = TargetPlace { rank: 1, displacement: 8, runs: &[(0, 60_000)] };
                window.lock(1, LockKind::Exclusive, true).await?;
                window.put(at, &[7; 60_000]).await?;
                window.flush(1, Flush::Whole).await?;
                let got = window.get(at, 60_000).await?.wait().await?;
                assert_eq!(got.bytes, [7; 60_000]);
                window.unlock(1).await?;
            } else {
                world.compute(Duration::from_us(10_000)).await;
            }
            let time = world.now() - begin;
            window.free().await?;
            Ok::<_, Error>(time)
        }
    });
    let times: Vec<_> = ends.into_iter().map(|end| end.unwrap()).collect();
    let bytes = shown[1].to_vec();
    assert!(bytes[..8] == [0; 8] && bytes[8..60_008] == [7; 60_000] && bytes[60_008..] == [0; 39_992]);
    if one_sided == OneSided::Native {
        let side = cluster.nodes()[1].side();
        assert_eq!(side.peek_memory(FIRST_WINDOW + 8, 60_000), [7; 60_000], "the board holds the window");
    }
    (times[0], times[1])
}

#[test]
fn put_and_get_complete_while_their_target_computes() {
    let (time, target) = at_a_computing_target(OneSided::Native);
    assert!(time < Duration::from_us(2_000) && target >= Duration::from_us(10_000), "{time} {target}");
    let (time, _) = at_a_computing_target(OneSided::Messages);
    assert!(time > Duration::from_us(10_000), "a message waits for the library of the target: {time}");
}

/// Time of puts and a flush, by bytes of each, number, and path.
fn time_of_puts(carrier: usize, one_sided: OneSided, bytes: usize, count: usize) -> Duration {
    let parts = memory(bytes * count);
    let ends = run(&mut cluster(2, one_sided), carrier, move |world| {
        let parts = parts.clone();
        async move {
            // The first transfer warms caches.
            let transfer = Transfer::contiguous(bytes, count);
            put_and_send(&world, &parts, transfer).await.unwrap();
            put_and_send(&world, &parts, transfer).await.unwrap()[0]
        }
    });
    ends[0]
}

#[test]
fn native_puts_are_faster_than_messages() {
    for carrier in 0..Dimmnet2::CARRIERS.len() {
        for (bytes, count) in [(8, 1), (16 << 10, 1), (64 << 10, 8)] {
            let [native, messages] = OneSided::ALL.map(|path| time_of_puts(carrier, path, bytes, count));
            println!("{} puts of {bytes} B: native {native}, messages {messages}", count);
            assert!(native < messages);
        }
    }
}

#[test]
fn board_stores_the_elements_of_strided_and_listed_puts() {
    const BYTES: usize = 12_000;
    /// Runs of 8 bytes at a stride, and of 4 and 8 bytes elsewhere.
    fn runs(is_strided: bool) -> Vec<(i64, u64)> {
        match is_strided {
            true => (0..300).map(|number| (40 * number, 8)).collect(),
            false => (0..300).map(|number| (40 * (299 - number) + 12, 4 + 4 * (number % 2) as u64)).collect(),
        }
    }
    let parts = memory(BYTES);
    let mut cluster = cluster(2, OneSided::Native);
    let ends = run(&mut cluster, 0, move |world| {
        let parts = parts.clone();
        async move {
            let window = allocate(&world, &parts, BYTES as u64).await?;
            if world.rank() == 0 {
                window.lock(1, LockKind::Exclusive, false).await?;
                for (runs, byte) in [(runs(true), 1), (runs(false), 2)] {
                    let length = runs.iter().map(|(_, bytes)| *bytes as usize).sum();
                    let at = TargetPlace { rank: 1, displacement: 0, runs: &runs };
                    window.put(at, &vec![byte; length]).await?;
                }
                window.unlock(1).await?;
            }
            window.free().await
        }
    });
    ends.into_iter().for_each(|end| end.unwrap());
    let mut expected = vec![0; BYTES];
    for (runs, byte) in [(runs(true), 1), (runs(false), 2)] {
        for (at, bytes) in runs {
            expected[at as usize..][..bytes as usize].fill(byte);
        }
    }
    assert!(cluster.nodes()[1].side().peek_memory(FIRST_WINDOW, BYTES) == expected);
}

#[test]
fn many_gets_at_once_are_as_many_requests_as_the_board_may_have() {
    let parts = memory(64 * 64);
    parts[1].write(Bytes::BASE, &(0..64 * 64).map(|at| (at / 64) as u8).collect::<Vec<_>>()).unwrap();
    let ends = run(&mut cluster(2, OneSided::Native), 0, move |world| {
        let parts = parts.clone();
        async move {
            let window = allocate(&world, &parts, 64 * 64).await?;
            if world.rank() == 0 {
                window.lock(1, LockKind::Shared, true).await?;
                let mut gets = Vec::new();
                for number in 0..64 {
                    let at = TargetPlace { rank: 1, displacement: 64 * number, runs: &[(0, 64)] };
                    gets.push(window.get(at, 64).await?);
                }
                for (number, get) in gets.into_iter().enumerate() {
                    assert_eq!(get.wait().await?.bytes, [number as u8; 64]);
                }
                window.unlock(1).await?;
            }
            window.free().await
        }
    });
    ends.into_iter().for_each(|end| end.unwrap());
}

#[test]
fn place_of_a_freed_window_is_used_again() {
    // Two windows of this length do not fit into the region.
    const BYTES: u64 = 130 << 20;
    let parts = memory(16);
    let mut cluster = cluster(2, OneSided::Native);
    let ends = run(&mut cluster, 0, move |world| {
        let parts = parts.clone();
        async move {
            for round in 0..3_u8 {
                let window = allocate(&world, &parts, BYTES).await?;
                if world.rank() == 0 {
                    window.lock(1, LockKind::Shared, true).await?;
                    let at = TargetPlace { rank: 1, displacement: 4, runs: &[(0, 4)] };
                    window.put(at, &[round; 4]).await?;
                    window.unlock(1).await?;
                }
                window.free().await?;
            }
            Ok::<_, Error>(())
        }
    });
    ends.into_iter().for_each(|end| end.unwrap());
    assert_eq!(cluster.nodes()[1].side().peek_memory(FIRST_WINDOW + 4, 4), [2; 4]);
}
