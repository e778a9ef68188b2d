use cenju3_machine::Settings;
use cenju3_machine::settings::{Buffering, Nif};
use cluster::Duration;
use machine_api::Wait;
use mpi::programs::{all, incast};

use crate::run;

/// Sizes around the protocol switch and a unit, and with more units than a message has at a time.
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
            // One of two runs of each variant has the long messages, which take long.
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
fn no_message_to_a_pe_that_computes_is_lost() {
    let (ends, _) = run(&Settings::default(), 14, |world| async move {
        let ran = incast(&world, 20, Duration::from_us(2_000)).await;
        world.finalize().await.unwrap();
        ran
    });
    ends.into_iter().for_each(|end| end.unwrap());
}
