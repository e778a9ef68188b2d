//! The measurements of the paper on Fagus (section 4): invalidation and update of a variable, and Himeno, by datagrams
//! of verbs and by UDP/IP of the kernel.

use std::time::Duration as Wall;

use cluster::Duration;
use fagus::Config;
use fagus::carrier::machine::Ended;
use fagus::programs::{himeno, latencies};
use machine_api::{Figure, Findings, Medium, Nics, Request, Series, axis, jobs, pace, share};

use super::{row, shapes};
use crate::settings::Bus;
use crate::{Cluster, Hca, Settings};

/// Nodes of the paper (section 4.1).
const NODES: usize = 4;
/// Rounds of a measurement of a variable.
const ROUNDS: usize = 10;
/// Period in which a library looks at the network while its program computes. Our choice.
const PERIOD: Duration = Duration::from_us(100);
/// Iterations of Himeno that are timed; all take the same time.
const ITERATIONS: usize = 2;
/// Time of an operation: a Pentium III of 600 MHz has 82.84 MFLOPS (Himeno's own source), one of 800 MHz at most
/// 800/600 of that.
const OPERATION_PS: u64 = 9_053;

/// Carriers of Fagus/Verb and Fagus/IPonIB.
const SYSTEMS: [&str; 2] = ["ud", "ipoib"];

/// Measures the requested rows.
pub fn measure(
    nics: &(dyn Nics<Hca> + Sync),
    settings: Settings,
    request: &Request<'_>,
) -> anyhow::Result<Findings> {
    // The bus of the paper (section 4.1).
    let settings = Settings { bus: Bus::Pci66, ..settings };
    let mut all = Findings::default();
    if ["5", "6"].iter().any(|figure| request.wants(figure)) {
        all.add(variables(nics, settings)?);
    }
    if request.wants("7") {
        all.add(himeno(nics, settings)?);
    }
    Ok(all)
}

/// Times of a variable in us.
struct Taken {
    invalidation: f64,
    /// Time of the slowest reader.
    slowest: f64,
    /// Time of the fastest reader.
    fastest: f64,
}

fn variables(nics: &(dyn Nics<Hca> + Sync), settings: Settings) -> anyhow::Result<Findings> {
    let points: Vec<_> = SYSTEMS.iter().flat_map(|name| (2..=NODES).map(|nodes| (*name, nodes))).collect();
    let taken = jobs::run(&points, &|| (), |&(name, nodes)| {
        let nodes = run(nics, settings, name, nodes, 0, async |dsm| {
            latencies::server_and_clients(&dsm, ROUNDS).await
        })?;
        let mean =
            |times: &[Wall]| times.iter().map(Wall::as_secs_f64).sum::<f64>() * 1e6 / times.len() as f64;
        let of: Vec<f64> = nodes.iter().map(|node| mean(&node.value)).collect();
        let readers = || of[1..].iter().copied();
        let (slowest, fastest) = (readers().fold(0.0, f64::max), readers().fold(f64::MAX, f64::min));
        Ok(Taken { invalidation: of[0], slowest, fastest })
    })?;
    let (verbs, kernel) = taken.split_at(NODES - 1);
    let less = |of: fn(&Taken) -> f64| {
        let each = verbs.iter().zip(kernel).map(|(verbs, kernel)| of(kernel) - of(verbs));
        each.sum::<f64>() / verbs.len() as f64
    };
    let drawn = |of: fn(&Taken) -> f64| curves(taken.iter().map(of).collect(), 2);
    let invalidation = drawn(|taken| taken.invalidation);
    let slowest = drawn(|taken| taken.slowest);
    let fastest = drawn(|taken| taken.fastest).into_iter();
    let fastest = fastest.map(|curve| Series { name: format!("{}, fastest reader", curve.name), ..curve });
    let rows = vec![
        row("F1", less(|taken| taken.invalidation)),
        row("F2", less(|taken| taken.slowest)),
        row("F3", verbs[0].invalidation / kernel[0].invalidation),
    ];
    let mut all = Findings { rows, ..Findings::default() };
    for shape in [&shapes::INVALIDATION, &shapes::EACH_NODE] {
        all.shape(shape, &each_ref(&invalidation));
    }
    all.shape(&shapes::UPDATE, &each_ref(&slowest));
    let update = slowest.into_iter().chain(fastest).collect();
    let axes = ["nodes", axis::TIME];
    all.figures.push(Figure::new("5", "Invalidation of a variable", axes, invalidation));
    all.figures.push(Figure::new("6", "Update of a variable, slowest reader if not named", axes, update));
    Ok(all)
}

fn himeno(nics: &(dyn Nics<Hca> + Sync), settings: Settings) -> anyhow::Result<Findings> {
    let points: Vec<_> = SYSTEMS.iter().flat_map(|name| (1..=NODES).map(|nodes| (*name, nodes))).collect();
    let size = himeno::Size::SMALL;
    let speeds = jobs::run(&points, &|| (), |&(name, nodes)| {
        let nodes = run(nics, settings, name, nodes, OPERATION_PS, async move |dsm| {
            himeno::time(&dsm, size, ITERATIONS).await
        })?;
        let longest = nodes.iter().map(|node| node.value).max().unwrap_or_default();
        anyhow::Ok((size.operations() * ITERATIONS) as f64 / longest.as_secs_f64() / 1e6)
    })?;
    let (verbs, kernel) = speeds.split_at(NODES);
    let series = curves(speeds.clone(), 1);
    let rows = vec![
        row("F4", verbs[3] - kernel[3]),
        row("F5", 100.0 * (verbs[3] / kernel[3] - 1.0)),
        row("F6", verbs[1] / verbs[0]),
        row("F7", verbs[3] / verbs[2]),
    ];
    let mut all = Findings { rows, ..Findings::default() };
    for shape in [&shapes::TWO_NODES, &shapes::PROPORTION, &shapes::ABOVE_KERNEL] {
        all.shape(shape, &each_ref(&series));
    }
    all.figures.push(Figure::new("7", "Himeno, size SMALL", ["nodes", "speed [MFLOPS]"], series));
    Ok(all)
}

fn each_ref(curves: &[Series]) -> Vec<&Series> {
    curves.iter().collect()
}

/// A curve for each system, by the number of nodes from `first` on.
fn curves(values: Vec<f64>, first: usize) -> Vec<Series> {
    let each = values.chunks(values.len() / SYSTEMS.len());
    let curve = |(name, values): (&&str, &[f64])| Series {
        name: (*name).to_string(),
        points: (first..).map(|nodes| nodes as f64).zip(values.iter().copied()).collect(),
    };
    SYSTEMS.iter().zip(each).map(curve).collect()
}

/// Runs a program on all nodes of a fresh cluster.
fn run<R: 'static>(
    nics: &dyn Nics<Hca>,
    settings: Settings,
    carrier: &str,
    nodes: usize,
    operation_ps: u64,
    program: impl AsyncFn(fagus::Dsm) -> Result<R, fagus::Error> + Clone + 'static,
) -> anyhow::Result<Vec<Ended<R>>> {
    let mut cluster = Cluster::with_switch(nics.open(nodes)?, &settings);
    let medium = Medium::datagrams(carrier).expect("the machine has both");
    let config = Config { operation_ps, ..Config::default() };
    share(&mut cluster, medium, config, pace::<Hca>(&settings, medium, PERIOD), program)
}
