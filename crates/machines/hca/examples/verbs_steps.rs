//! SENDs of 4 bytes between two hosts, in which the instructions of the verbs library's calls are counted.
//!
//!     verbs_steps MESSAGES
//!
//! Each host polls once for each of its completions, when it has arrived.

use cluster::{Duration, Time};
use hca_machine::{Cluster, Completion, Hca, Port, Service, Settings};
use machine_api::{Models, Nics};

/// Time until all hosts are set up.
const FIRST: Time = Time::from_ps(10_000_000_000);
/// Distance of messages, and the time after which one has arrived and is acknowledged.
const PERIOD: Duration = Duration::from_us(200);
const ARRIVAL: Duration = Duration::from_us(100);

fn main() {
    let Some(messages) = std::env::args().nth(1).and_then(|text| text.parse::<u64>().ok()) else {
        eprintln!("usage: verbs_steps MESSAGES");
        std::process::exit(2);
    };
    let boards = Models::<Hca>(Settings::default()).open(2).expect("models open");
    let mut cluster = Cluster::with_switch(boards, &Settings::default());
    for host in 0..2 {
        cluster.spawn(host, "program", move |port| exchange(port, host, messages));
    }
    let end = cluster.run(Duration::from_us(1_000_000_000)).expect("both programs end");
    println!("{messages} messages in {end}");
}

/// Host 0 sends, host 1 receives.
async fn exchange(port: Port, host: usize, messages: u64) {
    port.open().await;
    for number in 0..messages {
        until(&port, FIRST + PERIOD * number).await;
        if host == 0 {
            port.send(1, Service::Connection, &[1; 4]).await.expect("the ring has room");
        }
        until(&port, FIRST + PERIOD * number + ARRIVAL).await;
        let completion = port.poll().await.expect("the completion has arrived");
        assert_eq!(matches!(completion, Completion::Received(_)), host == 1);
    }
}

/// Computes until `time`.
async fn until(port: &Port, time: Time) {
    let processor = port.host().processor();
    processor.compute(time - processor.now()).await;
}
