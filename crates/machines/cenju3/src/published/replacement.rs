//! Cost of removing a unit from the cache before its transfer (paper, section 6.3): the kernel call that flushes it,
//! compared with the task's own reads one cache size further.

use cenju3::memory_map::Kind;
use cluster::Duration;
use machine_api::{Nics, jobs};

use super::curves::Variant;
use crate::cost::Costs;
use crate::deen::Sending;
use crate::{Cenju3, Cluster, layout};

/// Limit of virtual time; no program takes a tenth of it.
const LIMIT: Duration = Duration::from_us(10_000);

/// Start of a unit that the task has just written: time with the old ROM over time with the new one.
pub fn times(nics: &(dyn Nics<Cenju3> + Sync), costs: Costs) -> anyhow::Result<f64> {
    let starts =
        jobs::run(&[Variant::Poll, Variant::NewPoll], &|| (), |variant| start(nics, *variant, costs))?;
    Ok(starts[0].ps() as f64 / starts[1].ps() as f64)
}

/// Time of a start for the task, from the last word that it has written.
fn start(nics: &dyn Nics<Cenju3>, variant: Variant, costs: Costs) -> anyhow::Result<Duration> {
    let mut cluster = Cluster::with_switch(nics.open(2)?, &variant.settings(costs));
    let start = cluster.spawn(0, "starts", |port| async move {
        port.open(false).await;
        let unit = Sending {
            kind: Kind::Dma,
            pe: 1,
            source: layout::SEND,
            bytes: layout::UNIT,
            destination: layout::WINDOW,
            library: [0; 4],
            cached: true,
        };
        port.host().write(unit.source, &[1; layout::UNIT as usize]).await;
        let begin = port.host().processor().now();
        port.send(&unit).await.map(|_| port.host().processor().now() - begin)
    });
    cluster.run(LIMIT)?;
    Ok(start.take().expect("the program has ended")?)
}
