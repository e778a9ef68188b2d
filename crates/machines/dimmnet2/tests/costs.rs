use cluster::{Duration, Event, Place, RunError, Time, Waiting};
use dimmnet2_machine::Host;
use dimmnet2_machine::host::cost::{self, Costs};

use crate::stand_in::cluster;

const COSTS: Costs = Costs::PUBLISHED;
const LLCM: u32 = 0x2_0000;
const LIMIT: Duration = Duration::from_us(50_000);

/// The result of a program on a single board.
fn measure<F, T>(program: impl FnOnce(Host) -> F) -> T
where
    F: Future<Output = T> + 'static,
    T: 'static,
{
    let mut cluster = cluster(1);
    let output = cluster.spawn(0, "measure", program);
    cluster.run(LIMIT).unwrap();
    output.take().unwrap()
}

#[test]
fn uncachable_read_takes_189_ns_in_every_phase_of_the_bus() {
    for phase in (0..10_000).step_by(700) {
        let took = measure(move |host| async move {
            host.compute(Duration::from_ps(phase + 1)).await;
            let start = host.now();
            host.load_uc(LLCM).await;
            host.now() - start
        });
        assert_eq!(took, COSTS.uc_load, "phase {phase}");
    }
}

#[test]
fn uncachable_access_reads_back_what_it_wrote_in_both_banks() {
    let values = measure(|host| async move {
        host.store_uc(LLCM + 0x10, 0x0123_4567_89ab_cdef).await;
        host.store_uc(LLCM + 0x18, 0xfedc_ba98_7654_3210).await;
        (host.load_uc(LLCM + 0x10).await, host.load_uc(LLCM + 0x18).await)
    });
    assert_eq!(values, (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210));
}

#[test]
fn host_parts_of_a_botf_come_out_as_published() {
    // A 24-byte image: 0.076 us. A 512-byte image and a command: 0.407 us. The phase of the bus does not show.
    for (bytes, command, published) in [(24, false, 76_000), (512, true, 407_000)] {
        for phase in (0..10_000).step_by(500) {
            let time = measure(move |host| async move {
                host.compute(Duration::from_ps(phase + 1)).await;
                let start = host.now();
                host.store_wc(0, &vec![0x5a; bytes]).await;
                host.sfence().await;
                if command {
                    host.store_uc(LLCM, 0).await;
                }
                host.now() - start
            });
            assert_eq!(time.ps(), published, "{bytes} bytes");
        }
    }
}

#[test]
fn fence_sends_a_partial_line_and_a_full_line_needs_none() {
    let mut cluster = cluster(1);
    cluster.observe();
    cluster.spawn(0, "store", |host| async move {
        host.store_wc(0x200, &[1; 80]).await;
        host.compute(Duration::from_us(1)).await;
        host.mark("fence");
        host.sfence().await;
    });
    cluster.run(LIMIT).unwrap();
    cluster.drain(LIMIT).unwrap();
    let observations = cluster.observations();
    let fence = observations.iter().position(|o| o.event == Event::Mark("fence")).unwrap();
    let beats = |range: &[cluster::Observation]| -> Vec<(u64, u32)> {
        let beat = |o: &cluster::Observation| match o.event {
            Event::Beat { address, write: true } => Some((o.time.ps() / 1_000, address)),
            _ => None,
        };
        range.iter().filter_map(beat).collect()
    };
    let full = beats(&observations[..fence]);
    assert_eq!(full.iter().map(|(_, address)| *address).collect::<Vec<_>>(), [0x200, 0x210, 0x220, 0x230]);
    assert!(full.windows(2).all(|two| two[1].0 - two[0].0 == 10), "one beat per core cycle");
    let partial = beats(&observations[fence..]);
    assert_eq!(partial.iter().map(|(_, address)| *address).collect::<Vec<_>>(), [0x240, 0x240]);
    assert_eq!(partial[1].0 - partial[0].0, 30);
    assert!(observations.iter().all(|o| o.place == Place::Node(0)));
}

#[test]
fn lines_cost_flush_prefetch_path_and_copy_and_overlap() {
    let lines = |count| {
        measure(move |host| async move {
            host.compute(Duration::from_ps(10_000)).await;
            let start = host.now();
            let data = host.load_lines(0x1_0000, count).await;
            assert_eq!(data.len(), count as usize * 64);
            host.now() - start
        })
    };
    let pins = COSTS.request_path + COSTS.response_path;
    let one = COSTS.clflush + COSTS.prefetch + pins + COSTS.line_copy;
    // Five bus cycles, the last for the data of the fourth beat, after none of waiting.
    assert_eq!(lines(1), one + cost::BEAT * 5);
    let eight = lines(8);
    assert!(eight < lines(1) * 8);
    assert!(eight > COSTS.clflush * 8 + COSTS.bus_line * 8);
}

#[test]
fn programs_of_one_host_share_its_bus() {
    let mut cluster = cluster(1);
    for name in ["one", "other"] {
        cluster.spawn(0, name, |host| async move {
            host.store_wc(0, &[1; 512]).await;
            host.sfence().await;
        });
    }
    cluster.run(LIMIT).unwrap();
    let idle = cluster.drain(LIMIT).unwrap();
    assert!(idle > Time::ZERO + COSTS.bus_line * 15);
}

#[test]
fn poll_gives_up_after_its_reads_and_pays_for_each() {
    let took = measure(|host| async move {
        assert_eq!(host.poll_times("nothing", LLCM, 5, |value| value != 0).await, None);
        host.now() - Time::ZERO
    });
    assert_eq!(took, (COSTS.uc_load + COSTS.poll_loop) * 5);
}

#[test]
fn line_that_was_read_stays_the_same_until_it_is_flushed() {
    let read = measure(|host| async move {
        let write = async |value| {
            host.store_uc(LLCM, value).await;
            host.compute(Duration::from_us(1)).await;
        };
        write(1).await;
        let mut read = vec![host.load_cached_line(LLCM).await[0]];
        write(2).await;
        read.push(host.load_cached_line(LLCM).await[0]);
        read.push(host.load_line(LLCM).await[0]);
        read
    });
    assert_eq!(read, [1, 1, 2]);
}

#[test]
fn buffer_beyond_the_cache_is_slower_to_write_than_one_inside() {
    let time = |bytes: usize| {
        measure(move |host| async move {
            let mut buffer = host.allocate(bytes);
            let mut last = Duration::ZERO;
            for _ in 0..3 {
                let start = host.now();
                for at in (0..bytes).step_by(64) {
                    host.store_main(&mut buffer, at, &[at as u8; 64]).await;
                }
                last = host.now() - start;
            }
            assert_eq!(buffer.bytes()[bytes - 64], (bytes - 64) as u8);
            last.ps() / (bytes as u64 / 64)
        })
    };
    assert_eq!(time(cost::CACHE_BYTES), COSTS.line_copy.ps(), "every line is there");
    // A line is filled and another one is written back.
    let both = COSTS.bus_line * 2;
    assert!(time(2 * cost::CACHE_BYTES) >= both.ps() * 9 / 10);
}

#[test]
fn user_ends_at_a_page_that_is_not_its_own() {
    for (address, page) in
        [(0x5_0000, "the System Register page"), (0x4_1000, "the other process's registers")]
    {
        let mut cluster = cluster(1);
        cluster.spawn(0, "intruder", move |host| async move {
            let host = host.user(false);
            host.load_uc(LLCM).await;
            host.store_uc(address, 1).await;
            unreachable!("{page}");
        });
        let Err(RunError::Stalled { waiting, .. }) = cluster.run(LIMIT) else { panic!("{page}") };
        assert_eq!(waiting[0].waiting, Waiting::PageFault(address));
    }
}
