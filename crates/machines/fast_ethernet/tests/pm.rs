//! PM in the driver.

use cluster::{Duration, Rates};
use ethernet::Host;
use fast_ethernet_machine::programs::Program;
use fast_ethernet_machine::programs::mpich::{self, Over};
use pm::programs::{sink, source};
use pm::{Channel, Endpoint, NodeId};

use crate::hosts;

const LONG: Duration = Duration::from_us(60_000_000);
const COUNT: u32 = 300;

/// Sends messages of all lengths over links that lose `loss` frames in a million; returns the number of lost frames.
fn stream(loss: u32) -> u64 {
    let mut cluster = hosts(2);
    cluster.set_faults(Rates { loss, ..Rates::default() }, 1);
    let channel = Channel::new(0).unwrap();
    let size = |number: u32| 1 + number as usize * 7 % 1_468;
    let sent = cluster.spawn(0, "source", move |port| async move {
        let mut pm = port.pm();
        pm.open(channel, 1).await.unwrap();
        source(&mut pm, channel, NodeId(1), COUNT, size).await
    });
    let got = cluster.spawn(1, "sink", move |port| async move {
        let mut pm = port.pm();
        pm.open(channel, 1).await.unwrap();
        sink(&mut pm, channel, NodeId(0), COUNT, size, |_| {}).await
    });
    cluster.run(LONG).unwrap();
    assert_eq!((sent.take(), got.take()), (Some(Ok(())), Some(Ok(()))));
    cluster.links().iter().map(|link| link.faults().counters().struck()).sum()
}

#[test]
fn messages_arrive_once_and_in_order() {
    assert_eq!(stream(0), 0);
}

#[test]
fn what_wires_lose_is_sent_again() {
    assert!(stream(30_000) > 5);
}

#[test]
fn a_receiver_that_computes_holds_its_sender_back() {
    let mut cluster = hosts(2);
    let channel = Channel::new(0).unwrap();
    cluster.spawn(0, "source", move |port| async move {
        let mut pm = port.pm();
        pm.open(channel, 1).await.unwrap();
        source(&mut pm, channel, NodeId(1), COUNT, |_| 1_000).await.unwrap();
    });
    let got = cluster.spawn(1, "sleeper", move |port| async move {
        let mut pm = port.pm();
        pm.open(channel, 1).await.unwrap();
        // All of it would have arrived in a tenth of that.
        port.host().processor().compute(Duration::from_us(1_000_000)).await;
        sink(&mut pm, channel, NodeId(0), COUNT, |_| 1_000, |_| {}).await
    });
    cluster.run(LONG).unwrap();
    assert_eq!(got.take(), Some(Ok(())));
}

#[test]
fn mpi_runs_over_it() {
    for program in [Program::PingPong, Program::Burst, Program::Gather, Program::Broadcast] {
        for size in [4, 20_000] {
            let ran = mpich::run(&mut hosts(3), Over::Pm, program, size, program.rounds(size)).unwrap();
            assert!(ran.megabytes_per_second() > 0.0, "{program:?} {size}");
            let again = mpich::run(&mut hosts(3), Over::Pm, program, size, program.rounds(size)).unwrap();
            assert_eq!(ran.fingerprint, again.fingerprint);
        }
    }
}
