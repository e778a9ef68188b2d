//! The published results of the paper, measured again: times and bandwidth of PM and of TCP/IP over the same card,
//! tables 1 and 3, and benchmarks by MPI.

mod choices;
mod nas;
mod page;
pub(crate) mod paper;
mod shapes;
mod synthesis;
mod table;
mod tcp;

use cluster::Duration;
use cluster::host::Computer;
use gigae_pm::memory_map::{MTU, OTHER, RECEIVE_AREA_BYTES, SEND_AREA_BYTES};
use gigae_pm::pci_dma::{FROM_HOST_CYCLES, TO_HOST_CYCLES};
use gigae_pm::protocol::Control;
use hdl::Bits;
use machine_api::{
    Conditions, Evaluated, Figure, Findings, Fitted, FittedKind, Job, Nics, Publication, Request, Row,
    Series, Synthesis, Synthesized, axis,
};
use pm::Channel;

use crate::cost::{self, Costs};
use crate::measure::{self, WARM_UP, period};
use crate::work::work;
use crate::{BusHost, Cluster, GigaePm, Programs, Settings};
use FittedKind::{Choice, Constant};
use paper::{PAPER, row};
use tcp::Curves;

/// Source of cards.
pub type Source<'a> = &'a (dyn Nics<GigaePm> + Sync);

/// Constants of card and kernel that are fitted to published measurements, besides the costs of the host.
const FITTED: [(FittedKind, &str, &[&str], &str); 5] = [
    (
        Constant,
        "cycles in which the firmware looks at a frame or a descriptor",
        &["E1", "E4"],
        "decision 0033",
    ),
    (Constant, "cycles in which the firmware does a step", &["E1", "E4"], "decision 0033"),
    (
        Constant,
        "bytes that TCP/IP keeps to send",
        &["E5"],
        "32 KB; with 64 KB a burst overflows the card's ring",
    ),
    (Constant, "bytes of control structures of a connection", &["E34"], "table 3"),
    (
        Choice,
        "the timer of the Essential firmware runs from the last interrupt",
        &["E8"],
        "one of three forms, decision 0037",
    ),
];

/// Sizes of the curves; the paper does not print those of its figures.
const SIZES: [usize; 14] = [4, 8, 16, 32, 64, 128, 256, 384, 512, 640, 768, 1024, 1280, 1468];

/// Those of them that rows and shapes need.
const BRIEF: [usize; 5] = [4, 256, 512, 1280, 1468];

/// Sections with table 1 and numbers that follow from it.
const ACCESSES: [&str; 4] = ["table 1", "section 4.3.1", "section 4.3.2", "section 4.3.3"];
/// Figures with curves, and sections with numbers on them.
const CURVES: [&str; 5] = ["2", "3", "section 5.1", "section 5.2", "section 6"];

impl Synthesized for GigaePm {
    const SYNTHESIS: Synthesis = synthesis::SYNTHESIS;
}

impl Evaluated for GigaePm {
    type Costs = Costs;

    const PUBLICATION: Publication = PAPER;
    const COMPUTER: Computer = machine_api::PENTIUM_2_400;
    const CHOICES: &'static [machine_api::Choice] = choices::CHOICES;

    fn set_costs(settings: &mut Settings, costs: Costs) {
        settings.costs = costs;
    }

    fn measure(
        nics: Source<'_>,
        conditions: &Conditions<Costs>,
        request: Request<'_>,
    ) -> anyhow::Result<Findings> {
        let bench =
            Bench { nics, settings: Settings { costs: conditions.costs, ..Settings::default() }, request };
        let any = |figures: &[&str]| figures.iter().any(|figure| request.wants(figure));
        let mut all = Findings { rows: arithmetic(&conditions.costs), ..Findings::default() };
        all.rows.extend(tcp::memory());
        if any(&ACCESSES) || any(&CURVES) {
            all.rows.extend(accesses(&bench)?);
            all.rows.extend(message(&bench)?);
        }
        if any(&CURVES) {
            all.add(curves(&bench)?);
        }
        all.add(nas::measure(&bench, conditions)?);
        if CURVES.iter().all(|figure| request.wants(figure)) && !request.brief {
            all.tables.push(tcp::bad_wires(nics, &bench.settings)?);
        }
        Ok(all)
    }

    fn fitted() -> Vec<Fitted> {
        FITTED
            .map(|(kind, name, to, source)| Fitted { kind, name, duration_ps: None, to: to.to_vec(), source })
            .into()
    }
}

/// Cards, and the settings of their hosts.
struct Bench<'a> {
    nics: Source<'a>,
    settings: Settings,
    request: Request<'a>,
}

/// Rows from a round trip of the shortest message.
fn message(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let job = Job { bytes: 4, seed: 0, capture: false, brief: false };
    let account = work(&job, bench.nics, &bench.settings)?;
    let us = |duration: Duration| duration.ps() as f64 / 1e6;
    let mut calls = account.line.stages.iter().filter(|stage| stage.name == "sc2");
    let [there, back] = [calls.next(), calls.next()].map(|call| call.map_or(0.0, |call| us(call.duration)));
    let direct = account.rows[0].measured;
    let mut rows = account.rows;
    let both = there + back;
    rows.extend([row("E24", there), row("E37", both), row("E37p", 100.0 * both / direct)]);
    Ok(rows)
}

/// Figures 2 and 3, and the numbers on them.
fn curves(bench: &Bench<'_>) -> anyhow::Result<Findings> {
    let [direct, switched] = [false, true].map(|switch| curve(bench, switch, round_trip_us));
    let [bandwidth, through] = [false, true].map(|switch| curve(bench, switch, bandwidth));
    let [direct, switched, bandwidth, through] = [direct?, switched?, bandwidth?, through?];
    let tcp = Curves::measure(bench.nics, &bench.settings, bench.request.brief)?;
    let mut rows = tcp.rows();
    rows.push(row("E4", through.peak()));

    let mut all = Findings { rows, ..Findings::default() };
    all.shape(&shapes::RISES, &[&through]);
    all.shape(&shapes::SWITCH, &[&through, &bandwidth]);
    all.shape(&shapes::ROUND_TRIP, &[&direct, &switched]);
    tcp.shapes(&through, &mut all);
    let Curves { bandwidth: tcp_bandwidth, round_trip: tcp_round_trip } = tcp;
    let mut figure_2 = Figure::new(
        "2",
        "PM and TCP/IP over GigaE PM, bandwidth",
        [axis::MESSAGE, axis::THROUGHPUT],
        [bandwidth, through].into_iter().chain(tcp_bandwidth).collect(),
    );
    figure_2.point(1, 1468.0, 56.7);
    figure_2.point(3, 1280.0, 33.0);
    let mut figure_3 = Figure::new(
        "3",
        "PM and TCP/IP over GigaE PM, round trip",
        [axis::MESSAGE, axis::TIME],
        [direct, switched].into_iter().chain(tcp_round_trip).collect(),
    );
    figure_3.point(0, 4.0, 48.3);
    figure_3.point(1, 4.0, 58.3);
    figure_3.point(2, 4.0, 131.4);
    figure_3.point(3, 4.0, 414.0);
    figure_3.level(3, 400.0);
    all.figures = vec![figure_2, figure_3];
    Ok(all)
}

/// Rows that are arithmetic with the costs of accesses, or sizes.
fn arithmetic(costs: &Costs) -> Vec<Row> {
    let us = |duration: Duration| duration.ps() as f64 / 1e6;
    let kb = |bytes: u32| f64::from(bytes) / 1024.0;
    let dma = |cycles: u8, words: u16| us(cost::BUS_CYCLE * (u64::from(cycles) + u64::from(words)));
    let words = MTU.div_ceil(4);
    vec![
        row("E15", us(costs.copy)),
        row("E18", dma(FROM_HOST_CYCLES, 1)),
        row("E18n", dma(FROM_HOST_CYCLES, words)),
        row("E19", dma(TO_HOST_CYCLES, 1)),
        row("E19n", dma(TO_HOST_CYCLES, words)),
        row("E20", us(costs.interrupt)),
        row("E21", us(costs.system_call)),
        row("E22", dma(FROM_HOST_CYCLES, 3)),
        row("E26", dma(FROM_HOST_CYCLES, 1)),
        row("E27", dma(TO_HOST_CYCLES, 1)),
        row("E29", us(costs.interrupt + costs.read)),
        row("E30", MTU.into()),
        row("E31", Channel::COUNT as f64),
        row("E35s", kb(SEND_AREA_BYTES * u32::from(OTHER))),
        row("E35r", kb(RECEIVE_AREA_BYTES * u32::from(OTHER))),
        row("E36", kb(1000 * Control::WIDTH / 8)),
    ]
}

/// Rows that a program on the host measures.
fn accesses(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    const WORDS: u64 = 100;
    let mut cluster = cluster(bench.nics, false, &bench.settings)?;
    let program = cluster.spawn_kernel(0, "table 1", |host: BusHost, _| async move {
        let now = || host.processor().now();
        let begin = now();
        for _ in 0..WORDS {
            host.write(0, 0).await;
        }
        let written = now();
        for _ in 0..WORDS {
            host.read_window(0).await;
        }
        [written - begin, now() - written].map(|duration| duration.ps() as f64 / 1e6 / WORDS as f64)
    });
    let ran = cluster.run(Duration::from_us(1_000));
    machine_api::check(&mut cluster, ran)?;
    let [write, read] = program.take().expect("the program is done");
    Ok(vec![
        row("E16", write),
        row("E17", read),
        row("E23", 3.0 * write),
        row("E25", write),
        row("E28", read),
    ])
}

fn cluster(nics: Source<'_>, switch: bool, settings: &Settings) -> anyhow::Result<Cluster> {
    let cards = machine_api::two(nics)?;
    Ok(if switch {
        Cluster::with_switch(cards.into(), settings)
    } else {
        Cluster::back_to_back(cards, settings)
    })
}

/// A curve by size.
fn curve(
    bench: &Bench<'_>,
    switch: bool,
    value: fn(&mut Cluster, usize) -> anyhow::Result<f64>,
) -> anyhow::Result<Series> {
    let point = |size| Ok((size as f64, value(&mut cluster(bench.nics, switch, &bench.settings)?, size)?));
    let sizes = SIZES.into_iter().filter(|size| !bench.request.brief || BRIEF.contains(size));
    let points = sizes.map(point).collect::<anyhow::Result<_>>()?;
    Ok(Series { name: if switch { "PM, through the switch" } else { "PM, one cable" }.into(), points })
}

fn round_trip_us(cluster: &mut Cluster, size: usize) -> anyhow::Result<f64> {
    Ok(period(&measure::round_trips(cluster, size, WARM_UP as u32 + 30)?))
}

fn bandwidth(cluster: &mut Cluster, size: usize) -> anyhow::Result<f64> {
    Ok(size as f64 / period(&measure::stream(cluster, size, WARM_UP as u32 + 80)?))
}
