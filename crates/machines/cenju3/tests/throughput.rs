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
    for bytes in [200_000, 400_000, 800_000] {
        for nif in [Nif::Old, Nif::New] {
            for wait in [Wait::Poll, Wait::Event, Wait::Interrupt] {
                let mut s = settings(nif, wait);
                let a = throughput(&s, bytes);
                s.buffering = Buffering::Serial;
                let b = throughput(&s, bytes);
                s.buffering = Buffering::Double;
                s.copy = false;
                let c = throughput(&s, bytes);
                println!("{bytes} {nif:?} {wait}: {a:.2} serial {b:.2} nocopy {c:.2}");
            }
        }
    }
}
