use cenju3_machine::Settings;
use cenju3_machine::settings::{Buffering, Nif};
use machine_api::Wait;
use mpi::programs::{ping, pong};

use crate::run;

/// Throughput in MB/s of messages of `bytes` bytes, there and back.
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

/// Bytes of a message whose throughput is published.
const LONG: usize = 800_000;

#[test]
fn throughput_of_800_kb_is_the_one_that_fits_the_line_time() {
    let rate = throughput(&settings(Nif::Old, Wait::Event), LONG);
    assert!((rate / 17.0 - 1.0).abs() < 0.01, "M8: {rate} MB/s");
}

#[test]
fn copies_cost_half_of_the_throughput_and_waiting_nothing() {
    let event = throughput(&settings(Nif::Old, Wait::Event), LONG);
    let interrupt = throughput(&settings(Nif::Old, Wait::Interrupt), LONG);
    assert!((interrupt / event - 1.0).abs() < 0.03, "{interrupt} and {event} MB/s");
    let mut without = settings(Nif::Old, Wait::Event);
    without.copy = false;
    let without = throughput(&without, LONG);
    assert!((1.8..2.4).contains(&(without / event)), "{without} MB/s without copies");
    // The port's limit (paper, section 3).
    assert!(without < 40.0);
}

#[test]
fn unit_that_waits_for_the_one_before_it_makes_messages_slower() {
    let mut settings = settings(Nif::Old, Wait::Event);
    let double = throughput(&settings, LONG / 4);
    settings.buffering = Buffering::Serial;
    let serial = throughput(&settings, LONG / 4);
    assert!(serial < 0.9 * double, "{serial} and {double} MB/s");
}
