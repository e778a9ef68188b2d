//! TCP/IP over the card: round trips and bandwidth with both firmwares, memory of its buffers, and faulty links.

use cluster::{Duration, Rates};
use machine_api::{Findings, Row, Series, Table, jobs};

use super::{SIZES, Source, row, shapes};
use crate::measure::{self, WARM_UP, period};
use crate::tcp::{BUFFER_BYTES, CONTROL_BYTES, measure as tcp};
use crate::{Cluster, Settings};

/// Messages of a stream after those that open its windows, and of each stream over a faulty link. A bandwidth includes
/// the latency of its last message, so their number matters for short messages.
const STREAM: u32 = 1_500;
const OPENING: u32 = 200;
const BAD_WIRE: u32 = 100;

/// The paper's curves of TCP/IP end at 1,280 bytes. The rest of a message that is longer than a packet waits for the
/// ACK of the first packet (Nagle's algorithm), which is delayed.
fn sizes() -> impl Iterator<Item = usize> {
    SIZES.into_iter().filter(|&size| size <= BYTES)
}

/// Sizes that rows and shapes need.
const BRIEF: [usize; 4] = [4, 256, 512, BYTES];

/// Bytes of a message over a faulty link: those of the published bandwidth (E5).
const BYTES: usize = 1_280;

/// The two firmwares, with their names in legends.
fn firmwares(own: &Settings) -> [(&'static str, Settings); 2] {
    [("TCP/IP, GigaE PM firmware", *own), ("TCP/IP, Essential firmware", own.essential())]
}

/// Quantity of a curve.
#[derive(Clone, Copy)]
enum Quantity {
    RoundTrip,
    Bandwidth,
}

/// Curves of bandwidth and of round trips, each for both firmwares, all through the switch.
pub struct Curves {
    pub bandwidth: [Series; 2],
    pub round_trip: [Series; 2],
}

impl Curves {
    pub fn measure(nics: Source<'_>, own: &Settings, brief: bool) -> anyhow::Result<Self> {
        let sizes = || sizes().filter(|size| !brief || BRIEF.contains(size));
        let firmwares = || firmwares(own);
        let mut points = Vec::new();
        for quantity in [Quantity::Bandwidth, Quantity::RoundTrip] {
            for (_, settings) in firmwares() {
                points.extend(sizes().map(|size| (quantity, settings, size)));
            }
        }
        let values = jobs::run(&points, &|| (), |&(quantity, settings, size)| {
            let mut cluster = switched(nics, &settings)?;
            Ok(match quantity {
                Quantity::RoundTrip => period(&tcp::round_trips(&mut cluster, size, WARM_UP as u32 + 10)?),
                Quantity::Bandwidth => rate(size, STREAM, tcp::stream(&mut cluster, size, OPENING, STREAM)?),
            })
        })?;
        let mut curves = values.chunks(sizes().count()).map(|values| {
            let points = sizes().zip(values);
            points.map(|(size, &value)| (size as f64, value)).collect()
        });
        let mut both = || {
            firmwares().map(|(name, _)| Series {
                name: name.into(),
                points: curves.next().expect("a curve for each firmware"),
            })
        };
        Ok(Curves { bandwidth: both(), round_trip: both() })
    }

    pub fn rows(&self) -> Vec<Row> {
        let at = |series: &Series, size| series.at(size).expect("it is one of the sizes");
        let [_, essential] = &self.bandwidth;
        let [own, delayed] = &self.round_trip;
        vec![
            row("E5", at(essential, BYTES as f64)),
            row("E6", at(delayed, 4.0)),
            row("E7", at(own, 4.0)),
            row("E8", delayed.points.iter().map(|point| point.1).sum::<f64>() / delayed.points.len() as f64),
        ]
    }

    /// Judges the shapes of the curves, compared with PM's bandwidth.
    pub fn shapes(&self, pm: &Series, all: &mut Findings) {
        let [own, essential] = &self.bandwidth;
        let [_, delayed] = &self.round_trip;
        all.shape(&shapes::SHORT_TCP, &[own, essential]);
        all.shape(&shapes::LONG_TCP, &[own, essential]);
        all.shape(&shapes::ABOVE_TCP, &[pm, own, essential]);
        all.shape(&shapes::DELAYED, &[delayed]);
    }
}

/// Bytes of its buffers and control structures on a node of a thousand (table 3).
pub fn memory() -> [Row; 4] {
    let kb = |bytes: usize| 999.0 * bytes as f64 / 1024.0;
    [
        row("E32", kb(BUFFER_BYTES)),
        row("E33", kb(BUFFER_BYTES)),
        row("E34", kb(CONTROL_BYTES)),
        row("E42", 2.0 * kb(BUFFER_BYTES) / 1024.0),
    ]
}

/// PM and TCP/IP over the same faulty links.
pub fn bad_wires(nics: Source<'_>, settings: &Settings) -> anyhow::Result<Table> {
    let none = Rates::default();
    let wires = [
        ("nothing", none),
        ("1 % of the frames are lost", Rates { loss: 10_000, ..none }),
        ("10 % are lost", Rates { loss: 100_000, ..none }),
        ("10 % arrive twice", Rates { duplication: 100_000, ..none }),
        ("10 % arrive behind the next", Rates { reordering: 100_000, ..none }),
    ];
    let lines = jobs::run(&wires, &|| (), |&(what, faults)| {
        let cluster = || {
            let mut cluster = switched(nics, settings)?;
            cluster.set_faults(faults, 1);
            anyhow::Ok(cluster)
        };
        let turns = measure::stream(&mut cluster()?, BYTES, BAD_WIRE)?;
        let pm = turns[turns.len() - 1] - turns[0];
        let tcp = tcp::stream(&mut cluster()?, BYTES, 0, BAD_WIRE)?;
        let rates = [rate(BYTES, BAD_WIRE - 1, pm), rate(BYTES, BAD_WIRE, tcp)];
        Ok([what.to_string()].into_iter().chain(rates.map(|rate| format!("{rate:.2}"))).collect())
    })?;
    Ok(Table {
        title: "Bad wires",
        text: "MByte/s of messages of 1,280 bytes through the switch, over wires from the hosts with the same seed. The\n\
               firmware of GigaE PM sends again after 1 ms, TCP/IP after 200 ms unless later packets tell it earlier.",
        heads: vec!["What befalls frames", "PM", "TCP/IP"],
        lines,
    })
}

fn switched(nics: Source<'_>, settings: &Settings) -> anyhow::Result<Cluster> {
    super::cluster(nics, true, settings)
}

/// Throughput in MByte/s.
fn rate(size: usize, count: u32, time: Duration) -> f64 {
    size as f64 * f64::from(count) / (time.ps() as f64 / 1e6)
}
