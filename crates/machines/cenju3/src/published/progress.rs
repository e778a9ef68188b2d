//! Row M14: what the progress thread adds to the latency of those who do not need it.

use cluster::Duration;
use lab::{Nics, jobs};

use super::SHORT;
use super::curves::Variant;
use crate::cost::Costs;
use crate::paths::turns;
use crate::settings::PROGRESS;
use crate::work::half_us;
use crate::{Cenju3, Cluster, Settings};

/// Round trips: at 180 us each the thread wakes twice at either end.
const ROUNDS: usize = 12_000;

/// How many times as long half a round trip takes with the thread, on average; by what was released, old ROM and `evc_wait`.
pub fn times(nics: &(dyn Nics<Cenju3> + Sync), costs: Costs) -> anyhow::Result<f64> {
    let all = jobs::run(&[None, Some(PROGRESS)], &|| (), |&progress| {
        let settings = Settings { progress, ..Variant::Event.settings(costs) };
        let mut cluster = Cluster::with_switch(nics.open(2)?, &settings);
        Ok(half_us(&turns(&mut cluster, settings, SHORT, ROUNDS, Duration::ZERO)?))
    })?;
    Ok(all[1] / all[0])
}
