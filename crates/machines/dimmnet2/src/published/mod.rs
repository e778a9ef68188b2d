//! The published results of the thesis, measured again: chapters 6 and 7, and table 5.2.

mod choices;
mod history;
mod measure;
mod networks;
mod page;
mod receiving;
mod section_2_2;
mod section_6_2;
mod section_6_3;
mod section_7_1;
mod section_7_2;
mod sending;
mod shapes;
mod structure;
mod synthesis;
mod table;

pub(crate) use sending::shares;

use cluster::host::Computer;
use machine_api::{
    Choice, Conditions, Evaluated, Findings, Fitted, Publication, Request, Row, Synthesis, Synthesized,
};

use crate::Dimmnet2;
use crate::host::cost::Costs;
use measure::{Bench, Source};

/// Evaluation of the board (doctoral thesis, chapters 6 and 7).
const THESIS: Publication = Publication {
    rows: table::TABLE,
    figures: &["table 2.1", "table 7.1"],
    causes: table::CAUSES,
    // Rows about single accesses of the host and the whole BOTF. B-09 and B-12 are costs themselves and match by
    // construction.
    calibrations: &[
        ("section 6.2", &["B-04", "B-06", "B-08", "B-10", "B-11"]),
        (
            "BOTF",
            &[
                "B-01", "B-02", "B-03", "B-04", "B-06", "B-08", "B-10", "B-11", "B-16", "B-17", "B-18",
                "B-19", "B-20", "B-21", "B-22", "B-26", "B-27", "B-30", "B-31",
            ],
        ),
    ],
    history: history::HISTORY,
    begin: page::BEGIN,
    story: page::STORY,
    drawn: page::DRAWN,
    clusters: 695,
};

/// A published number with our measurement.
pub(crate) fn row(id: &str, measured: f64) -> Row {
    THESIS.row(id, measured)
}

impl Synthesized for Dimmnet2 {
    const SYNTHESIS: Synthesis = synthesis::SYNTHESIS;
}

impl Evaluated for Dimmnet2 {
    type Costs = Costs;

    const PUBLICATION: Publication = THESIS;
    const COMPUTER: Computer = machine_api::PENTIUM_4_2600;
    const CHOICES: &'static [Choice] = choices::CHOICES;

    fn set_costs(settings: &mut crate::Settings, costs: Costs) {
        settings.costs = costs;
    }

    fn measure(
        nics: Source<'_>,
        conditions: &Conditions<Costs>,
        request: Request<'_>,
    ) -> anyhow::Result<Findings> {
        let bench = Bench { nics, conditions, request };
        let mut all = Findings::default();
        for section in [
            section_2_2::section,
            structure::section,
            section_6_2::section,
            section_6_3::section,
            section_7_1::section,
            section_7_2::section,
        ] {
            all.add(section(&bench)?);
        }
        if request.wants("table 2.2") {
            all.tables.push(networks::compared(&all.rows));
        }
        if request.wants("table 7.1") {
            all.tables.push(networks::parts(nics)?);
        }
        Ok(all)
    }

    fn fitted() -> Vec<Fitted> {
        choices::fitted()
    }
}
