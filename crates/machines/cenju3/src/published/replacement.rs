//! What a unit costs to send out of the cache (paper, section 6.3): by the kernel call, which flushes it, over the task's own reads one cache further.

use cenju3::memory_map::Kind;
use cluster::Duration;
use lab::{Nics, jobs};

use super::curves::Variant;
use crate::cost::Costs;
use crate::deen::Sending;
use crate::{Cenju3, Cluster, layout};

/// Virtual time that the program does not take.
const LIMIT: Duration = Duration::from_us(10_000);

/// The start of a unit that the task has just written, old ROM over new.
pub fn times(nics: &(dyn Nics<Cenju3> + Sync), costs: Costs) -> anyhow::Result<f64> {
    let starts =
        jobs::run(&[Variant::Poll, Variant::NewPoll], &|| (), |variant| start(nics, *variant, costs))?;
    Ok(starts[0].ps() as f64 / starts[1].ps() as f64)
}

/// How long a start takes the task, from the last word that it has written.
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
