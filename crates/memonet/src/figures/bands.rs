//! Rows under all conditions that the text allows.

use std::collections::BTreeMap;

use cluster::Duration;
use lab::{Band, Conditions, Findings, Practice, Request};

use super::Counted;
use super::paper::Measured;

/// Ways in which nodes begin apart, as parts of a turn of the loop that polls.
const APART: u64 = 3;

/// Measures what is asked for with every program that the text allows, and ours with nodes that begin apart, and adds to each row what it
/// was at least and at most. Of curves only those sizes are measured that rows hang on.
pub fn add<M: Measured>(
    nics: &Counted<'_, M>,
    asked: &(dyn Fn(&str) -> bool + Sync),
    ours: &Conditions<M::Costs>,
    findings: &mut Findings,
) -> anyhow::Result<()> {
    let mut all: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut take = |rows: &[lab::Row]| {
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
        // What has no band is no measurement.
        let band = Band::of(all.remove(row.id).unwrap_or_default());
        if matches!(row.class, lab::Class::InSight | lab::Class::Predicted) {
            row.set_band(band);
        }
    }
    // A published point of a figure is a row of it.
    for figure in &mut findings.figures {
        for point in &mut figure.published {
            let row = findings.rows.iter().find(|row| row.figure == figure.id && row.published == point.y);
            point.band = row.and_then(|row| row.band);
        }
    }
    Ok(())
}
