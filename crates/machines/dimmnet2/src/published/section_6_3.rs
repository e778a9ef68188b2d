//! Section 6.3: RVS from SO-DIMM to SO-DIMM and on to main memory, figures 6.11 and 6.12.

use machine_api::{Figure, Findings, Series};

use super::measure::{BYTES, Bench, Curve, LARGEST, MB, half_of_peak, rates, times};
use super::{row, shapes};
use crate::programs::measure::sodimm::{Kept, Load, Push};
use crate::programs::measure::{Start, ready};

/// Message sizes of figures 6.11, 6.12 and 7.5: powers of two from 8 bytes to 1 MB.
pub fn sizes() -> Vec<usize> {
    (3..=20).map(|n| 1 << n).collect()
}

/// Those of them that rows and shapes need.
const ROWS: [usize; 11] = [8, 32, 64, 256, 512, 1 << 10, 4 << 10, 64 << 10, 256 << 10, 512 << 10, 1 << 20];

/// The three curves of a reception.
pub fn receptions(push: Push) -> [Curve<Load>; 3] {
    let curve = |name: &str, kept| Curve::new(name, move |bytes| Load { bytes, push, kept });
    [
        curve("SO-DIMM to SO-DIMM", Kept::SoDimm),
        curve("SO-DIMM to host", Kept::MainMemory),
        curve("SO-DIMM to host, always the same 64 bytes", Kept::Fixed),
    ]
}

/// Times of messages that are received and answered.
pub fn exchanged(bench: &Bench<'_>, push: Push) -> anyhow::Result<Vec<Series>> {
    times(&bench.sizes(sizes(), &ROWS), &receptions(push), |&load| {
        bench.run(
            bench.switched()?,
            move |host, start| load.exchange(host, start, true),
            move |host, start| load.exchange(host, start, false),
        )
    })
}

/// Measures the requested figures of the section.
pub fn section(bench: &Bench<'_>) -> anyhow::Result<Findings> {
    let asked = |figure: &str| bench.request.wants(figure);
    let mut findings = Findings::default();
    let sizes = bench.sizes(sizes(), &ROWS);
    if asked("6.11") {
        let curve =
            |name: &str| [Curve::new(name, |bytes| Load { bytes, push: Push::Push, kept: Kept::SoDimm })];
        let one = times(&sizes, &curve("one way"), |&load| {
            bench.run(
                bench.switched()?,
                move |host, start| load.send(host, start),
                async |host, start: Start| {
                    ready(host, start).await;
                    Default::default()
                },
            )
        })?;
        let both = times(&sizes, &curve("both ways"), |&load| {
            bench.run(
                bench.switched()?,
                move |host, start| load.send(host, start),
                move |host, start| load.send(host, start),
            )
        })?;
        figure_6_11(&mut findings, &one[0], &both[0]);
    }
    if asked("6.12") {
        figure_6_12(&mut findings, &exchanged(bench, Push::Push)?);
    }
    Ok(findings)
}

fn figure_6_11(findings: &mut Findings, one_time: &Series, both_time: &Series) {
    let one = rates(std::slice::from_ref(one_time), 1.0).remove(0);
    let both = rates(std::slice::from_ref(both_time), 2.0).remove(0);
    findings.shape(&shapes::SHARED_MEMORY, &[&one, &both]);
    let least = |series: &Series| series.points.iter().map(|point| point.1).fold(f64::MAX, f64::min);
    findings.rows.extend([
        row("D-01", one.peak()),
        row("D-02", one.peak() / 8.0),
        row("D-03", half_of_peak(&one)),
        row("D-04", both.peak()),
        row("D-05", least(one_time)),
        row("D-06", least(both_time)),
    ]);
    findings.shape(&shapes::HALF, &[&one]);
    let mut figure = Figure::new("6.11", "SO-DIMM to SO-DIMM", [BYTES, MB], vec![one, both]).logarithmic();
    figure.level(0, row("D-01", 0.0).published);
    figure.level(1, row("D-04", 0.0).published);
    figure.point(0, 564.0, row("D-01", 0.0).published / 2.0);
    findings.figures.push(figure);
}

fn figure_6_12(findings: &mut Findings, times: &[Series]) {
    let rates = rates(times, 1.0);
    let [stay, host, fixed] = &rates[..] else { unreachable!("three curves were asked for") };
    let at = |series: &Series, bytes| series.at(bytes).expect("it is among the sizes");
    findings.rows.extend([
        row("D-07", stay.peak()),
        row("D-08", host.peak()),
        row("D-09a", at(host, LARGEST / 4.0)),
        row("D-09b", at(host, LARGEST / 2.0)),
        row("D-09", at(host, LARGEST)),
        row("D-10", fixed.peak()),
        row("M-05p", at(&times[0], 8.0)),
        row("M-09p", at(&times[1], 8.0)),
    ]);
    findings.shape(&shapes::CACHES, &[host, fixed]);
    let mut figure =
        Figure::new("6.12", "SO-DIMM to SO-DIMM, with reception", [BYTES, MB], rates).logarithmic();
    for (curve, id) in ["D-07", "D-08", "D-10"].into_iter().enumerate() {
        figure.level(curve, row(id, 0.0).published);
    }
    beyond_128_kb(&mut figure, 1, row("D-09", 0.0).published);
    findings.figures.push(figure);
}

/// The published values of a copy to main memory beyond 128 KB.
pub fn beyond_128_kb(figure: &mut Figure, series: usize, published: f64) {
    for bytes in [LARGEST / 4.0, LARGEST / 2.0, LARGEST] {
        figure.point(series, bytes, published);
    }
}
