//! The main job: repeated messages of PM from host 0 to host 1 and back; also byte streams.

use std::ops::RangeInclusive;

use anyhow::Context;
use cluster::Duration;
use gigae_pm::memory_map::MTU;
use machine_api::{
    Account, Carried, FrameFormat, Frames, HostLibrary, Job, Nics, Program, Working, observed_pair,
};
use pm::{Channel, Endpoint, NodeId, SendError};

use crate::measure::{WARM_UP, period};
use crate::paths::{round_trip, trips};
use crate::published::paper::row;
use crate::{Cluster, GigaePm, Port, Settings, frame_bytes};

/// Round trips: the warm-up, and as many as a mean needs.
const ROUNDS: u32 = WARM_UP as u32 + 20;
/// Round trips up to the one that is explained.
const FEWEST: u32 = WARM_UP as u32 + 2;

impl Working for GigaePm {
    const JOB: &'static str = "message";
    const BYTES: RangeInclusive<usize> = 1..=MTU as usize;
    const SHORT: usize = 4;
    const SEEDED: bool = false;
    const PROGRAMS: &'static [Program<Self>] = &[];
    const LIBRARY: Option<HostLibrary<Self>> = Some(HostLibrary {
        name: "PM",
        set: |settings, cost| settings.pm_library = cost,
        spent: Some(|side| side.driver().pm_library().spent()),
    });
    const FRAMES: Option<Frames<Self>> = Some(Frames { format: FrameFormat::Ethernet, bytes: frame_bytes });

    /// Round trips through the switch, and for the means also on one cable.
    fn work(job: &Job, nics: &dyn Nics<Self>) -> anyhow::Result<Account<Self>> {
        work(job, nics, &nics.settings())
    }

    fn carry(bytes: Vec<u8>, nics: &dyn Nics<Self>, told: &dyn Fn(u64)) -> anyhow::Result<Carried> {
        carry(bytes, nics, told)
    }
}

/// Round trips with these settings, through the switch and on one cable.
pub(crate) fn work(
    job: &Job,
    nics: &dyn Nics<GigaePm>,
    settings: &Settings,
) -> anyhow::Result<Account<GigaePm>> {
    let rounds = if job.brief { FEWEST } else { ROUNDS };
    let mut switched = observed_pair(nics, settings)?;
    if job.capture {
        switched.capture();
    }
    let turns = trips(&mut switched, job.bytes, rounds)?;
    let line = round_trip(&switched.observations(), turns[WARM_UP])?;
    let (captured, end, fingerprint) = (switched.take_captured(), switched.now(), switched.fingerprint()?);
    drop(switched);

    let mut direct = Cluster::back_to_back(machine_api::two(nics)?, settings);
    let direct_us = period(&trips(&mut direct, job.bytes, rounds)?);
    let switched_us = period(&turns);
    let count = rounds as usize - WARM_UP - 1;
    let mut rows = Vec::new();
    if job.bytes == 4 {
        rows.push(row("E1", direct_us));
        rows.push(row("E2", switched_us));
        rows.push(row("E3", (switched_us - direct_us) / 2.0));
    }
    let from = line.begin();
    Ok(Account {
        about: format!("{} bytes by PM, host 0 to host 1 and back, through the switch", job.bytes),
        line,
        ways: &["there", "back"],
        means: vec![
            (format!("mean of {count} round trips"), switched_us),
            ("without the switch".to_string(), direct_us),
        ],
        rows,
        captured,
        from,
        end,
        fingerprint,
    })
}

/// The channel of a stream, and its session.
const CHANNEL: Channel = Channel::new(0).expect("there are four");
const SESSION: u16 = 1;

/// Limit of virtual time for a byte of a stream: a thousand times what it takes.
const LIMIT_PER_BYTE: Duration = Duration::from_us(20);
/// Limit of virtual time for the shortest stream.
const SHORTEST: Duration = Duration::from_us(10_000);

/// Sends bytes in messages of PM: their number, then all of them.
fn carry(bytes: Vec<u8>, nics: &dyn Nics<GigaePm>, told: &dyn Fn(u64)) -> anyhow::Result<Carried> {
    let mut cluster = Cluster::with_switch(nics.open(2)?, &nics.settings());
    let count = bytes.len() as u64;
    let sending = cluster.spawn(0, "send", move |port| send(port, bytes));
    let receiving = cluster.spawn(1, "receive", receive);
    let limit = SHORTEST + Duration::from_ps(LIMIT_PER_BYTE.ps() * count);
    let ran = cluster.run(limit);
    let end = machine_api::check(&mut cluster, ran)?;
    sending.take().expect("the program is done")?;
    let bytes = receiving.take().expect("the program is done")?;
    told(count);
    Ok(Carried { bytes, end, fingerprint: cluster.fingerprint()? })
}

async fn send(mut port: Port, bytes: Vec<u8>) -> anyhow::Result<()> {
    port.open(CHANNEL, SESSION).await.context("opening the channel")?;
    let mut message =
        async |bytes: &[u8]| -> Result<(), SendError> { port.send(CHANNEL, NodeId(1), bytes).await };
    message(&(bytes.len() as u64).to_le_bytes()).await?;
    for part in bytes.chunks(MTU.into()) {
        message(part).await?;
    }
    Ok(())
}

async fn receive(mut port: Port) -> anyhow::Result<Vec<u8>> {
    port.open(CHANNEL, SESSION).await.context("opening the channel")?;
    let first = port.next(CHANNEL).await;
    let count = u64::from_le_bytes(first[..].try_into().context("a stream begins with its length")?);
    port.put_receive_buffer(first).await;
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < count {
        let part = port.next(CHANNEL).await;
        bytes.extend_from_slice(&part);
        port.put_receive_buffer(part).await;
    }
    Ok(bytes)
}
