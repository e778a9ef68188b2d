use cenju3_machine::Settings;
use cenju3_machine::settings::{Buffering, Nif};
use cluster::Duration;
use lab::Wait;
use mpi::programs::all;

use crate::run;

/// Lengths around the protocol switch and a unit, and more units than a message has at a time.
static SIZES: [usize; 9] = [0, 1, 127, 128, 129, 8191, 8192, 8193, 70_000];

fn variants() -> impl Iterator<Item = Settings> {
    let waits = [Wait::Poll, Wait::Event, Wait::Interrupt];
    [Nif::Old, Nif::New].into_iter().flat_map(move |nif| {
        waits.into_iter().map(move |wait| {
            let mut settings = Settings::default();
            (settings.nif, settings.wait) = (nif, wait);
            settings
        })
    })
}

#[test]
fn all_calls_of_mpi_are_right_under_every_variant() {
    for (number, mut settings) in variants().enumerate() {
        for (copy, buffering) in [(true, Buffering::Double), (false, Buffering::Serial)] {
            (settings.copy, settings.buffering) = (copy, buffering);
            // Long ones take long: of each variant one has them.
            let sizes = if copy == (number % 2 == 0) { &SIZES[..] } else { &SIZES[..5] };
            let (ends, _) = run(&settings, 3, move |world| async move {
                let ran = all(&world, sizes, 2).await;
                world.finalize().await.unwrap();
                ran
            });
            ends.into_iter().for_each(|end| end.unwrap());
        }
    }
}

#[test]
fn fourteen_pes_all_send_to_one_that_computes_and_nothing_is_lost() {
    let (ends, _) = run(&Settings::default(), 14, |world| async move {
        const EACH: u32 = 20;
        if world.rank() == 0 {
            world.compute(Duration::from_us(2_000)).await;
            let mut sum = 0;
            for _ in 0..EACH * 13 {
                let came = world.receive(mpi::Source::Any, mpi::Tag::Any, 8).await.unwrap();
                sum += u64::from_le_bytes(came.bytes[..].try_into().unwrap());
            }
            world.finalize().await.unwrap();
            return sum;
        }
        for number in 0..EACH {
            let bytes = (world.rank() as u64 * 1_000 + u64::from(number)).to_le_bytes();
            world.send(0, number, &bytes).await.unwrap();
        }
        world.finalize().await.unwrap();
        0
    });
    let expected: u64 = (1..14).flat_map(|rank| (0..20).map(move |number| rank * 1_000 + number)).sum();
    assert_eq!(ends[0], expected);
}

/// When the send of three units to a rank that computes for 50 ms is over, in milliseconds.
fn sent_to_one_that_computes(period: Option<Duration>) -> u64 {
    let mut settings = Settings::default();
    settings.progress = period;
    let (ends, _) = run(&settings, 2, |world| async move {
        let bytes = vec![7; 3 * 8192];
        if world.rank() == 0 {
            world.send(1, 0, &bytes).await.unwrap();
            let now = world.now();
            world.finalize().await.unwrap();
            return now;
        }
        let receive = world.ireceive(mpi::Source::Rank(0), mpi::Tag::Is(0), bytes.len()).await.unwrap();
        let begin = world.now();
        world.compute(Duration::from_us(50_000)).await;
        assert!(world.now() - begin >= Duration::from_us(50_000), "nothing of it is lost to the thread");
        assert_eq!(receive.wait().await.unwrap().bytes, bytes);
        world.finalize().await.unwrap();
        world.now()
    });
    ends[0].ps() / 1_000_000_000
}

#[test]
fn rendezvous_with_one_that_computes_goes_on_in_periods_of_its_progress_thread() {
    assert!(sent_to_one_that_computes(None) >= 50);
    // It asks, and is answered when the thread looks: all three units may come then.
    let sent = sent_to_one_that_computes(Some(Duration::from_us(10_000)));
    assert!((10..20).contains(&sent), "{sent} ms");
}

#[test]
fn all_calls_of_mpi_are_right_beside_a_progress_thread() {
    for wait in [Wait::Poll, Wait::Event, Wait::Interrupt] {
        let mut settings = Settings::default();
        (settings.wait, settings.progress) = (wait, Some(Duration::from_us(300)));
        let (ends, _) = run(&settings, 3, move |world| async move {
            let ran = all(&world, &SIZES[..5], 2).await;
            world.finalize().await.unwrap();
            ran
        });
        ends.into_iter().for_each(|end| end.unwrap());
    }
}
