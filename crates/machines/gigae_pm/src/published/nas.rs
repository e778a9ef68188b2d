//! CG and IS of the NAS Parallel Benchmarks, class S, by MPI over PM through the switch (figures 4 and 5).
//!
//! What TCP/IP has in these figures (E11 to E14) went through the device ch_p4 of MPICH 1.0.11, whose costs nobody published.

use lab::{Benchmark, Conditions, Figure, Findings, Parallel, Series, Way, jobs};

use super::{Bench, choices, row};
use crate::cost::Costs;
use crate::{Cluster, GigaePm};

/// Nodes of the curves. Rows hang on the first and the last.
const NODES: [usize; 3] = [1, 2, 4];

/// A figure: its number, what it shows, and its row.
const FIGURES: [(&str, &str, Benchmark, &str); 2] = [
    ("4", "CG, class S, by MPI over PM", Benchmark::Cg, "E9"),
    ("5", "IS, class S, by MPI over PM", Benchmark::Is, "E10"),
];

/// Those of both figures that are asked for.
pub fn measure(bench: &Bench<'_>, conditions: &Conditions<Costs>) -> anyhow::Result<Findings> {
    let mut all = Findings::default();
    for (id, title, benchmark, name) in FIGURES {
        if !bench.request.wants(id) {
            continue;
        }
        let nodes: Vec<_> = NODES.into_iter().filter(|nodes| !bench.request.brief || *nodes != 2).collect();
        let times = jobs::run(&nodes, &|| (), |&nodes| time(bench, conditions, benchmark, nodes))?;
        let speedup = |at: usize| times[0] / times[at];
        let row = row(name, speedup(nodes.len() - 1));
        let points = nodes.iter().enumerate().map(|(at, nodes)| (*nodes as f64, speedup(at))).collect();
        let series = vec![Series { name: "MPI over PM".into(), points }];
        let mut figure = Figure::new(id, title, ["nodes", "times as fast as one node"], series);
        figure.point(0, 4.0, row.published);
        all.rows.push(row);
        all.figures.push(figure);
    }
    Ok(all)
}

/// What a benchmark takes on so many nodes, in us.
fn time(
    bench: &Bench<'_>,
    conditions: &Conditions<Costs>,
    benchmark: Benchmark,
    nodes: usize,
) -> anyhow::Result<f64> {
    let mut cluster = Cluster::with_switch(bench.nics.open(nodes)?, &bench.settings);
    let way = Way { apart: conditions.apart, ..Way::over(&GigaePm::CARRIERS[0]) };
    let timed = benchmark.run(&mut cluster, way, &choices::options(conditions.practice))?;
    anyhow::ensure!(timed.right, "{} is not right on {nodes} nodes", timed.says);
    Ok(timed.time.ps() as f64 / 1e6)
}
