//! Published results of similar adapters, measured again, and curves by size.

mod fagus;
mod page;
mod shapes;
mod synthesis;
mod table;

use cluster::host::Computer;
use cluster::{Duration, Machine};
use hca::layout::mtu_bytes;
use machine_api::{
    Choice, Conditions, Evaluated, Figure, Findings, Fitted, Nics, Publication, Request, Row, Series,
    Synthesis, Synthesized, axis, jobs,
};

use crate::bus::MEMORY_BYTES;
use crate::cost::Costs;
use crate::port::{LONGEST_DATAGRAM, Service};
use crate::programs::{half_us, stream, turns};
use crate::settings::Bus;
use crate::verbs::Verbs;
use crate::{Cluster, Hca, Settings};

/// The anchor, and the paper on Fagus.
const PAPER: Publication = Publication {
    rows: table::TABLE,
    figures: &["1", "2"],
    causes: page::CAUSES,
    calibrations: &[("latency", &["C1"])],
    history: &[],
    begin: page::BEGIN,
    story: page::STORY,
    drawn: "Nothing is published to set beside the curves. Each figure is there as SVG and CSV.",
    clusters: 60,
};

/// A published number with our measurement.
pub(crate) fn row(id: &str, measured: f64) -> Row {
    PAPER.row(id, measured)
}

/// Bytes of a small message.
pub(crate) const SHORT: usize = 4;
/// Bytes of the anchor's long message.
const LONG: usize = 64 << 10;
/// Messages of a stream: rings are full most of the time.
const STREAM: usize = 100;

/// Sizes of round trips, up to the longest datagram, and of streams.
const LATENCIES: [usize; 6] = [4, 64, 256, 512, 1_024, LONGEST_DATAGRAM];
const STREAMS: [usize; 9] = [4, 64, 256, 1_024, 2_048, 4_096, 8_192, 16_384, LONG];

impl Synthesized for Hca {
    const SYNTHESIS: Synthesis = synthesis::SYNTHESIS;
}

impl Evaluated for Hca {
    type Costs = Costs;

    const PUBLICATION: Publication = PAPER;
    const COMPUTER: Computer = machine_api::PENTIUM_4_2600;
    const CHOICES: &'static [Choice] = &[];

    fn set_costs(settings: &mut Settings, costs: Costs) {
        settings.costs = costs;
    }

    fn measure(
        nics: &(dyn Nics<Self> + Sync),
        conditions: &Conditions<Costs>,
        request: Request<'_>,
    ) -> anyhow::Result<Findings> {
        let settings = Settings { costs: conditions.costs, ..nics.settings() };
        let mut all = Findings { rows: sizes(), ..Findings::default() };
        if request.wants("anchor") {
            let long = rate(nics, settings, LONG)? * (8 * LONG) as f64 / 1e3;
            all.rows.extend([
                row("C1", half_trip(nics, settings, Service::Connection, SHORT)?),
                row("C2", long),
                row("C3", rate(nics, settings, SHORT)? * 1e3),
            ]);
        }
        all.add(fagus::measure(nics, settings, &request)?);
        if !request.brief && request.wants("1") {
            all.figures.push(latency(nics, settings)?);
        }
        if !request.brief && request.wants("2") {
            all.figures.push(throughput(nics, settings)?);
        }
        Ok(all)
    }

    fn fitted() -> Vec<Fitted> {
        Vec::new()
    }
}

/// Rows about sizes of the adapter.
fn sizes() -> Vec<Row> {
    let mtu = Verbs::new(0, 2).attributes(0).mtu;
    // 8b/10b has ten signals for eight bits.
    let signals = Hca::LINK.unit.ps() as f64 / 10.0;
    let rate = 8.0 * 1e3 / signals;
    vec![
        row("F8", rate / 4.0),
        row("F9", rate),
        row("F10", mtu_bytes(mtu).into()),
        row("F10h", ::fagus::reassembly::HEADER as f64),
        row("F10p", ::fagus::reassembly::PAYLOAD as f64),
        row("F11", f64::from(MEMORY_BYTES >> 20)),
    ]
}

/// Half a round trip in microseconds.
fn half_trip(
    nics: &dyn Nics<Hca>,
    settings: Settings,
    service: Service,
    bytes: usize,
) -> anyhow::Result<f64> {
    let mut cluster = Cluster::with_switch(nics.open(2)?, &settings);
    Ok(half_us(&turns(&mut cluster, service, bytes, 10, Duration::ZERO)?))
}

/// Messages of one connection per microsecond.
fn rate(nics: &dyn Nics<Hca>, settings: Settings, bytes: usize) -> anyhow::Result<f64> {
    let time = stream(nics, settings, bytes, STREAM)?;
    Ok(STREAM as f64 * 1e6 / time.ps() as f64)
}

fn latency(nics: &(dyn Nics<Hca> + Sync), settings: Settings) -> anyhow::Result<Figure> {
    let services = [Service::Connection, Service::Datagram];
    let points: Vec<_> =
        services.iter().flat_map(|service| LATENCIES.iter().map(|bytes| (*service, *bytes))).collect();
    let times = jobs::run(&points, &|| (), |&(service, bytes)| half_trip(nics, settings, service, bytes))?;
    let series = ["connection", "datagram"].into_iter().zip(times.chunks(LATENCIES.len()));
    let series = series.map(|(name, times)| curve(name, &LATENCIES, times.iter().copied())).collect();
    Ok(Figure::new("1", "Half a round trip of a SEND", [axis::MESSAGE, axis::TIME], series).logarithmic())
}

fn throughput(nics: &(dyn Nics<Hca> + Sync), settings: Settings) -> anyhow::Result<Figure> {
    let points: Vec<_> = Bus::ALL.iter().flat_map(|bus| STREAMS.iter().map(|bytes| (*bus, *bytes))).collect();
    let rates = jobs::run(&points, &|| (), |&(bus, bytes)| rate(nics, Settings { bus, ..settings }, bytes))?;
    let series = Bus::ALL.into_iter().zip(rates.chunks(STREAMS.len()));
    let megabytes = |rates: &[f64]| -> Vec<f64> {
        rates.iter().zip(STREAMS).map(|(rate, bytes)| rate * bytes as f64).collect()
    };
    let series =
        series.map(|(bus, rates)| curve(bus.name(), &STREAMS, megabytes(rates).into_iter())).collect();
    Ok(Figure::new("2", "Throughput of one connection", [axis::MESSAGE, axis::THROUGHPUT], series)
        .logarithmic())
}

fn curve(name: &str, sizes: &[usize], values: impl Iterator<Item = f64>) -> Series {
    Series { name: name.to_string(), points: sizes.iter().map(|size| *size as f64).zip(values).collect() }
}
