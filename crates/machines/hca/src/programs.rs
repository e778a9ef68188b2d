//! Programs that measure verbs: round trips, and streams of messages.

use std::ops::Range;

use anyhow::Context;
use cluster::{Cpu, Duration, Time, Waiting};
use machine_api::{Messaging, Nics};

use crate::port::{Completion, Port, SendError, Service};
use crate::{Cluster, Hca, Settings};

/// Limit of a program; none takes a tenth of it.
const LIMIT: Duration = Duration::from_us(10_000_000);

/// Why a program cannot go on.
#[derive(Debug)]
pub struct Wrong(String);

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Wrong {}

/// Waits for a message and marks its arrival.
pub async fn receive(port: &Port) -> Result<Vec<u8>, Wrong> {
    loop {
        match port.poll().await {
            Some(Completion::Received(message)) => {
                port.host().processor().mark("message");
                return Ok(message.data);
            }
            Some(Completion::Failed(pair, status)) => {
                return Err(Wrong(format!("queue pair {pair} has failed: {status:?}")));
            }
            Some(Completion::Sent(_)) | None => {}
        }
    }
}

/// Sends as soon as the ring has room.
async fn send(port: &Port, to: usize, service: Service, data: &[u8]) -> Result<(), Wrong> {
    loop {
        match port.send(to, service, data).await {
            Ok(()) => return Ok(()),
            Err(SendError::NoRoom) => drop(port.poll().await),
            Err(error) => return Err(Wrong(error.to_string())),
        }
    }
}

/// Sets a host up, and waits until all are set up.
async fn begin(port: &Port) -> Time {
    port.open().await;
    let ready = Time::ZERO + Hca::ready(port.verbs().nodes());
    let cpu: &Cpu = port.host().processor();
    cpu.until(ready, Waiting::Computing).await;
    cpu.now()
}

/// Runs messages to host 1 and back, the last one later by `phase`; returns the begin and end of each round.
pub(crate) fn turns(
    cluster: &mut Cluster,
    service: Service,
    bytes: usize,
    rounds: usize,
    phase: Duration,
) -> anyhow::Result<Vec<Range<Time>>> {
    let data: Vec<u8> = (0..bytes).map(|at| at as u8).collect();
    let expected = data.clone();
    let asks = cluster.spawn(0, "ping", move |port| async move {
        begin(&port).await;
        let mut turns = Vec::new();
        for round in 0..rounds {
            if round + 1 == rounds {
                port.host().compute(phase).await;
            }
            let begun = port.host().processor().now();
            port.host().processor().mark("send");
            send(&port, 1, service, &data).await?;
            let back = receive(&port).await?;
            if back != data {
                return Err(Wrong("other bytes came back".to_string()));
            }
            turns.push(begun..port.host().processor().now());
        }
        Ok(turns)
    });
    let answers = cluster.spawn(1, "pong", move |port| async move {
        begin(&port).await;
        for _ in 0..rounds {
            if receive(&port).await? != expected {
                return Err(Wrong("other bytes came".to_string()));
            }
            port.host().processor().mark("answer");
            send(&port, 0, service, &expected).await?;
        }
        Ok(())
    });
    let ran = cluster.run(LIMIT);
    machine_api::check(cluster, ran)?;
    answers.take().context("the program has not ended")??;
    Ok(asks.take().context("the program has not ended")??)
}

/// Microseconds of half a round trip, without the first one.
pub(crate) fn half_us(turns: &[Range<Time>]) -> f64 {
    let turns = &turns[1..];
    let all: Duration = turns.iter().map(|turn| turn.end - turn.start).sum();
    all.ps() as f64 / 1e6 / turns.len() as f64 / 2.0
}

/// Sends messages by the connection from host 0 to host 1, each as soon as there is room; returns the time from the
/// first call until the last one is received.
pub(crate) fn stream(
    nics: &dyn Nics<Hca>,
    settings: Settings,
    bytes: usize,
    count: usize,
) -> anyhow::Result<Duration> {
    let mut cluster = Cluster::with_switch(nics.open(2)?, &settings);
    let sends = cluster.spawn(0, "sends", move |port| async move {
        let begun = begin(&port).await;
        let data: Vec<u8> = (0..bytes).map(|at| at as u8).collect();
        for _ in 0..count {
            send(&port, 1, Service::Connection, &data).await?;
        }
        Ok::<_, Wrong>(begun)
    });
    let receives = cluster.spawn(1, "receives", move |port| async move {
        begin(&port).await;
        for _ in 0..count {
            let came = receive(&port).await?.len();
            if came != bytes {
                return Err(Wrong(format!("{came} bytes came")));
            }
        }
        Ok(port.host().processor().now())
    });
    let ran = cluster.run(LIMIT);
    machine_api::check(&mut cluster, ran)?;
    let begun = sends.take().context("the program has not ended")??;
    Ok(receives.take().context("the program has not ended")?? - begun)
}

/// Sends bytes by the connection from host 0 to host 1: their number, then all of them.
pub(crate) fn carry(
    bytes: Vec<u8>,
    nics: &dyn Nics<Hca>,
) -> anyhow::Result<(Vec<u8>, Time, cluster::Fingerprint)> {
    const PART: usize = 64 << 10;
    let mut cluster = Cluster::with_switch(nics.open(2)?, &nics.settings());
    // A thousand times the time of a byte, and the time of the shortest stream.
    let limit = Duration::from_us(100_000) + Duration::from_us(2) * bytes.len() as u64;
    let sends = cluster.spawn(0, "sends", move |port| async move {
        begin(&port).await;
        send(&port, 1, Service::Connection, &(bytes.len() as u64).to_le_bytes()).await?;
        for part in bytes.chunks(PART) {
            send(&port, 1, Service::Connection, part).await?;
        }
        Ok::<_, Wrong>(())
    });
    let receives = cluster.spawn(1, "receives", |port| async move {
        begin(&port).await;
        let first = receive(&port).await?;
        let head = first[..].try_into().map_err(|_| Wrong("a stream begins with its length".to_string()))?;
        let (count, mut all) = (u64::from_le_bytes(head), Vec::new());
        while (all.len() as u64) < count {
            all.extend(receive(&port).await?);
        }
        Ok::<_, Wrong>(all)
    });
    let ran = cluster.run(limit);
    let end = machine_api::check(&mut cluster, ran)?;
    sends.take().context("the program has not ended")??;
    let all = receives.take().context("the program has not ended")??;
    Ok((all, end, cluster.fingerprint()?))
}
