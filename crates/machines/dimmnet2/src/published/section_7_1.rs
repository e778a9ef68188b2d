//! Section 7.1: IPUSH compared with PUSH, figure 7.5 and tables 7.3 to 7.5.

use machine_api::{Figure, Findings, Series};

use super::measure::{BYTES, Bench, LARGEST, MB, rates};
use super::section_2_2::partners;
use super::section_6_3::{beyond_128_kb, exchanged};
use super::{receiving, row, shapes};
use crate::programs::measure::sodimm::Push;

/// Processes of the programs in table 7.3.
const PROCESSES: usize = 64;

/// Most partners that a process of programs which we do not have has (thesis table 7.3).
const CITED: [(&str, usize); 3] = [("M-10lu", 4), ("M-10sp", 6), ("M-10bt", 6)];

/// Measures the requested figures of the section.
pub fn section(bench: &Bench<'_>) -> anyhow::Result<Findings> {
    let asked = |figure: &str| bench.request.wants(figure);
    let mut findings = Findings::default();
    if asked("table 7.3") {
        let counted = ["M-10mg", "M-10cg", "M-10is"].into_iter().zip(partners(PROCESSES)?);
        // One ring for each partner, and one that all others share.
        let share = |partners: usize| 100.0 * (partners as f64 + 1.0) / PROCESSES as f64;
        findings.rows.extend(counted.chain(CITED).map(|(id, partners)| row(id, share(partners))));
    }
    if asked("table 7.4") || asked("table 7.5") {
        findings.rows.extend(receiving::rows(bench.nics)?);
    }
    if asked("7.5") {
        let (push, ipush) = (exchanged(bench, Push::Push)?, exchanged(bench, Push::Ipush)?);
        figure_7_5(&mut findings, &push, &ipush);
    }
    Ok(findings)
}

fn figure_7_5(findings: &mut Findings, push: &[Series], ipush: &[Series]) {
    let at = |series: &Series, bytes| series.at(bytes).expect("it is among the sizes");
    let mut all = rates(ipush, 1.0);
    findings.rows.extend([
        row("M-04", all[0].peak()),
        row("M-05", at(&ipush[0], 8.0)),
        row("M-06", all[1].peak()),
        row("M-07a", at(&all[1], LARGEST / 4.0)),
        row("M-07b", at(&all[1], LARGEST / 2.0)),
        row("M-07", at(&all[1], LARGEST)),
        row("M-08", all[2].peak()),
        row("M-09", at(&ipush[1], 8.0)),
    ]);
    let pushed = rates(push, 1.0);
    findings.shape(&shapes::SAME_PUSH, &all.iter().chain(&pushed).collect::<Vec<_>>());
    for (series, name) in all.iter_mut().map(|series| (series, "IPUSH")) {
        series.name = format!("{}, {name}", series.name);
    }
    all.extend(pushed.into_iter().map(|series| Series { name: format!("{}, PUSH", series.name), ..series }));
    let mut figure = Figure::new("7.5", "PUSH and IPUSH", [BYTES, MB], all).logarithmic();
    for (curve, id) in ["M-04", "M-06", "M-08"].into_iter().enumerate() {
        figure.level(curve, row(id, 0.0).published);
    }
    beyond_128_kb(&mut figure, 1, row("M-07", 0.0).published);
    findings.figures.push(figure);
}
