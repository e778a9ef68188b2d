use cenju3_machine::settings::{Buffering, Nif};
use cenju3_machine::{Cenju3, Cluster, Settings};
use cluster::Duration;
use machine_api::{CarrierChoice, Parallel, Wait, spawn_ranks};
use mpi::Options;
use mpi::programs::{all, incast, waits};

use crate::{LIMIT, models, run};

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

#[test]
fn looks_in_vain_that_are_left_out_leave_no_trace() {
    // Longer than the time between samples, shorter, and off every clock.
    let computing = [230_000_000, 1_234_567, 350_000_001, 99].map(Duration::from_ps);
    for mut settings in variants() {
        settings.copy = settings.nif == Nif::Old;
        let run = |skipping| {
            let mut cluster = Cluster::with_switch(models(3), &settings);
            cluster.set_skipping(skipping);
            let way = CarrierChoice { wait: settings.wait, ..CarrierChoice::over(&Cenju3::CARRIERS[0]) };
            let ends = spawn_ranks(&mut cluster, way, &Options::default(), move |world| async move {
                waits(&world, &computing).await
            });
            cluster.run(LIMIT).unwrap();
            ends.into_iter().for_each(|end| end.take().unwrap().unwrap());
            (cluster.fingerprint().unwrap(), cluster.now())
        };
        assert_eq!(run(true), run(false), "{settings:?}");
    }
}
