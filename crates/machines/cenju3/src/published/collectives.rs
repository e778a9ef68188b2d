//! Figure 2: collectives by the number of processes, of which the paper prints shapes and no numbers.

use cluster::Duration;
use machine_api::{Carrier, CarrierChoice, Figure, Findings, Nics, Parallel, Series, axis, jobs};
use mpi::collective::{Algorithms, Broadcast, Collective, Gather};
use mpi::{Communicator, Options};

use super::curves::Variant;
use super::shapes;
use crate::cost::Costs;
use crate::{Cenju3, Cluster};

/// Numbers of processes, up to those of the test system.
const PROCESSES: [usize; 7] = [2, 4, 6, 8, 10, 12, 14];
/// Words of 4 bytes of the longest broadcast, and bytes that a scatter gives each process (section 5.2).
pub const WORDS: usize = 1_000;
pub const PART: usize = 1_280;
/// Calls in one measurement.
const CALLS: u32 = 4;
/// Limit of a measurement; none takes a tenth of it.
const LIMIT: Duration = Duration::from_us(10_000_000);

/// A collective call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Barrier,
    /// A broadcast of this number of words.
    Broadcast(usize),
    Scatter,
}

const ALL: [(Call, &str); 4] = [
    (Call::Barrier, "Barrier"),
    (Call::Broadcast(1), "Bcast, 1 word"),
    (Call::Broadcast(WORDS), "Bcast, 1000 words"),
    (Call::Scatter, "Scatter, 1280 B"),
];

impl Call {
    fn with(self, world: &Communicator) -> Collective {
        match self {
            Call::Barrier => Collective::Barrier,
            Call::Broadcast(words) => Collective::Broadcast { bytes: vec![7; 4 * words], root: 0.into() },
            Call::Scatter => {
                Collective::Scatter { bytes: vec![7; PART * world.size()], count: PART, root: 0.into() }
            }
        }
    }
}

/// Measures figure 2.
pub fn measure(nics: &(dyn Nics<Cenju3> + Sync), costs: Costs) -> anyhow::Result<Findings> {
    let points: Vec<_> =
        ALL.iter().flat_map(|(call, _)| PROCESSES.iter().map(|count| (*call, *count))).collect();
    let times = jobs::run(&points, &|| (), |&(call, count)| time(nics, costs, call, count))?;
    let series: Vec<Series> = ALL
        .iter()
        .zip(times.chunks(PROCESSES.len()))
        .map(|((_, name), times)| Series {
            name: name.to_string(),
            points: PROCESSES.iter().map(|count| *count as f64).zip(times.iter().copied()).collect(),
        })
        .collect();
    let mut all = Findings::default();
    all.shape(&shapes::BARRIER, &[&series[0]]);
    all.shape(&shapes::BROADCAST, &[&series[2]]);
    all.shape(&shapes::SCATTER, &[&series[3]]);
    all.figures.push(Figure::new("2", "Collectives of MPI/DE", ["processes", axis::TIME], series));
    Ok(all)
}

/// Microseconds of a call, until the last process has returned.
fn time(nics: &dyn Nics<Cenju3>, costs: Costs, call: Call, processes: usize) -> anyhow::Result<f64> {
    let settings = Variant::Event.settings(costs);
    let mut cluster = Cluster::with_switch(nics.open(processes)?, &settings);
    let carrier: &'static Carrier<Cenju3> = &Cenju3::CARRIERS[0];
    let way = CarrierChoice { wait: settings.wait, ..CarrierChoice::over(carrier) };
    let algorithms = Algorithms {
        broadcast: Some(Broadcast::Binomial),
        gather: Some(Gather::Linear),
        ..Algorithms::default()
    };
    let options = Options { algorithms, ..Options::default() };
    let ends: Vec<_> = (0..processes)
        .map(|node| {
            Cenju3::spawn_rank(
                &mut cluster,
                node,
                "collective",
                way,
                options.clone(),
                move |world, _| async move {
                    world.call(Collective::Barrier).await?;
                    let mut all = Duration::ZERO;
                    for _ in 0..CALLS {
                        let begin = world.now();
                        world.call(call.with(&world)).await?;
                        all = all + (world.now() - begin);
                        // No process begins the next call before all have ended this one.
                        world.call(Collective::Barrier).await?;
                    }
                    world.finalize().await?;
                    anyhow::Ok(all)
                },
            )
        })
        .collect();
    let ran = cluster.run(LIMIT);
    machine_api::check(&mut cluster, ran)?;
    let mut longest = Duration::ZERO;
    for end in ends {
        longest = longest.max(end.take().expect("the program is done")?);
    }
    Ok(longest.ps() as f64 / 1e6 / f64::from(CALLS))
}
