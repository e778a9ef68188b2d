//! Section 7.2: LHS compared with IPUSH alone, figure 7.9.

use machine_api::{Figure, Findings};

use super::measure::{BYTES, Bench, Curve, US, times};
use super::{row, shapes};
use crate::programs::measure::lhs::{Case, Load};

/// Bytes of messages with their envelope of 8.
fn sizes() -> Vec<usize> {
    (2..=16).map(|n| 8 * n).collect()
}

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
    let gains = shapes::gains([ipush, v1, vl, v2]);
    findings.shape(&shapes::GAINS, &[ipush, v1, vl, v2]);
    findings.rows.extend(["M-11", "M-12", "M-13"].into_iter().zip(gains).map(|(id, gain)| row(id, gain)));
    findings.figures.push(Figure::new("7.9", "LHS", [BYTES, US], times));
    Ok(findings)
}
