//! Section 2.2: how large the messages of the NAS Parallel Benchmarks are (table 2.1), and their partners, for
//! table 7.3. Both are properties of the programs alone, so they run on wires of constant delay.

use std::rc::Rc;

use anyhow::Context;
use cluster::Duration;
use machine_api::{Findings, Table};
use mpi::carrier::memory::{Cluster, Settings};
use mpi::{Communicator, Options};
use npb::{Error, Processor, Traffic, cg, ft, is, mg};

use super::measure::Bench;
use super::page;

/// Processes of table 2.1.
const PROCESSES: usize = 16;
/// Longest virtual time of a program.
const LIMIT: Duration = Duration::from_us(100_000_000);

/// Heads of the classes of sizes.
const SIZES: [&str; 4] = ["< 2 KB", "2 to 16 KB", "16 KB to 1 MB", "> 1 MB"];
/// Published numbers of calls.
const PUBLISHED: [(&str, [u64; 4]); 4] = [
    ("IS", [14, 11, 0, 11]),
    ("CG", [16_113, 0, 11_856, 0]),
    ("MG", [1_607, 630, 3_702, 0]),
    ("FT", [24, 0, 0, 22]),
];

/// Compares our counts of class B with those of the thesis.
pub fn section(bench: &Bench<'_>) -> anyhow::Result<Findings> {
    let mut findings = Findings::default();
    if bench.request.wants("table 2.1") {
        let ours = [integers()?, conjugate()?, multigrid()?, fourier()?];
        let lines = PUBLISHED.iter().zip(ours).flat_map(|((name, theirs), ours)| lines(name, *theirs, ours));
        findings.tables.push(Table {
            title: "Beside table 2.1",
            text: page::TABLE_2_1,
            heads: vec!["", "Bytes", "Published", "Ours", "Error"],
            lines: lines.collect(),
        });
    }
    Ok(findings)
}

/// Lines of a program, without sizes that neither side has.
fn lines(name: &str, theirs: [u64; 4], ours: [u64; 4]) -> Vec<Vec<String>> {
    let line = |(size, (theirs, ours)): (&str, (u64, u64))| {
        let error = 100.0 * (ours as f64 / theirs as f64 - 1.0);
        let error = if theirs == 0 { "-".to_string() } else { format!("{error:+.1} %") };
        vec![name.to_string(), size.to_string(), theirs.to_string(), ours.to_string(), error]
    };
    let sizes = SIZES.into_iter().zip(theirs.into_iter().zip(ours));
    sizes.filter(|(_, counts)| *counts != (0, 0)).map(line).collect()
}

/// Most partners of a process in MG, CG and IS on this many processes. They do not depend on the class.
pub fn partners(processes: usize) -> anyhow::Result<[usize; 3]> {
    let most = |all: Vec<Traffic>| all.iter().map(|traffic| traffic.partners).max().unwrap_or(0);
    Ok([
        most(run(processes, async |world| Ok(mg::run(&world, &mg::S, Processor::INSTANT).await?.traffic))?),
        most(run(processes, async |world| Ok(cg::run(&world, &cg::S, Processor::INSTANT).await?.traffic))?),
        most(run(processes, async |world| Ok(is::run(&world, &is::S, Processor::INSTANT).await?.traffic))?),
    ])
}

fn integers() -> anyhow::Result<[u64; 4]> {
    busiest(async |world| Ok(is::run(&world, &is::B, Processor::INSTANT).await?.traffic))
}

fn conjugate() -> anyhow::Result<[u64; 4]> {
    iterated(cg::B.iterations, async |world, iterations| {
        let class = cg::Class { iterations, ..cg::B };
        Ok(cg::run(&world, &class, Processor::INSTANT).await?.traffic)
    })
}

fn multigrid() -> anyhow::Result<[u64; 4]> {
    iterated(mg::B.iterations, async |world, iterations| {
        let class = mg::Class { iterations, ..mg::B };
        Ok(mg::run(&world, &class, Processor::INSTANT).await?.traffic)
    })
}

/// FT of class A, whose messages are of the same class of sizes, with the steps of class B.
fn fourier() -> anyhow::Result<[u64; 4]> {
    const STEPS: usize = 20;
    iterated(STEPS, async |world, steps| {
        let class = ft::Class { checksums: &ft::A.checksums[..steps], ..ft::A };
        Ok(ft::run(&world, &class, Processor::INSTANT).await?.traffic)
    })
}

/// Calls of a program of this many iterations, from runs of none and of one: all iterations make the same calls.
fn iterated(
    iterations: usize,
    program: impl AsyncFn(Communicator, usize) -> Result<Traffic, Error> + 'static,
) -> anyhow::Result<[u64; 4]> {
    let program = Rc::new(program);
    let calls = |iterations: usize| {
        let program = program.clone();
        busiest(async move |world| program(world, iterations).await)
    };
    let (none, one) = (calls(0)?, calls(1)?);
    Ok(std::array::from_fn(|size| none[size] + iterations as u64 * (one[size] - none[size])))
}

/// Calls of the process with most of them.
fn busiest(
    program: impl AsyncFn(Communicator) -> Result<Traffic, Error> + 'static,
) -> anyhow::Result<[u64; 4]> {
    let calls = run(PROCESSES, program)?.into_iter().map(|traffic| traffic.calls);
    calls.max_by_key(|calls| calls.iter().sum::<u64>()).context("there are processes")
}

/// Traffic of all processes of a program.
fn run(
    processes: usize,
    program: impl AsyncFn(Communicator) -> Result<Traffic, Error> + 'static,
) -> anyhow::Result<Vec<Traffic>> {
    let program = Rc::new(program);
    let mut cluster = Cluster::new(processes, Settings::default(), Options::default());
    let ends: Vec<_> = (0..processes)
        .map(|rank| {
            let program = program.clone();
            cluster.spawn(rank, "benchmark", async move |world| program(world).await)
        })
        .collect();
    cluster.run(LIMIT)?;
    ends.into_iter().map(|end| Ok(end.take().context("the benchmark has not ended")??)).collect()
}
