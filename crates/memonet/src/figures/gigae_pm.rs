//! What the paper on GigaE PM published, and ours beside it: times and bandwidth of PM and of TCP/IP over the same card, tables 1 and 3.
//!
//! The NAS benchmarks (E9 to E14) need MPI, which is not modelled, so they have no rows.

mod tcp;

use std::fmt;
use std::path::Path;

use cluster::Duration;
use gigae_pm::memory_map::{MTU, OTHER, RECEIVE_AREA_BYTES, SEND_AREA_BYTES};
use gigae_pm::pci_dma::{FROM_HOST_CYCLES, TO_HOST_CYCLES};
use gigae_pm::protocol::Control;
use gigae_pm_machine::measure::{self, WARM_UP, period};
use gigae_pm_machine::{BusHost, Cluster, Programs, Settings, cost};
use hdl::Bits;
use pm::Channel;
use serde::Serialize;

use super::plot::{self, Figure, Series};
use super::published::{self, Class, Published, Row, row};
use super::{Args, Shape};
use crate::nic::Kind;
use crate::output::{self, Outcome};
use crate::round_trip;
use tcp::{BadWire, Curves};

use Class::{Computed, Exact, Fitted, Predicted};

/// All of them, in the order of the paper. A kilobyte of table 3 is 1,024 bytes.
const TABLE: &[Published] = &[
    row("E1", "section 5.2", Fitted, 48.3, "us", "round trip of 4 B, two hosts on one cable"),
    row("E2", "section 5.2", Fitted, 58.3, "us", "round trip of 4 B, through the switch"),
    row("E3", "section 5.2", Fitted, 5.0, "us", "switch, one way"),
    row("E4", "section 5.1", Fitted, 56.7, "MByte/s", "bandwidth of 1,468 B"),
    row("E5", "section 5.1", Fitted, 33.0, "MByte/s", "TCP/IP, Essential firmware: bandwidth of 1,280 B"),
    row("E6", "section 5.2", Fitted, 414.0, "us", "TCP/IP, Essential firmware: round trip of 4 B"),
    row("E7", "section 5.2", Fitted, 131.4, "us", "TCP/IP, GigaE PM firmware: round trip of 4 B"),
    row(
        "E8",
        "section 5.2",
        Predicted,
        400.0,
        "us",
        "TCP/IP, Essential firmware: round trip of any size, about",
    ),
    row("E15", "table 1", Fitted, 0.03, "us", "C1: copy of a word, host to host"),
    row("E16", "table 1", Fitted, 0.25, "us", "C2: copy of a word, host to NIC"),
    row("E17", "table 1", Fitted, 0.57, "us", "C3: copy of a word, NIC to host"),
    row("E18", "table 1", Fitted, 2.33, "us", "C4: DMA of a word, host to NIC"),
    row("E18n", "table 1", Fitted, 13.31, "us", "C4: DMA of 1,468 B, host to NIC"),
    row("E19", "table 1", Fitted, 2.03, "us", "C5: DMA of a word, NIC to host"),
    row("E19n", "table 1", Fitted, 13.01, "us", "C5: DMA of 1,468 B, NIC to host"),
    row("E20", "table 1", Fitted, 6.5, "us", "C6: interrupt"),
    row("E21", "table 1", Fitted, 1.0, "us", "C7: system call"),
    row("E22", "section 4.3.1", Computed, 2.39, "us", "descriptor in host memory, fetched by DMA"),
    row("E23", "section 4.3.1", Computed, 0.75, "us", "descriptor in NIC memory, written by the host"),
    row("E24", "section 4.3.2", Computed, 1.0, "us", "what the kernel adds to writing it"),
    row("E25", "section 4.3.3", Computed, 0.25, "us", "host writes a flag on the NIC"),
    row("E26", "section 4.3.3", Computed, 2.33, "us", "NIC polls a flag on the host"),
    row("E27", "section 4.3.3", Computed, 2.03, "us", "NIC writes a flag on the host"),
    row("E28", "section 4.3.3", Computed, 0.57, "us", "host polls a flag on the NIC"),
    row("E29", "section 4.3.3", Computed, 7.05, "us", "interrupt, and a word read (the sum is 7.07)"),
    row("E30", "section 4.4", Exact, 1468.0, "B", "longest message"),
    row("E31", "section 4.1", Exact, 4.0, "", "channels"),
    row(
        "E32",
        "table 3",
        Fitted,
        127_987.0,
        "KB",
        "TCP/IP: send buffers, 1,000 nodes (128 x 999 is 127,872)",
    ),
    row("E33", "table 3", Fitted, 127_987.0, "KB", "TCP/IP: receive buffers, 1,000 nodes (as above)"),
    row("E34", "table 3", Fitted, 274.0, "KB", "TCP/IP: control structures, 1,000 nodes"),
    row("E35s", "table 3", Exact, 120.0, "KB", "send buffers, any number of nodes"),
    row("E35r", "table 3", Exact, 128.0, "KB", "receive buffers, any number of nodes"),
    row("E36", "table 3", Computed, 23.0, "KB", "control structures, 1,000 nodes"),
    row("E37", "section 6", Computed, 2.0, "us", "system calls in a round trip"),
    row("E37p", "section 6", Predicted, 4.1, "%", "of it"),
];

/// What was published under that name, and ours.
pub fn compare(id: &str, measured: f64) -> Row {
    let published = TABLE.iter().find(|row| row.id == id);
    Row::of(published.unwrap_or_else(|| panic!("nothing is published under {id}")), measured)
}

#[derive(Serialize)]
struct Report {
    nic: Kind,
    rows: Vec<Row>,
    shapes: Vec<Shape>,
    figures: Vec<Figure>,
    bad_wires: Vec<BadWire>,
    /// Constants that were chosen by measurements of PM, and by which.
    fitted: &'static [(&'static str, &'static str)],
}

/// Constants that no table prints.
const FITTED: &[(&str, &str)] = &[
    ("cycles in which the firmware looks at a frame or a descriptor", "E1 and E4"),
    ("cycles in which the firmware does a step", "E1 and E4"),
    ("time of a packet of TCP/IP in the kernel, without copy, checksum and driver", "E7"),
    ("timer of the Essential firmware", "E6"),
    ("bytes that TCP/IP keeps to send, 32 KB; with 64 KB a burst overflows the card's ring", "E5"),
];

/// Why ours is not the paper's.
const CAUSES: &[&str] = &[
    "TCP/IP over the two firmwares is equally fast between 128 and 256 bytes, not between 256 and 512. The time of a stream includes the \
     latency of its last message, so where the curves meet depends on how many there are; the paper does not say.",
    "Below 640 bytes TCP/IP is faster than PM: with Nagle's algorithm messages share packets, and PM sends each by itself. The paper's \
     program seems to have turned it off, as a test of latency does.",
];

/// Sizes of the curves: the sizes of the paper's figures are not printed.
const SIZES: [usize; 14] = [4, 8, 16, 32, 64, 128, 256, 384, 512, 640, 768, 1024, 1280, 1468];

/// Runs `memonet figures --paper gigae_pm`.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let report = Report::new(args.nic)?;
    output::print(&report, args.json)?;
    if let Some(folder) = &args.output {
        report.write(folder)?;
    }
    let exact = report.rows.iter().filter(|row| row.class == Exact);
    Ok(Outcome::from(exact.into_iter().all(|row| row.error_percent.abs() < 1e-6)))
}

impl Report {
    fn new(nic: Kind) -> anyhow::Result<Self> {
        let mut rows = arithmetic();
        rows.extend(accesses(nic)?);
        let mut trip = round_trip::run(4, nic, None)?;
        let call = trip.stage("sc2 system call");
        rows.extend([compare("E24", call), compare("E37", trip.both_ways("sc2 system call"))]);
        rows.push(compare("E37p", 100.0 * trip.both_ways("sc2 system call") / trip.direct_us));
        rows.append(&mut trip.rows);

        let [direct, switched] = [false, true].map(|switch| curve(nic, switch, round_trip_us));
        let [bandwidth, through] = [false, true].map(|switch| curve(nic, switch, bandwidth));
        let [direct, switched, bandwidth, through] = [direct?, switched?, bandwidth?, through?];
        rows.push(compare("E4", through.peak()));
        let tcp = Curves::measure(nic)?;
        rows.extend(tcp.rows());
        rows.sort_by_key(|row| TABLE.iter().position(|published| published.id == row.id));

        let rises = |series: &Series| series.points.windows(2).all(|pair| pair[0].1 < pair[1].1);
        let last = through.at(1468.0);
        let mut shapes = vec![
            Shape {
                id: "figure 2",
                holds: rises(&through) && last == Some(through.peak()),
                says: "bandwidth rises with the size up to the longest message",
            },
            Shape {
                id: "figure 2",
                holds: last.zip(bandwidth.at(1468.0)).is_some_and(|(a, b)| (a / b - 1.0).abs() < 0.01),
                says: "the switch, which stores and forwards, takes nothing from the bandwidth of 1,468 B",
            },
            Shape {
                id: "figure 3",
                holds: rises(&direct) && rises(&switched),
                says: "the round trip grows with the size",
            },
        ];
        shapes.extend(tcp.shapes(&through));
        shapes.sort_by_key(|shape| shape.id);
        let Curves { bandwidth: tcp_bandwidth, round_trip: tcp_round_trip } = tcp;
        let mut figure_2 = Figure::new(
            "2",
            "PM and TCP/IP over GigaE PM, bandwidth",
            ["message, bytes", "MByte/s"],
            [bandwidth, through].into_iter().chain(tcp_bandwidth).collect(),
        );
        figure_2.point(1, 1468.0, 56.7);
        figure_2.point(3, 1280.0, 33.0);
        let mut figure_3 = Figure::new(
            "3",
            "PM and TCP/IP over GigaE PM, round trip",
            ["message, bytes", "us"],
            [direct, switched].into_iter().chain(tcp_round_trip).collect(),
        );
        figure_3.point(0, 4.0, 48.3);
        figure_3.point(1, 4.0, 58.3);
        figure_3.point(2, 4.0, 131.4);
        figure_3.point(3, 4.0, 414.0);
        figure_3.level(3, 400.0);
        let figures = vec![figure_2, figure_3];
        Ok(Report { nic, rows, shapes, figures, bad_wires: tcp::bad_wires(nic)?, fitted: FITTED })
    }

    fn write(&self, folder: &Path) -> anyhow::Result<()> {
        plot::write(folder, "gigae_pm_figure", &self.figures)?;
        output::write(&folder.join("gigae_pm_fidelity.md"), self.page().as_bytes())
    }

    fn page(&self) -> String {
        let mut page = String::from(
            "# What the paper on GigaE PM published, measured again\n\n\
             Numbers of the paper beside ours, written by:\n\n\
             ```\nmemonet figures --paper gigae_pm --output docs\n```\n\n\
             Exact rows are sizes. Computed rows follow from table 1 on the modelled host and card; predicted rows come out of\n\
             card, host and bus. Fitted rows are table 1 itself, or chose a constant; they do not count as reproduced (decision\n\
             0033). TCP/IP is smoltcp in a modelled kernel (decision 0037). The NAS benchmarks are not modelled.\n\n",
        );
        page += &published::table(&self.rows);
        page += "\n## Shapes\n\n";
        for shape @ Shape { id, says, .. } in &self.shapes {
            page += &format!("- {id} {}: {says}.\n", shape.verdict());
        }
        page += "\n## What does not match, and why\n\n";
        for cause in CAUSES {
            page += &format!("- {cause}\n");
        }
        page += "\n## Fitted constants\n\nBeside table 1 itself:\n\n";
        for (name, to) in self.fitted {
            page += &format!("- {name}, fitted to {to}.\n");
        }
        page += "\n## Bad wires\n\nMByte/s of messages of 1,280 bytes through the switch, over wires from the hosts with the same seed. The\n\
                 firmware of GigaE PM sends again after 1 ms, TCP/IP after 200 ms unless later packets tell it earlier.\n\n";
        page += &tcp::table(&self.bad_wires);
        page += "\n## Figures\n\nCircles and dashed lines are published values, in the colour of the curve they belong to.\n\n";
        for Figure { id, title, .. } in &self.figures {
            page += &format!("![Figure {id}: {title}](figures/gigae_pm_figure_{id}.svg)\n");
        }
        page
    }
}

/// Rows that are arithmetic with the costs of accesses, or sizes.
fn arithmetic() -> Vec<Row> {
    let us = |duration: Duration| duration.ps() as f64 / 1e6;
    let kb = |bytes: u32| f64::from(bytes) / 1024.0;
    let dma = |cycles: u8, words: u16| us(cost::BUS_CYCLE.duration * (u64::from(cycles) + u64::from(words)));
    let words = MTU.div_ceil(4);
    vec![
        compare("E15", us(cost::COPY.duration)),
        compare("E18", dma(FROM_HOST_CYCLES, 1)),
        compare("E18n", dma(FROM_HOST_CYCLES, words)),
        compare("E19", dma(TO_HOST_CYCLES, 1)),
        compare("E19n", dma(TO_HOST_CYCLES, words)),
        compare("E20", us(cost::INTERRUPT.duration)),
        compare("E21", us(cost::SYSTEM_CALL.duration)),
        compare("E22", dma(FROM_HOST_CYCLES, 3)),
        compare("E26", dma(FROM_HOST_CYCLES, 1)),
        compare("E27", dma(TO_HOST_CYCLES, 1)),
        compare("E29", us(cost::INTERRUPT.duration + cost::READ.duration)),
        compare("E30", MTU.into()),
        compare("E31", Channel::COUNT as f64),
        compare("E35s", kb(SEND_AREA_BYTES * u32::from(OTHER))),
        compare("E35r", kb(RECEIVE_AREA_BYTES * u32::from(OTHER))),
        compare("E36", kb(1000 * Control::WIDTH / 8)),
    ]
}

/// What a program on the host measures.
fn accesses(nic: Kind) -> anyhow::Result<Vec<Row>> {
    const WORDS: u64 = 100;
    let mut cluster = cluster(nic, false, &Settings::default())?;
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
    cluster.run(Duration::from_us(1_000))?;
    let [write, read] = program.take().expect("the program is done");
    Ok(vec![
        compare("E16", write),
        compare("E17", read),
        compare("E23", 3.0 * write),
        compare("E25", write),
        compare("E28", read),
    ])
}

fn cluster(nic: Kind, switch: bool, settings: &Settings) -> anyhow::Result<Cluster> {
    let cards = round_trip::cards(nic, "memonet figures --paper gigae_pm")?;
    Ok(if switch {
        Cluster::with_switch(cards.into(), settings)
    } else {
        Cluster::back_to_back(cards, settings)
    })
}

/// A curve over the sizes.
fn curve(
    nic: Kind,
    switch: bool,
    value: fn(&mut Cluster, usize) -> anyhow::Result<f64>,
) -> anyhow::Result<Series> {
    let point = |size| Ok((size as f64, value(&mut cluster(nic, switch, &Settings::default())?, size)?));
    let points = SIZES.into_iter().map(point).collect::<anyhow::Result<_>>()?;
    Ok(Series { name: if switch { "PM, through the switch" } else { "PM, one cable" }.into(), points })
}

fn round_trip_us(cluster: &mut Cluster, size: usize) -> anyhow::Result<f64> {
    Ok(period(&measure::round_trips(cluster, size, WARM_UP as u32 + 30)?))
}

fn bandwidth(cluster: &mut Cluster, size: usize) -> anyhow::Result<f64> {
    Ok(size as f64 / period(&measure::stream(cluster, size, WARM_UP as u32 + 80)?))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        published::heads(f)?;
        for row in &self.rows {
            writeln!(f, "{row}")?;
        }
        for shape @ Shape { id, says, .. } in &self.shapes {
            writeln!(f, "  {id}  {}  {says}", shape.verdict())?;
        }
        write!(f, "{}{} fitted constants beside table 1", tcp::table(&self.bad_wires), self.fitted.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_published_once() {
        for (i, row) in TABLE.iter().enumerate() {
            assert!(TABLE[..i].iter().all(|earlier| earlier.id != row.id), "{}", row.id);
        }
    }
}
