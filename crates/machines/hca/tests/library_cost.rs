//! The cost of the own steps of verbs.

use cluster::host::LibraryCost;
use cluster::{Duration, Time};
use hca_machine::cost::Costs;
use hca_machine::layout::RING;
use hca_machine::library_cost::{COMPLETION, POST_RECEIVE, POST_SEND};
use hca_machine::{Cluster, Port, Service, Settings};

use crate::{LIMIT, models};

const MESSAGES: u64 = 3;
/// Distance of messages, and the time after which one has arrived and is acknowledged.
const PERIOD: Duration = Duration::from_us(200);
const ARRIVAL: Duration = Duration::from_us(100);

/// Time of the last call of a host, and what it has spent in the library since the first message.
type Spent = (Duration, Duration);

fn exchange(cost: LibraryCost) -> ([Spent; 2], cluster::Fingerprint) {
    let settings = Settings { verbs_library: cost, ..Settings::default() };
    let mut cluster = Cluster::with_switch(models(2), &settings);
    let sends = cluster.spawn(0, "sends", |port| program(port, true));
    let polls = cluster.spawn(1, "receives", |port| program(port, false));
    cluster.run(LIMIT).expect("both end");
    ([sends.take().unwrap(), polls.take().unwrap()], cluster.fingerprint().unwrap())
}

/// Sends, or takes the completions of messages.
async fn program(port: Port, sends: bool) -> Spent {
    port.open().await;
    let (before, mut took) = (port.host().verbs_library().spent(), Duration::ZERO);
    for number in 0..MESSAGES {
        let begin = Time::ZERO + Duration::from_us(10_000) + PERIOD * number;
        let begin = if sends { begin } else { begin + ARRIVAL };
        let processor = port.host().processor();
        processor.compute(begin - processor.now()).await;
        if sends {
            port.send(1, Service::Connection, &[1; 4]).await.unwrap();
        } else {
            port.poll().await.expect("it has arrived");
        }
        took = processor.now() - begin;
    }
    (took, port.host().verbs_library().spent() - before)
}

#[test]
fn calls_take_the_instructions_of_the_table() {
    let Costs { post, complete, instruction, .. } = Costs::PUBLISHED;
    let [looks, counted, off] = LibraryCost::ALL.map(exchange);
    let [send, receive, completion] =
        [POST_SEND, POST_RECEIVE, COMPLETION].map(|step| step.time(instruction));
    assert!(MESSAGES < u64::from(RING), "no ring is full");
    assert_eq!(off.0.map(|(_, spent)| spent), [Duration::ZERO; 2]);
    assert_eq!(looks.0.map(|(_, spent)| spent), [post * MESSAGES, complete * MESSAGES]);
    assert_eq!(counted.0.map(|(_, spent)| spent), [send * MESSAGES, (completion + receive) * MESSAGES]);
    let [[of_looks, of_counted, of_off], [polled, polled_counted, polled_off]] =
        [0, 1].map(|host| [&looks, &counted, &off].map(|run| run.0[host].0));
    assert_eq!((of_looks, of_counted), (of_off + post, of_off + send));
    assert_eq!((polled, polled_counted), (polled_off + complete, polled_off + completion + receive));
    assert_eq!(exchange(LibraryCost::Counted), counted);
}
