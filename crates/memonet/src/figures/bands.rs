//! Measurements under all conditions that the publication allows.

use std::collections::BTreeMap;

use cluster::Duration;
use machine_api::{Band, Conditions, Findings, Practice, Request};

use super::CountingNics;
use super::paper::Reproducible;

/// Start offsets of nodes, as parts of an iteration of the poll loop.
const APART: u64 = 3;

/// Adds bands to the rows: the minimum and maximum over all programs that the publication allows, and over
/// our program with nodes that start at different times. For curves, only the sizes of rows are measured.
pub fn add<M: Reproducible>(
    nics: &CountingNics<'_, M>,
    asked: &(dyn Fn(&str) -> bool + Sync),
    ours: &Conditions<M::Costs>,
    findings: &mut Findings,
) -> anyhow::Result<()> {
    let mut all: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut take = |rows: &[machine_api::Row]| {
        for row in rows {
            all.entry(row.id).or_default().push(row.measured);
        }
    };
    take(&findings.rows);
    let programs = Practice::programs(M::CHOICES).map(|practice| (practice, Duration::ZERO));
    let starts = (1..APART).map(|part| (ours.practice, Duration::from_ps(M::POLL.ps() * part / APART)));
    for (practice, apart) in programs.chain(starts) {
        let conditions = Conditions { practice, apart, ..*ours };
        take(&M::measure(nics, &conditions, Request { figure: asked, brief: true })?.rows);
    }
    for row in &mut findings.rows {
        // Rows of the other classes are exact, fitted or inputs, so they have no band.
        let band = Band::of(all.remove(row.id).unwrap_or_default());
        if matches!(row.class, machine_api::Class::InSight | machine_api::Class::Predicted) {
            row.set_band(band);
        }
    }
    // A published point of a figure belongs to a row.
    for figure in &mut findings.figures {
        for point in &mut figure.published {
            let row = findings.rows.iter().find(|row| row.figure == figure.id && row.published == point.y);
            point.band = row.and_then(|row| row.band);
        }
    }
    Ok(())
}
