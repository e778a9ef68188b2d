//! CG and IS of the NAS Parallel Benchmarks, class S, by MPI through the switch, over PM and over TCP/IP (figures 4 and
//! 5).
//!
//! The paper calls its times over TCP/IP the best: here the shorter ones of both firmwares, measured alike.

use machine_api::{Benchmark, Carrier, CarrierChoice, Conditions, Figure, Findings, Parallel, Series, jobs};

use super::{Bench, choices, row};
use crate::cost::Costs;
use crate::{Cluster, GigaePm, Settings};

/// Nodes of the curves. Rows need the first and the last; a single node sends no message.
const NODES: [usize; 3] = [1, 2, 4];

/// A figure: number, title and rows: speed-up over one node with PM and with TCP/IP, and PM over TCP/IP.
const FIGURES: [(&str, &str, Benchmark, [&str; 3]); 2] = [
    ("4", "CG, class S, by MPI over PM and TCP/IP", Benchmark::Cg, ["E9", "E11", "E13"]),
    ("5", "IS, class S, by MPI over PM and TCP/IP", Benchmark::Is, ["E10", "E12", "E14"]),
];

/// Curves: name, carrier, and whether the card has its stock firmware.
const CURVES: [(&str, &Carrier<GigaePm>, bool); 3] = [
    ("MPI over PM", &GigaePm::CARRIERS[0], false),
    ("MPI over TCP/IP, GigaE PM firmware", &GigaePm::CARRIERS[1], false),
    ("MPI over TCP/IP, Essential firmware", &GigaePm::CARRIERS[1], true),
];

/// Measures the requested figures.
pub fn measure(bench: &Bench<'_>, conditions: &Conditions<Costs>) -> anyhow::Result<Findings> {
    let mut all = Findings::default();
    for (id, title, benchmark, names) in FIGURES {
        if !bench.request.wants(id) {
            continue;
        }
        let nodes: Vec<_> = NODES.into_iter().filter(|nodes| !bench.request.brief || *nodes != 2).collect();
        let mut points = vec![(0, 1)];
        points
            .extend((0..CURVES.len()).flat_map(|curve| nodes[1..].iter().map(move |nodes| (curve, *nodes))));
        let times =
            jobs::run(&points, &|| (), |&(curve, nodes)| time(bench, conditions, benchmark, curve, nodes))?;
        let (alone, several) = (times[0], times[1..].chunks(nodes.len() - 1));
        let times: Vec<_> = several.map(|times| [&[alone], times].concat()).collect();
        let last = |curve: usize| times[curve][nodes.len() - 1];
        let (pm, tcp) = (last(0), last(1).min(last(2)));
        let rows = [row(names[0], alone / pm), row(names[1], alone / tcp), row(names[2], tcp / pm)];
        let series = CURVES.iter().zip(&times).map(|((name, ..), times)| Series {
            name: (*name).into(),
            points: nodes.iter().zip(times).map(|(nodes, time)| (*nodes as f64, alone / time)).collect(),
        });
        let mut figure = Figure::new(id, title, ["nodes", "speedup over one node"], series.collect());
        figure.point(0, 4.0, rows[0].published);
        figure.point(1, 4.0, rows[1].published);
        all.rows.extend(rows);
        all.figures.push(figure);
    }
    Ok(all)
}

/// Time of a benchmark in us.
fn time(
    bench: &Bench<'_>,
    conditions: &Conditions<Costs>,
    benchmark: Benchmark,
    curve: usize,
    nodes: usize,
) -> anyhow::Result<f64> {
    let (_, carrier, stock) = CURVES[curve];
    let settings: Settings = if stock { bench.settings.essential() } else { bench.settings };
    let mut cluster = Cluster::with_switch(bench.nics.open(nodes)?, &settings);
    let way = CarrierChoice { apart: conditions.apart, ..CarrierChoice::over(carrier) };
    let timed = benchmark.run(&mut cluster, way, &choices::options(conditions.practice))?;
    anyhow::ensure!(timed.right, "{} is not right on {nodes} nodes", timed.says);
    Ok(timed.time.ps() as f64 / 1e6)
}
