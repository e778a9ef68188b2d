//! The main job: repeated messages of MPI/DE from PE 0 to PE 1 and back; also byte streams.

use std::ops::RangeInclusive;

use anyhow::Context;
use cluster::{Duration, Time};
use machine_api::{
    Account, Carried, CarrierChoice, Frames, HostLibrary, Job, Nics, Parallel, Program, WAYS, Working,
    observed_pair,
};
use mpi::Options;
use mpi::{Source, Tag};

use crate::paths::{round_trip, turns};
use crate::published::latency_row;
use crate::settings::PROTOCOL_SWITCH;
use crate::{Cenju3, Cluster};

/// Round trips. The other PE is not ready yet in the first one.
const ROUNDS: usize = 10;
/// Round trips before the one that is explained.
const FEWEST: usize = 2;

impl Working for Cenju3 {
    const JOB: &'static str = "message";
    const BYTES: RangeInclusive<usize> = 1..=PROTOCOL_SWITCH - 1;
    const SHORT: usize = 8;
    const SEEDED: bool = false;
    const PROGRAMS: &'static [Program<Self>] = &[];
    const LIBRARY: Option<HostLibrary<Self>> =
        Some(HostLibrary { name: "MPI", set: |settings, cost| settings.library = cost, spent: None });
    const FRAMES: Option<Frames<Self>> = None;

    fn work(job: &Job, nics: &dyn Nics<Self>) -> anyhow::Result<Account<Self>> {
        let settings = nics.settings();
        let rounds = if job.brief { FEWEST } else { ROUNDS };
        let mut cluster = observed_pair(nics, &nics.settings())?;
        if job.capture {
            cluster.capture();
        }
        let turns = turns(&mut cluster, settings, job.bytes, rounds, Duration::ZERO)?;
        let line = round_trip(&cluster, &turns, job.bytes)?;
        let half = half_us(&turns);
        let from = line.begin();
        let captured = cluster.take_captured();
        Ok(Account {
            about: format!("{} bytes by MPI/DE, PE 0 to PE 1 and back, {}", job.bytes, settings.says()),
            line,
            ways: WAYS,
            means: vec![(format!("mean of half of {} round trips", rounds - 1), half)],
            rows: if job.bytes == 8 { latency_row(&settings, half).into_iter().collect() } else { vec![] },
            captured,
            from,
            end: cluster.now(),
            fingerprint: cluster.fingerprint()?,
        })
    }

    fn carry(bytes: Vec<u8>, nics: &dyn Nics<Self>, told: &dyn Fn(u64)) -> anyhow::Result<Carried> {
        carry(bytes, nics, told)
    }
}

/// Microseconds of half a round trip, without the first one.
pub(crate) fn half_us(turns: &[mpi::programs::Turn]) -> f64 {
    let turns = &turns[1..];
    let all: Duration = turns.iter().map(|turn| turn.end - turn.begin).sum();
    all.ps() as f64 / 1e6 / turns.len() as f64 / 2.0
}

/// Bytes of a stream in one message: the paper's throughput is highest near this size (section 5.1).
const PART: usize = 256 << 10;

/// Limit of virtual time for a byte of a stream: a thousand times what it takes.
const LIMIT_PER_BYTE: Duration = Duration::from_us(60);
/// Limit of virtual time for the shortest stream.
const SHORTEST: Duration = Duration::from_us(100_000);

/// Sends bytes in messages of MPI: their number, then all of them.
fn carry(bytes: Vec<u8>, nics: &dyn Nics<Cenju3>, told: &dyn Fn(u64)) -> anyhow::Result<Carried> {
    let settings = nics.settings();
    let mut cluster = Cluster::with_switch(nics.open(2)?, &settings);
    let way = CarrierChoice { wait: settings.wait, ..CarrierChoice::over(&Cenju3::CARRIERS[0]) };
    let count = bytes.len() as u64;
    let sending =
        Cenju3::spawn_rank(&mut cluster, 0, "send", way, Options::default(), move |world, _| async move {
            world.send(1, 0, &(bytes.len() as u64).to_le_bytes()).await?;
            for part in bytes.chunks(PART) {
                world.send(1, 0, part).await?;
            }
            anyhow::Ok(world.finalize().await?)
        });
    let receiving =
        Cenju3::spawn_rank(&mut cluster, 1, "receive", way, Options::default(), |world, _| async move {
            let from = Source::Rank(0);
            let first = world.receive(from, Tag::Is(0), 8).await?.bytes;
            let count = u64::from_le_bytes(first[..].try_into().context("a stream begins with its length")?);
            let mut bytes = Vec::new();
            while (bytes.len() as u64) < count {
                bytes.extend(world.receive(from, Tag::Is(0), PART).await?.bytes);
            }
            world.finalize().await?;
            anyhow::Ok(bytes)
        });
    let limit = SHORTEST + Duration::from_ps(LIMIT_PER_BYTE.ps() * count);
    let ran = cluster.run(limit);
    let end: Time = machine_api::check(&mut cluster, ran)?;
    sending.take().expect("the program is done")?;
    let bytes = receiving.take().expect("the program is done")?;
    told(count);
    Ok(Carried { bytes, end, fingerprint: cluster.fingerprint()? })
}
