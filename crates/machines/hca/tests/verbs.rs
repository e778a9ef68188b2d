use cluster::{Duration, Fingerprint, Machine, Rates, Time, run};
use hca::layout::Status;
use hca_machine::programs::receive;
use hca_machine::{Cluster, Completion, Hca, LONGEST_DATAGRAM, Port, SendError, Service, Settings, layout};
use machine_api::Messaging;

use crate::{LIMIT, models};

/// Messages of each sender: more than a ring has requests.
const COUNT: usize = 40;

/// Bytes that differ for each message.
fn message(number: usize, size: usize) -> Vec<u8> {
    (0..size).map(|at| (at * 7 + number * 13) as u8).collect()
}

async fn ready(port: &Port) {
    port.open().await;
    let ready = Time::ZERO + Hca::ready(port.verbs().nodes());
    port.host().compute(ready - port.host().processor().now()).await;
}

/// Sends as soon as there is room; returns the status with which the connection failed, if any.
async fn send(port: &Port, to: usize, service: Service, data: &[u8]) -> Result<(), Status> {
    loop {
        match port.send(to, service, data).await {
            Ok(()) => return Ok(()),
            Err(SendError::NoRoom) => drop(port.poll().await),
            Err(SendError::Failed(status)) => return Err(status),
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn messages_of_all_lengths_arrive_whole_by_both_services() {
    for (service, sizes) in [
        (Service::Connection, vec![0, 1, 7, 8, 2_047, 2_048, 2_049, 5_000, 65_536, layout::LONGEST]),
        (Service::Datagram, vec![0, 1, 7, 8, 1_000, LONGEST_DATAGRAM]),
    ] {
        let mut cluster = Cluster::with_switch(models(2), &Settings::default());
        let expected: Vec<_> =
            sizes.iter().enumerate().map(|(number, size)| message(number, *size)).collect();
        let sent = expected.clone();
        cluster.spawn(0, "gives", move |port| async move {
            ready(&port).await;
            for data in sent {
                send(&port, 1, service, &data).await.unwrap();
            }
        });
        let taken = cluster.spawn(1, "takes", move |port| async move {
            ready(&port).await;
            let mut all = Vec::new();
            for _ in sizes {
                all.push(receive(&port).await.unwrap());
            }
            all
        });
        cluster.run(LIMIT).unwrap();
        assert_eq!(taken.take(), Some(expected));
    }
}

/// Three hosts send to host 0, which begins late: more messages than it has buffers.
fn crowd(threads: usize, skipping: bool) -> (Time, Fingerprint, Vec<(usize, u8)>) {
    const SENDERS: usize = 3;
    let begin = |part: &mut Cluster| {
        part.set_skipping(skipping);
        let here = part.here();
        for node in (1..=SENDERS).filter(|node| here.contains(node)) {
            part.spawn(node, "gives", |port| async move {
                ready(&port).await;
                for number in 0..COUNT {
                    send(&port, 0, Service::Connection, &[number as u8; 100]).await.unwrap();
                }
            });
        }
        here.contains(&0).then(|| {
            part.spawn(0, "takes", |port| async move {
                ready(&port).await;
                port.host().compute(Duration::from_us(500)).await;
                let mut all = Vec::new();
                while all.len() < COUNT * SENDERS {
                    if let Some(Completion::Received(message)) = port.poll().await {
                        all.push((message.from, message.data[0]));
                    }
                }
                all
            })
        })
    };
    let end = |_: &mut Cluster, taken: Option<cluster::Output<_>>| {
        taken.map(|taken| taken.take().expect("it is done"))
    };
    let nic = |_| Ok(models(1).remove(0));
    let topology = Hca::topology(SENDERS + 1);
    let ran = run::<Hca, _, _>(&topology, &Settings::default(), threads, LIMIT, nic, begin, end).unwrap();
    (ran.end, ran.fingerprint, ran.parts.into_iter().flatten().flatten().collect())
}

#[test]
fn receiver_without_buffers_stalls_connections_without_loss() {
    let once = crowd(1, true);
    for sender in 1..4 {
        let numbers: Vec<_> = once.2.iter().filter(|(from, _)| *from == sender).map(|(_, n)| *n).collect();
        assert_eq!(numbers, (0..COUNT as u8).collect::<Vec<_>>(), "host {sender}");
    }
    assert_eq!(crowd(2, true), once, "2 threads");
    assert_eq!(crowd(1, false), once, "awake all the time");
}

#[test]
fn faulty_cables_lose_datagrams_and_no_connection_message() {
    let run = |service, give_up: Option<Duration>| {
        let mut cluster = Cluster::with_switch(models(2), &Settings::default());
        cluster.set_faults(Rates::one_in(12), 5);
        cluster.spawn(0, "gives", move |port| async move {
            ready(&port).await;
            for number in 0..COUNT {
                send(&port, 1, service, &message(number, 1_500)).await.unwrap();
            }
            // The program has not taken these completions.
            while port.verbs().pair(port.verbs().pair_of(1)).done as usize != COUNT && give_up.is_none() {
                port.poll().await;
            }
        });
        let taken = cluster.spawn(1, "takes", move |port| async move {
            ready(&port).await;
            let end = give_up.map(|after| port.host().processor().now() + after);
            let mut all = Vec::new();
            while all.len() < COUNT && end.is_none_or(|end| port.host().processor().now() < end) {
                if let Some(Completion::Received(message)) = port.poll().await {
                    all.push(message.data);
                }
            }
            all
        });
        cluster.run(LIMIT).unwrap();
        taken.take().unwrap()
    };
    let all: Vec<_> = (0..COUNT).map(|number| message(number, 1_500)).collect();
    assert_eq!(run(Service::Connection, None), all);
    let some = run(Service::Datagram, Some(Duration::from_us(3_000)));
    assert!(!some.is_empty() && some.len() < COUNT, "{} have come", some.len());
    assert!(some.iter().all(|data| all.contains(data)));
}

#[test]
fn peer_that_never_answers_ends_the_connection_with_a_status() {
    let mut cluster = Cluster::with_switch(models(2), &Settings::default());
    let ended = cluster.spawn(0, "gives", |port| async move {
        // Host 1 is never set up.
        ready(&port).await;
        send(&port, 1, Service::Connection, b"hello").await.unwrap();
        let first = loop {
            if let Some(completion) = port.poll().await {
                break completion;
            }
        };
        (first, port.send(1, Service::Connection, b"again").await)
    });
    cluster.run(LIMIT).unwrap();
    let (first, second) = ended.take().unwrap();
    assert_eq!(first, Completion::Failed(0, Status::RetryExceeded));
    assert_eq!(second, Err(SendError::Failed(Status::RetryExceeded)));
}

#[test]
fn message_that_cannot_be_sent_is_refused_with_a_reason() {
    let mut cluster = Cluster::with_switch(models(2), &Settings::default());
    let ended = cluster.spawn(0, "gives", |port| async move {
        ready(&port).await;
        let long = vec![0; layout::LONGEST + 1];
        [
            port.send(0, Service::Connection, b"to itself").await,
            port.send(2, Service::Datagram, b"to nobody").await,
            port.send(1, Service::Connection, &long).await,
            port.send(1, Service::Datagram, &long[..LONGEST_DATAGRAM + 1]).await,
        ]
    });
    cluster.run(LIMIT).unwrap();
    use SendError::{NoPeer, TooLong};
    assert_eq!(ended.take(), Some([NoPeer, NoPeer, TooLong, TooLong].map(Err)));
}

#[test]
fn peer_writes_and_reads_memory_whose_host_sleeps() {
    let mut cluster = Cluster::with_switch(models(2), &Settings::default());
    let done = |port: Port| async move {
        loop {
            match port.poll().await {
                Some(Completion::Sent(_)) => return,
                Some(other) => panic!("{other:?}"),
                None => {}
            }
        }
    };
    let ended = cluster.spawn(0, "reaches", move |port| async move {
        ready(&port).await;
        let (data, at) = (message(3, 10_000), layout::SHARED + 5);
        port.write(1, at, &data).await.unwrap();
        done(port.clone()).await;
        let address = port.read(1, at + 1, 9_000).await.unwrap();
        done(port.clone()).await;
        assert_eq!(port.write(0, at, &data).await, Err(SendError::NoPeer));
        (port.host().memory(address, 9_000), data)
    });
    cluster.spawn(1, "sleeps", |port| async move { ready(&port).await });
    cluster.run(LIMIT).unwrap();
    let (read, data) = ended.take().unwrap();
    assert!(read == data[1..9_001]);
    assert_eq!(cluster.nodes()[1].side().peek_memory(layout::SHARED + 5, 10_000), data);
}

#[test]
fn write_behind_the_memory_of_a_peer_is_refused_by_it() {
    let mut cluster = Cluster::with_switch(models(2), &Settings::default());
    let ended = cluster.spawn(0, "reaches", |port| async move {
        ready(&port).await;
        port.write(1, 0x2000_0000 - 8, &[7; 9]).await.unwrap();
        loop {
            if let Some(completion) = port.poll().await {
                return completion;
            }
        }
    });
    cluster.spawn(1, "sleeps", |port| async move { ready(&port).await });
    cluster.run(LIMIT).unwrap();
    assert_eq!(ended.take(), Some(Completion::Failed(0, Status::RemoteAccess)));
    assert_eq!(cluster.nodes()[1].side().peek_memory(0x2000_0000 - 8, 8), [0; 8]);
}
