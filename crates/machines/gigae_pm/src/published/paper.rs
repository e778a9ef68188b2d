//! The paper as a publication.

use machine_api::{Publication, Row};

use super::{page, table};

/// Evaluation of the card (the paper, sections 4 to 6).
pub(crate) const PAPER: Publication = Publication {
    rows: table::TABLE,
    figures: &["2", "3"],
    causes: &[
        (
            "E9",
            "with the time of an operation that E10 chose one node hardly waits for memory, so the caches of four gain nothing; and a third of the time of four is MPI's",
        ),
        (
            "E11",
            "as E9: the times over PM and TCP/IP are 0.34 s apart, by the paper's rows 0.38 s of our time of one node, but four nodes compute longer here",
        ),
        (
            "E12",
            "the paper's rows do not agree: E10 over E12 is 1.46, and E14, which would be the same, 1.84; ours is near E14",
        ),
        ("E13", "as E11: both times have as much computation in them, more than the paper's"),
    ],
    calibrations: &[("TCP/IP", &["E6", "E7"])],
    history: &[],
    begin: page::BEGIN,
    story: page::STORY,
    drawn: "Circles and dashed lines are published values, in the colour of the curve they belong to. Each figure is there as SVG and CSV.",
    clusters: 135,
};

/// A published number with our measurement.
pub(crate) fn row(id: &str, measured: f64) -> Row {
    PAPER.row(id, measured)
}
