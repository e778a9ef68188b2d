//! Messages of PM between two hosts, in which the instructions of the library's calls are counted (decision 0103).
//!
//!     pm_steps MESSAGES POLLS
//!
//! Host 1 polls POLLS times in vain. Then it receives each of MESSAGES messages with one call, and gives its buffer back.

use cluster::{Duration, Time};
use gigae_pm_machine::{Cluster, GigaePm, Port, Settings};
use machine_api::{Models, Nics};
use pm::{Channel, Endpoint, NodeId};

const CHANNEL: Channel = Channel::new(0).expect("there are four");
/// Distance of messages, and the time after which one has arrived.
const PERIOD: Duration = Duration::from_us(200);
const ARRIVAL: Duration = Duration::from_us(100);

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let [messages, polls] = numbers[..] else {
        eprintln!("usage: pm_steps MESSAGES POLLS");
        std::process::exit(2);
    };
    let boards = Models::<GigaePm>(Settings::default()).open(2).expect("models open");
    let mut cluster = Cluster::with_switch(boards, &Settings::default());
    // A poll in vain takes 0.6 us.
    let first = Time::ZERO + Duration::from_us(1_000 + polls);
    cluster.spawn(0, "send", move |port| send(port, first, messages));
    cluster.spawn(1, "receive", move |port| receive(port, first, messages, polls));
    let end = cluster.run(Duration::from_us(1_000_000_000)).expect("both programs end");
    println!("{messages} messages and {polls} polls in {end}");
}

async fn send(mut port: Port, first: Time, messages: u64) {
    port.open(CHANNEL, 1).await.expect("the channel is free");
    for number in 0..messages {
        until(&port, first + PERIOD * number).await;
        let mut buffer = port.get_send_buffer(CHANNEL, 4).await.expect("a buffer is free");
        buffer.copy_from_slice(&[1; 4]);
        port.send_message(buffer, NodeId(1)).await.expect("the message is sent");
    }
}

async fn receive(mut port: Port, first: Time, messages: u64, polls: u64) {
    port.open(CHANNEL, 1).await.expect("the channel is free");
    for _ in 0..polls {
        assert!(port.receive(CHANNEL).await.is_none(), "no message was sent");
    }
    for number in 0..messages {
        until(&port, first + PERIOD * number + ARRIVAL).await;
        let message = port.receive(CHANNEL).await.expect("the message has arrived");
        port.put_receive_buffer(message).await;
    }
}

/// Computes until `time`.
async fn until(port: &Port, time: Time) {
    let processor = port.host().processor();
    processor.compute(time - processor.now()).await;
}
