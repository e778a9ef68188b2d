use cenju3_machine::Settings;
use cenju3_machine::settings::{Nif, PROGRESS, PROGRESS_SHORT};
use cluster::Duration;
use machine_api::Wait;
use mpi::{Source, Tag};

use crate::run;

/// Three units.
const BYTES: usize = 20_000;

/// Sends a message to a PE that computes; returns when the send has ended and when that PE is done. Checks the message.
fn send_to_one_that_computes(settings: &Settings, computes: Duration) -> [Duration; 2] {
    let (ends, _) = run(settings, 2, move |world| async move {
        let begin = world.now();
        let bytes: Vec<u8> = (0..BYTES).map(|at| (at % 251) as u8).collect();
        if world.rank() == 0 {
            world.send(1, 3, &bytes).await.unwrap();
        } else {
            let coming = world.ireceive(Source::Rank(0), Tag::Is(3), BYTES).await.unwrap();
            world.compute(computes).await;
            assert_eq!(coming.wait().await.unwrap().bytes, bytes);
        }
        let end = world.now() - begin;
        world.finalize().await.unwrap();
        end
    });
    [ends[0], ends[1]]
}

#[test]
fn message_waits_for_the_next_call_or_the_progress_thread() {
    for (nif, wait, period) in [
        (Nif::Old, Wait::Event, PROGRESS),
        (Nif::Old, Wait::Interrupt, PROGRESS_SHORT),
        (Nif::New, Wait::Poll, PROGRESS_SHORT),
    ] {
        let settings = |progress| Settings { nif, wait, progress, ..Settings::default() };
        let computes = period * 6;
        let [sent, received] = send_to_one_that_computes(&settings(None), computes);
        assert!(sent >= computes && received >= computes, "without a thread: {sent} {received}");
        // At least one period for the RTS and one for the units (hazard H10), and not many more.
        let [sent, received] = send_to_one_that_computes(&settings(Some(period)), computes);
        assert!(sent > period && sent < period * 4, "{wait}: {sent}");
        // The thread takes its wake-ups and the steps of one message from the processor, and no more.
        let most = computes + Duration::from_us(80 * 7 + 3_000);
        assert!(received > computes && received < most, "{wait}: {received}");
    }
}

#[test]
fn all_calls_are_right_with_a_progress_thread() {
    for wait in [Wait::Poll, Wait::Event, Wait::Interrupt] {
        let progress = Some(Duration::from_us(150));
        let (ends, _) = run(&Settings { wait, progress, ..Settings::default() }, 3, |world| async move {
            let ran = mpi::programs::all(&world, &[1, 127, 128, 9_000], 2).await;
            world.finalize().await.unwrap();
            ran
        });
        ends.into_iter().for_each(|end| end.unwrap());
    }
}
