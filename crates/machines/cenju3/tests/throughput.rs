use cenju3_machine::Settings;
use cenju3_machine::settings::{Buffering, Nif};
use lab::Wait;
use mpi::programs::{ping, pong};

use crate::run;

/// MB/s of messages of so many bytes, there and back.
fn throughput(settings: &Settings, bytes: usize) -> f64 {
    let (ends, _) = run(settings, 2, move |world| async move {
        if world.rank() == 0 {
            let turns = ping(&world, 1, bytes, 2).await.unwrap();
            turns.last().map(|turn| (turn.end - turn.begin).ps())
        } else {
            pong(&world, 0, bytes, 2).await.unwrap();
            None
        }
    });
    let half_us = ends[0].unwrap() as f64 / 2e6;
    bytes as f64 / half_us
}

fn settings(nif: Nif, wait: Wait) -> Settings {
    let mut settings = Settings::default();
    (settings.nif, settings.wait) = (nif, wait);
    settings
}

#[test]
fn x() {
    for line in [990_000u64, 1_200_000, 1_400_000] {
        for (bytes, nif, wait) in [
            (200_000, Nif::Old, Wait::Event),
            (400_000, Nif::Old, Wait::Event),
            (800_000, Nif::Old, Wait::Event),
            (800_000, Nif::New, Wait::Event),
            (800_000, Nif::Old, Wait::Poll),
            (800_000, Nif::Old, Wait::Interrupt),
        ] {
            let mut s = settings(nif, wait);
            s.costs.line = cluster::Duration::from_ps(line);
            s.costs.cache_op = cluster::Duration::from_ps(line - 156_250);
            let a = throughput(&s, bytes);
            s.buffering = Buffering::Serial;
            let b = throughput(&s, bytes);
            println!("{line} {bytes} {nif:?} {wait}: {a:.2} serial {b:.2}");
        }
    }
}
