//! Section 6.2: BOTF from a host to remote memory, figures 6.3 to 6.10 and table 6.2.

use machine_api::{Figure, Findings, Series};

use super::measure::{BYTES, Bench, Curve, MB, US, rates, times};
use super::{row, sending, shapes};
use crate::programs::measure::botf::Load;
use crate::programs::measure::{Start, ready};

/// End of a measured time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    OneWay,
    BothWays,
    WithReception,
    /// The same, over one cable without a switch.
    BackToBack,
}

const WINDOWS: [u8; 3] = [1, 2, 4];

/// Message sizes of figures 6.3 to 6.8: around every multiple of a packet, and between.
fn short() -> Vec<usize> {
    let mut sizes: Vec<_> = (1..=31).map(|n| 64 * n).collect();
    sizes.extend([8, 496, 504, 992, 1000, 1488, 1496]);
    sizes.sort();
    sizes
}

/// Those of them that rows and shapes need.
const SHORT: [usize; 9] = [8, 496, 504, 992, 1000, 1488, 1496, 1856, 1984];

/// Message sizes of figures 6.9 and 6.10.
fn long() -> Vec<usize> {
    [2, 4, 8, 16, 24, 32, 48, 64].map(|kilobytes| 1024 * kilobytes).to_vec()
}

/// Those of them that rows and shapes need.
const LONG: [usize; 5] = [2, 8, 16, 32, 64];

/// A curve for a number of Write Windows.
fn curve(windows: u8, into_prefetch_window: bool) -> Curve<Load> {
    let s = if windows == 1 { "" } else { "s" };
    let into = if into_prefetch_window { " into Prefetch Windows" } else { "" };
    let load = move |bytes| Load { bytes, windows, into_prefetch_window };
    Curve::new(format!("{windows} Write Window{s}{into}"), load)
}

/// Time of a message by its bytes, for several numbers of windows.
fn measured(
    bench: &Bench<'_>,
    mode: Mode,
    sizes: &[usize],
    curves: &[Curve<Load>],
) -> anyhow::Result<Vec<Series>> {
    times(sizes, curves, |&load| match mode {
        Mode::OneWay => bench.run(
            bench.switched()?,
            move |host, start| load.send(host, start),
            async |host, start: Start| {
                ready(host, start).await;
                Default::default()
            },
        ),
        Mode::BothWays => bench.run(
            bench.switched()?,
            move |host, start| load.send(host, start),
            move |host, start| load.send(host, start),
        ),
        Mode::WithReception => bench.run(
            bench.switched()?,
            move |host, start| load.exchange(host, start, true),
            move |host, start| load.exchange(host, start, false),
        ),
        Mode::BackToBack => bench.run(
            bench.back_to_back()?,
            move |host, start| load.exchange(host, start, true),
            move |host, start| load.exchange(host, start, false),
        ),
    })
}

/// Measures the requested figures of the section.
pub fn section(bench: &Bench<'_>) -> anyhow::Result<Findings> {
    let asked = |figure: &str| bench.request.wants(figure);
    let mut findings = Findings::default();
    let short = bench.sizes(short(), &SHORT);
    let long = bench.sizes(long(), &LONG.map(|kilobytes| 1024 * kilobytes));
    let windows = || WINDOWS.map(|windows| curve(windows, false));
    if asked("6.3") || asked("6.4") {
        let times = measured(bench, Mode::OneWay, &short, &windows())?;
        one_way(&mut findings, times);
    }
    if asked("6.5") || asked("6.6") {
        let alone = measured(bench, Mode::OneWay, &[1984], &windows())?;
        let times = measured(bench, Mode::BothWays, &short, &windows())?;
        both_ways(&mut findings, &alone, times);
    }
    if asked("6.7") || asked("6.8") {
        let mut curves = Vec::from(windows());
        curves.push(curve(4, true));
        let times = measured(bench, Mode::WithReception, &short, &curves)?;
        with_reception(&mut findings, times);
    }
    if asked("6.8") {
        let times = measured(bench, Mode::BackToBack, &[8], &[curve(1, false), curve(4, true)])?;
        let rows = ["B-24", "B-25"].into_iter().zip(&times);
        findings.rows.extend(rows.map(|(id, time)| row(id, time.peak())));
    }
    let two_or_four = || [curve(2, false), curve(4, false)];
    if asked("6.9") {
        let one = measured(bench, Mode::OneWay, &long, &two_or_four())?;
        let both = measured(bench, Mode::BothWays, &long, &two_or_four())?;
        long_messages(&mut findings, &one, &both);
    }
    if asked("6.10") {
        let times = measured(bench, Mode::WithReception, &long, &two_or_four())?;
        let rates = rates(&times, 1.0);
        findings.shape(&shapes::RISES, &rates.iter().collect::<Vec<_>>());
        peaks(&mut findings, "6.10", "long messages by BOTF, with reception", rates, &["B-30", "B-31"]);
    }
    if asked("table 6.2") || asked("section 6.2") || asked("6.4") {
        findings.rows.extend(sending::rows(bench)?);
    }
    Ok(findings)
}

fn one_way(findings: &mut Findings, times: Vec<Series>) {
    let rates = rates(&times, 1.0);
    let [one, two, four] = &rates[..] else { unreachable!("three curves were asked for") };
    findings.shape(&shapes::DIPS, &[one]);
    findings.shape(&shapes::WINDOWS, &[one, two, four]);
    grows(findings, &times);
    peaks(findings, "6.3", "BOTF one way", rates, &["B-01", "B-02", "B-03"]);
    timed(findings, "6.4", "BOTF one way", times, &[("B-06", 0, 8.0)]);
}

fn both_ways(findings: &mut Findings, alone: &[Series], times: Vec<Series>) {
    let rates_both = rates(&times, 2.0);
    let twice = rates(alone, 2.0);
    findings.shape(&shapes::BOTH_WAYS, &rates_both.iter().chain(&twice).collect::<Vec<_>>());
    grows(findings, &times);
    let smallest = times[0].at(8.0).expect("8 bytes are among the sizes");
    findings.rows.push(row("B-16", smallest));
    peaks(findings, "6.5", "BOTF both ways", rates_both, &["B-13", "B-14", "B-15"]);
    timed(findings, "6.6", "BOTF both ways", times, &[("B-16", 0, 8.0)]);
}

fn with_reception(findings: &mut Findings, times: Vec<Series>) {
    let rates = rates(&times, 1.0);
    let [_, two, four, window] = &rates[..] else { unreachable!("four curves were asked for") };
    let small = |series: &Series| series.at(8.0).expect("8 bytes are among the sizes");
    findings.rows.extend([row("B-21", small(&times[0])), row("B-22", small(&times[3]))]);
    findings.shape(&shapes::INTO_MEMORY, &[two, four, window]);
    grows(findings, &times);
    peaks(findings, "6.7", "BOTF with reception", rates, &["B-17", "B-18", "B-19", "B-20"]);
    timed(findings, "6.8", "BOTF with reception", times, &[("B-21", 0, 8.0), ("B-22", 3, 8.0)]);
}

fn long_messages(findings: &mut Findings, one: &[Series], both: &[Series]) {
    let named = |series: &[Series], ways, name: &str| {
        rates(series, ways)
            .into_iter()
            .map(|series| Series { name: format!("{}, {name}", series.name), ..series })
            .collect::<Vec<_>>()
    };
    let mut all = named(one, 1.0, "one way");
    all.extend(named(both, 2.0, "both ways"));
    findings.shape(&shapes::FLAT, &all.iter().collect::<Vec<_>>());
    peaks(findings, "6.9", "long messages by BOTF", all, &["B-26", "B-27", "B-28", "B-29"]);
}

/// Adds a figure of throughput, and a row for the peak of each curve.
fn peaks(findings: &mut Findings, id: &'static str, title: &'static str, series: Vec<Series>, ids: &[&str]) {
    let rows: Vec<_> = ids.iter().zip(&series).map(|(id, series)| row(id, series.peak())).collect();
    let mut figure = Figure::new(id, title, [BYTES, MB], series);
    for (curve, row) in rows.iter().enumerate() {
        figure.level(curve, row.published);
    }
    findings.rows.extend(rows);
    findings.figures.push(figure);
}

/// Adds a figure of times, with published values at these sizes of these curves.
fn timed(
    findings: &mut Findings,
    id: &'static str,
    title: &'static str,
    series: Vec<Series>,
    ids: &[(&str, usize, f64)],
) {
    let mut figure = Figure::new(id, title, [BYTES, US], series);
    for &(id, curve, bytes) in ids {
        figure.point(curve, bytes, row(id, 0.0).published);
    }
    findings.figures.push(figure);
}

/// The shape of the three figures of time by size.
fn grows(findings: &mut Findings, times: &[Series]) {
    findings.shape(&shapes::TIMES, &times.iter().collect::<Vec<_>>());
}
