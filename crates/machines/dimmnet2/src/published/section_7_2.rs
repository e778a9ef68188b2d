//! Section 7.2: LHS compared with IPUSH alone, figure 7.9.

use machine_api::{Figure, Findings, Series};

use super::measure::{BYTES, Bench, Curve, US, times};
use super::row;
use crate::programs::measure::lhs::{Case, Load};

/// Bytes of messages with their envelope of 8.
fn sizes() -> Vec<usize> {
    (2..=16).map(|n| 8 * n).collect()
}

/// Most bytes, with the envelope, that an entry of the LH Buffer holds.
const ENTRY: f64 = 56.0;

/// Measures figure 7.9.
pub fn section(bench: &Bench<'_>) -> anyhow::Result<Findings> {
    let mut findings = Findings::default();
    if !bench.request.wants("7.9") {
        return Ok(findings);
    }
    let curve = |name: &str, case| Curve::new(name, move |bytes| Load { bytes, case });
    let curves = [
        curve("IPUSH only", Case::Ipush),
        curve("IPUSH + LHSv1", Case::LhsV1),
        curve("VL + IPUSH + LHSv1", Case::VlLhsV1),
        curve("IPUSH + LHSv2", Case::LhsV2),
    ];
    let times = times(&sizes(), &curves, |&load| {
        bench.run(
            bench.switched()?,
            move |host, start| load.exchange(host, start, true),
            move |host, start| load.exchange(host, start, false),
        )
    })?;
    let [ipush, v1, vl, v2] = &times[..] else { unreachable!("four curves were asked for") };
    let inside = |series: &Series| mean(series, |bytes| bytes <= ENTRY);
    let beyond = |series: &Series| mean(series, |bytes| bytes > ENTRY);
    let all = |series: &Series| mean(series, |_| true);
    let gains = [inside(ipush) - inside(v1), beyond(ipush) - beyond(v1), all(vl) - all(v2)];
    findings.shape(
        "C-11",
        gains[0] > gains[1] && gains[1] > 1.0 && gains[2] > 0.5,
        "LHSv1 gains most up to one entry, less beyond; LHSv2 gains over VL and LHSv1",
    );
    findings.rows.extend(["M-11", "M-12", "M-13"].into_iter().zip(gains).map(|(id, gain)| row(id, gain)));
    findings.figures.push(Figure::new("7.9", "LHS", [BYTES, US], times));
    Ok(findings)
}

fn mean(series: &Series, of: impl Fn(f64) -> bool) -> f64 {
    let values: Vec<_> = series.points.iter().filter(|point| of(point.0)).map(|point| point.1).collect();
    values.iter().sum::<f64>() / values.len() as f64
}
