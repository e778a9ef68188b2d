//! What the paper published of latencies, measured again: MPI/DE with both ROMs and every way to wait.

mod synthesis;
mod table;

use cluster::Duration;
use cluster::host::Computer;
use lab::{
    Choice, Conditions, Evaluated, Findings, Fitted, Nics, Publication, Request, Row, Synthesis, Synthesized,
    Wait,
};

use crate::cost::Costs;
use crate::paths::turns;
use crate::settings::Nif;
use crate::work::half_us;
use crate::{Cenju3, Cluster, Settings};

/// The paper on MPI/DE.
const PAPER: Publication = Publication {
    rows: table::TABLE,
    figures: &[],
    causes: &[],
    calibrations: &[("latency", &["M1", "M3", "M7"])],
    history: &[],
    begin: "\
# What the paper on MPI/DE published, measured again

Latencies of the paper beside ours, written by `memonet figures --machine cenju3 --output docs`. Fitted rows chose a constant each; M4 and M5 are sums of
those (decision 0058).

",
    story: "",
    drawn: "",
    clusters: 5,
};

/// Variants whose latency of 8 bytes is published.
const LATENCIES: [(&str, Nif, Wait); 5] = [
    ("M1", Nif::Old, Wait::Event),
    ("M3", Nif::Old, Wait::Interrupt),
    ("M4", Nif::Old, Wait::Poll),
    ("M5", Nif::New, Wait::Event),
    ("M7", Nif::New, Wait::Poll),
];

/// The row that a latency of 8 bytes stands beside.
pub(crate) fn latency_row(settings: &Settings, us: f64) -> Option<Row> {
    let same = |(_, nif, wait): &&(&str, Nif, Wait)| (*nif, *wait) == (settings.nif, settings.wait);
    LATENCIES.iter().find(same).map(|(id, ..)| PAPER.row(id, us))
}

impl Synthesized for Cenju3 {
    const SYNTHESIS: Synthesis = synthesis::SYNTHESIS;
}

impl Evaluated for Cenju3 {
    type Costs = Costs;

    const PUBLICATION: Publication = PAPER;
    const COMPUTER: Computer = lab::VR4400_75;
    const CHOICES: &'static [Choice] = &[];

    fn measure(
        nics: &(dyn Nics<Self> + Sync),
        conditions: &Conditions<Costs>,
        request: Request<'_>,
    ) -> anyhow::Result<Findings> {
        let mut findings = Findings::default();
        let wanted = |id: &str| PAPER.rows.iter().any(|row| row.id == id && request.wants(row.figure));
        for (id, nif, wait) in LATENCIES.into_iter().filter(|(id, ..)| wanted(id)) {
            let settings = Settings { nif, wait, costs: conditions.costs, ..Settings::default() };
            let mut cluster = Cluster::with_switch(nics.open(2)?, &settings);
            let turns = turns(&mut cluster, settings, 8, 10, Duration::ZERO)?;
            findings.rows.push(PAPER.row(id, half_us(&turns)));
        }
        Ok(findings)
    }

    fn fitted() -> Vec<Fitted> {
        Vec::new()
    }
}
