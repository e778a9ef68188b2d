//! Cost of the progress thread (paper, section 6.2.3): a ping-pong that lasts longer than the thread's period, with and
//! without the thread.

use cluster::Duration;
use machine_api::{Nics, jobs};

use super::curves::Variant;
use crate::cost::Costs;
use crate::paths::turns;
use crate::settings::PROGRESS;
use crate::work::half_us;
use crate::{Cenju3, Cluster, Settings};

/// Round trips of 90 us each way: longer than a period, shorter than two.
const ROUNDS: usize = 6_000;
/// Bytes of a message.
const BYTES: usize = 8;

/// Latency with a progress thread over latency without.
pub fn times(nics: &(dyn Nics<Cenju3> + Sync), costs: Costs) -> anyhow::Result<f64> {
    let half = |progress: Option<Duration>| {
        let settings = Settings { progress, ..Variant::Event.settings(costs) };
        let mut cluster = Cluster::with_switch(nics.open(2)?, &settings);
        anyhow::Ok(half_us(&turns(&mut cluster, settings, BYTES, ROUNDS, Duration::ZERO)?))
    };
    let halves = jobs::run(&[Some(PROGRESS), None], &|| (), |progress| half(*progress))?;
    Ok(halves[0] / halves[1])
}
