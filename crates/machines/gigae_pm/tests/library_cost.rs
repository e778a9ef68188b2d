//! The cost of PM's own steps.

use cluster::host::{LibraryCost, LibraryStep};
use cluster::{Duration, Time};
use gigae_pm_machine::library_cost::{POLL, PUT, RECEIVE, SEND};
use gigae_pm_machine::{Port, Settings};
use pm::{Endpoint, NodeId};

use crate::{CHANNEL, switched};

/// Time of an instruction at 400 MHz.
const INSTRUCTION: Duration = Duration::from_ps(2_500);
const MESSAGES: u64 = 3;
/// Distance of messages, and the time after which one has arrived.
const PERIOD: Duration = Duration::from_us(200);
const ARRIVAL: Duration = Duration::from_us(100);

/// Times of the last poll in vain and of the last call that sends, and what each host has spent in the library.
fn exchange(cost: LibraryCost) -> (Duration, Duration, [Duration; 2], cluster::Fingerprint) {
    let mut cluster = switched(2, &Settings { pm_library: cost, ..Settings::default() });
    let sends = cluster.spawn(0, "sends", send);
    let polls = cluster.spawn(1, "receives", receive);
    cluster.run(Duration::from_us(10_000)).expect("both end");
    let spent = [0, 1].map(|node| cluster.nodes()[node].side().driver().pm_library().spent());
    (polls.take().unwrap(), sends.take().unwrap(), spent, cluster.fingerprint().unwrap())
}

async fn send(mut port: Port) -> Duration {
    port.open(CHANNEL, 1).await.unwrap();
    let mut took = Duration::ZERO;
    for number in 1..=MESSAGES {
        let begin = until(&port, number, Duration::ZERO).await;
        port.send(CHANNEL, NodeId(1), &[1; 4]).await.unwrap();
        took = port.host().processor().now() - begin;
    }
    took
}

async fn receive(mut port: Port) -> Duration {
    port.open(CHANNEL, 1).await.unwrap();
    let begin = until(&port, 0, ARRIVAL).await;
    assert!(port.receive(CHANNEL).await.is_none());
    let took = port.host().processor().now() - begin;
    for number in 1..=MESSAGES {
        until(&port, number, ARRIVAL).await;
        let message = port.receive(CHANNEL).await.expect("it has arrived");
        port.put_receive_buffer(message).await;
    }
    took
}

/// Computes until a time after a message.
async fn until(port: &Port, number: u64, after: Duration) -> Time {
    let time = Time::ZERO + Duration::from_us(1_000) + PERIOD * number + after;
    let processor = port.host().processor();
    processor.compute(time - processor.now()).await;
    time
}

fn time(step: LibraryStep) -> Duration {
    step.time(INSTRUCTION)
}

#[test]
fn calls_take_the_instructions_of_the_table() {
    let [looks, counted, off] = LibraryCost::ALL.map(exchange);
    assert_eq!(looks, off, "PM's library charges no looks");
    assert_eq!(off.2, [Duration::ZERO; 2]);
    assert_eq!(counted.0, off.0 + time(POLL));
    assert_eq!(counted.1, off.1 + time(SEND));
    let receiver = (time(RECEIVE) + time(PUT)) * MESSAGES + time(POLL);
    assert_eq!(counted.2, [time(SEND) * MESSAGES, receiver]);
    assert_ne!(counted.3, off.3);
    assert_eq!(exchange(LibraryCost::Counted), counted);
}
