//! Rows under all conditions that the text allows.

use std::collections::BTreeMap;

use cluster::Duration;
use lab::{Band, Conditions, Findings, Practice, Request};

use super::Counted;
use crate::machines::Built;

/// Ways in which nodes begin apart, as parts of a turn of the loop that polls.
const APART: u64 = 3;

/// Measures what is asked for with every program that the text allows and with nodes that begin apart, and adds to each row what it was
/// at least and at most. Of curves only those sizes are measured that rows hang on.
pub fn add<M: Built>(
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
    for practice in Practice::all(M::CHOICES.len()) {
        for way in 0..APART {
            let apart = Duration::from_ps(M::POLL.ps() * way / APART);
            let conditions = Conditions { practice, apart, ..*ours };
            take(&M::measure(nics, &conditions, Request { figure: asked, brief: true })?.rows);
        }
    }
    for row in &mut findings.rows {
        // What has no band is no measurement.
        let band = Band::of(all.remove(row.id).unwrap_or_default());
        if matches!(row.class, lab::Class::InSight | lab::Class::Predicted) {
            *row = row.clone().with_band(band);
        }
    }
    Ok(())
}
