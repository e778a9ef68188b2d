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
