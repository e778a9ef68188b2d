//! The main job: repeated SENDs of a connection from host 0 to host 1 and back, and the same with datagrams; also byte
//! streams.

use std::ops::RangeInclusive;

use cluster::Duration;
use machine_api::{
    Account, Carried, FrameFormat, Frames, HostLibrary, Job, Nics, Program, WAYS, Working, observed_pair,
};

use crate::Hca;
use crate::paths::round_trip;
use crate::port::{LONGEST_DATAGRAM, Service};
use crate::programs::{carry, half_us, turns};
use crate::published::{SHORT, row};
use crate::word::packet_bytes;

/// Round trips; the first one does not count.
const ROUNDS: usize = 10;
/// Round trips before the one that is explained.
const FEWEST: usize = 2;

impl Working for Hca {
    const JOB: &'static str = "message";
    const BYTES: RangeInclusive<usize> = 1..=LONGEST_DATAGRAM;
    const SHORT: usize = SHORT;
    const SEEDED: bool = false;
    const PROGRAMS: &'static [Program<Self>] = &[];
    const LIBRARY: Option<HostLibrary<Self>> = Some(HostLibrary {
        name: "verbs",
        set: |settings, cost| settings.verbs_library = cost,
        spent: Some(|side| side.verbs_library().spent()),
    });
    const FRAMES: Option<Frames<Self>> =
        Some(Frames { format: FrameFormat::InfiniBand, bytes: packet_bytes });

    fn work(job: &Job, nics: &dyn Nics<Self>) -> anyhow::Result<Account<Self>> {
        let settings = nics.settings();
        let rounds = if job.brief { FEWEST } else { ROUNDS };
        let mut cluster = observed_pair(nics, &nics.settings())?;
        if job.capture {
            cluster.capture();
        }
        let connection = turns(&mut cluster, Service::Connection, job.bytes, rounds, Duration::ZERO)?;
        let line = round_trip(&cluster, &connection)?;
        let half = half_us(&connection);
        let mut means = vec![(format!("connection: mean of half of {} round trips", rounds - 1), half)];
        if !job.brief {
            let mut other = crate::Cluster::with_switch(nics.open(2)?, &settings);
            let datagrams = turns(&mut other, Service::Datagram, job.bytes, rounds, Duration::ZERO)?;
            means.push((
                format!("datagrams: mean of half of {} round trips", rounds - 1),
                half_us(&datagrams),
            ));
        }
        let from = line.begin();
        let captured = cluster.take_captured();
        Ok(Account {
            about: format!(
                "SEND of {} bytes by a reliable connection, host 0 to host 1 and back, {}",
                job.bytes,
                settings.bus.name()
            ),
            line,
            ways: WAYS,
            means,
            rows: if job.bytes == SHORT { vec![row("C1", half)] } else { vec![] },
            captured,
            from,
            end: cluster.now(),
            fingerprint: cluster.fingerprint()?,
        })
    }

    fn carry(bytes: Vec<u8>, nics: &dyn Nics<Self>, told: &dyn Fn(u64)) -> anyhow::Result<Carried> {
        let count = bytes.len() as u64;
        let (bytes, end, fingerprint) = carry(bytes, nics)?;
        told(count);
        Ok(Carried { bytes, end, fingerprint })
    }
}
