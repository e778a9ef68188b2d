use cenju3_machine::settings::{Buffering, Nif};
use cenju3_machine::{Cenju3, Cluster, Settings};
use cluster::Duration;
use machine_api::{CarrierChoice, Parallel, Wait, spawn_ranks};
use mpi::programs::{all, incast, waits};
use mpi::{Error, LibraryCost, Options, Source, Tag};

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

/// Instructions take the place of the fitted 17 us, and messages of the carrier itself have none.
#[test]
fn counted_library_takes_its_instructions() {
    const MESSAGES: u64 = 5;
    let [looks, counted, off] = LibraryCost::ALL.map(|library| {
        let settings = Settings { library, ..Settings::default() };
        let (ends, _) = run(&settings, 2, move |world| async move {
            if world.rank() == 0 {
                for _ in 0..MESSAGES {
                    world.send(1, 0, &[1; 4]).await?;
                }
            } else {
                for _ in 0..MESSAGES {
                    world.receive(Source::Rank(0), Tag::Is(0), 4).await?;
                }
            }
            let watcher = world.watcher();
            Ok::<_, Error>((watcher.library_time(), world.now()))
        });
        ends.into_iter().next().unwrap().unwrap()
    });
    // A call has 486 instructions and a packet 1,310, of 6.666 ns each.
    assert_eq!(counted.0, Duration::from_ps((486 + 1_310) * 6_666 * MESSAGES));
    assert_eq!(off.0, Duration::ZERO);
    let software = Settings::default().costs.software;
    assert!(
        looks.1 - off.1 > software * MESSAGES && counted.1 - off.1 >= counted.0,
        "{looks:?}, {counted:?}, {off:?}"
    );
}
